// The instructor's station beside the picture: time, faults, water, notes, and the controls that can be taken.

import type { ConditionsMessage, Control, CrewMessage } from "../net/messages";
import { h, setText } from "./dom";
import type { Desk } from "./page";
import { button, group, select, slider } from "./widgets";

interface Fault {
    kind: string;
    label: string;
    min: number;
    max: number;
    step: number;
    text(value: number): string;
    now(conditions: ConditionsMessage): number;
}

const FAULTS: readonly Fault[] = [
    { kind: "leak", label: "Buoyancy lost", min: 0, max: 40, step: 1, text: (v) => `${v.toFixed(0)} N`, now: (c) => c.leak },
    { kind: "camera", label: "Camera out", min: 0, max: 1, step: 1, text: (v) => (v > 0 ? "out" : "works"), now: (c) => (c.camera ? 0 : 1) },
    { kind: "video_delay", label: "Video delay", min: 0, max: 3, step: 0.1, text: (v) => `${v.toFixed(1)} s`, now: (c) => c.video_delay },
    { kind: "command_delay", label: "Command delay", min: 0, max: 3, step: 0.1, text: (v) => `${v.toFixed(1)} s`, now: (c) => c.command_delay },
    { kind: "loss", label: "Commands lost", min: 0, max: 0.95, step: 0.05, text: (v) => `${Math.round(100 * v)} %`, now: (c) => c.loss },
    { kind: "compass", label: "Compass drift", min: -60, max: 60, step: 5, text: (v) => `${v.toFixed(0)}\u00b0/min`, now: (c) => (c.compass.rate * 180 * 60) / Math.PI },
    { kind: "load_cell", label: "Load cell off by", min: -100, max: 100, step: 5, text: (v) => `${v.toFixed(0)} N`, now: (c) => c.load_cell },
];

const TAKEN: readonly [Control, string][] = [["vehicle", "the vehicle"], ["tether", "the tether"]];

export class InstructorPanel {
    readonly element = h("aside", { class: "side-panel instructor-panel hidden", "aria-label": "Instructor" });
    private readonly sliders = new Map<string, { set(value: number): void }>();
    private readonly pause = button("Freeze", () => {
        const paused = !this.desk.session.state?.paused;
        this.desk.tell({ type: "pause", paused, ...(paused ? { blank: true } : {}) });
    }, "freeze");
    /** time stands, and everybody looks at the same thing */
    private readonly stand = button("Pause", () => this.desk.tell({ type: "pause", paused: true }), "pause");
    private readonly takes = new Map<Control, HTMLButtonElement>();
    private readonly pending = h("ul", { class: "pending" });
    private readonly comms = button("No comms", () => this.desk.tell({ type: "comms", on: !this.desk.session.crew?.comms }), "comms");
    private after = 0;
    private thruster = 0;
    private loss = 1;
    private built = "";

    constructor(private readonly desk: Desk) {}

