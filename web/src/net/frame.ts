// Frames: the state of the world at one instant, as docs/protocol.md lays them out. Arrays are views into the message, not
// copies; browsers run on little-endian machines, as the format is.

import { VEHICLE_BYTES, decodeVehicle, type VehicleFrame } from "./vehicle_frame";

export type { VehicleFrame } from "./vehicle_frame";

export const FRAME_MAGIC = 0x31465748;
const HEADER_BYTES = 32;
const SECTION_BYTES = 8;

export const FrameFlag = { PAUSED: 1, REPLAY: 2, RECORDING: 4, SLOW: 8, JUMP: 16, ENDED: 32 } as const;
export const VehicleFlag = { ARMED: 1, INPUT_HOLD: 2, HOLDS_OBJECT: 4, THRUSTER_LIMIT: 8, COLLISION: 16 } as const;
export const CableFlag = { PARTED: 1, PAYING_OUT: 2, HAULING_IN: 4, A_FREE: 8, B_FREE: 16 } as const;
export const BODY_SEABED = 65535;
export const BODY_CABLE = 65534;

const enum Kind { Poses = 1, Vehicle, Thrusters, Cable, Contacts, Channels, Instrument, Arm }

export interface CableFrame {
    count: number;
    flags: number;
    length: number;
    distance: number;
    tensionA: number;
    tensionB: number;
    wrap: number;
    nodes: Float32Array;
    tensions: Float32Array;
    contacts: Uint8Array;
}

export interface Contact {
    point: Float32Array;
    force: Float32Array;
    first: number;
    second: number;
}

export interface Frame {
    flags: number;
    time: number;
    number: number;
    seq: number;
    factor: number;
    revision: number;
    /** 7 floats a slot: x y z, w x y z */
    poses: Float32Array;
    vehicles: VehicleFrame[];
    /** by vehicle; 4 floats a thruster: force, command, angle, speed */
    thrusters: Float32Array[];
    cables: CableFrame[];
    contacts: Contact[];
    /** by number of the subscription */
    channels: Map<number, Float32Array>;
    /** by place in the description's list: valid, age, values */
    instruments: Map<number, Float32Array>;
    /** by arm of the first vehicle: displacement and share of its effort of each joint */
    arms: Map<number, Float32Array>;
}

const NONE = new Float32Array(0);

export class FrameError extends Error {}

export function decodeFrame(data: ArrayBuffer): Frame {
    if (data.byteLength < HEADER_BYTES) throw new FrameError("a frame is shorter than its header");
    const view = new DataView(data);
    if (view.getUint32(0, true) !== FRAME_MAGIC) throw new FrameError("a binary message is not a frame");
    const frame: Frame = {
        flags: view.getUint32(4, true),
        time: view.getFloat64(8, true),
        number: view.getUint32(16, true),
        seq: view.getUint32(20, true),
        factor: view.getFloat32(24, true),
        revision: view.getUint16(28, true),
        poses: NONE,
        vehicles: [],
        thrusters: [],
        cables: [],
        contacts: [],
        channels: new Map(),
        instruments: new Map(),
        arms: new Map(),
    };
    const sections = view.getUint16(30, true);
    let at = HEADER_BYTES;
    for (let i = 0; i < sections; ++i) {
        if (at + SECTION_BYTES > data.byteLength) throw new FrameError("a frame ends within a section's head");
        const kind = view.getUint16(at, true);
        const index = view.getUint16(at + 2, true);
        const bytes = view.getUint32(at + 4, true);
        at += SECTION_BYTES;
        if (bytes % 4 !== 0) throw new FrameError("a section's length is no multiple of 4");
        if (at + bytes > data.byteLength) throw new FrameError("a section is longer than its frame");
        decodeSection(frame, data, view, kind, index, at, bytes);
        at += bytes;
    }
    return frame;
}

function decodeSection(frame: Frame, data: ArrayBuffer, view: DataView, kind: number, index: number, at: number, bytes: number): void {
    switch (kind) {
        case Kind.Poses: {
            const poses = new Float32Array(data, at, bytes / 4);
            if (index === 0 && frame.poses.length === 0) {
                frame.poses = poses;
            } else {
                const joined = new Float32Array(Math.max(frame.poses.length, 7 * index + poses.length));
                joined.set(frame.poses);
                joined.set(poses, 7 * index);
                frame.poses = joined;
            }
            break;
        }
        case Kind.Vehicle:
            if (bytes < VEHICLE_BYTES) throw new FrameError("a vehicle's section is too short");
            frame.vehicles[index] = decodeVehicle(data, view, at);
            break;
        case Kind.Thrusters:
            if (bytes % 16 !== 0) throw new FrameError("a section of thrusters has a wrong length");
            frame.thrusters[index] = new Float32Array(data, at, bytes / 4);
            break;
        case Kind.Cable:
            frame.cables[index] = decodeCable(data, view, at, bytes);
            break;
        case Kind.Contacts:
            for (let k = at; k + 28 <= at + bytes; k += 28) {
                frame.contacts.push({
                    point: new Float32Array(data, k, 3),
                    force: new Float32Array(data, k + 12, 3),
                    first: view.getUint16(k + 24, true),
                    second: view.getUint16(k + 26, true),
                });
            }
            break;
        case Kind.Channels:
            frame.channels.set(index, new Float32Array(data, at, bytes / 4));
            break;
        case Kind.Instrument:
            frame.instruments.set(index, new Float32Array(data, at, bytes / 4));
            break;
        case Kind.Arm:
            frame.arms.set(index, new Float32Array(data, at, bytes / 4));
            break;
        default: // a newer server may send more
            break;
    }
}

function decodeCable(data: ArrayBuffer, view: DataView, at: number, bytes: number): CableFrame {
    if (bytes < 24) throw new FrameError("a cable's section is too short");
    const count = view.getUint16(at, true);
    const elements = Math.max(count - 1, 0);
    const flagBytes = Math.ceil(count / 8);
    if (bytes < 24 + 12 * count + 4 * elements + flagBytes) throw new FrameError("a cable's section ends among its nodes");
    const tensionsAt = at + 24 + 12 * count;
    return {
        count,
        flags: view.getUint16(at + 2, true),
        length: view.getFloat32(at + 4, true),
        distance: view.getFloat32(at + 8, true),
        tensionA: view.getFloat32(at + 12, true),
        tensionB: view.getFloat32(at + 16, true),
        wrap: view.getFloat32(at + 20, true),
        nodes: new Float32Array(data, at + 24, 3 * count),
        tensions: new Float32Array(data, tensionsAt, elements),
        contacts: new Uint8Array(data, tensionsAt + 4 * elements, flagBytes),
    };
}

/** Whether this node of a cable touches something. */
export function nodeTouches(cable: CableFrame, node: number): boolean {
    return ((cable.contacts[node >> 3] ?? 0) & (1 << (node & 7))) !== 0;
}

export function countContacts(cable: CableFrame): number {
    let count = 0;
    for (let node = 0; node < cable.count; ++node) if (nodeTouches(cable, node)) ++count;
    return count;
}
