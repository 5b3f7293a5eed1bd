// What a stick's readings mean: where it rests and how far it goes. Kept for each model of gamepad.

import { clamp } from "../math/numbers";

export interface AxisCalibration {
    low: number;
    centre: number;
    high: number;
}

export const UNCALIBRATED: AxisCalibration = { low: -1, centre: 0, high: 1 };

/** A reading as -1..1. */
export function calibrate(calibration: AxisCalibration, reading: number): number {
    const { low, centre, high } = calibration;
    const span = reading < centre ? centre - low : high - centre;
    return span > 0.05 ? clamp((reading - centre) / span, -1, 1) : 0;
}

/** Collects readings while the pilot first lets go of the sticks and then moves them all the way round. */
export class CalibrationRun {
    private readonly rest: number[][] = [];
    private low: number[] = [];
    private high: number[] = [];
    stage: "rest" | "move" = "rest";

    feed(axes: readonly number[]): void {
        if (this.stage === "rest") {
            this.rest.push([...axes]);
            return;
        }
        axes.forEach((value, axis) => {
            this.low[axis] = Math.min(this.low[axis] ?? value, value);
            this.high[axis] = Math.max(this.high[axis] ?? value, value);
        });
    }

    startMoving(): void {
        this.stage = "move";
    }

    /** How much of its range each axis has been moved through, 0..1. */
    progress(): number[] {
        return this.low.map((low, axis) => clamp((this.high[axis]! - low) / 1.6, 0, 1));
    }

    /** An axis that was not moved keeps the usual range. */
    finish(): AxisCalibration[] {
        const axes = Math.max(this.low.length, this.rest[0]?.length ?? 0);
        return Array.from({ length: axes }, (_, axis) => {
            const centre = median(this.rest.map((sample) => sample[axis] ?? 0));
            const low = this.low[axis] ?? centre;
            const high = this.high[axis] ?? centre;
            if (high - low < 0.5) return { ...UNCALIBRATED, centre };
            return { low: Math.min(low, centre - 0.1), centre, high: Math.max(high, centre + 0.1) };
        });
    }
}

function median(values: number[]): number {
    if (values.length === 0) return 0;
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[sorted.length >> 1]!;
}
