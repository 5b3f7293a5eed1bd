// What the simulator does to a stick's position before it becomes thrust, repeated here for the pictures in the menu. The
// simulator's own copy counts: recordings hold the raw axes.

export interface AxisTuning {
    /** 0..0.5: stick travel without effect; the rest is stretched to the full range */
    dead_zone: number;
    /** 0..2, factor */
    sensitivity: number;
    /** 0 linear, 1 cubic */
    expo: number;
    invert: boolean;
}

export function conditionAxis(tuning: AxisTuning, x: number): number {
    const size = Math.min(Math.abs(x), 1);
    if (!(size > tuning.dead_zone)) return 0;
    const stretched = (size - tuning.dead_zone) / (1 - tuning.dead_zone);
    const shaped = (1 - tuning.expo) * stretched + tuning.expo * stretched ** 3;
    const scaled = Math.min(tuning.sensitivity * shaped, 1);
    return x < 0 !== tuning.invert ? -scaled : scaled;
}
