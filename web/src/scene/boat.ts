// The support boat: drawn as large as the shapes that stand for it in the simulation.

import { Box3, BoxGeometry, BufferAttribute, BufferGeometry, Group, Mesh, TorusGeometry, Vector3 } from "three";
import type { BodyEntry, MeshEntry } from "../net/messages";
import { cylinderAlongZ, joinGeometries, rememberLocal, shapeGeometry } from "./geometry";
import type { Shading } from "./shading";

const STATIONS = 14;
const POINTS = 12; // from keel to deck edge

/** Half breadth (share of the half beam) and keel height (share of the depth of hull) along the length, -1 stern, 1 bow. */
function section(x: number): { breadth: number; keel: number; sheer: number } {
    const bow = Math.max((x - 0.1) / 0.9, 0);
    return { breadth: 1 - bow ** 2.6, keel: 0.9 * bow ** 4, sheer: 0.16 * bow * bow };
}

function hullGeometry(length: number, beam: number, low: number, high: number): BufferGeometry {
    const positions: number[] = [];
    const index: number[] = [];
    const height = high - low;
    for (const side of [-1, 1]) {
        const start = positions.length / 3;
        for (let i = 0; i <= STATIONS; ++i) {
            const x = (2 * i) / STATIONS - 1;
            const { breadth, keel, sheer } = section(x);
            for (let j = 0; j <= POINTS; ++j) {
                const up = j / POINTS;
                // V below the chine, upright above
                const width = breadth * Math.min(1, 0.12 + 1.9 * up) ** 0.7;
                const z = low + height * (keel + (1 + sheer - keel) * up);
                positions.push((x * length) / 2 + 0.06 * length * bowRake(x) * up, (side * width * beam) / 2, z);
            }
        }
        for (let i = 0; i < STATIONS; ++i) {
            for (let j = 0; j < POINTS; ++j) {
                const a = start + i * (POINTS + 1) + j;
                const b = a + POINTS + 1;
                if (side > 0) index.push(a, a + 1, b, a + 1, b + 1, b);
                else index.push(a, b, a + 1, a + 1, b, b + 1);
            }
        }
    }
    // transom, deck and bottom
    const other = (STATIONS + 1) * (POINTS + 1);
    for (let j = 0; j < POINTS; ++j) index.push(j, j + 1, other + j, j + 1, other + j + 1, other + j);
    for (let i = 0; i < STATIONS; ++i) {
        const a = i * (POINTS + 1) + POINTS;
        const b = a + POINTS + 1;
        index.push(a, b, other + a, b, other + b, other + a);
        const [low, next] = [a - POINTS, b - POINTS];
        index.push(low, other + low, next, next, other + low, other + next);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    geometry.setIndex(index);
    const flat = geometry.toNonIndexed();
    flat.computeVertexNormals();
    return flat;
}

function bowRake(x: number): number {
    return Math.max((x - 0.4) / 0.6, 0);
}

/** Cuts a geometry at a height: the triangles whose middle lies below, or above. */
function half(geometry: BufferGeometry, height: number, below: boolean): BufferGeometry {
    const source = geometry.getAttribute("position");
    const kept: number[] = [];
    for (let i = 0; i < source.count; i += 3) {
        const middle = (source.getZ(i) + source.getZ(i + 1) + source.getZ(i + 2)) / 3;
        if (middle < height === below) for (let k = i; k < i + 3; ++k) kept.push(source.getX(k), source.getY(k), source.getZ(k));
    }
    const out = new BufferGeometry();
    out.setAttribute("position", new BufferAttribute(new Float32Array(kept), 3));
    out.computeVertexNormals();
    return out;
}

export function isBoat(body: BodyEntry): boolean {
    return body.name.startsWith("boat");
}

export function makeBoat(body: BodyEntry, meshes: readonly MeshEntry[], shading: Shading): Group {
    const group = new Group();
    const bounds = new Box3();
    let hullTop = Number.NEGATIVE_INFINITY;
    let widest = 0;
    for (const shape of body.shapes) {
        const geometry = shapeGeometry(shape, meshes);
        if (!geometry) continue;
        geometry.computeBoundingBox();
        const box = geometry.boundingBox!;
        bounds.union(box);
        const size = box.getSize(new Vector3());
        if (size.x * size.y > widest) {
            widest = size.x * size.y;
            hullTop = box.max.z;
        }
        geometry.dispose();
    }
    if (bounds.isEmpty()) return group;
    const size = bounds.getSize(new Vector3());
    const centre = bounds.getCenter(new Vector3());
    const add = (parts: BufferGeometry[], color: string, gloss = 0.4): void => {
        const mesh = new Mesh(joinGeometries(parts.map(rememberLocal)), shading.make({ color, second: color, scale: 2, gloss, doubleSided: true }));
        mesh.position.set(centre.x, centre.y, 0);
        group.add(mesh);
    };
    const [length, beam] = [0.94 * size.x, size.y];
    const hull = hullGeometry(length, beam, bounds.min.z, hullTop);
    // painted red to a hand's breadth above the water it floats in
    const waterline = body.position ? 0.12 - body.position[2] : bounds.min.z + 0.42 * (hullTop - bounds.min.z);
    add([half(hull, waterline, true)], "#7c2a22", 0.15);
    add([half(hull, waterline, false)], "#17466b");
    const tall = Math.max(bounds.max.z - hullTop, 0.16 * length);
    const house = [new BoxGeometry(0.24 * length, 0.62 * beam, 0.75 * tall).translate(0.12 * length, 0, hullTop + 0.375 * tall),
        new BoxGeometry(0.28 * length, 0.68 * beam, 0.05 * tall).translate(0.12 * length, 0, hullTop + 0.78 * tall),
        cylinderAlongZ(0.012 * length, 0.7 * tall).translate(0.10 * length, 0, hullTop + 1.1 * tall)];
    add(house, "#e9edef");
    add([new BoxGeometry(0.245 * length, 0.56 * beam, 0.24 * tall).translate(0.123 * length, 0, hullTop + 0.55 * tall),
        new BoxGeometry(0.18 * length, 0.625 * beam, 0.24 * tall).translate(0.12 * length, 0, hullTop + 0.55 * tall)], "#15222b", 0.9);
    // A-frame over the stern, with rails and fenders
    const frame: BufferGeometry[] = [-1, 1].map((side) => cylinderAlongZ(0.02 * length, 0.95 * tall).translate(-0.42 * length, side * 0.36 * beam,
        hullTop + 0.475 * tall));
    frame.push(cylinderAlongZ(0.02 * length, 0.76 * beam).rotateX(Math.PI / 2).translate(-0.42 * length, 0, hullTop + 0.95 * tall));
    add(frame, "#e0a21c");
    // rails along the deck, low bulwark aft
    const rails: BufferGeometry[] = [];
    for (const side of [-1, 1]) {
        for (const x of [-0.46, -0.3, -0.14]) rails.push(cylinderAlongZ(0.006 * length, 0.12 * length).translate(x * length, side * 0.47 * beam, hullTop + 0.06 * length));
        for (const z of [0.06, 0.12]) {
            rails.push(cylinderAlongZ(0.006 * length, 0.33 * length).rotateY(Math.PI / 2).translate(-0.3 * length, side * 0.47 * beam, hullTop + z * length));
        }
    }
    add(rails, "#d9dee2");
    const fenders: BufferGeometry[] = [];
    for (const side of [-1, 1]) {
        for (const x of [-0.3, -0.1, 0.1]) {
            fenders.push(new TorusGeometry(0.03 * length, 0.014 * length, 8, 16).rotateX(Math.PI / 2)
                .translate(x * length, side * 0.51 * beam, hullTop - 0.3 * (hullTop - bounds.min.z)));
        }
    }
    add(fenders, "#1a1c1e", 0.1);
    return group;
}
