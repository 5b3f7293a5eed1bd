// Two flights that begin alike, side by side at the same instant: from above and from the side, with the way, the tether, and what
// it pulls with. Both are read by connections of their own, so that the replay behind stays where it is.

import { sceneFootprints, type Footprint } from "../hud/footprints";
import { metres, timeText } from "../hud/readings";
import { Link } from "../net/link";
import type { OpenReply, SceneMessage } from "../net/messages";
import { h, setText, show } from "./dom";

const MOST_NODES = 20;
const NODES_AT_ONCE = 10; // three channels each; a request may name 32
const STEP = 0.2; // s between two moments
const MOST_POINTS = 2000; // of a reply
/** m by which two ways differ once they have parted: recordings round places to half a millimetre, pilots do not fly that alike */
const APART = 0.1;
const INK = { water: "#08222e", print: "rgba(159,196,208,0.35)", way: "rgba(111,214,255,0.55)", tether: "#ffc04d", vehicle: "#eaf6fb", text: "#b3cbd6" };

/** A flight's rows at equal steps of time; NaN where there is none. */
export interface Course {
    flight: string;
    title: string;
    scene: SceneMessage;
    time: number[];
    /** x, y, z of the vehicle, one after another for each row */
    way: number[][];
    /** nodes of the tether in each row, those that exist, from the launch on */
    tether: [number, number, number][][];
    tension: number[];
    out: number[];
}

/** Whether the two go on alike; the time from which on they do not, s, or null. */
export function partingTime(a: Pick<Course, "time" | "way">, b: Pick<Course, "time" | "way">): number | null {
    const rows = Math.min(a.time.length, b.time.length);
    for (let i = 0; i < rows; ++i) {
        const [p, q] = [a.way[i]!, b.way[i]!];
        if (Math.hypot(p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!) > APART) return a.time[i]!;
    }
    return a.time.length === b.time.length ? null : a.time[rows - 1] ?? null;
}

/** The row at a time: the last that is not after it. */
export function rowAt(time: readonly number[], now: number): number {
    let row = 0;
    while (row + 1 < time.length && time[row + 1]! <= now + 1e-9) ++row;
    return row;
}

function reply<T>(address: string, token: string | null, use: (link: Link, scene: () => Promise<SceneMessage>) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
        let described: (scene: SceneMessage) => void = () => undefined;
        const scene = new Promise<SceneMessage>((done) => {
            described = done;
        });
        const link = new Link(address, token, {
            state: (state, text) => {
                if (state === "lost" || state === "refused") {
                    link.close();
                    reject(new Error(text));
                }
            },
            hello: () => void use(link, () => scene).then(resolve, reject).finally(() => link.close()),
            message: (message) => {
                if (message.type === "scene") described(message);
            },
            frame: () => undefined,
            sonar: () => undefined,
        });
        link.connect();
    });
}

/** Reads a recorded flight. */
export function readCourse(address: string, token: string | null, flight: string): Promise<Course> {
    return reply(address, token, async (link, described) => {
        const opened = await link.request<OpenReply>({ type: "open", kind: "replay", flight });
        const scene = await described();
        const [from, to] = [opened.start ?? 0, opened.end ?? 0];
        const vehicle = scene.vehicles[0]?.name;
        const cable = scene.cables[0]?.name;
        const { channels } = await link.request<{ channels: { name: string }[] }>({ type: "channels", filter: cable ? `${cable}.node*.position.x` : "-" });
        const nodes = channels.map(({ name }) => name.slice(0, -2));
        const chosen = Array.from({ length: Math.min(nodes.length, MOST_NODES) }, (_, i, all = Math.min(nodes.length, MOST_NODES)) => nodes[Math.round((i * (nodes.length - 1)) / Math.max(all - 1, 1))]!);
        const points = Math.min(Math.max(Math.floor((to - from) / STEP) + 1, 2), MOST_POINTS);
        const ask = async (names: string[]): Promise<{ time: number[]; values: (number | null)[][] }> => link.request({ type: "history", channels: names, from, to, points });
        const axes = ["x", "y", "z"];
        const ends = await ask([...axes.map((axis) => `${vehicle}.position.${axis}`), `${vehicle}.tether.tension`, ...(cable ? [`${cable}.length`] : [])]);
        const shape: (number | null)[][] = [];
        for (let first = 0; first < chosen.length; first += NODES_AT_ONCE)
            shape.push(...(await ask(chosen.slice(first, first + NODES_AT_ONCE).flatMap((node) => axes.map((axis) => `${node}.${axis}`)))).values);
        const number = (value: number | null | undefined): number => value ?? Number.NaN;
        const vehicleAt = (i: number): [number, number, number] => [0, 1, 2].map((k) => number(ends.values[k]![i])) as [number, number, number];
        return {
            flight, title: opened.title ?? flight, scene, time: ends.time,
            way: ends.time.map((_, i) => vehicleAt(i)),
            tension: ends.time.map((_, i) => number(ends.values[3]![i])),
            out: ends.time.map((_, i) => number(ends.values[4]?.[i])),
            // of nodes that come and go with the winch the last one chosen may be missing: the vehicle is where it ends
            tether: ends.time.map((_, i) => (chosen.length === 0 ? [] : [...chosen.map((_, n): [number, number, number] => [0, 1, 2].map((k) => number(shape[3 * n + k]![i])) as [number, number, number]), vehicleAt(i)])
                .filter((place) => place.every(Number.isFinite))),
        };
    });
}

