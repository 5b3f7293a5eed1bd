// What the scripts of models build with: forms in metres (x forward, y to port, z up), painted, gathered by material into the nodes of a
// model, and written as one binary glTF file (.glb, version 2.0).

import { BoxGeometry, BufferAttribute, BufferGeometry, CatmullRomCurve3, Color, CylinderGeometry, ExtrudeGeometry, LatheGeometry, Path, Quaternion, Shape,
    SphereGeometry, TorusGeometry, TubeGeometry, Vector2, Vector3 } from "three";
import { mergeGeometries, mergeVertices, toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";

export type Vec = [number, number, number];

/** How a surface answers light; what it is painted with is in the colours of its vertices. */
export interface Finish {
    /** 0..1, shine */
    gloss?: number;
    /** 0..1, how much lives on it */
    growth?: number;
    /** m, size of the pattern */
    scale?: number;
    doubleSided?: boolean;
}

interface Material extends Finish {
    forms: BufferGeometry[];
}

/** A node of a model: what it holds, and in `extras` what the page is to do with it (docs/models.md). */
export class Node {
    readonly materials: Material[] = [];

    constructor(readonly name: string, readonly extras: Record<string, unknown> = {}) {}

    add(finish: Finish, color: string, ...forms: BufferGeometry[]): this {
        let material = this.materials.find((m) => m.gloss === finish.gloss && m.growth === finish.growth && m.scale === finish.scale
            && m.doubleSided === finish.doubleSided);
        if (!material) this.materials.push(material = { ...finish, forms: [] });
        for (const form of forms) material.forms.push(painted(form, color));
        return this;
    }
}

export interface Model {
    name: string;
    extras?: Record<string, unknown>;
    nodes: Node[];
}

function painted(form: BufferGeometry, color: string): BufferGeometry {
    const plain = form.index ? form.toNonIndexed() : form;
    plain.deleteAttribute("uv");
    const { r, g, b } = new Color(color);
    const count = plain.getAttribute("position").count;
    const colors = new Float32Array(3 * count);
    for (let i = 0; i < count; ++i) colors.set([r, g, b], 3 * i);
    plain.setAttribute("color", new BufferAttribute(colors, 3));
    return plain;
}

// Forms ------------------------------------------------------------------------------------------------------------------

export function box(size: Vec, at: Vec = [0, 0, 0]): BufferGeometry {
    return new BoxGeometry(...size).translate(...at);
}

/** Between two points. */
export function boxFrom(low: Vec, high: Vec): BufferGeometry {
    return box([high[0] - low[0], high[1] - low[1], high[2] - low[2]], [0, 1, 2].map((i) => (low[i]! + high[i]!) / 2) as Vec);
}

/** A box with rounded edges; `steps` 1: bevelled. */
export function softBox([x, y, z]: Vec, edge: number, at: Vec = [0, 0, 0], steps = 2): BufferGeometry {
    const shape = new Shape();
    const [hx, hy] = [x / 2 - edge, y / 2 - edge];
    const r = Math.min(edge, hx, hy);
    shape.moveTo(-hx + r, -hy);
    shape.lineTo(hx - r, -hy);
    shape.quadraticCurveTo(hx, -hy, hx, -hy + r);
    shape.lineTo(hx, hy - r);
    shape.quadraticCurveTo(hx, hy, hx - r, hy);
    shape.lineTo(-hx + r, hy);
    shape.quadraticCurveTo(-hx, hy, -hx, hy - r);
    shape.lineTo(-hx, -hy + r);
    shape.quadraticCurveTo(-hx, -hy, -hx + r, -hy);
    return smooth(new ExtrudeGeometry(shape, { depth: z - 2 * edge, bevelEnabled: true, bevelSize: edge, bevelThickness: edge, bevelSegments: steps, curveSegments: steps })
        .translate(0, 0, -(z - 2 * edge) / 2).translate(...at));
}

/** Edges of less than 40 degrees are rounded. */
export function smooth(form: BufferGeometry): BufferGeometry {
    form.deleteAttribute("uv");
    form.deleteAttribute("normal");
    return toCreasedNormals(mergeVertices(form, 1e-5), 0.7);
}

/** A round bar between two points, thinner or thicker at the second where told. */
export function bar(from: Vec, to: Vec, radius: number, sides = 12, second = radius, open = false): BufferGeometry {
    const [a, b] = [new Vector3(...from), new Vector3(...to)];
    const along = b.clone().sub(a);
    const form = new CylinderGeometry(second, radius, along.length(), sides, 1, open);
    const turn = new Vector3(0, 1, 0);
    const axis = along.clone().normalize();
    const side = turn.clone().cross(axis);
    if (side.lengthSq() > 1e-12) form.applyQuaternion(quaternionBetween(turn, axis));
    else if (axis.y < 0) form.rotateX(Math.PI);
    const middle = a.add(b).multiplyScalar(0.5);
    return form.translate(middle.x, middle.y, middle.z);
}

const quaternionBetween = (a: Vector3, b: Vector3): Quaternion => new Quaternion().setFromUnitVectors(a, b);

/** A bent bar through points. */
export function pipe(points: Vec[], radius: number, sides = 8, steps = 8, closed = false): BufferGeometry {
    const curve = new CatmullRomCurve3(points.map((p) => new Vector3(...p)), closed, "catmullrom", 0.4);
    return new TubeGeometry(curve, steps * (points.length - (closed ? 0 : 1)), radius, sides, closed);
}

/** Turned about z: radii and heights. */
export function turned(profile: [number, number][], sides = 24): BufferGeometry {
    return smooth(new LatheGeometry(profile.map(([r, z]) => new Vector2(r, z)), sides).rotateX(Math.PI / 2));
}

export function ball(radius: number, across = 16, up = 10): BufferGeometry {
    return new SphereGeometry(radius, across, up);
}

/** In the x-y plane about z. */
export function ring(radius: number, thickness: number, sides = 24, around = 8): BufferGeometry {
    return new TorusGeometry(radius, thickness, around, sides);
}

/** A plate in the x-z plane of a thickness in y, with holes. */
export function panel(outline: [number, number][], holes: [number, number][][], thickness: number, round = 10): BufferGeometry {
    const shape = new Shape(outline.map(([x, z]) => new Vector2(x, z)));
    for (const hole of holes) shape.holes.push(new Path(hole.map(([x, z]) => new Vector2(x, z))));
    return smooth(new ExtrudeGeometry(shape, { depth: thickness, bevelEnabled: true, bevelSize: 0.0015, bevelThickness: 0.0015, bevelSegments: 1, curveSegments: round })
        .translate(0, 0, -thickness / 2).rotateX(Math.PI / 2));
}

/** The outline of a slot with round corners, for holes. */
export function slot(x: number, z: number, width: number, height: number, radius: number, steps = 4): [number, number][] {
    const points: [number, number][] = [];
    const [hx, hz] = [width / 2 - radius, height / 2 - radius];
    for (const [sx, sz, start] of [[1, 1, 0], [-1, 1, 1], [-1, -1, 2], [1, -1, 3]] as const) {
        for (let i = 0; i <= steps; ++i) {
            const angle = ((start + i / steps) * Math.PI) / 2;
            points.push([x + sx * hx + radius * Math.cos(angle), z + sz * hz + radius * Math.sin(angle)]);
        }
    }
    return points;
}

/** A skin over rows of points, all rows of the same number. */
export function skin(rows: Vec[][], flip = false): BufferGeometry {
    const positions = rows.flat(2);
    const across = rows[0]!.length;
    const index: number[] = [];
    for (let i = 0; i + 1 < rows.length; ++i) {
        for (let j = 0; j + 1 < across; ++j) {
            const a = i * across + j;
            const b = a + across;
            if (flip) index.push(a, b, a + 1, a + 1, b, b + 1);
            else index.push(a, a + 1, b, a + 1, b + 1, b);
        }
    }
    const form = new BufferGeometry();
    form.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    form.setIndex(index);
    return smooth(form);
}

// The file ---------------------------------------------------------------------------------------------------------------

const FLOAT = 5126;
const USHORT = 5123;
const UINT = 5125;
const BYTE = 5120;

/** The bytes of a .glb: positions as floats, normals as bytes, colours (linear, as glTF has them) as 16 bits. */
export function writeGlb(model: Model): Uint8Array {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const views: object[] = [];
    const accessors: object[] = [];
    const meshes: object[] = [];
    const materials: object[] = [];
    const nodes: object[] = [];
    const put = (array: ArrayBufferView, target: number, stride: number | undefined, accessor: object): number => {
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
        padded.set(bytes);
        views.push({ buffer: 0, byteOffset: size, byteLength: bytes.length, target, ...(stride ? { byteStride: stride } : {}) });
        chunks.push(padded);
        size += padded.length;
        return accessors.push({ bufferView: views.length - 1, ...accessor }) - 1;
    };
    for (const node of model.nodes) {
        const primitives = node.materials.map((material) => {
            const joined = mergeVertices(mergeGeometries(material.forms)!, 1e-6);
            const position = joined.getAttribute("position");
            const normal = joined.getAttribute("normal");
            const color = joined.getAttribute("color");
            const count = position.count;
            joined.computeBoundingBox();
            const { min, max } = joined.boundingBox!;
            const normals = new Int8Array(4 * count);
            const colors = new Uint16Array(4 * count);
            for (let i = 0; i < count; ++i) {
                normals.set([normal.getX(i), normal.getY(i), normal.getZ(i), 0].map((v) => Math.round(127 * v)), 4 * i);
                colors.set([color.getX(i), color.getY(i), color.getZ(i), 1].map((v) => Math.round(65535 * v)), 4 * i);
            }
            const index = joined.index!.array;
            const indices = count < 65536 ? new Uint16Array(index) : new Uint32Array(index);
            const { gloss = 0.3, growth = 0, scale = 0.5, doubleSided = false } = material;
            materials.push({ pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 1], metallicFactor: 0, roughnessFactor: +(1 - gloss).toFixed(3) }, doubleSided, extras: { growth, scale } });
            return {
                attributes: {
                    POSITION: put(new Float32Array(position.array), 34962, undefined, { componentType: FLOAT, count, type: "VEC3", min: min.toArray(), max: max.toArray() }),
                    NORMAL: put(normals, 34962, 4, { componentType: BYTE, normalized: true, count, type: "VEC3" }),
                    COLOR_0: put(colors, 34962, 8, { componentType: USHORT, normalized: true, count, type: "VEC4" }),
                },
                indices: put(indices, 34963, undefined, { componentType: count < 65536 ? USHORT : UINT, count: indices.length, type: "SCALAR" }),
                material: materials.length - 1,
            };
        });
        meshes.push({ name: node.name, primitives });
        nodes.push({ name: node.name, mesh: meshes.length - 1, extras: node.extras });
    }
    const json = { asset: { version: "2.0", generator: "Hawser" }, extensionsUsed: ["KHR_mesh_quantization"], extensionsRequired: ["KHR_mesh_quantization"], scene: 0,
        scenes: [{ nodes: nodes.map((_, i) => i), name: model.name, extras: model.extras ?? {} }], nodes, meshes, materials, accessors, bufferViews: views, buffers: [{ byteLength: size }] };
    const text = new TextEncoder().encode(JSON.stringify(json));
    const jsonSize = Math.ceil(text.length / 4) * 4;
    const out = new Uint8Array(28 + jsonSize + size);
    const words = new DataView(out.buffer);
    [0x46546c67, 2, out.length, jsonSize, 0x4e4f534a].forEach((word, i) => words.setUint32(4 * i, word, true));
    out.fill(0x20, 20, 20 + jsonSize).set(text, 20);
    words.setUint32(20 + jsonSize, size, true);
    words.setUint32(24 + jsonSize, 0x004e4942, true);
    let at = 28 + jsonSize;
    for (const chunk of chunks) {
        out.set(chunk, at);
        at += chunk.length;
    }
    return out;
}
