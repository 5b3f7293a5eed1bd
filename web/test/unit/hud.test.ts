import { readInstrument } from "../../src/hud/sensor_panel";
import { gatherBins, mapSonar, placeSonar, sonarColours } from "../../src/hud/sonar_picture";
import { rangeFor } from "../../src/hud/map";
import { crossings } from "../../src/hud/crossings";
import { lineHeight } from "../../src/hud/attitude";
import { describe, expect, it } from "vitest";
import { convexHull, sceneFootprints, sliceOf } from "../../src/hud/footprints";
import { EffortWatch, effortOf, headingOfVelocity, positionText, slackLevel, slackOf, slackText, tensionLevel, timeText, turnsLevel, turnsText,
    unwindDirection } from "../../src/hud/readings";
import { toDegrees } from "../../src/math/angles";
import type { LogbookLine, SceneMessage } from "../../src/net/messages";
import { compassText } from "../../src/ui/dive_page";
import { sizeText } from "../../src/ui/flights_page";
import { learntOn, recordPage } from "../../src/ui/record";
import { squareOf } from "../../src/ui/sketch";

describe("a training record", () => {
    const line = (lesson: string, passed: boolean, day: number): LogbookLine => ({ started: `2026-11-${String(day).padStart(2, "0")}T05:07:26Z`, pilot: "Ada <b>", group: "", phase: "", lesson,
        flight: `f${day}`, score: passed ? 80 + day : 40, passed, complete: passed, time: 61.4, hits: 0 });
    const lines = [line("Box", true, 1), line("Box", true, 2), line("Box", false, 3), line("Box", true, 4), line("Box", true, 5), line("Box", true, 6), line("Other", true, 7)];

    it("says when a lesson was passed three times in a row", () => {
        expect(learntOn(lines.filter(({ lesson }) => lesson === "Box"))).toBe("2026-11-06T05:07:26Z");
        expect(learntOn(lines.slice(0, 4))).toBe(null);
    });
    it("is one page that needs nothing else and takes no text for tags", () => {
        const page = recordPage("Ada <b>", [{ title: "Box" }, { title: "Hover & hold" }], lines, "hawser 0.1.0");
        expect(page).toContain("Pilot <b>Ada &lt;b&gt;</b>: 1 of 2 lessons learnt, 7 runs.");
        expect(page).toContain('<td>Box</td><td class="n">6</td><td class="n">5</td><td class="n">86.0</td><td>2026-11-06 05:07</td>');
        expect(page).toContain('<td>Hover &amp; hold</td><td class="n">0</td>');
        expect(page).toContain("<td>Other</td>"); // a lesson that the menu does not have
        expect(page).not.toMatch(/<script|src=|https?:/);
    });
});

describe("the chart", () => {
    it("begins with a range that suits a pool", () => {
        const wall = (reach: number): Parameters<typeof rangeFor>[0] => [{ kind: "circle", x: reach - 1, y: 0, radius: 1 } as Parameters<typeof rangeFor>[0][number]];
        expect([wall(6.5), wall(13), wall(40), []].map(rangeFor)).toEqual([1, 2, 2, 2]); // 8, 15, 15, 15 m
    });
});

describe("a sketch", () => {
    it("is drawn on about six squares of a round size", () => {
        expect([6, 10, 30, 41.6, 56, 130, 1.2].map(squareOf).map((size) => Number(size.toFixed(6)))).toEqual([1, 2, 5, 5, 10, 20, 0.2]);
    });
});

describe("turns", () => {
    it("are shown in quarters with their sign", () => {
        expect([0, 0.1, 0.13, -0.26, 2.87].map(turnsText)).toEqual(["0.00", "0.00", "+0.25", "\u22120.25", "+2.75"]);
    });
    it("are unwound the other way", () => {
        // positive turns were made clockwise, to starboard
        expect([0.5, -0.5, 0.1].map(unwindDirection)).toEqual(["port", "starboard", null]);
    });
    it("warn above one and alarm above three, either way", () => {
        expect([1, -1.01, 3, -3.01].map(turnsLevel)).toEqual(["normal", "warning", "warning", "alarm"]);
    });
});

describe("the tether", () => {
    it("is slack by what it is longer than the straight way", () => {
        expect(slackOf(22, 20)).toBeCloseTo(0.1, 12);
        expect(slackText(slackOf(22, 20))).toBe("10\u2009%");
        expect(slackText(slackOf(5, 0.1))).toBe("--");
        // a vehicle close by may have two metres beside it
        expect([slackLevel(0.3, 1.5), slackLevel(0.3, 6), slackLevel(0.2, 6)]).toEqual(["normal", "warning", "normal"]);
        expect([slackLevel(0.3, 3.9, 2), slackLevel(0.3, 4.1, 2)]).toEqual(["normal", "warning"]);
    });
    it("of 343 N working load warns above 69 N and alarms above 137 N", () => {
        expect([68, 69, 137, 138].map((tension) => tensionLevel(tension, 343))).toEqual(["normal", "warning", "warning", "alarm"]);
    });
});

