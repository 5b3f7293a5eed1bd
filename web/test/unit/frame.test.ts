import { describe, expect, it } from "vitest";
import { countContacts, decodeFrame, FrameError, nodeTouches } from "../../src/net/frame";
import { emptyFrame, encodeFrame, flightFrame } from "./frames";

describe("frames", () => {
    it("come out of the decoder as they went into the writer", () => {
        const frame = flightFrame();
        frame.number = 17;
        frame.seq = 4000000000;
        frame.flags = 4 | 16;
        frame.channels.set(3, Float32Array.from([1.5, -2]));
        frame.contacts = [{ point: Float32Array.from([1, 2, 3]), force: Float32Array.from([4, 5, 6]), first: 2, second: 65535 }];
        const back = decodeFrame(encodeFrame(frame));
        expect(back.time).toBe(frame.time);
        expect([back.number, back.seq, back.flags, back.revision]).toEqual([17, 4000000000, 20, 1]);
        expect([...back.poses]).toEqual([...frame.poses]);
        const [a, b] = [frame.vehicles[0]!, back.vehicles[0]!];
        expect([...b.position]).toEqual([...a.position]);
        expect([...b.axes]).toEqual([...a.axes]);
        // numbers pass through single precision
        for (const key of ["depth", "heading", "pitch", "altitude", "turns", "tension", "lights", "gain"] as const) {
            expect(b[key]).toBe(Math.fround(a[key]));
        }
        expect([b.mode, b.flags, b.failed]).toEqual([a.mode, a.flags, a.failed]);
        expect(Number.isNaN(b.depthTarget)).toBe(true);
        expect([...back.thrusters[0]!]).toEqual([...frame.thrusters[0]!]);
        expect(back.cables[0]!.count).toBe(frame.cables[0]!.count);
        expect([...back.cables[0]!.nodes]).toEqual([...frame.cables[0]!.nodes]);
        expect([...back.cables[0]!.tensions]).toEqual([...frame.cables[0]!.tensions]);
        expect(back.contacts[0]).toEqual(frame.contacts[0]);
        expect([...back.channels.get(3)!]).toEqual([1.5, -2]);
    });

    it("of a flight with 200 nodes stay under 10 kB", () => {
        expect(encodeFrame(flightFrame(200)).byteLength).toBeLessThan(4000);
    });

    it("keep the sections that are known when others are not", () => {
        const bytes = new Uint8Array(encodeFrame(flightFrame()));
        const view = new DataView(bytes.buffer);
        view.setUint16(32, 99, true); // the first section, poses, becomes something from the future
        const back = decodeFrame(bytes.buffer);
        expect(back.poses.length).toBe(0);
        expect(back.vehicles.length).toBe(1);
    });

    it("that are cut anywhere are refused, never misread", () => {
        const whole = encodeFrame(flightFrame());
        for (let length = 0; length < whole.byteLength; length += 7) {
            expect(() => decodeFrame(whole.slice(0, length)), `cut to ${length}`).toThrow(FrameError);
        }
    });

    it("of random bytes are refused or read, without other errors", () => {
        let state = 12345;
        const random = (): number => (state = (1103515245 * state + 12345) & 0x7fffffff);
        const whole = new Uint8Array(encodeFrame(flightFrame()));
        for (let round = 0; round < 400; ++round) {
            const broken = whole.slice();
            for (let k = 0; k < 8; ++k) broken[4 + (random() % (broken.length - 4))] = random() & 255;
            try {
                decodeFrame(broken.buffer);
            } catch (error) {
                expect(error).toBeInstanceOf(FrameError);
            }
        }
    });

    it("with another magic number are refused", () => {
        const bytes = encodeFrame(emptyFrame(0));
        new DataView(bytes).setUint32(0, 1, true);
        expect(() => decodeFrame(bytes)).toThrow("not a frame");
    });

    it("tell which nodes of a cable touch", () => {
        const frame = flightFrame();
        const contacts = new Uint8Array(Math.ceil(frame.cables[0]!.count / 8));
        contacts[1] = 0b00000101;
        frame.cables[0]!.contacts = contacts;
        const cable = decodeFrame(encodeFrame(frame)).cables[0]!;
        expect([8, 9, 10].map((node) => nodeTouches(cable, node))).toEqual([true, false, true]);
        expect(countContacts(cable)).toBe(2);
    });
});
