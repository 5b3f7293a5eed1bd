// Sticks that move an arm instead of the vehicle: by its tip or by its joints. Rates are shares of the greatest; the server stops
// them when no message comes for a second.

import type { ArmEntry } from "../net/messages";

export type ArmMode = "tool" | "joint";

/** s between two messages while something moves, and before the same is said again */
const SHORTEST = 1 / 15;
const REPEAT = 0.3;

/** Along and about the vehicle's axes (x ahead, y to port, z up): with shift the sticks turn the hand, else they move its tip. */
export function tipRates(axes: readonly number[], shift: boolean): number[] {
    const [surge, sway, heave, yaw] = [axes[0] ?? 0, axes[1] ?? 0, axes[2] ?? 0, axes[3] ?? 0];
    // roll to starboard, pitch bow up, yaw to starboard as the sticks have it
    return shift ? [0, 0, 0, sway, -heave, -yaw] : [surge, -sway, heave, 0, 0, -yaw];
}

/** The first four joints, with shift the next four: turned, raised, stretched, and the fourth sideways. */
export function jointRates(axes: readonly number[], shift: boolean, count: number): number[] {
    const four = [-(axes[3] ?? 0), axes[2] ?? 0, axes[0] ?? 0, axes[1] ?? 0];
    const rates = new Array<number>(count).fill(0);
    four.forEach((rate, i) => {
        const at = i + (shift ? 4 : 0);
        if (at < count) rates[at] = rate;
    });
    return rates;
}

export class ArmSender {
    /** place in the vehicle's list; -1: the sticks fly the vehicle */
    chosen = -1;
    mode: ArmMode = "tool";
    private said = "";
    private at = -Infinity;

    constructor(private readonly send: (message: object) => boolean) {}

    /** The next arm, after the last one none. */
    next(arms: readonly ArmEntry[], now: number): void {
        this.stop(now);
        this.chosen = this.chosen + 1 < arms.length ? this.chosen + 1 : -1;
        if (this.chosen >= 0 && !arms[this.chosen]!.tool) this.mode = "joint";
    }

    stop(now: number): void {
        if (this.chosen >= 0 && this.said !== "") this.say({ arm: this.chosen, joints: [], jaw: 0 }, now);
        this.said = "";
    }

    /** `jaw`: 1 opens, -1 closes. */
    update(entry: ArmEntry | undefined, axes: readonly number[], shift: boolean, jaw: number, now: number): void {
        if (!entry) return;
        const byTip = this.mode === "tool" && entry.tool;
        // minus zero is zero
        const list = (byTip ? tipRates(axes, shift) : jointRates(axes, shift, entry.joints.length)).map((rate) => Math.round(100 * rate) / 100 + 0);
        const idle = jaw === 0 && list.every((rate) => rate === 0);
        const message = { arm: this.chosen, ...(byTip ? { tool: list } : { joints: list }), jaw };
        const text = JSON.stringify(message);
        if (idle && this.said === "") return;
        if (now - this.at < (text === this.said ? REPEAT : idle ? 0 : SHORTEST)) return;
        this.say(message, now);
        this.said = idle ? "" : text;
    }

    private say(message: object, now: number): void {
        this.at = now;
        this.send({ type: "manipulate", ...message });
    }
}
