// The debrief beside the replay: verdict, where the trouble began, tips, and moments to go to.

import { TERMS } from "../hud/lesson_panel";
import { timeText } from "../hud/readings";
import { recordingAddress } from "../net/address";
import type { Debrief, Point, ProbeOutcome } from "../net/messages";
import { TWIN_TITLES } from "../twin";
import { h, show, svg } from "./dom";

export interface DebriefActions {
    ask(flight: string): Promise<Debrief>;
    /** shows the replay at this moment, s; `pilot`: as the pilot saw it */
    seek(time: number, pilot: boolean): void;
    /** a new flight from this moment on */
    branch(time: number): void;
    /** what the pilot saw then, as the address of an image; null: there is none */
    picture(time: number): Promise<string | null>;
    /** two flights side by side at the same instant, and what they are */
    beside(flights: readonly [string, string], captions: readonly [string, string]): void;
    token(): string | null;
    closed(): void;
}

/** s before and after a freeze in which the replay shows what was sketched in it */
const SKETCH_SHOWN = 5;
const SKETCH_POINTS = 50;

/** The point at a share of a line's length. */
function pointAt(line: readonly [number, number][], share: number): [number, number] {
    const lengths = line.slice(1).map(([x, y], i) => Math.hypot(x - line[i]![0], y - line[i]![1]));
    let left = share * lengths.reduce((sum, length) => sum + length, 0);
    for (const [i, length] of lengths.entries()) {
        const [[ax, ay], [bx, by]] = [line[i]!, line[i + 1]!];
        if (left <= length && length > 0) return [ax + ((bx - ax) * left) / length, ay + ((by - ay) * left) / length];
        left -= length;
    }
    return [...line.at(-1)!];
}

/** A sketch in space: plan and elevation belong together by equal shares of their lengths, as the score compares them with the tether. */
export function sketchInSpace({ plan, elevation }: NonNullable<ProbeOutcome["sketch"]>): Point[] {
    return Array.from({ length: SKETCH_POINTS }, (_, i): Point => {
        const share = i / (SKETCH_POINTS - 1);
        const [x, y] = pointAt(plan, share);
        return [x, y, pointAt(elevation, share)[1]];
    });
}

/** s before a moment at which the replay begins: what led to it is the lesson */
const LEAD = 5;

export class DebriefPanel {
    readonly element = h("aside", { class: "debrief-panel hidden", "aria-label": "Debrief" });
    private readonly body = h("div", { class: "debrief-body" });
    private flight: string | null = null;
    /** the run that was flown again from a moment of another, and that other one */
    private compared: Debrief | null = null;
    private last: Debrief | null = null;
    /** of the first cause, for the file too */
    private picture: string | null = null;
    private sketchedProbe: ProbeOutcome | undefined;
    private sketched: Point[] | null = null;

    constructor(private readonly actions: DebriefActions) {
        this.element.append(h("header", {}, h("b", {}, "Debrief"),
            h("button", { type: "button", class: "round", title: "Close the debrief", "aria-label": "Close the debrief", click: () => this.hide() }, "\u00d7")), this.body);
    }

    get open(): boolean {
        return this.flight !== null;
    }

    show(flight: string): void {
        this.flight = flight;
        this.picture = null;
        this.body.replaceChildren(h("p", { class: "dim" }, "The recording is being judged\u2026"));
        show(this.element, true);
        this.actions.ask(flight).then(
            (debrief) => {
                if (this.flight !== flight) return;
                if (this.last && this.last.flight !== flight && this.last.title === debrief.title) this.compared = this.last;
                this.last = debrief;
                this.fill(debrief);
            },
            (error: unknown) => {
                if (this.flight === flight) this.body.replaceChildren(h("p", { class: "gate" }, error instanceof Error ? error.message : "The debrief did not come."));
            });
    }

    hide(): void {
        if (this.flight === null) return;
        this.flight = null;
        show(this.element, false);
        this.actions.closed();
    }

    /** What the pilot sketched in a freeze near this moment, in space; null: nothing. */
    sketchAt(time: number): Point[] | null {
        if (!this.open || this.last?.flight !== this.flight) return null;
        const probe = this.last.lesson?.probes.find((one) => one.sketch && Math.abs(one.time - time) <= SKETCH_SHOWN);
        if (probe !== this.sketchedProbe) {
            this.sketchedProbe = probe;
            this.sketched = probe?.sketch ? sketchInSpace(probe.sketch) : null;
        }
        return this.sketched;
    }

    private moment(time: number, pilot = false): HTMLElement {
        return h("button", { type: "button", class: "moment number small", title: "Show this moment", click: () => this.actions.seek(Math.max(time - (pilot ? LEAD : 0), 0), pilot) }, timeText(time));
    }

