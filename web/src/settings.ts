// What the page remembers between visits, in this browser only.

import { KEYBOARD_PRESETS, PAD_PRESETS, type InputMap, type KeyboardPreset, type PadPreset } from "./input/bindings";
import type { AxisCalibration } from "./input/calibration";
import type { AxisTuning } from "./math/conditioning";
import type { FlightOptions, ForecastKinds, PilotAxis, TwinModel } from "./net/messages";

const KEY = "hawser.settings";
const VERSION = 1;

/** How much the page shows that a real pilot would not see. */
export type Aids = "full" | "map" | "none";

/** What a pilot may see: no more than wished for, and no more than a lesson allows. */
export function lockedAids(wished: Aids, lesson: "all" | "chart" | "instruments" | undefined): Aids {
    if (lesson === "instruments") return "none";
    return lesson === "chart" && wished === "full" ? "map" : wished;
}

export interface Settings {
    version: number;
    options: FlightOptions;
    tuning: Record<PilotAxis, AxisTuning>;
    keyboard: { preset: KeyboardPreset; map: InputMap };
    pad: { preset: PadPreset; map: InputMap };
    calibrations: Record<string, AxisCalibration[]>;
    sound: { muted: boolean; volume: number; captions: boolean };
    display: {
        aids: Aids;
        axes: boolean;
        overlay: boolean;
        hud: boolean;
        reducedMotion: "system" | "on" | "off";
        quality: "auto" | "high" | "medium" | "low";
        tension: boolean;
        /** hints about the tether */
        hints: boolean;
        /** the sonar's image, and its gain, dB */
        sonar: boolean;
        sonarGain: number;
        /** under latency, where the vehicle will be */
        ghost: boolean;
        /** readings of DVL, altimeter, USBL, load cells */
        sensors: boolean;
        scale: number;
    };
    /** aids that say what the tether will do */
    forecast: ForecastKinds;
    /** the model of a second tether that is shown as a ghost */
    twin: TwinModel;
    tetherRate: number;
    /** who sits here: how others aboard see this page, and in whose logbook its lessons are kept; group and phase of a study */
    pilot: { name: string; group: string; phase: string };
}

const TUNING: AxisTuning = { dead_zone: 0.05, sensitivity: 1, expo: 0.3, invert: false };

export function defaultSettings(): Settings {
    return {
        version: VERSION,
        options: {},
        tuning: { surge: { ...TUNING }, sway: { ...TUNING }, heave: { ...TUNING }, yaw: { ...TUNING } },
        keyboard: { preset: "two_hands", map: structuredClone(KEYBOARD_PRESETS.two_hands.map) },
        pad: { preset: "cockpit", map: structuredClone(PAD_PRESETS.cockpit.map) },
        calibrations: {},
        sound: { muted: false, volume: 0.6, captions: true },
        display: {
            aids: "full",
            axes: false,
            overlay: true,
            hud: true,
            reducedMotion: "system",
            quality: "auto",
            tension: true,
            hints: true,
            sonar: false,
            sonarGain: 0,
            ghost: true,
            sensors: false,
            scale: 1,
        },
        forecast: { home: false, ahead: false, haul: false },
        twin: "none",
        tetherRate: 0.5,
        pilot: { name: "", group: "", phase: "" },
    };
}

/** Stored values over the defaults; whatever has another type than the default is dropped. */
export function mergeSettings<T>(defaults: T, stored: unknown): T {
    if (typeof defaults !== "object" || defaults === null || Array.isArray(defaults)) {
        const same = typeof stored === typeof defaults && Array.isArray(stored) === Array.isArray(defaults);
        return same && stored !== null ? (stored as T) : defaults;
    }
    if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return defaults;
    const merged: Record<string, unknown> = { ...(defaults as Record<string, unknown>) };
    for (const [key, value] of Object.entries(stored)) {
        merged[key] = key in merged ? mergeSettings(merged[key], value) : value;
    }
    return merged as T;
}

export function loadSettings(storage: Pick<Storage, "getItem">): Settings {
    const defaults = defaultSettings();
    try {
        const stored: unknown = JSON.parse(storage.getItem(KEY) ?? "null");
        if (typeof stored !== "object" || (stored as Partial<Settings> | null)?.version !== VERSION) return defaults;
        const merged = mergeSettings(defaults, stored) as Settings & { name?: unknown };
        // Pages used to have a second name for the crew.
        if (typeof merged.name === "string" && !merged.pilot.name) merged.pilot.name = merged.name;
        delete merged.name;
        if (!(merged.keyboard.preset in KEYBOARD_PRESETS)) merged.keyboard = defaults.keyboard;
        if (!(merged.pad.preset in PAD_PRESETS)) merged.pad = defaults.pad;
        return merged;
    } catch {
        return defaults;
    }
}

export function saveSettings(storage: Pick<Storage, "setItem">, settings: Settings): void {
    try {
        storage.setItem(KEY, JSON.stringify(settings));
    } catch {
        // Private windows may refuse; the page works without.
    }
}