    /** A new scene: the list of thrusters is the vehicle's. */
    build(): void {
        const { scene } = this.desk.session;
        const key = `${scene?.flight}/${scene?.vehicles[0]?.thrusters.length}`;
        if (this.built === key) return;
        this.built = key;
        const { desk } = this;
        const thrusters = scene?.vehicles[0]?.thrusters ?? [];
        const back = (seconds: number): HTMLElement => button(`Back ${seconds} s`, () => {
            desk.tell({ type: "seek", time: Math.max((desk.frame()?.time ?? 0) - seconds, desk.session.state?.start ?? 0) });
        }, `back-${seconds}`);
        const note = h("input", { type: "text", maxlength: 200, "aria-label": "Note", placeholder: "Note" });
        const keep = (): void => {
            if (note.value.trim()) desk.tell({ type: "note", text: note.value.trim() });
            note.value = "";
        };
        note.addEventListener("keydown", (event) => {
            if (event.key === "Enter") keep();
        });
        const fault = (kind: string, value: number, more: object = {}): void => desk.tell({ type: "fault", kind, value, ...more, ...(this.after > 0 ? { in: this.after } : {}) });
        this.sliders.clear();
        const faults = FAULTS.map((one) => {
            const made = slider(one.label, 0, { min: one.min, max: one.max, step: one.step, text: one.text, change: (value) => fault(one.kind, value) });
            this.sliders.set(one.kind, made);
            made.element.dataset["fault"] = one.kind;
            return made.element;
        });
        const visibility = slider("Visibility", scene?.environment.visibility ?? 10, { min: 0.5, max: 30, step: 0.5, text: (v) => `${v.toFixed(1)} m`, change: (value) => desk.tell({ type: "visibility", value }) });
        this.sliders.set("visibility", visibility);
        const current = { speed: scene?.options?.current?.speed ?? 0, direction_deg: scene?.options?.current?.direction_deg ?? 90 };
        const flow = (): void => desk.tell({ type: "current", ...current });
        this.takes.clear();
        const takes = TAKEN.map(([control]) => {
            const made = button("", () => desk.tell({ type: desk.session.holds(control) ? "give" : "take", control }), `take-${control}`);
            this.takes.set(control, made);
            return made;
        });
        this.element.replaceChildren(
            h("header", {}, h("b", {}, "Instructor"), button("Class", () => desk.showPage("class")), button("Crew", () => desk.showPage("crew"))),
            group("Time", h("div", { class: "buttons" }, this.pause, this.stand, back(10), back(30), button("Bookmark", () => desk.tell({ type: "mark", text: "Bookmark of the instructor" })))),
            group("Notes", h("div", { class: "field" }, note, button("Keep", keep))),
            group("Take over", h("div", { class: "buttons" }, ...takes, this.comms)),
            group("Next event", slider("Faults happen", 0, { min: 0, max: 120, step: 5, text: (v) => (v > 0 ? `in ${v.toFixed(0)} s` : "at once"), change: (value) => {
                this.after = value;
            } }).element, this.pending),
            group("Thrusters", select("Thruster", "0", thrusters.map((entry, i) => ({ value: String(i), title: `${i + 1} ${entry.name ?? ""}` })), (value) => {
                this.thruster = Number(value);
            }).element,
            slider("Thrust lost", 1, { min: 0.1, max: 1, step: 0.1, text: (v) => `${Math.round(100 * v)} %`, change: (value) => {
                this.loss = value;
            } }).element,
            h("div", { class: "buttons" }, button("Break", () => fault("thruster", this.loss, { thruster: this.thruster }), "break"), button("Mend", () => fault("thruster", 0, { thruster: this.thruster })))),
            group("Faults", ...faults),
            group("Water", visibility.element,
                slider("Current", current.speed, { min: 0, max: 2, step: 0.05, text: (v) => `${v.toFixed(2)} m/s`, change: (speed) => {
                    current.speed = speed;
                    flow();
                } }).element,
                slider("goes to", current.direction_deg, { min: -180, max: 180, step: 15, text: (v) => `${v.toFixed(0)}\u00b0`, change: (direction) => {
                    current.direction_deg = direction;
                    flow();
                } }).element));
        this.setClock();
    }

    setConditions(conditions: ConditionsMessage): void {
        for (const fault of FAULTS) this.sliders.get(fault.kind)?.set(fault.now(conditions));
        const visibility = conditions.visibility ?? this.desk.session.scene?.environment.visibility;
        if (visibility) this.sliders.get("visibility")?.set(visibility);
        this.pending.replaceChildren(...conditions.pending.map(({ time, kind, value }) => h("li", {}, `${kind} ${value} at ${time.toFixed(0)} s`)));
    }

    setCrew(crew: CrewMessage): void {
        for (const [control, text] of TAKEN) {
            const made = this.takes.get(control);
            if (made) setText(made, crew.holders[control] === crew.you ? `Give back ${text}` : `Take ${text}`);
        }
        setText(this.comms, crew.comms ? "No comms" : "Comms on");
    }

    setClock(): void {
        const { state } = this.desk.session;
        setText(this.pause, state?.paused ? "Go on" : "Freeze");
        this.pause.title = state?.paused ? "" : "Time stands, and the displays of all others are blank";
        this.stand.disabled = Boolean(state?.paused) && !state?.blank;
        setText(this.stand, state?.blank ? "Show" : "Pause");
    }
}
