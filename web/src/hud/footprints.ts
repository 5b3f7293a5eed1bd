// Outlines of what stands in the water, seen from above, for the map: the whole of a thing, and the slice of it at a depth.

import { Quaternion, Vector3 } from "three";
import type { BodyEntry, Quat, SceneMessage, ShapeEntry, Vec3 } from "../net/messages";
import { decodeBase64, quaternionOf, vectorOf } from "../scene/geometry";

export type Footprint = ({ kind: "circle"; x: number; y: number; radius: number } | { kind: "polygon"; points: [number, number][] }) & { solid: Solid };

/** What a slice is cut from, in the world's frame. */
type Solid =
    /** a convex body's corners */
    | { kind: "convex"; points: Vector3[] }
    /** corners of triangles, three each */
    | { kind: "mesh"; points: Vector3[]; triangles: Uint32Array };

export type Slice = { kind: "polygon"; points: [number, number][] } | { kind: "lines"; segments: [number, number, number, number][] };

/** Where the way from a to b passes a height, in plan; null: nowhere. */
function passes(a: Vector3, b: Vector3, height: number): [number, number] | null {
    if (a.z > height === b.z > height) return null;
    const share = (height - a.z) / (b.z - a.z);
    return [a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)];
}

/** What is between two heights of a convex body (all lines between its corners lie in it), or a mesh's outline half-way. */
export function sliceOf({ solid }: Footprint, low: number, high: number): Slice | null {
    if (solid.kind === "mesh") {
        const segments: [number, number, number, number][] = [];
        const height = (low + high) / 2;
        for (let i = 0; i + 2 < solid.triangles.length; i += 3) {
            const [a, b, c] = [0, 1, 2].map((k) => solid.points[solid.triangles[i + k]!]!) as [Vector3, Vector3, Vector3];
            const ends = [passes(a, b, height), passes(b, c, height), passes(c, a, height)].filter((end) => end !== null);
            if (ends.length === 2) segments.push([...ends[0]!, ...ends[1]!]);
        }
        return segments.length > 0 ? { kind: "lines", segments } : null;
    }
    const points: [number, number][] = solid.points.filter((p) => p.z >= low && p.z <= high).map((p) => [p.x, p.y]);
    solid.points.forEach((a, i) => {
        for (let k = i + 1; k < solid.points.length; ++k) {
            for (const height of [low, high]) {
                const at = passes(a, solid.points[k]!, height);
                if (at) points.push(at);
            }
        }
    });
    const hull = convexHull(points);
    return hull.length >= 3 ? { kind: "polygon", points: hull } : null;
}

