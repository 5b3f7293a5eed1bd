// The table of what does what, each entry changed by pressing its button and then the wanted key or control.

import { ACTION_IDS, ACTIONS, type ActionEntry, type ActionId } from "../input/actions";
import { type Control, type ControlNames, type InputMap } from "../input/bindings";
import type { InputHub } from "../input/hub";
import { bindAction, bindAxis, PadListener, unbindAction, type Use } from "../input/remap";
import { PILOT_AXES, type PilotAxis } from "../net/messages";
import { h, setText } from "./dom";
import { icon } from "./icons";

const AXIS_PLUS: Record<PilotAxis, string> = { surge: "forward", sway: "right", heave: "up", yaw: "turn right" };
const AXIS_MINUS: Record<PilotAxis, string> = { surge: "back", sway: "left", heave: "down", yaw: "turn left" };

const axisTitle = (axis: PilotAxis): string => `${AXIS_PLUS[axis][0]!.toUpperCase()}${AXIS_PLUS[axis].slice(1)} / ${AXIS_MINUS[axis]}`;

export class BindingsList {
    private readonly rows = h("div", { class: "bindings" });
    /** what a change has taken away elsewhere */
    private readonly news = h("p", { class: "news", role: "status" });
    readonly element = h("div", {}, this.news, this.rows);
    private cancel: (() => void) | null = null;
    private listener: PadListener | null = null;
    private onPad: ((listener: PadListener) => void) | null = null;

    constructor(private readonly device: "key" | "pad", private readonly map: () => InputMap, private readonly names: () => ControlNames, private readonly hub: InputHub, private readonly change: () => void) {}

    refresh(): void {
        this.stop();
        const groups = new Map<ActionEntry["group"], ActionId[]>();
        for (const action of ACTION_IDS) {
            const list = groups.get(ACTIONS[action].group) ?? [];
            list.push(action);
            groups.set(ACTIONS[action].group, list);
        }
        const rows: Node[] = [h("h4", {}, "Flying"), ...PILOT_AXES.map((axis) => this.axisRow(axis))];
        for (const [name, actions] of groups) rows.push(h("h4", {}, name), ...actions.map((action) => this.actionRow(action)));
        this.rows.replaceChildren(...rows);
    }

    /** While waiting for a gamepad, looks whether something moved. */
    tick(): void {
        if (this.onPad && this.listener && this.hub.pad) this.onPad(this.listener);
    }

    stop(): void {
        this.cancel?.();
        this.cancel = null;
        this.onPad = null;
        this.listener = null;
        this.hub.capture = null;
    }

    private padState(): { axes: number[]; buttons: number[] } {
        const pad = this.hub.pad;
        return { axes: [...(pad?.axes ?? [])], buttons: pad?.buttons.map((b) => b.value) ?? [] };
    }

    private wait(button: HTMLElement, prompt: string): void {
        this.stop();
        const before = button.textContent ?? "";
        if (this.device === "pad") this.listener = new PadListener(this.padState());
        setText(button, prompt);
        button.classList.add("waiting");
        this.cancel = () => {
            setText(button, before);
            button.classList.remove("waiting");
        };
    }

    private actionRow(action: ActionId): HTMLElement {
        const controls = this.map().actions[action] ?? [];
        const button = h("button", { type: "button", class: "binding", "data-action": action, "aria-label": `Change: ${ACTIONS[action].title}`,
            click: () => this.listenAction(action, button) }, controls.length > 0 ? controls.map(this.names().control).join(", ") : "none");
        return h("div", { class: "binding-row" }, h("span", {}, ACTIONS[action].title), button,
            h("button", { type: "button", class: "tiny", title: "Take the control away", "aria-label": `Take the control of ${ACTIONS[action].title} away`, click: () => {
                unbindAction(this.map(), action);
                this.done([]);
            } }, icon("close")));
    }

    private listenAction(action: ActionId, button: HTMLElement): void {
        const shift = this.hub.isActive("shift") && action !== "shift";
        const bind = (control: Control): void => {
            const full = shift ? { ...control, shift: true } : control;
            this.done(bindAction(this.map(), action, full), this.names().control(full));
        };
        if (this.device === "key") {
            this.wait(button, "press a key");
            let shifted = false;
            this.hub.capture = (code) => {
                if (code === "Escape") return this.stop();
                if (/^Shift/.test(code) && action !== "shift" && !shifted) {
                    shifted = true;
                    setText(button, "Shift + \u2026");
                    return;
                }
                this.hub.capture = null;
                bind(shifted ? { device: "key", code, shift: true } : { device: "key", code });
            };
        } else {
            this.wait(button, "press a button");
            this.onPad = (listener) => {
                const control = listener.button(this.padState());
                if (control) bind(control);
            };
        }
    }

    private axisRow(axis: PilotAxis): HTMLElement {
        const controls = this.map().axes[axis];
        const button = h("button", { type: "button", class: "binding", "data-axis": axis, "aria-label": `Change: ${AXIS_PLUS[axis]} and ${AXIS_MINUS[axis]}`,
            click: () => this.listenAxis(axis, button) }, controls.length > 0 ? controls.map(this.names().axis).join(", ") : "none");
        return h("div", { class: "binding-row" }, h("span", {}, axisTitle(axis)), button);
    }

    private listenAxis(axis: PilotAxis, button: HTMLElement): void {
        if (this.device === "pad") {
            this.wait(button, `push: ${AXIS_PLUS[axis]}`);
            this.onPad = (listener) => {
                const stick = listener.stick(this.padState());
                if (!stick) return;
                this.done(bindAxis(this.map(), axis, { device: "stick", ...stick }), "That stick");
            };
            return;
        }
        this.wait(button, `key: ${AXIS_PLUS[axis]}`);
        let plus = "";
        this.hub.capture = (code) => {
            if (code === "Escape") return this.stop();
            if (!plus) {
                plus = code;
                setText(button, `key: ${AXIS_MINUS[axis]}`);
                return;
            }
            this.hub.capture = null;
            const control = { device: "keys", plus, minus: code } as const;
            this.done(bindAxis(this.map(), axis, control), this.names().axis(control));
        };
    }

    private done(robbed: readonly Use[], control = ""): void {
        this.stop();
        this.change();
        this.refresh();
        setText(this.news, robbed.length > 0 ? `${control} no longer does: ${robbed.map((use) => this.loss(use)).join("; ")}.` : "");
    }

    private loss(use: Use): string {
        if (use in ACTIONS) {
            const left = this.map().actions[use as ActionId] ?? [];
            return `${ACTIONS[use as ActionId].title} (now ${left.length > 0 ? left.map(this.names().control).join(", ") : "without a control"})`;
        }
        const left = this.map().axes[use as PilotAxis];
        return `${axisTitle(use as PilotAxis)} (now ${left.length > 0 ? left.map(this.names().axis).join(", ") : "without a control"})`;
    }
}
