// From numbers to what instruments show: texts, levels of concern, directions. No elements here.

import { toDegrees, wrapHeading } from "../math/angles";
import { clamp } from "../math/numbers";

export type Level = "normal" | "warning" | "alarm";

/** Quarter turns, signed, as pilots call them; the true minus sign keeps the width. */
export function turnsText(turns: number): string {
    if (!Number.isFinite(turns)) return "--";
    const quarters = Math.round(turns * 4) / 4;
    const sign = quarters > 0 ? "+" : quarters < 0 ? "\u2212" : "";
    return sign + Math.abs(quarters).toFixed(2);
}

export function turnsLevel(turns: number): Level {
    const size = Math.abs(turns);
    return size > 3 ? "alarm" : size > 1 ? "warning" : "normal";
}

/** Which way to turn to take the turns out: they were made clockwise when positive. Null when there is nothing to unwind. */
export function unwindDirection(turns: number): "port" | "starboard" | null {
    if (!(Math.abs(turns) >= 0.125)) return null;
    return turns > 0 ? "port" : "starboard";
}

/** How much longer the tether is than the straight way: 0.1 is a tenth. NaN where that means nothing. */
export function slackOf(length: number, distance: number): number {
    return distance > 0.5 ? length / distance - 1 : Number.NaN;
}

export function slackText(slack: number): string {
    return Number.isFinite(slack) ? `${Math.round(clamp(slack, -0.99, 9.99) * 100)}\u2009%` : "--";
}

/**
 * `loose`: m of it; two metres round a vehicle close by are no danger, whatever share of the tether they are, nor is what a boat
 * needs that rides waves of this height.
 */
export function slackLevel(slack: number, loose: number, waveHeight = 0): Level {
    return slack > 0.25 && loose > 2 + waveHeight ? "warning" : "normal";
}

/** A fifth of the working load is a warning, two fifths an alarm: 69 N and 137 N for the usual tether of 343 N. */
export function tensionLevel(tension: number, working: number): Level {
    return tension > 0.4 * working ? "alarm" : tension > 0.2 * working ? "warning" : "normal";
}

export function attitudeLevel(roll: number, pitch: number): Level {
    return Math.max(Math.abs(roll), Math.abs(pitch)) > Math.PI / 6 ? "warning" : "normal";
}

export function altitudeLevel(altitude: number): Level {
    return altitude < 0.5 ? "warning" : "normal";
}

/** Minutes and seconds, hours when needed. */
export function timeText(seconds: number): string {
    if (!Number.isFinite(seconds)) return "--:--";
    const whole = Math.max(Math.floor(seconds), 0);
    const two = (n: number): string => String(n).padStart(2, "0");
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${two(minutes)}:${two(whole % 60)}`;
}

export function metres(value: number, digits = 1): string {
    return Number.isFinite(value) ? value.toFixed(digits).replace("-", "\u2212") : "--";
}

export function percent(share: number): string {
    return Number.isFinite(share) ? `${Math.round(share * 100)}\u2009%` : "--";
}

export function degrees(angle: number): string {
    return Number.isFinite(angle) ? `${Math.round(toDegrees(angle)).toString().replace("-", "\u2212")}\u00b0` : "--";
}

/** North and east of a place in the world's frame, whose y points west. */
export function positionText(x: number, y: number): string {
    const part = (value: number, plus: string, minus: string): string => `${value < -0.05 ? minus : plus} ${Math.abs(value).toFixed(1)}`;
    return `${part(x, "N", "S")}  ${part(-y, "E", "W")}`;
}

/** Where a horizontal velocity goes to, as a heading. */
export function headingOfVelocity(x: number, y: number): number {
    return wrapHeading(Math.atan2(-y, x));
}

const MODE_NAMES: Record<string, string> = {
    manual: "MANUAL", stabilize: "STABILIZE", depth_hold: "DEPTH HOLD", heading_hold: "HEADING HOLD", hold: "HOLD D + H",
};

export function modeText(mode: string | undefined): string {
    return mode === undefined ? "--" : (MODE_NAMES[mode] ?? mode.replaceAll("_", " ").toUpperCase());
}

/** Share of the full force, -1..1, that a thruster gives. */
export function effortOf(force: number, forward: number, reverse: number): number {
    const full = force >= 0 ? forward : reverse;
    return full > 0 ? clamp(force / full, -1, 1) : 0;
}

/**
 * Thrusters that work against one another for long are the mark of a tether that pulls: the pilot of a free vehicle needs no
 * such effort to stay. True when the largest effort has stayed above 60 % and more than twice the mean for 5 s.
 */
export class EffortWatch {
    private since = 0;

    update(efforts: readonly number[], dt: number): boolean {
        const sizes = efforts.map(Math.abs);
        const most = Math.max(0, ...sizes);
        const mean = sizes.length > 0 ? sizes.reduce((a, b) => a + b, 0) / sizes.length : 0;
        this.since = most > 0.6 && most > 2 * mean ? this.since + dt : 0;
        return this.since >= 5;
    }
}
