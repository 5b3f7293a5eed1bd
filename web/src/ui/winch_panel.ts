// The station of a winch or crane operator beside the picture: a lever for each winch, joint and boom tip of the equipment, and what
// the cables say. A lever moves while it is held and stops when it is let go of; stopping is one button for everything.

import { metres } from "../hud/readings";
import type { Frame } from "../net/frame";
import type { InputEntry, SceneMessage } from "../net/messages";
import { h, setText } from "./dom";
import type { Desk } from "./page";
import { button, group, select, slider } from "./widgets";

/** The winch that `tether` messages move: its handler, where there is one, sets its rate ten times a second. */
export const TETHER_WINCH = "winch";
const MODES = ["velocity", "tension"] as const;
const TURN_RATE = 0.1; // rad/s of a joint that turns, at the full lever
const SLIDE_RATE = 0.2; // m/s of one that slides
const STROKE = 100; // ms between two steps of a joint's target
const READ = 1000; // ms between two looks at what inputs and joints say

export interface Equipment {
    /** names of winches, without the tether's own */
    winches: string[];
    /** joints with a drive: name, unit of its target (rad or m) */
    joints: { name: string; unit: string }[];
    /** tips that are moved along axes: name, axes */
    tools: { name: string; axes: string[] }[];
}

/** What an operator moves, by the names of the inputs; what belongs to a vehicle is its pilot's. */
export function findEquipment(inputs: readonly InputEntry[], vehicles: readonly string[]): Equipment {
    const own = inputs.filter(({ name }) => !vehicles.some((vehicle) => name === vehicle || name.startsWith(`${vehicle}.`)));
    const named = new Set(own.map(({ name }) => name));
    const ending = (end: string): InputEntry[] => own.filter(({ name }) => name.endsWith(end));
    const tools = new Map<string, string[]>();
    for (const { name } of own) {
        const match = /^(.*)\.tool\.(x|y|z|roll|pitch|yaw)$/.exec(name);
        if (match) tools.set(match[1]!, [...(tools.get(match[1]!) ?? []), match[2]!]);
    }
    return {
        winches: ending(".setpoint").map(({ name }) => name.slice(0, -9)).filter((name) => named.has(`${name}.mode`) && name !== TETHER_WINCH),
        // joints of a mechanism whose tip is moved follow that
        joints: ending(".target").map(({ name, unit }) => ({ name: name.slice(0, -7), unit })).filter(({ name }) => named.has(`${name}.mode`) && !tools.has(name.slice(0, name.lastIndexOf(".")))),
        tools: [...tools].map(([name, axes]) => ({ name, axes })),
    };
}

/** A button that acts while it is held, by pointer or key; `move(0)` when it is let go of. */
function lever(label: string, name: string, way: number, move: (way: number) => void): HTMLButtonElement {
    const element = h("button", { type: "button", class: "button lever", title: `${name}: ${label}`, "aria-label": `${name}: ${label}` }, label);
    let held = false;
    const set = (on: boolean): void => {
        if (on === held) return;
        held = on;
        element.classList.toggle("held", on);
        move(on ? way : 0);
    };
    element.addEventListener("pointerdown", (event) => {
        // it stays held where the finger leaves it; a pointer that is gone already has nothing to hold
        if (element.isConnected && event.isTrusted) element.setPointerCapture(event.pointerId);
        set(true);
    });
    for (const end of ["pointerup", "pointercancel", "blur"]) element.addEventListener(end, () => set(false));
    element.addEventListener("keydown", (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        set(true);
    });
    element.addEventListener("keyup", () => set(false));
    return element;
}

export class WinchPanel {
    readonly element = h("aside", { class: "side-panel winch-panel hidden", "aria-label": "Winch operator" });
    private readonly cables = h("table", { class: "keys cable-table" });
    private readonly joints = new Map<string, { now: number; target: number; way: number; turns: boolean; text: HTMLElement }>();
    private built = "";
    private timers: ReturnType<typeof setInterval>[] = [];

    constructor(private readonly desk: Desk) {}