/** Andrew's monotone chain (1979). */
export function convexHull(points: readonly [number, number][]): [number, number][] {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    if (sorted.length < 3) return sorted;
    const half = (list: [number, number][]): [number, number][] => {
        const hull: [number, number][] = [];
        for (const p of list) {
            while (hull.length >= 2) {
                const [a, b] = [hull[hull.length - 2]!, hull[hull.length - 1]!];
                if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
        return hull;
    };
    return [...half(sorted), ...half(sorted.reverse())];
}

function corners(x: number, y: number, z: number): Vector3[] {
    const out: Vector3[] = [];
    for (const i of [-1, 1]) for (const j of [-1, 1]) for (const k of [-1, 1]) out.push(new Vector3((i * x) / 2, (j * y) / 2, (k * z) / 2));
    return out;
}

/** Two rings, as many corners as a slice on the chart needs. */
function rings(radius: number, length: number): Vector3[] {
    const out: Vector3[] = [];
    for (let i = 0; i < 10; ++i) {
        const [x, y] = [radius * Math.cos((i * Math.PI) / 5), radius * Math.sin((i * Math.PI) / 5)];
        out.push(new Vector3(x, y, -length / 2), new Vector3(x, y, length / 2));
    }
    return out;
}

function solidOf(body: BodyEntry, shape: ShapeEntry, scene: SceneMessage): Solid {
    const put = (points: Vector3[]): Vector3[] => place(place(points, shape.position, shape.attitude), body.position, body.attitude);
    const radius = shape.radius ?? 0.5;
    const mesh = shape.kind === "mesh" ? scene.meshes?.[shape.mesh ?? -1] : undefined;
    if (mesh) {
        const values = new Float32Array(decodeBase64(mesh.vertices));
        const points = Array.from({ length: values.length / 3 }, (_, i) => new Vector3(values[3 * i], values[3 * i + 1], values[3 * i + 2]));
        return { kind: "mesh", points: put(points), triangles: new Uint32Array(decodeBase64(mesh.triangles)) };
    }
    switch (shape.kind) {
        case "cylinder": return { kind: "convex", points: put(rings(radius, shape.length ?? 1)) };
        case "capsule": return { kind: "convex", points: put([...rings(radius, shape.length ?? 1), ...rings(0.5 * radius, (shape.length ?? 1) + 1.7 * radius)]) };
        case "sphere": return { kind: "convex", points: put([...rings(radius, 0.1 * radius), ...rings(0.7 * radius, 1.4 * radius)]) };
        default: return { kind: "convex", points: put(shapePoints(shape, scene)) };
    }
}

function shapePoints(shape: ShapeEntry, scene: SceneMessage): Vector3[] {
    const radius = shape.radius ?? 0.5;
    const length = shape.length ?? 1;
    switch (shape.kind) {
        case "box": return corners(...(shape.size ?? [1, 1, 1]) as Vec3);
        case "cylinder": return corners(2 * radius, 2 * radius, length);
        case "capsule": return corners(2 * radius, 2 * radius, length + 2 * radius);
        case "sphere": return corners(2 * radius, 2 * radius, 2 * radius);
        case "mesh": {
            const mesh = scene.meshes?.[shape.mesh ?? -1];
            if (!mesh) return [];
            const values = new Float32Array(decodeBase64(mesh.vertices));
            const out: Vector3[] = [];
            // Enough for an outline; large meshes would hold the page up.
            const stride = 3 * Math.max(1, Math.ceil(values.length / 3 / 2000));
            for (let i = 0; i + 2 < values.length; i += stride) out.push(new Vector3(values[i], values[i + 1], values[i + 2]));
            return out;
        }
    }
}

function place(points: Vector3[], position: Vec3 | undefined, attitude: Quat | undefined): Vector3[] {
    const at = vectorOf(position);
    const turn = quaternionOf(attitude);
    return points.map((p) => p.applyQuaternion(turn).add(at));
}

function footprint(body: BodyEntry, shape: ShapeEntry, scene: SceneMessage): Footprint | null {
    const upright = new Vector3(0, 0, 1).applyQuaternion(quaternionOf(body.attitude).multiply(quaternionOf(shape.attitude) as Quaternion));
    if ((shape.kind === "cylinder" && Math.abs(upright.z) > 0.97) || shape.kind === "sphere") {
        const [centre] = place(place([new Vector3()], shape.position, shape.attitude), body.position, body.attitude);
        return { kind: "circle", x: centre!.x, y: centre!.y, radius: shape.radius ?? 0.5, solid: solidOf(body, shape, scene) };
    }
    const points = place(place(shapePoints(shape, scene), shape.position, shape.attitude), body.position, body.attitude);
    const hull = convexHull(points.map((p): [number, number] => [p.x, p.y]));
    return hull.length >= 3 ? { kind: "polygon", points: hull, solid: solidOf(body, shape, scene) } : null;
}

export function sceneFootprints(scene: SceneMessage): Footprint[] {
    const out: Footprint[] = [];
    for (const body of scene.bodies) {
        // a boat rides the waves, but stays about where it is
        if (body.slot !== undefined && !body.name.startsWith("boat")) continue;
        for (const shape of body.shapes) {
            const print = footprint(body, shape, scene);
            if (print) out.push(print);
        }
    }
    return out;
}
