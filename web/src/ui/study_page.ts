// A study as its participants meet it: what comes next of the protocol, and the blind rating of two recordings. Which recording was made
// with which tether model only the server knows.

import type { LogbookLine, StudyReply, StudyStep } from "../net/messages";
import { h, setText, show } from "./dom";
import type { Desk, Page } from "./page";
import { button, group, select, slider } from "./widgets";

export interface StepState {
    step: StudyStep;
    /** runs flown of those asked for, or ratings given */
    done: number;
    of: number;
}

/** How far a participant has come: `runs` of a lesson count in the step's own phase; steps come one after another. */
export function standingOf(steps: readonly StudyStep[], lines: readonly LogbookLine[], pilot: string, title: (lesson: string) => string): { states: StepState[]; next: number } {
    const used = new Map<string, number>();
    const states = steps.map((step): StepState => {
        if (step.pair !== undefined) return { step, done: step.rated ? 1 : 0, of: 1 };
        // the same lesson may come twice in a phase: runs count for the earlier step first
        const key = `${step.phase} ${step.lesson}`;
        const flown = lines.filter((line) => line.pilot === pilot && line.phase === step.phase && line.lesson === title(step.lesson!)).length - (used.get(key) ?? 0);
        const done = Math.min(Math.max(flown, 0), step.runs!);
        used.set(key, (used.get(key) ?? 0) + done);
        return { step, done, of: step.runs! };
    });
    return { states, next: states.findIndex(({ done, of }) => done < of) };
}

export class StudyPage implements Page {
    readonly title = "Study";
    readonly element = h("div", { class: "study-page" });
    private reply: StudyReply | null = null;
    private lines: LogbookLine[] = [];

    constructor(private readonly desk: Desk, private readonly rate: (pair: number, question: string) => void) {}

    refresh(): void {
        this.fill();
        const { name } = this.desk.settings.pilot;
        if (!this.desk.session.hello?.study || !name) return;
        Promise.all([this.desk.link.request<StudyReply>({ type: "study", pilot: name }), this.desk.link.request<{ lines: LogbookLine[] }>({ type: "logbook" })]).then(([reply, { lines }]) => {
            this.reply = reply;
            this.lines = lines;
            this.desk.settings.pilot.group = reply.group;
            this.fill();
        }, (error: unknown) => this.desk.complain(error));
    }

    private begin({ step }: StepState): void {
        if (step.pair !== undefined) {
            this.rate(step.pair, step.question ?? "");
            return;
        }
        this.desk.settings.pilot.phase = step.phase;
        this.desk.changed();
        this.desk.dive({ scene: step.lesson! });
    }

    private fill(): void {
        if (!this.desk.session.hello?.study) {
            this.element.replaceChildren(h("p", { class: "empty" }, "No study is under way: hawser train --protocol FILE begins one."));
            return;
        }
        const { pilot } = this.desk.settings;
        const input = h("input", { type: "text", maxlength: 60, value: pilot.name, "aria-label": "Name or code", autocomplete: "off" });
        input.addEventListener("change", () => {
            pilot.name = input.value.trim();
            this.reply = null;
            input.blur();
            this.desk.changed();
            this.refresh();
        });
        const parts: Node[] = [group("Participant", h("label", { class: "field" }, h("span", {}, "Name or code"), input),
            h("small", {}, "It stays on this machine; what is passed on for statistics has numbers in its place."))];
        if (this.reply && pilot.name) {
            const lessons = this.desk.session.hello.catalog.lessons ?? [];
            const title = (lesson: string): string => lessons.find((one) => one.name === lesson)?.title ?? lesson;
            const { states, next } = standingOf(this.reply.steps, this.lines, pilot.name, title);
            parts.push(group(this.reply.title, h("ol", { class: "study-steps" }, ...states.map((state, i) => h("li", { class: i === next ? "next" : state.done >= state.of ? "done" : "" },
                h("span", {}, `${state.step.pair === undefined ? title(state.step.lesson!) : "Rate two recordings"}${state.of > 1 ? `, ${state.done} of ${state.of}` : ""}${state.done >= state.of ? " \u2714" : ""} `),
                h("small", { class: "dim" }, state.step.phase), i === next ? button("Begin", () => this.begin(state), "primary begin-step") : null)))));
            if (next < 0) parts.push(h("p", { class: "study-over" }, "That was all. Thank you."));
        }
        if (this.element.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return;
        this.element.replaceChildren(...parts);
    }
}

const WORST = "1 is not at all, 7 is like a real one";

/** Beside the replay of the clips. */
export class RatingPanel {
    readonly element = h("aside", { class: "side-panel rating-panel hidden", "aria-label": "Rating" });
    private pair = -1;
    private seen = new Set<number>();
    private realism = [4, 4];
    private touched = new Set<number>();
    private preferred = "";

    constructor(private readonly desk: Desk, private readonly openClip: (pair: number, clip: number) => void, private readonly over: () => void) {}

    get open(): boolean {
        return this.pair >= 0;
    }

    begin(pair: number, question: string): void {
        this.pair = pair;
        this.seen.clear();
        this.touched.clear();
        this.realism = [4, 4];
        this.preferred = "";
        const keep = button("Keep the rating", () => this.keep(comment.value), "primary keep-rating");
        const missing = h("p", { class: "dim", role: "status" });
        const check = (): void => {
            const ready = this.seen.size === 2 && this.touched.size === 2 && this.preferred !== "";
            keep.disabled = !ready;
            setText(missing, ready ? "" : this.seen.size < 2 ? "Look at both recordings first." : "Say of both how real they are, and which one is more so.");
        };
        const clips = [0, 1].map((clip) => button(clip === 0 ? "Show the first" : "Show the second", () => {
            if (this.desk.session.starting) return; // the other one is still on its way
            this.seen.add(clip);
            clips.forEach((one, i) => one.classList.toggle("held", i === clip));
            this.openClip(pair, clip);
            check();
        }, `clip-${clip}`));
        const comment = h("input", { type: "text", maxlength: 200, "aria-label": "Comment", placeholder: "Comment" });
        const rated = [0, 1].map((clip) => slider(clip === 0 ? "The first" : "The second", 4, { min: 1, max: 7, step: 1, text: (v) => (this.touched.has(clip) ? v.toFixed(0) : "\u2013"), change: (value) => {
            this.realism[clip] = value;
            this.touched.add(clip);
            rated[clip]!.set(value);
            check();
        } }));
        this.element.replaceChildren(h("header", {}, h("b", {}, "Two recordings of one flight")), h("p", {}, question), h("div", { class: "buttons" }, ...clips),
            group("How real?", h("small", {}, WORST), ...rated.map(({ element }) => element)),
            group("Which one is more real?", select("More real", "", [{ value: "", title: "choose" }, { value: "0", title: "the first" }, { value: "1", title: "the second" }, { value: "-1", title: "no difference" }], (value) => {
                this.preferred = value;
                check();
            }).element), group("In words", comment), missing, h("div", { class: "buttons" }, keep, button("Later", () => this.end(), "later")));
        check();
        show(this.element, true);
        clips[0]!.click();
    }

    private keep(comment: string): void {
        this.desk.link.request({ type: "rate", pilot: this.desk.settings.pilot.name, pair: this.pair, realism: this.realism, preferred: Number(this.preferred), comment: comment.trim() })
            .then(() => this.end(), (error: unknown) => this.desk.complain(error));
    }

    private end(): void {
        this.pair = -1;
        show(this.element, false);
        this.over();
    }
}