    private fill(debrief: Debrief): void {
        const { lesson, tether } = debrief;
        const parts: (Node | null)[] = [h("h2", {}, debrief.title), debrief.pilot ? h("p", { class: "dim" }, `Pilot ${debrief.pilot}, ${new Date(debrief.started).toLocaleString()}`) : null];
        if (lesson) {
            const verdict = h("p", { class: `debrief-verdict ${lesson.passed ? "passed" : "failed"}` }, h("b", { class: "number" }, lesson.score.toFixed(1)), ` points: ${lesson.passed ? "passed" : "not passed"}`);
            verdict.dataset["score"] = String(lesson.score);
            parts.push(verdict, ...lesson.gates.map((text) => h("p", { class: "gate" }, `\u25c6 ${text} At most 49 points.`)));
        }
        if (tether.cause) {
            const { cause } = tether;
            const section = h("section", { class: "debrief-cause" }, h("h3", {}, "First cause ", this.moment(cause.time, true)), h("p", {}, cause.text), h("p", {}, cause.remedy),
                h("div", { class: "row" },
                    h("button", { type: "button", class: "button see-cause", click: () => this.actions.seek(Math.max(cause.time - LEAD, 0), true) }, "See it"),
                    h("button", { type: "button", class: "button fly-cause", title: "A new flight that begins five seconds before", click: () => this.actions.branch(Math.max(cause.time - LEAD, 0)) }, "Fly again from before it")));
            section.dataset["time"] = String(cause.time);
            void this.actions.picture(cause.time).then((source) => {
                if (!source || this.flight !== debrief.flight) return;
                this.picture = source;
                section.insertBefore(h("img", { class: "cause-picture", src: source, alt: `What the pilot saw at ${timeText(cause.time)}` }), section.children[1]!);
            });
            parts.push(section);
        }
        parts.push(h("h3", {}, "Tips"), h("ol", { class: "tips" }, ...debrief.tips.map((tip) => h("li", {}, tip))));
        if (lesson) parts.push(h("h3", {}, "Score"), this.terms(lesson), lesson.trend.length > 1 ? this.trend(lesson.trend) : null);
        if (this.compared?.lesson && lesson) parts.push(...this.compare(this.compared, debrief));
        const earlier = this.compared?.flight ?? (lesson?.trend ?? []).filter((run) => run.flight !== debrief.flight).at(-1)?.flight;
        if (earlier) {
            parts.push(h("div", { class: "row" }, h("button", { type: "button", class: "button beside", title: "Both recordings at the same instant, from above and from the side",
                click: () => this.actions.beside([earlier, debrief.flight], ["The run before", "This one"]) }, "Both side by side")));
        }
        const changed = tether.obstacles.filter((o) => o.most !== o.start);
        if (changed.length > 0) {
            parts.push(h("h3", {}, "Wound round"), h("table", { class: "windings" }, h("tbody", {}, ...changed.map((o) =>
                h("tr", {}, h("th", { scope: "row" }, o.name), h("td", { class: "number" }, `${signed(o.most)} at most`), h("td", { class: "number" }, `${signed(o.end)} in the end`))))));
        }
        if (tether.ghost) {
            const { model, time, apart } = tether.ghost;
            parts.push(h("h3", {}, "Second tether"), h("p", { class: "debrief-ghost" }, `The ghost (${TWIN_TITLES[model] ?? model}) was farthest from the tether, ${apart.toFixed(1)} m, at `, this.moment(time),
                h("span", { class: "dim" }, " The replay shows it as a line of long dashes.")));
        }
        if (lesson && lesson.probes.length > 0) parts.push(h("h3", {}, "What the pilot knew"), ...lesson.probes.map((probe) => this.knew(probe)));
        const moments: [number, string][] = [...(lesson?.events ?? []).map(({ time, text }): [number, string] => [time, text]),
            ...tether.changes.slice(0, 40).map(({ time, obstacle, from, to }): [number, string] => [time, `${tether.obstacles[obstacle]!.name}: ${signed(from)} to ${signed(to)}`]),
            ...debrief.marks.slice(0, 60).map(({ time, text }): [number, string] => [time, text])];
        moments.sort((a, b) => a[0] - b[0]);
        parts.push(h("h3", {}, "Moments"), h("ul", { class: "moments" }, ...moments.map(([time, text]) => h("li", {}, this.moment(time), ` ${text}`))));
        if (tether.handling.length > 0) {
            parts.push(h("h3", {}, "Handler"), h("ul", { class: "moments" }, ...tether.handling.map(({ start, paid, tension }) =>
                h("li", {}, this.moment(start), ` ${paid > 0 ? "paid out" : "hauled in"} ${Math.abs(paid).toFixed(1)} m${tension === null ? "" : `, ${tension.toFixed(0)} N at most`}`))));
        }
        const file = (name: string, label: string): HTMLAnchorElement => h("a", { class: "button", href: recordingAddress(debrief.flight, name, this.actions.token()), download: `${debrief.flight}-${name}` }, label);
        const whole = file("debrief.html", "Save as a file");
        whole.addEventListener("click", (event) => {
            if (!this.picture || whole.href.startsWith("blob:")) return;
            event.preventDefault();
            void this.addPicture(whole, this.picture);
        });
        parts.push(h("div", { class: "row files" }, whole, file("debrief.csv", "CSV")),
            h("p", { class: "dim" }, `hawser ${debrief.version} \u00b7 ${debrief.hash}`));
        this.body.replaceChildren(...parts.filter((part): part is Node => part !== null));
    }

