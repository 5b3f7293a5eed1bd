// Listens to keyboard and gamepads, and turns what it hears into axes and actions. Everything goes to zero when the page
// loses the focus, is hidden, or the gamepad disappears.

import { ACTIONS, type ActionId } from "./actions";
import type { InputMap } from "./bindings";
import type { AxisCalibration } from "./calibration";
import { easeStep, pressedActions, readAxes, type PadState } from "./mapping";

export interface HubEvents {
    /** pressed: true at the press; "hold" actions also get false at the release */
    action(action: ActionId, pressed: boolean): void;
    /** all inputs went to zero, for this reason */
    zeroed(reason: "blur" | "disconnect"): void;
    pads(pads: readonly string[]): void;
}

export class InputHub {
    maps: InputMap[] = [];
    calibrations: Record<string, AxisCalibration[]> = {};
    /** surge, sway, heave, yaw, -1..1 */
    readonly axes = [0, 0, 0, 0];
    /** the same, also while suspended: for the menu's pictures */
    readonly raw = [0, 0, 0, 0];
    /** the same of sticks on the screen, moved by fingers */
    readonly touched = [0, 0, 0, 0];
    /** A page of the menu asks for the next key or button instead of letting it act. */
    capture: ((code: string) => void) | null = null;
    /** Menus are open: nothing acts but the actions of the page itself. */
    suspended = false;
    pad: Gamepad | null = null;

    private readonly keys = new Set<string>();
    /** keys that went down and up since the last poll, in their order: however slowly pictures are drawn, a key acts with the
     * shift that was held when it went down, and a tap between two pictures counts */
    private strokes: { code: string; down: boolean }[] = [];
    private readonly eased = [0, 0, 0, 0];
    /** what is held down, and what a shift that came or went makes of keys held before it: that is not asked for */
    private active = new Set<ActionId>();
    private stale = new Set<ActionId>();
    /** what is or was active since the last poll */
    private shown = new Set<ActionId>();
    private padIds: string[] = [];

    constructor(target: Window, private readonly events: HubEvents) {
        target.addEventListener("keydown", (event) => this.keyDown(event));
        target.addEventListener("keyup", (event) => this.strokes.push({ code: event.code, down: false }));
        target.addEventListener("blur", () => this.release("blur"));
        target.document.addEventListener("visibilitychange", () => {
            if (target.document.hidden) this.release("blur");
        });
        target.addEventListener("gamepaddisconnected", () => this.release("disconnect"));
    }

    /** Reads the devices; call once for each picture drawn. */
    poll(dt: number): void {
        this.readPad();
        const pad = this.padState();
        const calibration = (this.pad && this.calibrations[this.pad.id]) ?? [];
        const state = { keys: this.keys, pad, calibration };
        const tapped = new Set<string>();
        const begun = new Set<ActionId>();
        this.begin(pressedActions(this.maps, state), null, begun);
        for (const { code, down } of this.strokes.splice(0)) {
            if (down) tapped.add(code);
            if (down) this.keys.add(code);
            else this.keys.delete(code);
            this.begin(pressedActions(this.maps, state), code, begun);
        }
        this.end(begun);
        const { steps, sticks } = readAxes(this.maps, { keys: tapped.size > 0 ? new Set([...this.keys, ...tapped]) : this.keys, pad, calibration });
        for (let i = 0; i < 4; ++i) {
            this.raw[i] = Math.abs(sticks[i]!) > Math.abs(steps[i]!) ? sticks[i]! : steps[i]!;
            const step = this.suspended ? 0 : steps[i]!;
            this.eased[i] = easeStep(this.eased[i]!, step, dt);
            const finger = this.touched[i]!;
            const stick = this.suspended ? 0 : Math.abs(finger) > Math.abs(sticks[i]!) ? finger : sticks[i]!;
            // The one pushed further counts, so that a drifting stick does not disturb the keys.
            this.axes[i] = Math.abs(stick) > Math.abs(this.eased[i]!) ? stick : this.eased[i]!;
        }
    }

