// Structures in detail: a model that says which shapes it fits (extras.fits) is fitted to each of them. It is made on a cylinder of radius and
// length 1 along z, or a box of sides 1 with x its longest and z its shortest: what lies within stretches with the shape, what stands out does so
// by as many metres as in the model. Nodes say where they go (extras.at): over the `whole`, `every` so many metres along a cylinder or `along` a box,
// at the `top` of one that stands, round it where another one ends on it (`joint`), and on that one where it leaves the surface (`stub`).

import { Matrix4, Vector3, type BufferGeometry } from "three";
import type { ShapeEntry } from "../net/messages";
import { poseMatrix } from "./geometry";
import type { LoadedModel, ModelNode } from "./library";
import type { Look } from "./shading";

interface Fits {
    kind: string;
    material: string | string[];
    radius?: [number, number];
    length?: [number, number];
    thickness?: [number, number];
    size?: [number, number];
    across?: [number, number];
    /** boxes whose shortest side is upright */
    flat?: boolean;
}

/** A shape of a body that stands still, and where it is. */
export interface Placed {
    shape: ShapeEntry;
    matrix: Matrix4;
}

export interface Dressed {
    geometry: BufferGeometry;
    look: Look;
    /** covers all of the shape: it throws shade, and things grow on it */
    whole: boolean;
}

const within = (value: number, range: [number, number] | undefined): boolean => !range || (value >= range[0] && value <= range[1]);

interface Frame {
    /** from the model's axes to the shape's */
    turn: Matrix4;
    /** m, along the model's axes */
    size: Vector3;
}

/** The model's axes on a box: x along its longest side, z along its shortest, and upward where that can be told. */
function boxFrame(shape: ShapeEntry, matrix: Matrix4): Frame {
    const sides = shape.size ?? [1, 1, 1];
    const order = [0, 1, 2].sort((a, b) => sides[b]! - sides[a]!);
    const axes = order.map((i) => new Vector3().setComponent(i, 1));
    const up = axes[2]!.clone().transformDirection(matrix).z;
    if (up < -1e-9) axes[2]!.negate();
    axes[1]!.copy(axes[2]!).cross(axes[0]!);
    return { turn: new Matrix4().makeBasis(axes[0]!, axes[1]!, axes[2]!), size: new Vector3(...order.map((i) => sides[i]!)) };
}

export function fits(model: LoadedModel, { shape, matrix }: Placed): boolean {
    const rule = model.extras["fits"] as Fits;
    if (shape.kind !== rule.kind || shape.color || ![rule.material].flat().includes(shape.material ?? "")) return false;
    if (shape.kind === "cylinder") return within(shape.radius ?? 0, rule.radius) && within(shape.length ?? 0, rule.length);
    if (shape.kind !== "box") return false;
    const { turn, size } = boxFrame(shape, matrix);
    const up = new Vector3().setFromMatrixColumn(turn, 2).transformDirection(matrix).z;
    return within(size.x, rule.size) && within(size.y, rule.across) && within(size.z, rule.thickness) && (!rule.flat || up > 0.95);
}

/** Within the unit's half a coordinate stretches, beyond it is metres; the second number is how much. */
function stretch(u: number, size: number): [number, number] {
    return Math.abs(u) <= 0.5 + 1e-6 ? [u * size, size] : [Math.sign(u) * (size / 2 + Math.abs(u) - 0.5), 1];
}

type Bend = (p: Vector3, n: Vector3) => void;

function bent(source: BufferGeometry, bend: Bend): BufferGeometry {
    const out = source.clone();
    const [position, normal] = [out.getAttribute("position"), out.getAttribute("normal")];
    const [p, n] = [new Vector3(), new Vector3()];
    for (let i = 0; i < position.count; ++i) {
        bend(p.fromBufferAttribute(position, i), n.fromBufferAttribute(normal, i));
        position.setXYZ(i, p.x, p.y, p.z);
        n.normalize();
        normal.setXYZ(i, n.x, n.y, n.z);
    }
    out.setAttribute("local", position.clone());
    out.setAttribute("facing", normal.clone());
    return out;
}

function onCylinder(radius: number, length: number | null, at = 0, turned = 1): Bend {
    return (p, n) => {
        const r = Math.hypot(p.x, p.y);
        const within1 = r <= 1 + 1e-6;
        const share = r > 0 ? (within1 ? radius : (radius + r - 1) / r) : 1;
        p.x *= share;
        p.y *= share;
        if (within1) {
            n.x /= radius;
            n.y /= radius;
        }
        if (length !== null) {
            const [z, s] = stretch(p.z, length);
            p.z = z;
            n.z /= s;
            return;
        }
        if (turned < 0) {
            // turned end for end about x
            [p.y, p.z, n.y, n.z] = [-p.y, -p.z, -n.y, -n.z];
        }
        p.z += at;
    };
}

function onBox({ size, turn }: Frame, at: number | null): Bend {
    return (p, n) => {
        const [x, sx] = at === null ? stretch(p.x, size.x) : [p.x + at, 1];
        const [y, sy] = stretch(p.y, size.y);
        const [z, sz] = stretch(p.z, size.z);
        p.set(x, y, z).applyMatrix4(turn);
        n.set(n.x / sx, n.y / sy, n.z / sz).normalize().transformDirection(turn);
    };
}

