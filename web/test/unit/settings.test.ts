import { describe, expect, it } from "vitest";
import { recordingAddress, takeToken } from "../../src/net/address";
import { parseMessage } from "../../src/net/messages";
import { defaultSettings, loadSettings, mergeSettings, saveSettings } from "../../src/settings";
import { groupByUnit, Series } from "../../src/ui/series";

function storage(initial: Record<string, string> = {}) {
    const values = new Map(Object.entries(initial));
    return { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value) };
}

describe("settings", () => {
    it("come back as they were kept", () => {
        const store = storage();
        const settings = defaultSettings();
        settings.tuning.yaw.expo = 0.7;
        settings.options.tether = null;
        saveSettings(store, settings);
        expect(loadSettings(store)).toEqual(settings);
    });
    it("that are broken or of another version give way to the defaults", () => {
        for (const text of ["{", "null", "[]", '{"version": 0}', '"x"']) expect(loadSettings(storage({ "hawser.settings": text }))).toEqual(defaultSettings());
    });
    it("with a name for the crew beside the pilot's have one name now", () => {
        const stored = (name: string, pilot: string) => storage({ "hawser.settings": JSON.stringify({ ...defaultSettings(), name, pilot: { name: pilot, group: "", phase: "" } }) });
        expect(loadSettings(stored("Bo", "")).pilot.name).toBe("Bo");
        expect(loadSettings(stored("Bo", "Ada")).pilot.name).toBe("Ada");
        expect(loadSettings(stored("Bo", "Ada"))).not.toHaveProperty("name");
    });
    it("of a wrong type are dropped one by one", () => {
        const merged = mergeSettings(defaultSettings(), { tetherRate: "fast", display: { axes: true, scale: null }, tuning: 3 });
        expect(merged.tetherRate).toBe(0.5);
        expect(merged.display.axes).toBe(true);
        expect(merged.display.scale).toBe(1);
        expect(merged.tuning).toEqual(defaultSettings().tuning);
    });
});

describe("messages", () => {
    it("that are none are told, not thrown", () => {
        for (const text of ["", "{", "[1]", "3", '{"type": "surprise"}', "null"]) expect(typeof parseMessage(text)).toBe("string");
        expect(parseMessage('{"type": "state", "paused": true}')).toMatchObject({ paused: true });
    });
});

describe("the token", () => {
    it("moves from the address to the tab and out of sight", () => {
        const values = new Map<string, string>();
        const store = { getItem: (k: string) => values.get(k) ?? null, setItem: (k: string, v: string) => void values.set(k, v) } as unknown as Storage;
        let shown = "";
        const history = { replaceState: (_: unknown, __: string, url: string) => { shown = url; } } as unknown as History;
        const page = { hash: "#token=abc%2Fdef", pathname: "/", search: "" } as Location;
        expect(takeToken(page, store, history)).toBe("abc/def");
        expect(shown).toBe("/");
        expect(takeToken({ ...page, hash: "" } as Location, store, history)).toBe("abc/def");
    });
    it("goes with the addresses of recordings", () => {
        expect(recordingAddress("2026 k3", "results.csv", "a&b")).toBe("flights/2026%20k3/results.csv?token=a%26b");
        expect(recordingAddress("f", "results.h5", null)).toBe("flights/f/results.h5");
    });
});

describe("plots", () => {
    it("share an axis where channels share a unit", () => {
        const groups = groupByUnit([{ name: "a", unit: "N" }, { name: "b", unit: "m" }, { name: "c", unit: "N" }]);
        expect([...groups]).toEqual([["N", ["a", "c"]], ["m", ["b"]]]);
    });
    it("cut what a rewind undoes", () => {
        const series = new Series(["a"]);
        for (const t of [0, 1, 2, 3]) series.push(t, [t]);
        series.push(1.5, [9]);
        expect(series.time).toEqual([0, 1, 1.5]);
        expect(series.values).toEqual([[0, 1, 9]]);
    });
    it("stay bounded while they grow for hours, with the newest point kept", () => {
        const series = new Series(["a"]);
        for (let i = 0; i < 100000; ++i) series.push(i, [i]);
        expect(series.time.length).toBeLessThanOrEqual(6001);
        expect(series.time.at(-1)).toBe(99999);
        expect(series.values[0]!.length).toBe(series.time.length);
    });
    it("leave a gap where there is no value", () => {
        const series = new Series(["a", "b"]);
        series.push(0, [Number.NaN, 1]);
        expect(series.values).toEqual([[null], [1]]);
    });
});