    isActive(action: ActionId): boolean {
        return this.shown.has(action);
    }

    release(reason: "blur" | "disconnect"): void {
        this.keys.clear();
        this.strokes = [];
        this.stale.clear();
        this.active.clear();
        this.axes.fill(0);
        this.touched.fill(0);
        this.eased.fill(0);
        this.end(new Set());
        this.events.zeroed(reason);
    }

    private keyDown(event: KeyboardEvent): void {
        if (this.capture) {
            event.preventDefault();
            this.capture(event.code);
            return;
        }
        if (isTyping(event.target) || isOperating(event.target, event.code) || event.ctrlKey || event.metaKey || event.altKey) return;
        // In an open menu keys belong to the menu: Tab, arrows, Enter work as everywhere. Only Escape still is ours.
        if (this.suspended && event.code !== "Escape") return;
        if (!event.repeat) this.strokes.push({ code: event.code, down: true });
        if (this.isBound(event.code)) event.preventDefault();
    }

    private isBound(code: string): boolean {
        return this.maps.some((map) =>
            Object.values(map.actions).some((controls) => controls.some((c) => c.device === "key" && c.code === code))
            || Object.values(map.axes).some((controls) =>
                controls.some((c) => c.device === "keys" && (c.plus === code || c.minus === code))));
    }

    /** `code`: the key that went down or up; null: it is the gamepad's turn. An action begins with its own key only. */
    private begin(pressed: Set<ActionId>, code: string | null, begun: Set<ActionId>): void {
        const before = this.active;
        this.active = pressed;
        for (const action of this.stale) {
            if (!pressed.has(action)) this.stale.delete(action);
        }
        for (const action of [...pressed]) {
            if (before.has(action)) continue;
            if (this.stale.has(action) || (code !== null && !this.maps.some((map) => (map.actions[action] ?? []).some((c) => c.device === "key" && c.code === code)))) {
                this.stale.add(action);
                pressed.delete(action);
                continue;
            }
            begun.add(action);
            if (!this.suspended || action === "menu") this.events.action(action, true);
        }
    }

    private end(begun: Set<ActionId>): void {
        const before = this.shown;
        this.shown = new Set([...begun, ...this.active]);
        for (const action of before) {
            if (!this.shown.has(action) && ACTIONS[action].kind === "hold") this.events.action(action, false);
        }
    }

    private readPad(): void {
        const pads = navigator.getGamepads ? [...navigator.getGamepads()].filter((pad) => pad !== null && pad.connected) : [];
        const ids = pads.map((pad) => pad!.id);
        if (ids.join("\n") !== this.padIds.join("\n")) {
            const lost = ids.length < this.padIds.length;
            this.padIds = ids;
            this.events.pads(ids);
            if (lost) this.release("disconnect");
        }
        // Of several, the one that is used: whichever has a button down, else the first.
        const used = pads.find((pad) => pad!.buttons.some((b) => b.pressed));
        if (used) this.pad = used;
        else this.pad = pads.find((pad) => pad!.index === this.pad?.index) ?? pads[0] ?? null;
    }

    private padState(): PadState | null {
        return this.pad && { axes: this.pad.axes, buttons: this.pad.buttons.map((b) => Math.max(b.value, b.pressed ? 1 : 0)) };
    }
}

const SLIDER_KEYS: ReadonlySet<string> = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);

/** A slider that has the focus keeps its arrows; a button of a panel or dialog beside the picture its Enter and Space. */
function isOperating(target: EventTarget | null, code: string): boolean {
    if (target instanceof HTMLInputElement && target.type === "range") return SLIDER_KEYS.has(code);
    const pressed = code === "Enter" || code === "Space" || code === "NumpadEnter";
    return pressed && target instanceof HTMLElement && target.closest("button, input[type=checkbox]") !== null && target.closest("aside, [role=dialog], form") !== null;
}

function isTyping(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target instanceof HTMLInputElement) return !["range", "checkbox", "radio", "button"].includes(target.type);
    return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