    /** A new flight, or the seat has come: the levers are those of its equipment. */
    build(): void {
        const { scene } = this.desk.session;
        const key = `${scene?.flight}/${scene?.revision}`;
        if (this.built === key || !scene) return;
        this.built = key;
        this.desk.link.request<{ inputs: InputEntry[] }>({ type: "inputs" }).then(({ inputs }) => this.fill(scene, inputs), (error: unknown) => this.desk.complain(error));
    }

    /** The seat is another's now: nothing goes on moving. */
    leave(): void {
        this.timers.forEach(clearInterval);
        this.timers = [];
        this.joints.clear();
        this.built = "";
    }

    private fill(scene: SceneMessage, inputs: readonly InputEntry[]): void {
        this.leave();
        this.built = `${scene.flight}/${scene.revision}`;
        const { desk } = this;
        const set = (values: Record<string, number>): void => desk.tell({ type: "set", inputs: values });
        const equipment = findEquipment(inputs, scene.vehicles.map(({ name }) => name));
        const value = (name: string): number => inputs.find((entry) => entry.name === name)?.value ?? Number.NaN;
        const winches = equipment.winches.map((name) => {
            let speed = 0.3;
            const pull = slider("Pull", value(`${name}.mode`) === 1 ? value(`${name}.setpoint`) || 0 : 0, { min: 0, max: 5000, step: 50, text: (v) => `${v.toFixed(0)} N`, change: (v) => set({ [`${name}.mode`]: 1, [`${name}.setpoint`]: v }) });
            const move = (way: number): void => set({ [`${name}.mode`]: 0, [`${name}.setpoint`]: way * speed });
            const ways = h("div", { class: "buttons" }, lever("Pay out", name, 1, move), lever("Haul in", name, -1, move));
            const rate = slider("Rate", speed, { min: 0.05, max: 2, step: 0.05, text: (v) => `${v.toFixed(2)} m/s`, change: (v) => {
                speed = v;
            } });
            const choose = (mode: string): void => {
                pull.element.classList.toggle("hidden", mode !== "tension");
                ways.classList.toggle("hidden", mode === "tension");
                rate.element.classList.toggle("hidden", mode === "tension");
            };
            const mode = MODES[value(`${name}.mode`)] ?? "velocity";
            choose(mode);
            const chosen = select("Keeps", mode, [{ value: "velocity", title: "speed" }, { value: "tension", title: "tension" }], (next) => {
                choose(next);
                set({ [`${name}.mode`]: next === "tension" ? 1 : 0, [`${name}.setpoint`]: 0 });
            });
            return group(name, chosen.element, ways, rate.element, pull.element);
        });
        const tether = inputs.some(({ name }) => name === `${TETHER_WINCH}.setpoint`)
            ? group("winch", h("div", { class: "buttons" }, lever("Pay out", "winch", 1, (way) => desk.tell({ type: "tether", action: way > 0 ? "pay_out" : "hold" })),
                lever("Haul in", "winch", 1, (way) => desk.tell({ type: "tether", action: way > 0 ? "haul_in" : "hold" })), button("Automatic", () => desk.tell({ type: "tether", action: "auto" })))) : null;
        const joints = equipment.joints.map(({ name, unit }) => {
            const text = h("output", { class: "number small" });
            const joint = { now: Number.NaN, target: value(`${name}.target`), way: 0, turns: unit === "rad", text };
            this.joints.set(name, joint);
            const move = (way: number): void => {
                // from where it is: a target that was given long ago is not to be jumped to
                if (way !== 0 && joint.way === 0 && Number.isFinite(joint.now)) joint.target = joint.now;
                joint.way = way * (joint.turns ? TURN_RATE : SLIDE_RATE);
            };
            return group(name, h("div", { class: "buttons" }, lever("\u2212", name, -1, move), lever("+", name, 1, move), text));
        });
        const tools = equipment.tools.map(({ name, axes }) => group(`${name}, tip`, h("div", { class: "buttons" }, ...axes.flatMap((axis) =>
            [-1, 1].map((way) => lever(`${axis} ${way > 0 ? "+" : "\u2212"}`, name, way, (on) => set({ [`${name}.tool.${axis}`]: on })))))));
        const stop = button("Stop everything", () => this.stop(equipment, tether !== null), "danger stop-all");
        const calls = ["Lifting", "Lowering", "Holding", "Stop, please"].map((text) => button(text, () => desk.tell({ type: "say", text }), "call"));
        const parts = [...winches, tether, ...joints, ...tools];
        this.element.replaceChildren(h("header", {}, h("b", {}, "Winch operator"), button("Crew", () => desk.showPage("crew"))), h("div", { class: "buttons" }, stop),
            ...(parts.some((part) => part !== null) ? parts.filter((part): part is HTMLElement => part !== null) : [h("p", { class: "empty" }, "This scene has no winch and no crane.")]),
            group("Cables", this.cables), group("Call-outs", h("div", { class: "buttons" }, ...calls)));
        this.timers = [setInterval(() => this.stroke(), STROKE), setInterval(() => this.read(), READ)];
        this.read();
    }

