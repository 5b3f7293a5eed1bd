import { describe, expect, it } from "vitest";
import { FrameFlag } from "../../src/net/frame";
import { Playout } from "../../src/net/playout";
import { emptyFrame } from "./frames";

function frameAt(time: number, flags = 0, factor = 1) {
    return { ...emptyFrame(time), flags, factor };
}

describe("what is shown", () => {
    it("runs evenly though frames come unevenly", () => {
        const playout = new Playout();
        const shown: number[] = [];
        let next = 0;
        const arrivals = Array.from({ length: 90 }, (_, i) => i / 30 + 0.012 * Math.abs(Math.sin(37 * i)));
        for (let now = 0; now < 2.9; now += 1 / 60) {
            while (next < arrivals.length && arrivals[next]! <= now) {
                playout.push(frameAt(next / 30), arrivals[next]!);
                ++next;
            }
            const instant = playout.at(now);
            if (instant && now > 1) shown.push(instant.time);
        }
        const steps = shown.slice(1).map((time, i) => time - shown[i]!);
        // A step is 1/60 s of simulated time; half of it more or less is what the drift towards the wanted instant may do.
        expect(Math.min(...steps)).toBeGreaterThan(0.5 / 60);
        expect(Math.max(...steps)).toBeLessThan(1.5 / 60);
    });

    it("lies behind the newest frame by little more than the time between two", () => {
        const playout = new Playout();
        for (let i = 0; i < 120; ++i) {
            playout.push(frameAt(i / 30), i / 30);
            playout.at(i / 30);
        }
        const instant = playout.at(119 / 30 + 0.001)!;
        const lag = 119 / 30 - instant.time;
        expect(lag).toBeGreaterThan(1 / 30);
        expect(lag).toBeLessThan(0.07);
    });

    it("is the newest frame while paused", () => {
        const playout = new Playout();
        playout.push(frameAt(1), 0);
        playout.push(frameAt(1.1, FrameFlag.PAUSED, 0), 0.1);
        expect(playout.at(0.1)!.time).toBe(1.1);
        expect(playout.at(5)!.time).toBe(1.1);
    });

    it("never comes from both sides of a jump", () => {
        const playout = new Playout();
        for (let i = 0; i < 10; ++i) playout.push(frameAt(50 + i / 30), i / 30);
        playout.push(frameAt(3, FrameFlag.JUMP), 0.34);
        const instant = playout.at(0.35)!;
        expect(instant.before.time).toBe(3);
        expect(instant.time).toBe(3);
    });

    it("stops with the frames when the server stalls", () => {
        const playout = new Playout();
        for (let i = 0; i < 30; ++i) {
            playout.push(frameAt(i / 30), i / 30);
            playout.at(i / 30);
        }
        let last = 0;
        for (let now = 1; now < 3; now += 1 / 60) last = playout.at(now)!.time;
        expect(last).toBe(29 / 30);
    });
});
