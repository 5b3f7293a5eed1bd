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
const READ = 200; // ms between two looks at where the joints are
const LEAD = 1; // s at the full lever by which a target leads its joint at most
const STUCK = 0.6; // s of lead with which a joint does not follow: what stops it is not pushed on
const SETTLED = 2000; // ms after which a joint is where it was left, or has been moved by somebody else
/** Modes of a joint's drive, as its input has them: what the target is of. */
const [POSITION, VELOCITY] = [1, 2];

export interface Equipment {
    /** names of winches, without the tether's own */
    winches: string[];
    /** joints whose drive goes to a place or at a speed: name, unit of its place (rad or m) */
    joints: { name: string; unit: string; mode: number }[];
    /** tips that are moved along axes: name, axes */
    tools: { name: string; axes: string[] }[];
}

/** What an operator moves, by the names of the inputs; what belongs to a vehicle is its pilot's. */
export function findEquipment(inputs: readonly InputEntry[], vehicles: readonly string[]): Equipment {
    const own = inputs.filter(({ name }) => !vehicles.some((vehicle) => name === vehicle || name.startsWith(`${vehicle}.`)));
    const named = new Map(own.map(({ name, value }) => [name, value]));
    const ending = (end: string): InputEntry[] => own.filter(({ name }) => name.endsWith(end));
    const tools = new Map<string, string[]>();
    for (const { name } of own) {
        const match = /^(.*)\.tool\.(x|y|z|roll|pitch|yaw)$/.exec(name);
        if (match) tools.set(match[1]!, [...(tools.get(match[1]!) ?? []), match[2]!]);
    }
    return {
        winches: ending(".setpoint").map(({ name }) => name.slice(0, -9)).filter((name) => named.has(`${name}.mode`) && name !== TETHER_WINCH),
        // joints of a mechanism whose tip is moved follow that
        joints: ending(".target").map(({ name, unit }) => ({ name: name.slice(0, -7), unit, mode: named.get(`${name.slice(0, -7)}.mode`) ?? 0 }))
            .filter(({ name, mode }) => (mode === POSITION || mode === VELOCITY) && !tools.has(name.slice(0, name.lastIndexOf(".")))),
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

/** A joint's lever: what it makes of being held, of where the joint is, and of what the drive follows. */
export class JointLever {
    /** where the joint is, as it was told last; NaN: not known yet */
    private now = Number.NaN;
    private way = 0;
    private moved = -Infinity;
    /** when the lever was let go of, until it is known where that left the joint */
    private released = Number.NaN;
    /** s at the full lever that it is away from its target */
    private get lag(): number {
        return Math.abs(this.target - this.now) / this.rate;
    }

    /** `target`: what the drive follows; NaN: what the scene says */
    constructor(readonly turns: boolean, readonly mode: number, public target: number) {}

    private get rate(): number {
        return this.turns ? TURN_RATE : SLIDE_RATE;
    }

    /** The lever is held (-1, 1) or let go of (0); gives the drive's new target, null where it stays. */
    hold(way: number, time: number): number | null {
        const before = this.way;
        this.way = way;
        if (way !== 0) this.released = Number.NaN;
        if (this.mode === VELOCITY) return (this.target = way * this.rate);
        if (way === 0) return before === 0 ? null : this.rest(time);
        // from where it is: a target that was given long ago is not to be jumped to
        if (before === 0 && Number.isFinite(this.now) && !(time - this.moved < SETTLED)) this.target = this.now;
        return null;
    }

    /** A stroke of the held lever, so many s; the new target, null where nothing moves. */
    stroke(seconds: number, time: number): number | null {
        if (this.way === 0 || this.mode === VELOCITY) return null;
        if (!Number.isFinite(this.target)) this.target = this.now;
        if (!Number.isFinite(this.target)) return null; // where it is has not been told yet
        this.moved = time;
        const next = this.target + this.way * this.rate * seconds;
        const lead = LEAD * this.rate;
        this.target = Number.isFinite(this.now) ? Math.min(Math.max(next, this.now - lead), this.now + lead) : next;
        return this.target;
    }

    /** It stays where it is: where it was going by this lever, unless it turns out not to get there. */
    rest(time: number): number | null {
        this.way = 0;
        if (this.mode === VELOCITY) return (this.target = 0);
        if (!Number.isFinite(this.now)) return null;
        if (time - this.moved < SETTLED) this.released = time;
        else this.target = this.now;
        return this.target;
    }

    /**
     * Where the joint was after the time `asked`; gives the drive's new target, null where it stays. What was asked before the lever was let
     * go of says nothing about what stops it: on a slow page it is older than the way that it has gone since.
     */
    place(now: number, asked: number): number | null {
        this.now = now;
        if (!(asked >= this.released)) return null;
        this.released = Number.NaN;
        return this.lag > STUCK ? (this.target = now) : null;
    }
}

export class WinchPanel {
    readonly element = h("aside", { class: "side-panel winch-panel hidden", "aria-label": "Winch operator" });
    private readonly cables = h("table", { class: "keys cable-table" });
    private readonly joints = new Map<string, { lever: JointLever; text: HTMLElement }>();
    private built = "";
    private timers: ReturnType<typeof setInterval>[] = [];
    private reading = false;

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
        const joints = equipment.joints.map(({ name, unit, mode }) => {
            const text = h("output", { class: "number small" });
            const joint = new JointLever(unit === "rad", mode, value(`${name}.target`));
            this.joints.set(name, { lever: joint, text });
            const move = (way: number): void => {
                const target = joint.hold(way, performance.now());
                if (target !== null) set({ [`${name}.target`]: target });
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
        for (const [name, { lever: joint }] of this.joints) {
            const target = joint.rest(performance.now());
            if (target !== null) values[`${name}.target`] = target;
        }
        if (Object.keys(values).length > 0) this.desk.tell({ type: "set", inputs: values });
        if (tether) this.desk.tell({ type: "tether", action: "hold" });
    }

    /** Targets of joints whose lever is held go on. */
    private stroke(): void {
        const values: Record<string, number> = {};
        if (this.desk.session.state?.paused) return;
        for (const [name, { lever: joint }] of this.joints) {
            const target = joint.stroke(STROKE / 1000, performance.now());
            if (target !== null) values[`${name}.target`] = target;
        }
        if (Object.keys(values).length > 0) this.desk.tell({ type: "set", inputs: values });
    }

    /** Where the joints are. */
    private read(): void {
        const names = [...this.joints.keys()];
        if (names.length === 0 || this.reading) return;
        this.reading = true;
        const before = performance.now();
        const stopped: Record<string, number> = {};
        // 32 at a time, as many as one question may have
        const asked = Array.from({ length: Math.ceil(names.length / 32) }, (_, i) => names.slice(32 * i, 32 * i + 32)).map(async (some) => {
            const { values } = await this.desk.link.request<{ values: (number | null)[] }>({ type: "read", channels: some.map((name) => `${name}.q`) });
            some.forEach((name, i) => {
                const [joint, now] = [this.joints.get(name), values[i] ?? null];
                if (!joint || now === null) return;
                const target = joint.lever.place(now, before);
                if (target !== null) stopped[`${name}.target`] = target;
                setText(joint.text, joint.lever.turns ? `${((now * 180) / Math.PI).toFixed(1)}\u00b0` : `${now.toFixed(2)} m`);
            });
        });
        // what is not told now is asked for again
        void Promise.allSettled(asked).then(() => {
            this.reading = false;
            if (Object.keys(stopped).length > 0) this.desk.tell({ type: "set", inputs: stopped });
        });
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
