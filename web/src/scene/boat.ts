// The support boat, and the ships and barges of scenes: drawn as large as the shapes that stand for them in the simulation.

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

/** A box whose bottom rises at both ends. */
function bargeGeometry(length: number, beam: number, low: number, high: number): BufferGeometry {
    const box = new BoxGeometry(length, beam, high - low, 20, 2, 8).translate(0, 0, (low + high) / 2);
    const position = box.getAttribute("position");
    for (let i = 0; i < position.count; ++i) {
        const end = Math.max(Math.abs(position.getX(i)) / (length / 2) - 0.82, 0) / 0.18;
        const least = low + 0.6 * end * end * (high - low);
        if (position.getZ(i) < least) position.setZ(i, least);
    }
    const flat = box.toNonIndexed();
    flat.deleteAttribute("uv");
    flat.computeVertexNormals();
    return flat;
}

function bowRake(x: number): number {
    return Math.max((x - 0.4) / 0.6, 0);
}

/** Cuts a geometry at a height and gives what lies below, or above; triangles that reach across are cut. */
function half(geometry: BufferGeometry, height: number, below: boolean): BufferGeometry {
    const source = geometry.getAttribute("position");
    const side = below ? -1 : 1;
    const kept: number[] = [];
    for (let i = 0; i < source.count; i += 3) {
        const corners = [i, i + 1, i + 2].map((k) => new Vector3().fromBufferAttribute(source, k));
        const cut: Vector3[] = [];
        corners.forEach((from, k) => {
            const to = corners[(k + 1) % 3]!;
            const [a, b] = [side * (from.z - height), side * (to.z - height)];
            if (a >= 0) cut.push(from);
            if (a >= 0 !== b >= 0) cut.push(from.clone().lerp(to, a / (a - b)));
        });
        for (let k = 1; k + 1 < cut.length; ++k) for (const corner of [cut[0]!, cut[k]!, cut[k + 1]!]) kept.push(corner.x, corner.y, corner.z);
    }
    const out = new BufferGeometry();
    out.setAttribute("position", new BufferAttribute(new Float32Array(kept), 3));
    out.computeVertexNormals();
    return out;
}

/** Longer than this, m, it is a ship: its house stands forward and its deck is clear for work. */
const SHIP = 25;

/** By its name, and by shapes that are a hull's: a box, wider than high, longer than wide. */
export function isBoat(body: BodyEntry): boolean {
    if (body.name.startsWith("boat")) return true;
    if (!/^(ship|tug|barge|vessel|supply|tanker|receiver|tender)/.test(body.name)) return false;
    const hull = body.shapes[0];
    const [x, y, z] = hull?.kind === "box" ? hull.size ?? [0, 0, 0] : [0, 0, 0];
    return body.shapes.length === 1 && x > 1.5 * y && y > z && x > 8;
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
    const barge = body.name.startsWith("barge");
    const ship = size.x > SHIP;
    const [length, beam] = [(barge ? 1 : 0.94) * size.x, size.y];
    const hull = barge ? bargeGeometry(length, beam, bounds.min.z, hullTop) : hullGeometry(length, beam, bounds.min.z, hullTop);
    // painted red to a hand's breadth above the water it floats in
    const waterline = body.position && !ship ? 0.12 - body.position[2] : bounds.min.z + 0.42 * (hullTop - bounds.min.z);
    add([half(hull, waterline, true)], "#7c2a22", 0.15);
    add([half(hull, waterline, false)], barge ? "#5b6166" : "#17466b");
    if (barge || ship) {
        // the deck, bollards along its edge, and on a ship the house with its bridge, funnel and mast
        const deck = 0.02 * (hullTop - bounds.min.z);
        add([new BoxGeometry((barge ? 0.98 : 0.8) * length, 0.94 * beam, deck).translate(barge ? 0 : -0.09 * length, 0, hullTop + 0.5 * deck)], "#6d7468", 0.05);
        const bollards: BufferGeometry[] = [];
        for (const side of [-1, 1]) {
            for (let i = 0; i < 6; ++i) {
                for (const k of [-1, 1]) bollards.push(cylinderAlongZ(0.3, 0.9, undefined, 10).translate((-0.42 + 0.14 * i) * length + 0.6 * k, side * 0.45 * beam, hullTop + 0.45));
            }
        }
        add(bollards, "#1e2225", 0.2);
        if (barge) return group;
        const high = 0.16 * length;
        const [from, wide] = [0.27 * length, 0.86 * beam];
        const decks = [0, 1, 2, 3].map((i) => new BoxGeometry((0.17 - 0.012 * i) * length, (1 - 0.05 * i) * wide, 0.21 * high).translate(from, 0, hullTop + (0.11 + 0.22 * i) * high));
        add([...decks, new BoxGeometry(0.11 * length, 1.04 * wide, 0.05 * high).translate(from + 0.02 * length, 0, hullTop + 0.9 * high),
            cylinderAlongZ(0.004 * length, 0.5 * high, undefined, 10).translate(from, 0, hullTop + 1.15 * high)], "#e4e8ea");
        const panes: BufferGeometry[] = [0, 1, 2, 3].map((i) => new BoxGeometry((0.1715 - 0.012 * i) * length, (1.006 - 0.05 * i) * wide, (i === 3 ? 0.09 : 0.05) * high)
            .translate(from + 0.001 * length, 0, hullTop + (0.14 + 0.22 * i) * high));
        add(panes, "#13202a", 0.9);
        add([-1, 1].map((side) => new BoxGeometry(0.035 * length, 0.12 * wide, 0.4 * high).translate(from - 0.11 * length, side * 0.34 * wide, hullTop + 0.2 * high)), "#c8792c");
        return group;
    }
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
