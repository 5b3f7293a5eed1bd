import { stirs } from "../../src/scene/stirred";
import { groupByOwner, Series, tickText } from "../../src/ui/series";
import { describe, expect, it } from "vitest";
import { mixNodes } from "../../src/scene/cable";
import { arrowLength } from "../../src/scene/contacts";
import { daylight, exposure, luminance, waterOptics, whiteBalance } from "../../src/scene/optics";
import { visibleSpeed } from "../../src/scene/propeller";
import { QUALITY_LEVELS, QualityController, startLevel } from "../../src/scene/quality";
import { sampleField } from "../../src/scene/terrain";
import { verticalField } from "../../src/scene/views";
import { bladeFrequency, Sound } from "../../src/sound/sound";
import { Markers } from "../../src/scene/markers";
import { Vector3 } from "three";
import type { CableFrame } from "../../src/net/frame";
import { toDegrees } from "../../src/math/angles";

describe("water", () => {
    it("leaves 2 % of the contrast at the distance of visibility", () => {
        for (const visibility of [1, 8, 30]) expect(Math.exp(-waterOptics(visibility).beam[1] * visibility)).toBeCloseTo(0.02, 6);
    });
    it("takes red first", () => {
        const { beam, diffuse } = waterOptics(15);
        expect(beam[0]).toBeGreaterThan(beam[1]);
        const light = daylight(waterOptics(15), 10);
        expect(light[0]).toBeLessThan(0.1);
        expect(light[1]).toBeGreaterThan(0.4);
        expect(diffuse.every((k, i) => k < beam[i]!)).toBe(true);
    });
    it("is exposed longer the deeper it is, yet stays darker", () => {
        const optics = waterOptics(10);
        const seen = (depth: number): number => exposure(optics, depth) * luminance(daylight(optics, depth));
        expect(exposure(optics, 20)).toBeGreaterThan(exposure(optics, 2));
        expect(seen(20)).toBeLessThan(seen(2));
    });
    it("is balanced towards white without changing its brightness", () => {
        const optics = waterOptics(10);
        const light = daylight(optics, 9);
        const gains = whiteBalance(optics, 8);
        expect(gains[0]).toBeGreaterThan(gains[1]);
        expect(luminance(light.map((value, i) => value * gains[i]!))).toBeCloseTo(luminance(light), 9);
    });
});

describe("propellers", () => {
    it("never seem to turn backwards", () => {
        for (const dt of [1 / 60, 1 / 30, 1 / 15]) {
            // less than half of the angle between blades in a picture, so that the eye follows the right way
            expect(Math.abs(visibleSpeed(366, 3, dt)) * dt).toBeLessThan(Math.PI / 3);
            expect(visibleSpeed(-366, 3, dt)).toBeLessThan(0);
        }
        expect(visibleSpeed(2, 3, 1 / 60)).toBe(2);
    });
    it("hum with their blades", () => {
        expect(bladeFrequency(-2 * Math.PI * 50, 3)).toBeCloseTo(150, 9);
    });
});

describe("sounds", () => {
    it("of a warning come once, whatever its number becomes", () => {
        const said: string[] = [];
        const sound = new Sound((text) => said.push(text));
        const raise = (level: "warning" | "alarm", text: string, over = false): void => sound.alert({ type: "alert", time: 0, level, code: "slack", text, over }, 0);
        raise("warning", "Slack 26 %");
        raise("warning", "Slack 31 %");
        expect(said).toEqual(["chime: Slack 26 %"]);
        raise("alarm", "Slack 90 %");
        raise("warning", "Slack 40 %"); // it eases
        expect(said.length).toBe(1);
        raise("warning", "Slack 40 %", true);
        raise("warning", "Slack 27 %");
        expect(said).toEqual(["chime: Slack 26 %", "chime: Slack 27 %"]);
    });
});

