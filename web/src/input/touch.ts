// Two sticks for fingers, as on a gamepad, with the few buttons that a dive needs. They are there once a finger has touched the
// page; a mouse never brings them.

import { clamp } from "../math/numbers";
import { h, setAttribute, show } from "../ui/dom";
import type { ActionId } from "./actions";
import type { InputHub } from "./hub";

/** Of its radius, how far from its middle a finger moves a stick to its end. */
const TRAVEL = 0.75;

/** -1..1, right and up, of a finger so many radii from a stick's middle. */
export function stickAt(right: number, up: number): [number, number] {
    const far = Math.hypot(right, up) / TRAVEL;
    const share = far > 1 ? 1 / far : 1;
    return [clamp((right / TRAVEL) * share, -1, 1), clamp((up / TRAVEL) * share, -1, 1)];
}

/** The two axes that a stick moves: to the right, and up, as in the protocol. */
const STICKS: readonly { title: string; right: number; up: number }[] = [
    { title: "Forward, sideways", right: 1, up: 0 },
    { title: "Up, down, turn", right: 3, up: 2 },
];

const BUTTONS: readonly { action: ActionId; text: string; title: string }[] = [
    { action: "arm_toggle", text: "Arm", title: "Arm or disarm" },
    { action: "mode_hold", text: "Hold", title: "Hold depth and heading" },
    { action: "mode_stabilize", text: "Free", title: "Stabilize: depth and heading are yours" },
    { action: "tilt_up", text: "\u25b3", title: "Tilt the camera up" },
    { action: "tilt_down", text: "\u25bd", title: "Tilt the camera down" },
    { action: "lights_up", text: "\u2600+", title: "Lights brighter" },
    { action: "lights_down", text: "\u2600\u2212", title: "Lights dimmer" },
    { action: "gripper_open", text: "\u2039 \u203a", title: "Open the gripper" },
    { action: "gripper_close", text: "\u203a\u2039", title: "Close the gripper" },
    { action: "tether_out", text: "Out", title: "Pay tether out" },
    { action: "tether_in", text: "In", title: "Haul tether in" },
    { action: "sonar", text: "Sonar", title: "Sonar on or off" },
];

/** What stands on the button for an action; empty: there is none. */
export function touchName(action: ActionId): string {
    return BUTTONS.find((button) => button.action === action || (action === "arm" && button.action === "arm_toggle"))?.text ?? "";
}

export class TouchSticks {
    readonly element: HTMLElement;
    private allowed = false;
    private wanted = matchMedia("(pointer: coarse)").matches;

    constructor(private readonly hub: InputHub, act: (action: ActionId, pressed: boolean) => void) {
        const keys = BUTTONS.map(({ action, text, title }) => {
            const key = h("button", { type: "button", class: "touch-key", "data-action": action, title, "aria-label": title }, text);
            key.addEventListener("pointerdown", (event) => {
                event.preventDefault();
                act(action, true);
                const done = (): void => act(action, false);
                key.addEventListener("pointerup", done, { once: true });
                key.addEventListener("pointercancel", done, { once: true });
            });
            return key;
        });
        const [left, right] = STICKS.map((stick) => this.makeStick(stick));
        this.element = h("section", { class: "touch hidden", "aria-label": "Sticks" }, left, h("div", { class: "touch-keys" }, ...keys), right);
        window.addEventListener("pointerdown", (event) => {
            if (event.pointerType !== "touch" || this.wanted) return;
            this.wanted = true;
            this.refresh();
        });
    }

    /** Whether this page steers. */
    allow(on: boolean): void {
        this.allowed = on;
        if (!on) this.hub.touched.fill(0);
        this.refresh();
    }

    private refresh(): void {
        show(this.element, this.allowed && this.wanted);
        document.documentElement.classList.toggle("touching", this.allowed && this.wanted);
    }

    private makeStick({ title, right, up }: (typeof STICKS)[number]): HTMLElement {
        const knob = h("span", { class: "touch-knob" });
        const pad = h("div", { class: "touch-stick", role: "img", "aria-label": title }, knob);
        let finger: number | null = null;
        const move = (x: number, y: number): void => {
            this.hub.touched[right] = x;
            this.hub.touched[up] = y;
            setAttribute(knob, "style", `transform: translate(${(50 * x).toFixed(0)}%, ${(-50 * y).toFixed(0)}%)`);
        };
        const follow = (event: PointerEvent): void => {
            if (event.pointerId !== finger) return;
            event.preventDefault();
            const box = pad.getBoundingClientRect();
            move(...stickAt((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height));
        };
        const drop = (event: PointerEvent): void => {
            if (event.pointerId !== finger) return;
            finger = null;
            move(0, 0);
        };
        pad.addEventListener("pointerdown", (event) => {
            if (finger !== null) return;
            finger = event.pointerId;
            pad.setPointerCapture(event.pointerId);
            follow(event);
        });
        pad.addEventListener("pointermove", follow);
        pad.addEventListener("pointerup", drop);
        pad.addEventListener("pointercancel", drop);
        return pad;
    }
}
