// Outlines of what stands in the water, seen from above, for the map.

import { Quaternion, Vector3 } from "three";
import type { BodyEntry, Quat, SceneMessage, ShapeEntry, Vec3 } from "../net/messages";
import { isBoat } from "../scene/boat";
import { decodeBase64, quaternionOf, vectorOf } from "../scene/geometry";

export type Footprint = { kind: "circle"; x: number; y: number; radius: number } | { kind: "polygon"; points: [number, number][] };

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
        return { kind: "circle", x: centre!.x, y: centre!.y, radius: shape.radius ?? 0.5 };
    }
    const points = place(place(shapePoints(shape, scene), shape.position, shape.attitude), body.position, body.attitude);
    const hull = convexHull(points.map((p): [number, number] => [p.x, p.y]));
    return hull.length >= 3 ? { kind: "polygon", points: hull } : null;
}

export function sceneFootprints(scene: SceneMessage): Footprint[] {
    const out: Footprint[] = [];
    for (const body of scene.bodies) {
        // a boat rides the waves, but stays about where it is
        if (body.slot !== undefined && !isBoat(body)) continue;
        for (const shape of body.shapes) {
            const print = footprint(body, shape, scene);
            if (print) out.push(print);
        }
    }
    return out;
}