describe("texts", () => {
    it("count time in minutes, then in hours", () => {
        expect([0, 59.9, 61, 3725].map(timeText)).toEqual(["00:00", "00:59", "01:01", "1:02:05"]);
    });
    it("give positions as north and east of a frame whose y points west", () => {
        expect(positionText(3, 4)).toBe("N 3.0  W 4.0");
        expect(positionText(-3, -4)).toBe("S 3.0  E 4.0");
    });
    it("turn a velocity into the heading it goes to", () => {
        expect(toDegrees(headingOfVelocity(1, 0))).toBeCloseTo(0, 12);
        expect(toDegrees(headingOfVelocity(0, -1))).toBeCloseTo(90, 12);
    });
    it("turn the protocol's directions into compass ones", () => {
        expect([0, 90, -90, 180].map(compassText)).toEqual(["000\u00b0 N", "270\u00b0 W", "090\u00b0 E", "180\u00b0 S"]);
    });
    it("give sizes in words", () => {
        expect([12, 4200, 5242880].map(sizeText)).toEqual(["12 B", "4 kB", "5.2 MB"]);
    });
});

describe("thruster effort", () => {
    it("is a share of the force in that direction", () => {
        expect(effortOf(25, 50, 40)).toBe(0.5);
        expect(effortOf(-20, 50, 40)).toBe(-0.5);
        expect(effortOf(80, 50, 40)).toBe(1);
    });
    it("is uneven after five seconds of one thruster against the others, not before", () => {
        const watch = new EffortWatch();
        const uneven = [0.9, 0.1, 0.1, 0.1];
        for (let i = 0; i < 49; ++i) expect(watch.update(uneven, 0.1)).toBe(false);
        watch.update(uneven, 0.1);
        expect(watch.update(uneven, 0.1)).toBe(true);
        expect(watch.update([0.9, 0.9, 0.9, 0.9], 0.1)).toBe(false);
    });
});

describe("the chart", () => {
    it("draws the hull of a cloud of points", () => {
        const hull = convexHull([[0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 0.5]]);
        expect(hull.length).toBe(4);
        expect(hull).not.toContainEqual([1, 1]);
    });
    it("draws upright piles as circles and lying pipes as strips, and leaves out what moves", () => {
        const half = Math.SQRT1_2;
        const scene = { bodies: [
            { name: "pile", position: [4, 2, 0], attitude: [1, 0, 0, 0], shapes: [{ kind: "cylinder", radius: 0.5, length: 10 }] },
            { name: "pipe", position: [0, 0, -5], attitude: [half, 0, half, 0], shapes: [{ kind: "cylinder", radius: 0.25, length: 8 }] },
            { name: "rov", slot: 0, shapes: [{ kind: "sphere", radius: 1 }] },
            { name: "boat", slot: 1, position: [-8, 3, 0], shapes: [{ kind: "sphere", radius: 2 }] },
        ] } as unknown as SceneMessage;
        const [pile, pipe, boat, ...more] = sceneFootprints(scene);
        expect(more.length).toBe(0);
        expect(pile).toMatchObject({ kind: "circle", x: 4, y: 2, radius: 0.5 });
        expect(boat).toMatchObject({ kind: "circle", x: -8, y: 3, radius: 2 });
        const points = pipe!.kind === "polygon" ? pipe!.points : [];
        const spread = (axis: 0 | 1): number => Math.max(...points.map((p) => p[axis])) - Math.min(...points.map((p) => p[axis]));
        expect(spread(0)).toBeCloseTo(8, 5);
        expect(spread(1)).toBeCloseTo(0.5, 5);
    });
});