    private stop(equipment: Equipment, tether: boolean): void {
        const values: Record<string, number> = {};
        for (const name of equipment.winches) Object.assign(values, { [`${name}.mode`]: 0, [`${name}.setpoint`]: 0 });
        for (const { name, axes } of equipment.tools) for (const axis of axes) values[`${name}.tool.${axis}`] = 0;
        for (const [name, joint] of this.joints) {
            joint.way = 0;
            if (Number.isFinite(joint.now)) values[`${name}.target`] = joint.target = joint.now;
        }
        if (Object.keys(values).length > 0) this.desk.tell({ type: "set", inputs: values });
        if (tether) this.desk.tell({ type: "tether", action: "hold" });
    }

    /** Targets of joints whose lever is held go on. */
    private stroke(): void {
        const values: Record<string, number> = {};
        for (const [name, joint] of this.joints) {
            if (joint.way === 0 || !Number.isFinite(joint.target) || this.desk.session.state?.paused) continue;
            joint.target += (joint.way * STROKE) / 1000;
            values[`${name}.target`] = joint.target;
        }
        if (Object.keys(values).length > 0) this.desk.tell({ type: "set", inputs: values });
    }

    /** Where the joints are, from the recording: whoever has the time chooses what frames carry. */
    private read(): void {
        const time = this.desk.frame()?.time ?? 0;
        const names = [...this.joints.keys()];
        if (names.length === 0 || time < 0.2) return;
        this.desk.link.request<{ values: (number | null)[][] }>({ type: "history", channels: names.map((name) => `${name}.q`), from: Math.max(time - 0.5, 0), to: time, points: 2 }).then(({ values }) => {
            names.forEach((name, i) => {
                const joint = this.joints.get(name);
                const last = values[i]?.filter((one): one is number => one !== null).at(-1);
                if (!joint || last === undefined) return;
                joint.now = last;
                if (!Number.isFinite(joint.target)) joint.target = last;
                setText(joint.text, joint.turns ? `${((last * 180) / Math.PI).toFixed(1)}\u00b0` : `${last.toFixed(2)} m`);
            });
        }, () => undefined);
    }

    /** About ten times a second while the panel is shown. */
    update(frame: Frame | null): void {
        const { scene } = this.desk.session;
        if (!scene || !frame || this.element.classList.contains("hidden")) return;
        if (this.cables.rows.length !== scene.cables.length + 1)
            this.cables.replaceChildren(h("thead", {}, h("tr", {}, ...["", "Length, m", "End a, N", "End b, N"].map((title) => h("th", { scope: "col" }, title)))),
                h("tbody", {}, ...scene.cables.map(({ name }) => h("tr", {}, h("th", { scope: "row" }, name), ...[0, 1, 2].map(() => h("td", { class: "number small" }))))));
        scene.cables.forEach((_, i) => {
            const cable = frame.cables[i];
            const row = this.cables.rows[i + 1]!;
            const cells = row.cells;
            row.hidden = !cable || !Number.isFinite(cable.length) || cable.count < 2; // a part that no cut has made yet
            [cable?.length, cable?.tensionA, cable?.tensionB].forEach((value, k) => setText(cells[k + 1]!, value === undefined || !Number.isFinite(value) ? "" : metres(value, k === 0 ? 1 : 0)));
        });
    }
}