    /** The program's file with the picture in it, saved; it still needs no other. */
    private async addPicture(link: HTMLAnchorElement, picture: string): Promise<void> {
        const text = await (await fetch(link.href)).text();
        const image = `<img alt="What the pilot's camera saw" style="max-width:100%" src="${picture}">`;
        const served = link.href;
        link.href = URL.createObjectURL(new Blob([text.replace(/(<div class="cause"[^>]*>)/, `$1${image}`)], { type: "text/html" }));
        link.click();
        URL.revokeObjectURL(link.href);
        link.href = served;
    }

    private terms(lesson: NonNullable<Debrief["lesson"]>): HTMLElement {
        return h("table", { class: "debrief-terms" }, h("tbody", {}, ...lesson.terms.map(({ name, weight, value, text }) => h("tr", {}, h("th", { scope: "row" }, TERMS[name] ?? name),
            h("td", { class: "number" }, (100 * weight * (value ?? 0)).toFixed(1)), h("td", { class: "dim" }, `of ${(100 * weight).toFixed(0)}`), h("td", { class: "dim" }, text)))));
    }

    /** A freeze: what was asked, answered and so; its sketch is in the replay. */
    private knew(probe: ProbeOutcome): HTMLElement {
        return h("section", { class: "debrief-probe" }, h("p", {}, this.moment(probe.time), probe.answered ? "" : " not answered", probe.confidence === null ? "" : ` ${(100 * probe.confidence).toFixed(0)} % sure`,
            probe.sketch ? h("span", { class: "dim" }, " The replay shows the sketch as a yellow line of short dashes.") : ""),
        h("table", { class: "windings" }, h("thead", {}, h("tr", {}, ...["asked", "answer", "truth", "right"].map((title) => h("th", { scope: "col" }, title)))),
            h("tbody", {}, ...probe.items.map(({ text, answer_text: said, truth_text: so, points }) => h("tr", {}, h("th", { scope: "row" }, text),
                ...[said, so].map((words) => h("td", { class: "number" }, words)),
                h("td", { class: "number" }, points === null ? "\u2013" : `${(100 * points).toFixed(0)} %`))))));
    }

    private trend(runs: NonNullable<Debrief["lesson"]>["trend"]): SVGElement {
        const bars = runs.map(({ score, passed }, i) => [svg("rect", { x: 10 + 44 * i, y: 60 - 0.5 * score, width: 30, height: Math.max(0.5 * score, 1), class: passed ? "bar-passed" : "bar-failed" }),
            svg("text", { x: 10 + 44 * i, y: 72 }, score.toFixed(1))]).flat();
        return svg("svg", { class: "trend", viewBox: "0 0 240 76", role: "img", "aria-label": `Last scores: ${runs.map(({ score }) => score.toFixed(1)).join(", ")}` }, ...bars);
    }

    /** Two runs of the same lesson side by side: what the second changed. */
    private compare(before: Debrief, now: Debrief): HTMLElement[] {
        const wound = (d: Debrief): string => d.tether.obstacles.filter((o) => o.end !== o.start).map((o) => `${o.name} ${signed(o.end)}`).join(", ") || "nothing";
        const row = (label: string, a: string, b: string): HTMLElement => h("tr", {}, h("th", { scope: "row" }, label), h("td", { class: "number" }, a), h("td", { class: "number" }, b));
        const points = (d: Debrief, name: string): string => {
            const term = d.lesson?.terms.find((entry) => entry.name === name);
            return term ? (100 * term.weight * (term.value ?? 0)).toFixed(1) : "";
        };
        return [h("h3", {}, "The run before, and this one"), h("table", { class: "compare" }, h("tbody", {}, row("Score", before.lesson!.score.toFixed(1), now.lesson!.score.toFixed(1)),
            ...now.lesson!.terms.map(({ name }) => row(TERMS[name] ?? name, points(before, name), points(now, name))),
            row("Time", timeText(before.duration), timeText(now.duration)), row("Wound in the end", wound(before), wound(now))))];
    }
}

function signed(count: number): string {
    return count > 0 ? `+${count}` : count < 0 ? `\u2212${-count}` : "0";
}