/** m along a cylinder or a box from its middle: every step, ends left out. */
function* places(extras: Record<string, unknown>, length: number): Generator<number> {
    const step = Number(extras["step"] ?? 1);
    const from = extras["from"] === undefined ? ((length - 0.3) % step) / 2 + 0.15 : Number(extras["from"]);
    for (let at = from; at <= length - 0.1; at += step) yield at - length / 2;
}

interface Joint {
    /** m along the host from its middle */
    at: number;
    /** of the one that ends there: which, at which of its ends, and m from there to the host's surface */
    guest: number;
    end: 1 | -1;
    out: number;
    host: number;
}

/** m: half a can, which must not stand out at the end of the one that it is on */
const CAN = 0.8;

/** Where cylinders end within others: of several, within the thickest. */
export function findJoints(cylinders: readonly Placed[]): Joint[] {
    const joints: Joint[] = [];
    const axes = cylinders.map(({ matrix }) => new Vector3(0, 0, 1).transformDirection(matrix));
    const middles = cylinders.map(({ matrix }) => new Vector3().setFromMatrixPosition(matrix));
    cylinders.forEach(({ shape: guest }, g) => {
        for (const end of [1, -1] as const) {
            const tip = middles[g]!.clone().addScaledVector(axes[g]!, (end * (guest.length ?? 0)) / 2);
            let joint: Joint | null = null;
            cylinders.forEach(({ shape: host }, h) => {
                const radius = host.radius ?? 0;
                if (h === g || radius <= Math.max(guest.radius ?? 0, joint ? cylinders[joint.host]!.shape.radius ?? 0 : 0)) return;
                const away = tip.clone().sub(middles[h]!);
                const at = away.dot(axes[h]!);
                // not where the host itself ends
                if (Math.abs(at) > (host.length ?? 0) / 2 - CAN || away.addScaledVector(axes[h]!, -at).length() > radius) return;
                const sine = Math.sqrt(Math.max(1 - axes[g]!.dot(axes[h]!) ** 2, 0.04));
                joint = { at, guest: g, end, out: radius / sine, host: h };
            });
            if (joint) joints.push(joint);
        }
    });
    return joints;
}

/** A model on one shape; `joints` of the body, `index` of the shape among its cylinders (-1: a box). */
export function dress(model: LoadedModel, { shape, matrix }: Placed, joints: readonly Joint[], index: number): Dressed[] {
    const out: Dressed[] = [];
    const put = (node: ModelNode, bend: Bend, whole = false): void => {
        for (const { geometry, look } of node.parts) out.push({ geometry: bent(geometry, bend).applyMatrix4(matrix), look, whole });
    };
    if (shape.kind === "box") {
        const frame = boxFrame(shape, matrix);
        for (const node of model.nodes) {
            if (node.extras["at"] === "along") for (const at of places(node.extras, frame.size.x)) put(node, onBox(frame, at));
            else put(node, onBox(frame, null), true);
        }
        return out;
    }
    const [radius, length] = [shape.radius ?? 0.5, shape.length ?? 1];
    const up = new Vector3(0, 0, 1).transformDirection(matrix).z;
    for (const node of model.nodes) {
        if (!within(radius, node.extras["radius"] as [number, number] | undefined)) continue;
        switch (node.extras["at"]) {
            case "every":
                for (const at of places(node.extras, length)) put(node, onCylinder(radius, null, at));
                break;
            case "top":
                if (Math.abs(up) > 0.85) put(node, onCylinder(radius, null, (Math.sign(up) * length) / 2, Math.sign(up)));
                break;
            case "joint": {
                const taken: number[] = [];
                for (const { at } of joints.filter(({ host }) => host === index)) {
                    if (taken.some((other) => Math.abs(other - at) < 0.4)) continue;
                    taken.push(at);
                    put(node, onCylinder(radius, null, at));
                }
                break;
            }
            case "stub":
                for (const { end, out: surface } of joints.filter(({ guest }) => guest === index)) put(node, onCylinder(radius, null, end * (length / 2 - surface), -end));
                break;
            default:
                put(node, onCylinder(radius, length), true);
        }
    }
    return out;
}

/** Shapes of a still body, those that a model fits dressed; the rest is given back. */
export function dressBody(shapes: readonly ShapeEntry[], pose: Matrix4, models: readonly LoadedModel[]): { dressed: Dressed[]; bare: number[] } {
    const placed = shapes.map((shape): Placed => ({ shape, matrix: pose.clone().multiply(poseMatrix(shape.position, shape.attitude)) }));
    const cylinders = placed.filter(({ shape }) => shape.kind === "cylinder");
    const joints = findJoints(cylinders);
    const dressed: Dressed[] = [];
    const bare: number[] = [];
    placed.forEach((one, i) => {
        const model = models.find((candidate) => fits(candidate, one));
        if (model) dressed.push(...dress(model, one, joints, cylinders.indexOf(one)));
        else bare.push(i);
    });
    return { dressed, bare };
}
