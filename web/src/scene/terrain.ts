// The bottom: a plane, a field of heights, or a mesh.

import { BufferAttribute, BufferGeometry, CircleGeometry, Mesh, Path, Shape, ShapeGeometry, Vector2 } from "three";
import { convexHull, sceneFootprints } from "../hud/footprints";
import type { MeshEntry, SceneMessage, SeabedEntry } from "../net/messages";
import { decodeBase64, meshGeometry, rememberLocal } from "./geometry";
import { lookOf } from "./looks";
import type { Shading } from "./shading";

const REACH = 500; // m, of a plane: farther than anyone sees

export interface Terrain {
    mesh: Mesh;
    /** m, world z; NaN where there is none or it is not known */
    height(x: number, y: number): number;
}

function heightfieldGeometry(field: Extract<SeabedEntry, { kind: "heightfield" }>, heights: Float32Array): BufferGeometry {
    const { columns, rows, spacing, origin } = field;
    const positions = new Float32Array(3 * columns * rows);
    for (let row = 0; row < rows; ++row) {
        for (let column = 0; column < columns; ++column) {
            const i = row * columns + column;
            positions[3 * i] = origin[0] + column * spacing;
            positions[3 * i + 1] = origin[1] + row * spacing;
            positions[3 * i + 2] = origin[2] + heights[i]!;
        }
    }
    const index = new Uint32Array(6 * (columns - 1) * (rows - 1));
    let k = 0;
    for (let row = 0; row < rows - 1; ++row) {
        for (let column = 0; column < columns - 1; ++column) {
            const a = row * columns + column;
            index.set([a, a + 1, a + columns, a + 1, a + columns + 1, a + columns], k);
            k += 6;
        }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(index, 1));
    geometry.computeVertexNormals();
    return geometry;
}

export function makeTerrain(seabed: SeabedEntry, meshes: readonly MeshEntry[], shading: Shading): Terrain | null {
    const material = shading.make({ ...lookOf(seabed.material), doubleSided: seabed.kind !== "plane" });
    switch (seabed.kind) {
        case "plane": {
            const plane = rememberLocal(new CircleGeometry(REACH, 48)).translate(0, 0, -seabed.depth);
            return { mesh: new Mesh(plane, material), height: () => -seabed.depth };
        }
        case "heightfield": {
            const heights = new Float32Array(decodeBase64(seabed.heights));
            const mesh = new Mesh(rememberLocal(heightfieldGeometry(seabed, heights)), material);
            return { mesh, height: (x, y) => sampleField(seabed, heights, x, y) };
        }
        case "mesh": {
            const entry = meshes[seabed.mesh];
            if (!entry) return null;
            return { mesh: new Mesh(rememberLocal(meshGeometry(entry)), material), height: () => Number.NaN };
        }
    }
}

/** The floor round a pool: at the height of its tiled walls, with the pool cut out. */
export function makePoolDeck(scene: SceneMessage, shading: Shading): Mesh | null {
    const walls = scene.bodies.map((body) => ({ ...body, shapes: body.slot === undefined ? body.shapes.filter((shape) => shape.material === "tile") : [] }));
    const corners = sceneFootprints({ ...scene, bodies: walls }).flatMap((print) => (print.kind === "polygon" ? print.points : []));
    const edge = convexHull(corners);
    if (edge.length < 3) return null;
    const top = Math.max(...walls.flatMap((body) => body.shapes.map((shape) =>
        (body.position?.[2] ?? 0) + (shape.position?.[2] ?? 0) + 0.5 * (shape.size?.[2] ?? 0))));
    const outline = new Shape().absarc(0, 0, REACH, 0, 2 * Math.PI, false);
    outline.holes.push(new Path(edge.map(([x, y]) => new Vector2(x, y))));
    const floor = rememberLocal(new ShapeGeometry(outline, 24)).translate(0, 0, top);
    return new Mesh(floor, shading.make({ ...lookOf("tile", "#b8b4aa"), tile: 0.5, pool: false }));
}

/** Between the four heights round a point; NaN outside the field. */
export function sampleField(field: Extract<SeabedEntry, { kind: "heightfield" }>, heights: Float32Array, x: number, y: number): number {
    const fx = (x - field.origin[0]) / field.spacing;
    const fy = (y - field.origin[1]) / field.spacing;
    const column = Math.floor(fx);
    const row = Math.floor(fy);
    if (column < 0 || row < 0 || column >= field.columns - 1 || row >= field.rows - 1) return Number.NaN;
    const at = (c: number, r: number): number => heights[r * field.columns + c]!;
    const low = at(column, row) + (fx - column) * (at(column + 1, row) - at(column, row));
    const high = at(column, row + 1) + (fx - column) * (at(column + 1, row + 1) - at(column, row + 1));
    return field.origin[2] + low + (fy - row) * (high - low);
}
