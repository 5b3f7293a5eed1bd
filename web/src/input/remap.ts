// Changing a map: giving an action or an axis another control. A control does one thing: whatever had it before loses it.

import type { PilotAxis } from "../net/messages";
import type { ActionId } from "./actions";
import { sameControl, type AxisControl, type Control, type InputMap } from "./bindings";
import type { PadState } from "./mapping";

/** The actions that lost the control. */
export function bindAction(map: InputMap, action: ActionId, control: Control): ActionId[] {
    const robbed: ActionId[] = [];
    for (const [other, controls] of Object.entries(map.actions) as [ActionId, Control[]][]) {
        const kept = controls.filter((entry) => !sameControl(entry, control));
        if (kept.length === controls.length) continue;
        map.actions[other] = kept;
        if (other !== action) robbed.push(other);
    }
    map.actions[action] = [control];
    return robbed;
}

export function unbindAction(map: InputMap, action: ActionId): void {
    map.actions[action] = [];
}

export function bindAxis(map: InputMap, axis: PilotAxis, control: AxisControl): void {
    map.axes[axis] = [control];
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