describe("what a lesson wants", () => {
    const zone = (x: number): { name: string; text: string; hold: number; zone: { position: [number, number, number]; radius: number } } =>
        ({ name: "", text: "", hold: 0, zone: { position: [x, 0, 0], radius: 1 } });
    it("is not drawn about the eye while something else is left to do", () => {
        const markers = new Markers();
        markers.setObjectives([zone(0), zone(5)]);
        const seen = (done: boolean[], current: number, sequence: boolean): boolean[] => {
            markers.update(done, current, sequence);
            markers.look(new Vector3(0.5, 0, 0));
            return markers.group.children.map(({ visible }) => visible);
        };
        expect(seen([false, false], -1, false)).toEqual([false, true]);
        expect(seen([false, true], -1, false)).toEqual([true, false]);
        expect(seen([false, false], 0, true)).toEqual([true, true]);
    });
});

describe("the camera", () => {
    it("keeps its horizontal field at any shape of the picture", () => {
        const vertical = verticalField(90, 1, 16 / 9);
        expect(toDegrees(2 * Math.atan(Math.tan(vertical / 2) * (16 / 9)))).toBeCloseTo(90, 9);
    });
    it("zooms by the tangent", () => {
        const half = (zoom: number): number => Math.tan(verticalField(80, zoom, 2) / 2);
        expect(half(1) / half(4)).toBeCloseTo(4, 9);
    });
});

describe("cables between two frames", () => {
    const cable = (xs: number[]): CableFrame => ({ count: xs.length, flags: 0, length: 0, distance: 0, tensionA: 0, tensionB: 0, wrap: 0,
        nodes: Float32Array.from(xs.flatMap((x) => [x, 0, 0])), tensions: new Float32Array(xs.length - 1), contacts: new Uint8Array(1) });
    it("are counted from the vehicle's end when a winch has added a node", () => {
        const out = new Float32Array(12);
        expect(mixNodes(cable([0, 1, 2]), cable([0, 0.5, 1.5, 2.5]), 0.5, out)).toBe(4);
        expect([...out].filter((_, i) => i % 3 === 0)).toEqual([0, 0.25, 1.25, 2.25]);
    });
});

describe("terrain", () => {
    it("is interpolated between its heights and unknown outside", () => {
        const field = { kind: "heightfield" as const, columns: 2, rows: 2, spacing: 10, origin: [100, 50, -20] as [number, number, number], heights: "" };
        const heights = Float32Array.from([0, 2, 4, 6]);
        expect(sampleField(field, heights, 105, 55)).toBeCloseTo(-17, 6);
        expect(sampleField(field, heights, 109.9, 50)).toBeCloseTo(-18.02, 5);
        expect(sampleField(field, heights, 99, 55)).toBeNaN();
    });
});

describe("contact arrows", () => {
    it("grow by a quarter metre for each factor of ten", () => {
        expect(arrowLength(1000) - arrowLength(100)).toBeCloseTo(0.25, 9);
        expect(arrowLength(0)).toBe(0);
    });
});

