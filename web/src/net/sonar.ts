// Images of sonars, binary messages of their own, as docs/protocol.md lays them out.

import { FrameError } from "./frame";

export const SONAR_MAGIC = 0x31535748;
const HEADER_BYTES = 44;

export interface SonarImage {
    /** place in the vehicle's list */
    sonar: number;
    scanning: boolean;
    time: number;
    number: number;
    beams: number;
    bins: number;
    /** m, where the first bin begins and the last one ends */
    least: number;
    most: number;
    /** dB of level 0, and of one level; 0 dB is a wall that fills a beam squarely */
    floor: number;
    step: number;
    /** rad, that it covers */
    fan: number;
    /** rad, positive to starboard, of each beam */
    bearings: Float32Array;
    /** beams x bins, each beam's from near to far */
    levels: Uint8Array;
}

export function isSonarImage(data: ArrayBuffer): boolean {
    return data.byteLength >= 4 && new DataView(data).getUint32(0, true) === SONAR_MAGIC;
}

export function decodeSonarImage(data: ArrayBuffer): SonarImage {
    if (data.byteLength < HEADER_BYTES) throw new FrameError("an image of a sonar is shorter than its header");
    const view = new DataView(data);
    const [beams, bins] = [view.getUint16(20, true), view.getUint16(22, true)];
    if (data.byteLength < HEADER_BYTES + 4 * beams + beams * bins) throw new FrameError("an image of a sonar ends among its beams");
    return {
        sonar: view.getUint16(4, true),
        scanning: (view.getUint16(6, true) & 1) !== 0,
        time: view.getFloat64(8, true),
        number: view.getUint32(16, true),
        beams, bins,
        least: view.getFloat32(24, true),
        most: view.getFloat32(28, true),
        floor: view.getFloat32(32, true),
        step: view.getFloat32(36, true),
        fan: view.getFloat32(40, true),
        bearings: new Float32Array(data, HEADER_BYTES, beams),
        levels: new Uint8Array(data, HEADER_BYTES + 4 * beams, beams * bins),
    };
}