describe("the chart", () => {
    const leaning: SceneMessage = { type: "scene", revision: 1, session: "flight", time: 0, environment: {}, vehicles: [], cables: [],
        bodies: [{ name: "brace", shapes: [{ kind: "box", size: [10, 0.2, 0.2] }], position: [0, 0, -10], attitude: [Math.cos(Math.PI / 8), 0, Math.sin(Math.PI / 8), 0] }] };

    it("shows of a leaning brace what is at the vehicle's depth", () => {
        const [brace] = sceneFootprints(leaning);
        // 45 degrees: x + z = -10 along its middle; between 9 and 11 m of depth it is 2 m long, and its thickness of 0.2 m more
        const slice = sliceOf(brace!, -11, -9);
        if (slice?.kind !== "polygon") throw new Error("no polygon");
        const along = slice.points.map(([x]) => x);
        expect(Math.min(...along)).toBeCloseTo(-1 - 0.1 * Math.SQRT2, 6);
        expect(Math.max(...along)).toBeCloseTo(1 + 0.1 * Math.SQRT2, 6);
        expect(sliceOf(brace!, -30, -20)).toBeNull();
    });

    it("knows which part of a tether lies above where it crosses itself", () => {
        // along x at 0 m, then back across it 1 m higher
        const nodes = [0, 0, 0, 2, 0, 0, 4, 0, 0, 4, 2, 1, 3, 1, 1, 3, -1, 1];
        expect(crossings(nodes, 6)).toEqual([{ upper: 4, share: 0.5 }]);
        // and the other way round
        const under = nodes.map((value, i) => (i % 3 === 2 ? -value : value));
        expect(crossings(under, 6)).toEqual([{ upper: 1, share: 0.5 }]);
        expect(crossings(nodes, 4)).toEqual([]);
    });
});

describe("the horizon", () => {
    it("is where the lens has it", () => {
        const half = Math.tan(Math.PI / 6);
        expect(lineHeight(0, 0, half)).toBe(0);
        // looking 30 degrees down with a field of 60 degrees it lies on the upper edge
        expect(lineHeight(0, -Math.PI / 6, half)).toBeCloseTo(1, 12);
        expect(lineHeight(0, Math.PI / 2, half)).toBeNull();
    });
});

describe("a sonar's picture", () => {
    it("shows every echo, starboard to the right", () => {
        const place = placeSonar(101, 60, Math.PI / 2);
        const [beams, bins, rings] = [9, 64, Math.round(place.radius)];
        // an echo in the beam furthest to port of the picture's slots, another half-way ahead
        const levels = new Uint8Array(beams * bins);
        levels[0 * bins + 40] = 200;
        levels[4 * bins + 32] = 255;
        const gathered = new Uint8Array(beams * rings);
        gatherBins(levels, beams, bins, rings, gathered);
        expect([...gathered].filter((level) => level > 0).sort()).toEqual([200, 255]);
        const map = mapSonar(place, Math.PI / 2, beams, rings, 0);
        const at = (right: number, ahead: number): number => gathered[map[Math.round(place.y - ahead) * place.width + Math.round(place.x + right - 0.5)]!] ?? 0;
        const most = (right: number, ahead: number): number => Math.max(at(right, ahead), at(right, ahead + 1), at(right, ahead - 1));
        expect(most(0, place.radius / 2)).toBe(255);
        const angle = -(Math.PI / 4) * (8 / 9);
        const range = (place.radius * 40.5) / 64;
        expect(most(range * Math.sin(angle), range * Math.cos(angle))).toBe(200);
        expect(most(-range * Math.sin(angle), range * Math.cos(angle))).toBe(0);
    });

    it("grows brighter with gain", () => {
        const bright = (gain: number, level: number): number => sonarColours({ floor: -50, step: 0.25 }, gain)[level]! & 0xff;
        expect(bright(0, 200)).toBeGreaterThan(bright(0, 140));
        expect(bright(6, 140)).toBeGreaterThan(bright(0, 140));
    });
});

describe("readings of instruments", () => {
    const dvl = { name: "rov.dvl", kind: "dvl", values: ["velocity.x", "velocity.y", "velocity.z", "altitude", "beams"] };

    it("say what a DVL has, and when it has lost the bottom", () => {
        expect(readInstrument(dvl, new Float32Array([1, 0.1, 0.3, 0.4, 0, 5, 4]), false)).toMatchObject({ label: "DVL", value: "0.50", lost: false });
        const lost = readInstrument(dvl, new Float32Array([0, 0.1, 0, 0, 0, 0, 1]), false)!;
        expect(lost).toMatchObject({ value: "--", lost: true });
        expect(lost.note).toContain("no bottom lock");
        expect(readInstrument(dvl, new Float32Array([1, 12, 0, 0, 0, 0, 4]), false)!.note).toBe("12 s old");
    });

    it("leave out what pilots do not read, and name load cells by their ends", () => {
        expect(readInstrument({ name: "rov.imu", kind: "imu", values: [] }, undefined, false)).toBeNull();
        expect(readInstrument({ name: "winch_cell", kind: "load_cell", values: ["force"] }, new Float32Array([1, 0, -0.2]), true)).toMatchObject({ label: "Winch cell", value: "0", unit: "N" });
    });
});