describe("quality", () => {
    /** A machine whose pictures take a fixed time and a time per pixel. */
    function settle(start: number, fixed: number, perPixel: number, seconds: number): { controller: QualityController; changes: number } {
        const controller = new QualityController(start);
        let changes = 0;
        for (let t = 0; t < seconds;) {
            const ratio = controller.current.ratio;
            const dt = Math.max(fixed + perPixel * ratio * ratio, 1 / 60);
            if (controller.frame(dt)) ++changes;
            t += dt;
        }
        return { controller, changes };
    }
    it("goes to the best where there is time to spare", () => {
        expect(settle(1, 0.002, 0.004, 60).controller.index).toBe(0);
    });
    it("goes down until a slow graphics processor draws 60 a second, and does not swing", () => {
        const { controller, changes } = settle(1, 0.004, 0.018, 300);
        const ratio = controller.current.ratio;
        expect(1 / (0.004 + 0.018 * ratio * ratio)).toBeGreaterThan(56);
        // each failed attempt upwards doubles the wait: a handful in five minutes
        expect(changes).toBeLessThan(16);
    });
    it("holds 60 on any graphics processor that draws the least of its levels in time", () => {
        // ms a picture at one pixel per CSS pixel, from a card of a workstation to one three times too slow
        for (const full of [2, 6, 10, 14, 18, 24, 32, 45]) {
            const { controller } = settle(1, 0.002, (full - 2) / 1000, 240);
            const ratio = controller.current.ratio;
            const own = 1000 / (2 + (full - 2) * ratio * ratio);
            expect(own, `${full} ms`).toBeGreaterThan(56);
            // and no coarser than needed: the next level up would be too slow
            const higher = QUALITY_LEVELS[controller.index - 1];
            if (higher) expect(1000 / (2 + (full - 2) * higher.ratio ** 2), `${full} ms, one level up`).toBeLessThan(62);
        }
    });
    it("follows a load that comes and goes", () => {
        const controller = new QualityController(1);
        const spend = (seconds: number, cost: number): void => {
            for (let t = 0; t < seconds;) {
                const dt = Math.max(0.002 + cost * controller.current.ratio ** 2, 1 / 60);
                controller.frame(dt);
                t += dt;
            }
        };
        spend(30, 0.003);
        expect(controller.index).toBe(0);
        spend(30, 0.05); // another program takes the graphics processor
        expect(1 / (0.002 + 0.05 * controller.current.ratio ** 2)).toBeGreaterThan(48);
        spend(200, 0.003);
        expect(controller.index).toBe(0);
    });
    it("keeps a software renderer above twenty", () => {
        const { controller } = settle(6, 0.016, 0.16, 60);
        expect(controller.rate).toBeGreaterThan(20);
        expect(controller.index).toBeGreaterThan(3);
    });
    it("ignores a tab that was hidden", () => {
        const controller = new QualityController(1);
        expect(controller.frame(30)).toBe(false);
        expect(controller.index).toBe(1);
    });
    it("starts low on software renderers", () => {
        expect(startLevel("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)")).toBeGreaterThan(4);
        expect(startLevel("ANGLE (Intel, Mesa Intel(R) UHD Graphics 620)")).toBeLessThan(3);
    });
    it("has levels that fall in resolution and in all else", () => {
        for (let i = 1; i < QUALITY_LEVELS.length; ++i) {
            const [a, b] = [QUALITY_LEVELS[i - 1]!, QUALITY_LEVELS[i]!];
            expect(b.ratio).toBeLessThan(a.ratio);
            expect(b.snow <= a.snow && b.lamps <= a.lamps && b.glow <= a.glow && b.detail <= a.detail).toBe(true);
        }
    });
});

describe("curves over time", () => {
    it("lose no peak when they are thinned, however long they grow", () => {
        const series = new Series(["a", "b"]);
        for (let i = 0; i < 20_000; ++i) series.push(0.01 * i, [i === 777 ? 50 : i === 4001 ? -30 : Math.sin(i), i]);
        expect(series.time.length).toBeLessThanOrEqual(6001);
        expect(series.values[0]!.length).toBe(series.time.length);
        expect(Math.max(...(series.values[0] as number[]))).toBe(50);
        expect(Math.min(...(series.values[0] as number[]))).toBe(-30);
        expect(series.time.every((time, i) => i === 0 || time > series.time[i - 1]!)).toBe(true);
        expect(series.time[series.indexAt(199.995)]).toBeCloseTo(199.99, 9);
    });
    it("are listed under what they belong to, the world's books last", () => {
        const names = ["world.steps", "ship.position.x", "wire.a.tension", "ship.position.y"].map((name) => ({ name }));
        expect(groupByOwner(names, ["wire.a.tension"]).map(([owner, list]) => [owner, list.length])).toEqual([["wire", 1], ["ship", 2], ["world", 1]]);
        expect([0, 12.34567, 39661.2, -1.05e6, 2e-5].map(tickText)).toEqual(["0", "12.35", "39.66 k", "\u22121.05 M", "2.0e\u22125"]);
    });
});

describe("thrusters", () => {
    it("stir up the bottom that their jets reach, and no other", () => {
        // straight down from 1.1 m, half of the reach of 2.2 m
        expect(stirs(1, 1.1, 1)).toBeCloseTo(0.5, 12);
        expect(stirs(0.5, 1.1, 1)).toBeCloseTo(0.25, 12);
        expect(stirs(1, 3, 1)).toBe(0);
        // along the bottom, or upwards, only from very near
        expect(stirs(1, 0.3, 0)).toBeGreaterThan(0);
        expect(stirs(1, 0.6, -1)).toBe(0);
        expect(stirs(1, Number.NaN, 1)).toBe(0);
    });
});
