// Keys and buttons as they are set now.

import { ACTION_IDS, ACTIONS } from "../input/actions";
import { KEYBOARD_NAMES, padNames } from "../input/bindings";
import { PILOT_AXES } from "../net/messages";
import { h } from "./dom";
import type { Desk, Page } from "./page";

const AXIS_NAMES = { surge: "Forward / back", sway: "Right / left", heave: "Up / down", yaw: "Turn right / left" } as const;

export class HelpPage implements Page {
    readonly title = "Help";
    readonly element = h("div", { class: "help-page" });

    constructor(private readonly desk: Desk) {}

    refresh(): void {
        const { keyboard, pad } = this.desk.settings;
        const names = padNames(pad.preset);
        const row = (what: string, key: string, button: string): HTMLElement => h("tr", {}, h("th", { scope: "row" }, what), h("td", {}, key), h("td", {}, button));
        const rows = PILOT_AXES.map((axis) => row(AXIS_NAMES[axis], keyboard.map.axes[axis].map(KEYBOARD_NAMES.axis).join(", "), pad.map.axes[axis].map(names.axis).join(", ")));
        let group = "";
        for (const action of ACTION_IDS) {
            const entry = ACTIONS[action];
            const keys = (keyboard.map.actions[action] ?? []).map(KEYBOARD_NAMES.control).join(", ");
            const buttons = (pad.map.actions[action] ?? []).map(names.control).join(", ");
            if (!keys && !buttons) continue;
            if (entry.group !== group) {
                group = entry.group;
                rows.push(h("tr", {}, h("th", { colspan: 3, class: "head" }, group)));
            }
            rows.push(row(entry.title, keys, buttons));
        }
        this.element.replaceChildren(
            h("p", { class: "note" }, "Arm, then fly. Turns wind the tether: watch the counter beside the heading and turn back the way its arrow shows. "
                + "In views from outside, drag with the mouse to turn, the wheel to come nearer, the right button to move."),
            h("table", { class: "keys" }, h("thead", {}, h("tr", {}, h("th", {}, ""), h("th", {}, "Keyboard"), h("th", {}, "Gamepad"))), h("tbody", {}, ...rows)));
    }
}
