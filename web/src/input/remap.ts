// Changing a map: giving an action or an axis another control. A control does one thing: whatever had it before loses it.

import type { PilotAxis } from "../net/messages";
import type { ActionId } from "./actions";
import { sameControl, type AxisControl, type Control, type InputMap } from "./bindings";
import type { PadState } from "./mapping";

export type Use = ActionId | PilotAxis;

/** Whether an axis is moved by this control. Shift makes another control of a key or a button, but an axis heeds no shift. */
function moves(axis: AxisControl, control: Control): boolean {
    switch (axis.device) {
        case "keys": return control.device === "key" && !control.shift && (control.code === axis.plus || control.code === axis.minus);
        case "buttons": return control.device === "button" && !control.shift && (control.index === axis.plus || control.index === axis.minus);
        case "stick": return control.device === "stick" && !control.shift && control.index === axis.index;
    }
}

function sameAxis(a: AxisControl, b: AxisControl): boolean {
    if (a.device === "stick") return b.device === "stick" && a.index === b.index;
    return b.device === a.device && [a.plus, a.minus].some((one) => one === b.plus || one === b.minus);
}

/** Takes what `taken` says away from all but `keeper`; who lost something. */
function rob(map: InputMap, keeper: Use, fromAction: (control: Control) => boolean, fromAxis: (control: AxisControl) => boolean): Use[] {
    const robbed: Use[] = [];
    for (const [action, controls] of Object.entries(map.actions) as [ActionId, Control[]][]) {
        const kept = controls.filter((entry) => !fromAction(entry));
        if (kept.length === controls.length) continue;
        map.actions[action] = kept;
        if (action !== keeper) robbed.push(action);
    }
    for (const [axis, controls] of Object.entries(map.axes) as [PilotAxis, AxisControl[]][]) {
        const kept = controls.filter((entry) => !fromAxis(entry));
        if (kept.length === controls.length) continue;
        map.axes[axis] = kept;
        if (axis !== keeper) robbed.push(axis);
    }
    return robbed;
}

/** Gives an action a control; which actions and axes lost it. */
export function bindAction(map: InputMap, action: ActionId, control: Control): Use[] {
    const robbed = rob(map, action, (entry) => sameControl(entry, control), (entry) => moves(entry, control));
    map.actions[action] = [control];
    return robbed;
}

export function unbindAction(map: InputMap, action: ActionId): void {
    map.actions[action] = [];
}

/** Gives an axis a control; which actions and axes lost it. */
export function bindAxis(map: InputMap, axis: PilotAxis, control: AxisControl): Use[] {
    const robbed = rob(map, axis, (entry) => moves(control, entry), (entry) => sameAxis(entry, control));
    map.axes[axis] = [control];
    return robbed;
}

/** Waits for a button or a stick that moves from where it was at the start. */
export class PadListener {
    private readonly rest: PadState;

    constructor(start: PadState) {
        this.rest = { axes: [...start.axes], buttons: [...start.buttons] };
    }

    /** A button, or a stick pushed most of its way, whichever comes first; null while nothing has. */
    button(now: PadState): Control | null {
        const index = now.buttons.findIndex((value, i) => value > 0.6 && !((this.rest.buttons[i] ?? 0) > 0.4));
        if (index >= 0) return { device: "button", index };
        const hat = now.axes[9];
        if (hat !== undefined && hat >= -1.05 && hat <= 1.05 && Math.abs(hat - (this.rest.axes[9] ?? hat)) > 0.1) {
            const eighth = Math.round(((hat + 1) * 7) / 2);
            return { device: "hat", index: 9, direction: (["up", "right", "down", "left"] as const)[Math.floor(((eighth + 1) % 8) / 2)]! };
        }
        return null;
    }

    stick(now: PadState): { index: number; sign: 1 | -1 } | null {
        for (let index = 0; index < now.axes.length; ++index) {
            if (index === 9) continue;
            const moved = now.axes[index]! - (this.rest.axes[index] ?? 0);
            if (Math.abs(moved) > 0.6) return { index, sign: moved > 0 ? 1 : -1 };
        }
        return null;
    }
}
