// What the lesson wants, what is done, and the verdict at the end.

import type { LessonEntry, ProgressMessage } from "../net/messages";
import { h, setClass, setText, show } from "../ui/dom";
import { instrumentOf } from "../input/named";
import { timeText } from "./readings";
import { keepWithin } from "./room";

/** What each term of the score is called. */
export const TERMS: Readonly<Record<string, string>> = {
    task: "Task", time: "Time", turns: "Turns", slack: "Slack", wrap: "Wrapped tether", tension: "Pull of the tether",
    return: "Back the same way", awareness: "Awareness", error: "Accuracy",
};

export interface LessonActions {
    flyAgain(): void;
    debrief(): void;
    close(): void;
    /** the lesson after this one; null: it is none of the menu's, or the last */
    next(): { title: string; fly(): void } | null;
}

export class LessonPanel {
    readonly element = h("section", { class: "plate lesson-panel hidden", "aria-label": "Lesson" });
    readonly verdict = h("section", { class: "plate lesson-verdict hidden", role: "dialog", "aria-label": "Result of the lesson" });
    private readonly title = h("header");
    private readonly clock = h("span", { class: "number small" });
    private readonly list = h("ol", { class: "objectives" });
    private readonly briefing = h("p", { class: "dim", role: "status" });
    private rows: { line: HTMLElement; text: HTMLElement; controls: HTMLElement }[] = [];
    private current = -1;
    /** what stands out because it shows what the pilot is asked to do */
    private pointed: Element[] = [];
    private pointedFor = "";
    /** what the hand in use does for a control; empty: nothing */
    hint: (control: string) => string = () => "";
    private lesson: LessonEntry | null = null;
    private told = "";

    constructor(private readonly actions: LessonActions) {
        this.element.append(h("div", { class: "row" }, this.title, this.clock), this.briefing, this.list);
        // what is to be done now stays, whatever else there is no room for
        keepWithin(this.element, [this.briefing, this.list], () => [...this.rows.filter((_, i) => i > this.current).reverse(), ...this.rows.filter((_, i) => i < this.current)]
            .map(({ line }) => line).concat(this.briefing));
    }

    setLesson(lesson: LessonEntry | null): void {
        this.lesson = lesson;
        show(this.element, lesson !== null);
        show(this.verdict, false);
        this.told = "";
        this.point([]);
        if (!lesson) return;
        setText(this.title, lesson.title);
        setText(this.briefing, lesson.briefing);
        this.rows = lesson.objectives.map(({ text }, i) => {
            const [words, controls] = [h("span", {}, text), h("span", { class: "controls" })];
            return { line: h("li", { value: i + 1 }, words, controls), text: words, controls };
        });
        this.list.replaceChildren(...this.rows.map(({ line }) => line));
    }

    update(progress: ProgressMessage): void {
        const { lesson } = this;
        if (!lesson) return;
        setText(this.clock, `${timeText(progress.time)} / ${timeText(lesson.par)}`);
        this.current = lesson.sequence ? progress.current : -1;
        this.rows.forEach(({ line: row, text: words, controls }, i) => {
            const done = progress.done[i] !== null;
            const current = lesson.sequence ? i === progress.current : !done;
            // a short list: what was done last, what is to be done, and the two after it
            show(row, !lesson.sequence || progress.current < 0 || (i >= progress.current - 1 && i <= progress.current + 2));
            setClass(row, "done", done);
            setClass(row, "current", current && !done);
            const { text, hold } = lesson.objectives[i]!;
            const held = i === progress.current && hold > 0 && progress.holding > 0 && !done;
            setText(words, held ? `${text}: hold ${Math.max(0, hold - progress.holding).toFixed(0)} s` : text);
            setText(controls, done ? "" : this.namesOf(i).map(this.hint).filter(Boolean).join(" \u00b7 "));
            if (current && !done) row.setAttribute("aria-current", "step");
            else row.removeAttribute("aria-current");
        });
        this.point(progress.over || progress.current < 0 ? [] : this.namesOf(progress.current));
        if (progress.over) this.showVerdict(progress);
        else show(this.verdict, false);
    }

    private namesOf(objective: number): string[] {
        return this.lesson?.objectives[objective]?.controls?.split(" ") ?? [];
    }

    /** Makes the instruments that show what these controls do, and their buttons for fingers, stand out. */
    private point(controls: readonly string[]): void {
        const key = controls.join(" ");
        if (key === this.pointedFor) return;
        this.pointedFor = key;
        for (const element of this.pointed) element.classList.remove("pointed");
        const selectors = controls.flatMap((name) => [instrumentOf(name), `.touch-key[data-action="${name === "arm" ? "arm_toggle" : name}"]`]).filter((one) => one !== null);
        this.pointed = selectors.length > 0 ? [...document.querySelectorAll(selectors.join(", "))] : [];
        for (const element of this.pointed) element.classList.add("pointed");
    }

    /** What it takes to pass, in a sentence. */
    private passText(): string {
        const { pass_score: score, pass_task: task } = this.lesson!;
        return `${score} points, ${task >= 1 ? "everything" : `${(100 * task).toFixed(0)} % of the task`} done and no gate are needed to pass.`;
    }

    private showVerdict(progress: ProgressMessage): void {
        const key = JSON.stringify(progress);
        if (key === this.told) {
            show(this.verdict, true);
            return;
        }
        this.told = key;
        const terms = (progress.terms ?? []).map((term) => h("tr", {}, h("th", { scope: "row" }, TERMS[term.name] ?? term.name),
            h("td", { class: "number" }, (100 * term.weight * (term.value ?? 0)).toFixed(1)), h("td", { class: "dim" }, `of ${(100 * term.weight).toFixed(0)}`)));
        if (progress.hits > 0) terms.push(h("tr", {}, h("th", { scope: "row" }, "Hits of the hull"), h("td", { class: "number" }, `\u2212${5 * progress.hits}`), h("td")));
        const again = h("button", { type: "button", class: "button", click: () => this.actions.flyAgain() }, "Fly again");
        const next = progress.passed ? this.actions.next() : null;
        this.verdict.replaceChildren(
            h("h2", {}, progress.passed ? "\u2714 Passed" : "\u2718 Not passed"),
            h("p", { class: "points" }, h("b", { class: "number" }, (progress.score ?? 0).toFixed(1)), " points", progress.complete ? "" : ", the time was up"),
            h("table", {}, h("tbody", {}, ...terms)),
            ...(progress.gates ?? []).map((text) => h("p", { class: "gate" }, `\u25c6 ${text} At most 49 points.`)),
            h("p", { class: "dim rule" }, this.passText()),
            h("p", { class: "dim" }, this.lesson?.why ?? ""),
            h("div", { class: "row" }, again, next ? h("button", { type: "button", class: "button next-lesson", click: () => next.fly() }, `Next: ${next.title}`) : null,
                h("button", { type: "button", class: "button", click: () => this.actions.debrief() }, "Debrief"), h("button", { type: "button", class: "button", click: () => this.actions.close() }, "Back to the menu")));
        // the exact digits, for whoever compares them with the program's
        this.verdict.dataset["score"] = String(progress.score);
        show(this.verdict, true);
        again.focus();
    }
}
