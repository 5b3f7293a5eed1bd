import { describe, expect, it } from "vitest";
import { cardinalName, headingDifference, headingText, toRadians, wrapHeading } from "../../src/math/angles";
import { conditionAxis } from "../../src/math/conditioning";
import { sampleCount, sampleSpline } from "../../src/math/spline";
import { largestComponents, significantHeight, waveHeight, type WaveComponent } from "../../src/math/waves";

describe("headings", () => {
    it("wrap into one turn", () => {
        expect(wrapHeading(-0.5)).toBeCloseTo(2 * Math.PI - 0.5, 12);
        expect(wrapHeading(7)).toBeCloseTo(7 - 2 * Math.PI, 12);
    });
    it("differ by the short way", () => {
        expect(headingDifference(toRadians(350), toRadians(10))).toBeCloseTo(toRadians(20), 12);
        expect(headingDifference(toRadians(10), toRadians(350))).toBeCloseTo(toRadians(-20), 12);
    });
    it("are written with three digits, 360 as 000", () => {
        expect([0, 7, 45.4, 359.6].map((degrees) => headingText(toRadians(degrees)))).toEqual(["000", "007", "045", "000"]);
        expect(headingText(Number.NaN)).toBe("---");
    });
    it("have names every eighth of a turn", () => {
        expect([0, 45, 270, -45, 30].map(cardinalName)).toEqual(["N", "NE", "W", "NW", null]);
    });
});

describe("the curve of an axis", () => {
    // Values worked out by hand from the definition in the protocol.
    it("is the simulator's", () => {
        const tuning = { dead_zone: 0.1, sensitivity: 1.5, expo: 0.5, invert: false };
        expect(conditionAxis(tuning, 0.1)).toBe(0);
        // (0.55-0.1)/0.9 = 0.5; 0.5*0.5 + 0.5*0.125 = 0.3125; times 1.5
        expect(conditionAxis(tuning, 0.55)).toBeCloseTo(0.46875, 12);
        expect(conditionAxis(tuning, -0.55)).toBeCloseTo(-0.46875, 12);
        expect(conditionAxis(tuning, 1)).toBe(1);
        expect(conditionAxis({ ...tuning, invert: true }, 1)).toBe(-1);
    });
    it("never leaves -1..1, whatever the stick says", () => {
        for (const x of [-9, -1, 0, 1, 9]) {
            expect(Math.abs(conditionAxis({ dead_zone: 0, sensitivity: 2, expo: 0, invert: false }, x))).toBeLessThanOrEqual(1);
        }
    });
});

describe("the spline", () => {
    const nodes = Float32Array.from([0, 0, 0, 1, 0.2, 0, 1.3, 1.4, 0.5, 3, 1, -1]);
    it("passes through every node", () => {
        const out = new Float32Array(3 * sampleCount(4, 5));
        expect(sampleSpline(nodes, 4, 5, out)).toBe(16);
        for (let i = 0; i < 4; ++i) {
            for (let axis = 0; axis < 3; ++axis) expect(out[3 * 5 * i + axis]).toBeCloseTo(nodes[3 * i + axis]!, 6);
        }
    });
    it("of a straight, unevenly divided line is that line", () => {
        const line = Float32Array.from([0, 0, 0, 1, 1, 2, 1.5, 1.5, 3, 4, 4, 8]);
        const out = new Float32Array(3 * sampleCount(4, 8));
        const total = sampleSpline(line, 4, 8, out);
        for (let i = 0; i < total; ++i) {
            // single precision of values up to 8
            expect(Math.abs(out[3 * i + 1]! - out[3 * i]!)).toBeLessThan(2e-6);
            expect(Math.abs(out[3 * i + 2]! - 2 * out[3 * i]!)).toBeLessThan(4e-6);
        }
    });
    it("has no kink where two segments meet", () => {
        const per = 64;
        const out = new Float32Array(3 * sampleCount(4, per));
        sampleSpline(nodes, 4, per, out);
        for (let node = 1; node < 3; ++node) {
            const at = (i: number): number[] => [0, 1, 2].map((axis) => out[3 * i + axis]!);
            const [a, b, c] = [at(node * per - 1), at(node * per), at(node * per + 1)];
            const u = a.map((v, k) => b![k]! - v);
            const w = b.map((v, k) => c![k]! - v);
            const cosine = (u[0]! * w[0]! + u[1]! * w[1]! + u[2]! * w[2]!) / (Math.hypot(...u) * Math.hypot(...w));
            // 1/64 of a segment on either side: the bend is that of the curve, a degree or two
            expect(Math.acos(Math.min(cosine, 1))).toBeLessThan(toRadians(6));
        }
    });
    it("bears nodes that coincide", () => {
        const double = Float32Array.from([0, 0, 0, 0, 0, 0, 1, 0, 0]);
        const out = new Float32Array(3 * sampleCount(3, 4));
        sampleSpline(double, 3, 4, out);
        expect(out.every(Number.isFinite)).toBe(true);
    });
});

describe("waves", () => {
    const sea: WaveComponent[] = [[0.5, 1, 0.1, 0, 0], [0.1, 2, 0.4, Math.PI / 2, 1]];
    it("are the protocol's sum of cosines", () => {
        const [x, y, t] = [3, -4, 2.5];
        const expected = 0.5 * Math.cos(0.1 * 3 - 2.5) + 0.1 * Math.cos(0.4 * -4 - 5 + 1);
        expect(waveHeight(sea, x, y, t)).toBeCloseTo(expected, 12);
    });
    it("of one component have a significant height of 2 sqrt 2 amplitudes", () => {
        expect(significantHeight([[0.5, 1, 0.1, 0, 0]])).toBeCloseTo(2 * Math.SQRT2 * 0.5, 12);
    });
    it("are drawn with the largest components", () => {
        expect(largestComponents(sea, 1)).toEqual([sea[0]]);
    });
});
