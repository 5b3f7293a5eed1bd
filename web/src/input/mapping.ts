// From the state of keys and gamepad to pilot axes and actions. No events and no time here: what is pressed now gives what
// is asked for now.

import { clamp } from "../math/numbers";
import { PILOT_AXES } from "../net/messages";
import { ACTION_IDS, type ActionId } from "./actions";
import { type AxisControl, type Control, type HatDirection, type InputMap } from "./bindings";
import { calibrate, UNCALIBRATED, type AxisCalibration } from "./calibration";

export interface PadState {
    axes: readonly number[];
    buttons: readonly number[];
}

export interface DeviceState {
    keys: ReadonlySet<string>;
    pad: PadState | null;
    calibration: readonly AxisCalibration[];
}

const PRESSED = 0.5;

/** Hats arrive as one axis: eight directions clockwise from up, -1 to 1 in steps of 2/7; beyond 1 when let go. */
export function hatPressed(value: number, direction: HatDirection): boolean {
    if (!(value >= -1.05 && value <= 1.05)) return false;
    const eighth = Math.round(((value + 1) * 7) / 2);
    switch (direction) {
        case "up": return eighth === 7 || eighth === 0 || eighth === 1;
        case "right": return eighth >= 1 && eighth <= 3;
        case "down": return eighth >= 3 && eighth <= 5;
        case "left": return eighth >= 5 && eighth <= 7;
    }
}

function stickValue(state: DeviceState, index: number): number {
    const reading = state.pad?.axes[index];
    return reading === undefined ? 0 : calibrate(state.calibration[index] ?? UNCALIBRATED, reading);
}

function isDown(control: Control, state: DeviceState): boolean {
    switch (control.device) {
        case "key": return state.keys.has(control.code);
        case "button": return (state.pad?.buttons[control.index] ?? 0) > PRESSED;
        case "stick": return control.sign * stickValue(state, control.index) > PRESSED;
        case "hat": {
            const value = state.pad?.axes[control.index];
            return value !== undefined && hatPressed(value, control.direction);
        }
    }
}

/** Every action asked for by any of the maps. */
export function pressedActions(maps: readonly InputMap[], state: DeviceState): Set<ActionId> {
    const pressed = new Set<ActionId>();
    for (const map of maps) {
        const shift = (map.actions.shift ?? []).some((control) => isDown(control, state));
        if (shift) pressed.add("shift");
        for (const action of ACTION_IDS) {
            if (action === "shift") continue;
            for (const control of map.actions[action] ?? []) {
                if ((control.shift ?? false) === shift && isDown(control, state)) pressed.add(action);
            }
        }
    }
    return pressed;
}

function axisValue(control: AxisControl, state: DeviceState): number {
    switch (control.device) {
        case "keys": return (state.keys.has(control.plus) ? 1 : 0) - (state.keys.has(control.minus) ? 1 : 0);
        case "stick": return control.sign * stickValue(state, control.index);
        case "buttons": return (state.pad?.buttons[control.plus] ?? 0) - (state.pad?.buttons[control.minus] ?? 0);
    }
}

export interface AxisValues {
    /** from keys: steps, to be eased */
    steps: number[];
    /** from sticks */
    sticks: number[];
}

export function readAxes(maps: readonly InputMap[], state: DeviceState): AxisValues {
    const steps = [0, 0, 0, 0];
    const sticks = [0, 0, 0, 0];
    PILOT_AXES.forEach((axis, i) => {
        for (const map of maps) {
            for (const control of map.axes[axis]) {
                const target = control.device === "keys" ? steps : sticks;
                target[i] = clamp(target[i]! + axisValue(control, state), -1, 1);
            }
        }
    });
    return { steps, sticks };
}

/** per second: a key reaches full travel in this reciprocal time, and lets go twice as fast */
const KEY_RATE = 4;

/** Keys have no half-way: their axes move to the end and back in a moment instead of jumping. */
export function easeStep(value: number, target: number, dt: number): number {
    const returning = Math.abs(target) < Math.abs(value) || target * value < 0;
    const most = (returning ? 2 : 1) * KEY_RATE * dt;
    return value + clamp(target - value, -most, most);
}
