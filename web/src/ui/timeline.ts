// The bar below replays and live scenes: play, pause, step, speed, and the line of time with its marks.

import { timeText } from "../hud/readings";
import { clamp } from "../math/numbers";
import type { Mark, StateMessage } from "../net/messages";
import { h, setAttribute, setText, show } from "./dom";
import { icon, setIcon, type IconName } from "./icons";

export const REPLAY_SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;
export const LIVE_SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16] as const;

export interface TimelineActions {
    pause(paused: boolean): void;
    speed(factor: number): void;
    step(seconds: number): void;
    seek(time: number): void;
    branch(): void;
    /** the ghost of a second tether is shown, or not */
    ghost(on: boolean): void;
    close(): void;
}

export class Timeline {
    readonly element: HTMLElement;
    private readonly play = h("button", { type: "button", class: "round play" });
    private readonly speed = h("select", { "aria-label": "Speed", title: "Speed" });
    private readonly line = h("input", { type: "range", min: 0, max: 1, step: 0.01, "aria-label": "Time", class: "line" });
    private readonly marks = h("div", { class: "marks", "aria-hidden": "true" });
    private readonly time = h("span", { class: "number small" });
    private readonly branch: HTMLElement;
    private readonly ghost: HTMLButtonElement;
    private readonly track: HTMLElement;
    private state: StateMessage | null = null;
    private dragging = false;
    private speedsShown = "";
    private now = 0;

    constructor(private readonly actions: TimelineActions) {
        this.play.addEventListener("click", () => this.toggle());
        this.speed.addEventListener("change", () => {
            actions.speed(Number(this.speed.value));
            this.speed.blur();
        });
        this.line.addEventListener("input", () => {
            this.dragging = true;
            actions.seek(Number(this.line.value));
        });
        this.line.addEventListener("change", () => {
            this.dragging = false;
            this.line.blur();
        });
        const step = (sign: IconName, title: string, act: () => void): HTMLElement => h("button", { type: "button", class: "round", title, "aria-label": title, click: act }, icon(sign));
        this.branch = h("button", { type: "button", class: "button branch", title: "A new flight that begins at this moment", click: () => actions.branch() }, "Fly from here");
        this.ghost = h("button", { type: "button", class: "button ghost hidden", title: "The second tether that was shown in this flight, as a line of long dashes", "aria-pressed": "true",
            click: () => this.pressGhost(this.ghost.getAttribute("aria-pressed") !== "true") }, "Ghost");
        this.track = h("div", { class: "track" }, this.line, this.marks);
        this.element = h("section", { class: "plate timeline hidden", "aria-label": "Playback" }, this.play, step("step", "One step", () => actions.step(1 / 60)),
            this.speed, this.time, this.track, this.ghost, this.branch, step("close", "Close", () => actions.close()));
    }

    /** Whether the recording has the ghost of a second tether. */
    offerGhost(on: boolean): void {
        show(this.ghost, on);
        this.pressGhost(true);
    }

    private pressGhost(on: boolean): void {
        setAttribute(this.ghost, "aria-pressed", String(on));
        this.actions.ghost(on);
    }

    toggle(): void {
        const ended = this.state?.end !== null && this.state?.end !== undefined && this.now >= this.state.end - 0.02;
        if (ended && this.state?.paused !== false) this.actions.seek(this.state!.start);
        this.actions.pause(!(this.state?.paused ?? false));
    }

    setState(state: StateMessage | null, replay: boolean, canBranch: boolean): void {
        this.state = state;
        show(this.element, state !== null);
        if (!state) return;
        setIcon(this.play, state.paused ? "play" : "pause");
        setAttribute(this.play, "aria-label", state.paused ? "Play" : "Pause");
        const speeds = replay ? REPLAY_SPEEDS : LIVE_SPEEDS;
        if (this.speedsShown !== speeds.join()) {
            this.speedsShown = speeds.join();
            this.speed.replaceChildren(...speeds.map((factor) => h("option", { value: factor }, `${factor}\u00d7`)));
        }
        this.speed.value = String(speeds.find((factor) => Math.abs(factor - state.speed) < 1e-3) ?? 1);
        show(this.track, state.end !== null);
        show(this.branch, canBranch);
        if (state.end !== null) {
            this.line.min = String(state.start);
            this.line.max = String(state.end);
        }
    }

    setMarks(marks: readonly Mark[]): void {
        const [start, end] = [this.state?.start ?? 0, this.state?.end ?? 1];
        this.marks.replaceChildren(...marks.filter((mark) => end > start && mark.time >= start && mark.time <= end).map((mark) => {
            const tick = h("span", { title: `${timeText(mark.time)} ${mark.text}` });
            tick.style.left = `${(100 * (mark.time - start)) / (end - start)}%`;
            return tick;
        }));
    }

    update(time: number): void {
        this.now = time;
        if (!this.state) return;
        const end = this.state.end;
        setText(this.time, end === null ? `${time.toFixed(1)} s` : `${timeText(time)} / ${timeText(end)}`);
        if (end !== null && !this.dragging) {
            this.line.value = String(clamp(time, this.state.start, end));
            this.line.style.setProperty("--share", String((time - this.state.start) / Math.max(end - this.state.start, 1e-9)));
        }
    }
}