/** Bounds in plan and in height of everything that both pictures show, with a margin. */
function boundsOf(courses: readonly Course[]): { plan: number[]; side: number[] } {
    const all = courses.flatMap(({ way, tether }) => [...way, ...tether.flat()]).filter((place) => place.every(Number.isFinite));
    const span = (values: number[], least: number): [number, number] => {
        const [low, high] = [Math.min(...values), Math.max(...values)];
        const more = Math.max(0.08 * (high - low), (least - (high - low)) / 2, 0.3);
        return [low - more, high + more];
    };
    if (all.length === 0) return { plan: [-1, 1, -1, 1], side: [-1, 1, -1, 1] };
    const reduce = (k: number): number[] => [all.reduce((least, place) => Math.min(least, place[k]!), Infinity), all.reduce((most, place) => Math.max(most, place[k]!), -Infinity)];
    const [x, y, z] = [span(reduce(0), 4), span(reduce(1), 4), span([...reduce(2), 0], 2)];
    return { plan: [...y, ...x], side: [...x, ...z] };
}

export class FuturesPanel {
    readonly element = h("section", { class: "futures hidden", role: "dialog", "aria-modal": "true", "aria-label": "Both futures side by side" });
    private readonly line = h("input", { type: "range", min: 0, max: 1, step: 0.1, "aria-label": "Time of both" });
    private readonly clock = h("span", { class: "number small" });
    private readonly play = h("button", { type: "button", class: "button" }, "Play");
    private readonly note = h("p", { class: "dim", role: "status" });
    private readonly sides = [0, 1].map(() => ({ plan: h("canvas", { width: 480, height: 360, role: "img", "aria-label": "From above" }), side: h("canvas", { width: 480, height: 170, role: "img", "aria-label": "From the side" }),
        title: h("h3", {}), text: h("p", { class: "number small" }) }));
    private courses: Course[] = [];
    private prints: Footprint[][] = [];
    private timer: ReturnType<typeof setInterval> | undefined;
    private wanted = "";

    constructor(private readonly address: string, private readonly token: () => string | null) {
        this.line.addEventListener("input", () => this.draw());
        this.play.addEventListener("click", () => this.run(this.timer === undefined));
        this.element.append(h("header", {}, h("b", {}, "Both futures"), h("button", { type: "button", class: "round", title: "Close", "aria-label": "Close", click: () => this.hide() }, "\u00d7")), this.note,
            h("div", { class: "both" }, ...this.sides.map(({ plan, side, title, text }) => h("article", {}, title, plan, side, text))),
            h("div", { class: "row" }, this.play, this.line, this.clock));
        this.element.addEventListener("keydown", (event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            this.hide();
        });
    }

    /** `captions`: what the left and the right one are. */
    show(flights: readonly [string, string], captions: readonly [string, string]): void {
        this.wanted = flights.join(" ");
        show(this.element, true);
        setText(this.note, "Both recordings are being read\u2026");
        this.courses = [];
        this.draw();
        Promise.all(flights.map((flight) => readCourse(this.address, this.token(), flight))).then((courses) => {
            if (this.wanted !== flights.join(" ")) return;
            this.courses = courses;
            this.prints = courses.map(({ scene }) => sceneFootprints(scene));
            const parted = partingTime(courses[0]!, courses[1]!);
            captions.forEach((caption, i) => setText(this.sides[i]!.title, `${caption}, ${timeText(courses[i]!.time.at(-1) ?? 0)} long`));
            setText(this.note, parted === null ? "They do not differ." : `Alike until ${timeText(parted)}; yellow is the tether.`);
            this.element.dataset["parted"] = String(parted);
            const end = Math.max(...courses.map(({ time }) => time.at(-1) ?? 0));
            Object.assign(this.line, { min: String(Math.max((parted ?? 0) - 5, 0)), max: String(end) });
            this.line.value = String(end);
            this.draw();
            this.play.focus({ preventScroll: true });
        }, (error: unknown) => setText(this.note, error instanceof Error ? error.message : "A recording could not be read."));
    }

