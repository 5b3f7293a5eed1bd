// The controls that lessons name: what does them on the device in hand, and which instrument shows it.

import type { Settings } from "../settings";
import type { ActionId } from "./actions";
import { axisControlName, KEYBOARD_NAMES, keyName, padNames, buttonName, type AxisControl, type Control } from "./bindings";
import { touchName } from "./touch";
import type { PilotAxis } from "../net/messages";

export type Device = "keys" | "pad" | "touch";

/** A side of an axis, and how a stick is pushed for it. */
const SIDES: Readonly<Record<string, readonly [PilotAxis, 1 | -1, string]>> = {
    forward: ["surge", 1, "ahead"], back: ["surge", -1, "back"], right: ["sway", 1, "to the right"], left: ["sway", -1, "to the left"],
    up: ["heave", 1, "ahead"], down: ["heave", -1, "back"], turn_right: ["yaw", 1, "to the right"], turn_left: ["yaw", -1, "to the left"],
};
const FINGERS: Readonly<Record<PilotAxis, string>> = { surge: "left stick", sway: "left stick", heave: "right stick", yaw: "right stick" };
const ARROWS: Readonly<Record<string, string>> = { ahead: "up", back: "down" };

function sideName(control: AxisControl, sign: 1 | -1, push: string, whole: (control: AxisControl) => string): string {
    if (control.device === "keys") return keyName(sign > 0 ? control.plus : control.minus);
    if (control.device === "buttons") return buttonName(sign > 0 ? control.plus : control.minus);
    const name = whole(control);
    return name.includes("stick,") ? name.replace(/(ahead|sideways)/, push) : `${name.replace(" reversed", "")} ${push}`;
}

/** What a hand does for a control; empty: this device has nothing for it. */
export function controlHint(name: string, settings: Settings, device: Device): string {
    const side = SIDES[name];
    if (device === "touch") return side ? `${FINGERS[side[0]]} ${ARROWS[side[2]] ?? side[2]}` : touchName(name as ActionId);
    const { map } = device === "pad" ? settings.pad : settings.keyboard;
    const names = device === "pad" ? padNames(settings.pad.preset) : KEYBOARD_NAMES;
    if (side) {
        const control = map.axes[side[0]][0];
        return control ? sideName(control, side[1], side[2], device === "pad" ? names.axis : axisControlName) : "";
    }
    const actions = map.actions as Partial<Record<string, Control[]>>;
    const control = actions[name]?.[0] ?? (name === "arm" ? actions["arm_toggle"]?.[0] : undefined);
    if (!control) return "";
    const shift = actions["shift"]?.[0];
    // a gamepad has no key of that name
    return device === "pad" && control.shift && shift ? `${names.control(shift)} + ${names.control({ ...control, shift: false })}` : names.control(control);
}

/** Where the page shows what a control does, as a selector; null: in the picture alone. */
export function instrumentOf(name: string): string | null {
    if (name === "arm" || name.startsWith("mode_")) return ".plate.status";
    if (name.startsWith("turn_")) return ".heading-plate";
    if (name === "up" || name === "down") return ".depth-panel";
    if (name.startsWith("tether_")) return ".tether-panel";
    if (name === "sonar") return ".sonar-panel";
    if (name === "sensors") return ".sensor-panel";
    const item = /^(tilt|lights|gain|gripper)_/.exec(name)?.[1];
    return item ? `.item.${item}` : null;
}
