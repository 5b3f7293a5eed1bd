// The vehicle's section of a frame, written from the table in apps/server/frame_fields.c by its test
// (HAWSER_WRITE_DOCS=1); docs/protocol.md says what the fields are.

export const VEHICLE_BYTES = 176;

export interface VehicleFrame {
    /** position and attitude together, as in Frame.poses */
    pose: Float32Array;
    position: Float32Array;
    attitude: Float32Array;
    velocity: Float32Array;
    rate: Float32Array;
    depth: number;
    heading: number;
    roll: number;
    pitch: number;
    altitude: number;
    speed: number;
    turns: number;
    tension: number;
    tilt: number;
    zoom: number;
    lights: number;
    gripper: number;
    gain: number;
    depthTarget: number;
    headingTarget: number;
    mode: number;
    flags: number;
    failed: number;
    water: Float32Array;
    axes: Float32Array;
    bypass: number;
    camera: Float32Array;
    cameraAttitude: Float32Array;
    field: number;
}

export function decodeVehicle(data: ArrayBuffer, view: DataView, at: number): VehicleFrame {
    return {
        pose: new Float32Array(data, at, 7),
        position: new Float32Array(data, at + 0, 3),
        attitude: new Float32Array(data, at + 12, 4),
        velocity: new Float32Array(data, at + 28, 3),
        rate: new Float32Array(data, at + 40, 3),
        depth: view.getFloat32(at + 52, true),
        heading: view.getFloat32(at + 56, true),
        roll: view.getFloat32(at + 60, true),
        pitch: view.getFloat32(at + 64, true),
        altitude: view.getFloat32(at + 68, true),
        speed: view.getFloat32(at + 72, true),
        turns: view.getFloat32(at + 76, true),
        tension: view.getFloat32(at + 80, true),
        tilt: view.getFloat32(at + 84, true),
        zoom: view.getFloat32(at + 88, true),
        lights: view.getFloat32(at + 92, true),
        gripper: view.getFloat32(at + 96, true),
        gain: view.getFloat32(at + 100, true),
        depthTarget: view.getFloat32(at + 104, true),
        headingTarget: view.getFloat32(at + 108, true),
        mode: view.getUint8(at + 112),
        flags: view.getUint8(at + 113),
        failed: view.getUint16(at + 114, true),
        water: new Float32Array(data, at + 116, 3),
        axes: new Float32Array(data, at + 128, 4),
        bypass: view.getFloat32(at + 144, true),
        camera: new Float32Array(data, at + 148, 3),
        cameraAttitude: new Float32Array(data, at + 160, 3),
        field: view.getFloat32(at + 172, true),
    };
}