    hide(): void {
        this.run(false);
        this.wanted = "";
        show(this.element, false);
    }

    private run(on: boolean): void {
        clearInterval(this.timer);
        this.timer = undefined;
        setText(this.play, on ? "Pause" : "Play");
        if (!on) return;
        if (Number(this.line.value) >= Number(this.line.max) - 0.05) this.line.value = this.line.min;
        this.timer = setInterval(() => {
            // five times as fast as it was: what is compared is where it leads
            this.line.value = String(Number(this.line.value) + 0.5);
            this.draw();
            if (Number(this.line.value) >= Number(this.line.max) - 0.05) this.run(false);
        }, 100);
    }

    private draw(): void {
        const now = Number(this.line.value);
        setText(this.clock, this.courses.length > 0 ? timeText(now) : "");
        const bounds = boundsOf(this.courses);
        this.sides.forEach(({ plan, side, text }, i) => {
            const course = this.courses[i];
            const row = course ? rowAt(course.time, now) : 0;
            // plan: west to the left, north up; side: north to the right
            this.drawView(plan, bounds.plan, course, row, this.prints[i] ?? [], ([x, y]) => [-y!, x!]);
            this.drawView(side, bounds.side, course, row, [], ([x, , z]) => [x!, z!]);
            setText(text, course ? `${now > (course.time.at(-1) ?? 0) + 0.5 ? "Over. " : ""}${metres(course.out[row] ?? Number.NaN)} m out, ${metres(course.tension[row] ?? Number.NaN, 0)} N` : "");
        });
    }

    private drawView(canvas: HTMLCanvasElement, bounds: readonly number[], course: Course | undefined, row: number, prints: readonly Footprint[], flat: (place: readonly number[]) => [number, number]): void {
        const pen = canvas.getContext("2d");
        if (!pen) return;
        pen.fillStyle = INK.water;
        pen.fillRect(0, 0, canvas.width, canvas.height);
        if (!course) return;
        const plan = canvas.height > 200;
        const [left, right, low, high] = plan ? [-bounds[1]!, -bounds[0]!, bounds[2]!, bounds[3]!] : (bounds as [number, number, number, number]);
        const scale = Math.min(canvas.width / (right - left), canvas.height / (high - low));
        const place = (point: readonly number[]): [number, number] => {
            const [u, v] = flat(point);
            return [canvas.width / 2 + (u - (left + right) / 2) * scale, canvas.height / 2 - (v - (low + high) / 2) * scale];
        };
        const line = (points: readonly (readonly number[])[], color: string, width: number): void => {
            pen.strokeStyle = color;
            pen.lineWidth = width;
            pen.beginPath();
            points.forEach((point, i) => (i === 0 ? pen.moveTo(...place(point)) : pen.lineTo(...place(point))));
            pen.stroke();
        };
        for (const print of prints) {
            pen.fillStyle = INK.print;
            pen.beginPath();
            if (print.kind === "circle") pen.arc(...place([print.x, print.y, 0]), Math.max(print.radius * scale, 2), 0, 2 * Math.PI);
            else print.points.forEach(([x, y], i) => (i === 0 ? pen.moveTo(...place([x, y, 0])) : pen.lineTo(...place([x, y, 0]))));
            pen.fill();
        }
        if (!plan) line([[-1e3, 0, 0], [1e3, 0, 0]], INK.print, 1);
        line(course.way.slice(0, row + 1).filter((point) => point.every(Number.isFinite)), INK.way, 2);
        line(course.tether[row] ?? [], INK.tether, 3);
        const at = course.way[row];
        if (at?.every(Number.isFinite)) {
            pen.fillStyle = INK.vehicle;
            pen.beginPath();
            pen.arc(...place(at), 6, 0, 2 * Math.PI);
            pen.fill();
        }
        pen.fillStyle = INK.text;
        pen.font = "13px B612, sans-serif";
        const bar = 10 ** Math.floor(Math.log10(120 / scale));
        pen.fillRect(10, canvas.height - 14, bar * scale, 2);
        pen.fillText(`${plan ? "from above, " : "from the side, "}${bar} m`, 10, canvas.height - 20);
    }
}
