// Frames for tests, and a writer of frames as docs/protocol.md lays them out: the counterpart of src/net/frame.ts, written
// apart from it so that the two check each other.

import { FRAME_MAGIC, type Frame, type VehicleFrame } from "../../src/net/frame";

export function emptyFrame(time: number): Frame {
    return { flags: 0, time, number: 0, seq: 0, factor: 1, revision: 1, poses: new Float32Array(0), vehicles: [], thrusters: [],
        cables: [], contacts: [], channels: new Map(), instruments: new Map(), arms: new Map() };
}

/** A vehicle with eight thrusters on a tether of `nodes` nodes; every number is another one. */
export function flightFrame(nodes = 41): Frame {
    let last = 0;
    const next = (): number => (last += 0.37);
    const some = (count: number): Float32Array => Float32Array.from({ length: count }, next);
    const pose = some(7);
    const vehicle: VehicleFrame = { pose, position: pose.subarray(0, 3), attitude: pose.subarray(3), velocity: some(3), rate: some(3), depth: next(), heading: next(),
        roll: next(), pitch: next(), altitude: next(), speed: next(), turns: next(), tension: next(), tilt: next(), zoom: next(), lights: next(),
        gripper: next(), gain: next(), depthTarget: Number.NaN, headingTarget: next(), mode: 2, flags: 5, failed: 1 << 7, water: some(3), axes: some(4), bypass: next(),
        camera: some(3), cameraAttitude: some(3), field: next() };
    return { ...emptyFrame(next()), poses: some(7), vehicles: [vehicle], thrusters: [some(32)],
        cables: [{ count: nodes, flags: 2, length: next(), distance: next(), tensionA: next(), tensionB: next(), wrap: next(),
            nodes: some(3 * nodes), tensions: some(nodes - 1), contacts: new Uint8Array(Math.ceil(nodes / 8)) }] };
}

export function encodeFrame(frame: Frame): ArrayBuffer {
    const parts: { kind: number; index: number; body: ArrayBuffer }[] = [];
    if (frame.poses.length > 0) parts.push({ kind: 1, index: 0, body: floats(frame.poses) });
    frame.vehicles.forEach((vehicle, index) => {
        const body = new ArrayBuffer(176);
        const view = new DataView(body);
        const put = (at: number, values: ArrayLike<number>): void => {
            for (let i = 0; i < values.length; ++i) view.setFloat32(at + 4 * i, values[i]!, true);
        };
        put(0, vehicle.position);
        put(12, vehicle.attitude);
        put(28, vehicle.velocity);
        put(40, vehicle.rate);
        put(52, [vehicle.depth, vehicle.heading, vehicle.roll, vehicle.pitch, vehicle.altitude, vehicle.speed, vehicle.turns,
            vehicle.tension, vehicle.tilt, vehicle.zoom, vehicle.lights, vehicle.gripper, vehicle.gain, vehicle.depthTarget,
            vehicle.headingTarget]);
        view.setUint8(112, vehicle.mode);
        view.setUint8(113, vehicle.flags);
        view.setUint16(114, vehicle.failed, true);
        put(116, vehicle.water);
        put(128, vehicle.axes);
        put(144, [vehicle.bypass]);
        put(148, vehicle.camera);
        put(160, vehicle.cameraAttitude);
        put(172, [vehicle.field]);
        parts.push({ kind: 2, index, body });
    });
    frame.thrusters.forEach((thrusters, index) => parts.push({ kind: 3, index, body: floats(thrusters) }));
    frame.cables.forEach((cable, index) => {
        const n = cable.count;
        const flagBytes = 4 * Math.ceil(Math.ceil(n / 8) / 4);
        const body = new ArrayBuffer(24 + 12 * n + 4 * (n - 1) + flagBytes);
        const view = new DataView(body);
        view.setUint16(0, n, true);
        view.setUint16(2, cable.flags, true);
        [cable.length, cable.distance, cable.tensionA, cable.tensionB, cable.wrap]
            .forEach((value, i) => view.setFloat32(4 + 4 * i, value, true));
        new Float32Array(body, 24, 3 * n).set(cable.nodes);
        new Float32Array(body, 24 + 12 * n, n - 1).set(cable.tensions);
        new Uint8Array(body, 24 + 12 * n + 4 * (n - 1), cable.contacts.length).set(cable.contacts);
        parts.push({ kind: 4, index, body });
    });
    if (frame.contacts.length > 0) {
        const body = new ArrayBuffer(28 * frame.contacts.length);
        const view = new DataView(body);
        frame.contacts.forEach((contact, i) => {
            for (let axis = 0; axis < 3; ++axis) {
                view.setFloat32(28 * i + 4 * axis, contact.point[axis]!, true);
                view.setFloat32(28 * i + 12 + 4 * axis, contact.force[axis]!, true);
            }
            view.setUint16(28 * i + 24, contact.first, true);
            view.setUint16(28 * i + 26, contact.second, true);
        });
        parts.push({ kind: 5, index: 0, body });
    }
    for (const [index, values] of frame.channels) parts.push({ kind: 6, index, body: floats(values) });

    const total = 32 + parts.reduce((sum, part) => sum + 8 + part.body.byteLength, 0);
    const out = new ArrayBuffer(total);
    const view = new DataView(out);
    view.setUint32(0, FRAME_MAGIC, true);
    view.setUint32(4, frame.flags, true);
    view.setFloat64(8, frame.time, true);
    view.setUint32(16, frame.number, true);
    view.setUint32(20, frame.seq, true);
    view.setFloat32(24, frame.factor, true);
    view.setUint16(28, frame.revision, true);
    view.setUint16(30, parts.length, true);
    let at = 32;
    for (const part of parts) {
        view.setUint16(at, part.kind, true);
        view.setUint16(at + 2, part.index, true);
        view.setUint32(at + 4, part.body.byteLength, true);
        new Uint8Array(out, at + 8).set(new Uint8Array(part.body));
        at += 8 + part.body.byteLength;
    }
    return out;
}

function floats(values: ArrayLike<number>): ArrayBuffer {
    return Float32Array.from(values).buffer as ArrayBuffer;
}
