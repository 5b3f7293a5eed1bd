// What the lesson wants, what is done, and the verdict at the end.

import type { LessonEntry, ProgressMessage } from "../net/messages";
import { h, setClass, setText, show } from "../ui/dom";
import { timeText } from "./readings";

/** What each term of the score is called. */
export const TERMS: Readonly<Record<string, string>> = {
    task: "Task", time: "Time", turns: "Turns", slack: "Slack", wrap: "Wrapped tether", tension: "Pull of the tether",
    return: "Back the same way", awareness: "Awareness", error: "Accuracy",
};

export interface LessonActions {
    flyAgain(): void;
    debrief(): void;
    close(): void;
}

export class LessonPanel {
    readonly element = h("section", { class: "plate lesson-panel hidden", "aria-label": "Lesson" });
    readonly verdict = h("section", { class: "plate lesson-verdict hidden", role: "dialog", "aria-label": "Result of the lesson" });
    private readonly title = h("header");
    private readonly clock = h("span", { class: "number small" });
    private readonly list = h("ol", { class: "objectives" });
    private readonly hint = h("p", { class: "dim", role: "status" });
    private rows: HTMLElement[] = [];
    private lesson: LessonEntry | null = null;
    private told = "";

    constructor(private readonly actions: LessonActions) {
        this.element.append(h("div", { class: "row" }, this.title, this.clock), this.hint, this.list);
    }

    setLesson(lesson: LessonEntry | null): void {
        this.lesson = lesson;
        show(this.element, lesson !== null);
        show(this.verdict, false);
        this.told = "";
        if (!lesson) return;
        setText(this.title, lesson.title);
        setText(this.hint, lesson.briefing);
        this.rows = lesson.objectives.map((objective) => h("li", {}, objective.text));
        this.list.replaceChildren(...this.rows);
    }

    update(progress: ProgressMessage): void {
        const { lesson } = this;
        if (!lesson) return;
        setText(this.clock, `${timeText(progress.time)} / ${timeText(lesson.par)}`);
        this.rows.forEach((row, i) => {
            const done = progress.done[i] !== null;
            const current = lesson.sequence ? i === progress.current : !done;
            // a short list: what was done last, what is to be done, and the two after it
            show(row, !lesson.sequence || progress.current < 0 || (i >= progress.current - 1 && i <= progress.current + 2));
            setClass(row, "done", done);
            setClass(row, "current", current && !done);
            const { text, hold } = lesson.objectives[i]!;
            const held = i === progress.current && hold > 0 && progress.holding > 0 && !done;
            setText(row, held ? `${text}: hold ${Math.max(0, hold - progress.holding).toFixed(0)} s` : text);
            if (current && !done) row.setAttribute("aria-current", "step");
            else row.removeAttribute("aria-current");
        });
        if (progress.over) this.showVerdict(progress);
        else show(this.verdict, false);
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
        this.verdict.replaceChildren(
            h("h2", {}, progress.passed ? "\u2714 Passed" : "\u2718 Not passed"),
            h("p", { class: "points" }, h("b", { class: "number" }, (progress.score ?? 0).toFixed(1)), " points", progress.complete ? "" : ", the time was up"),
            h("table", {}, h("tbody", {}, ...terms)),
            ...(progress.gates ?? []).map((text) => h("p", { class: "gate" }, `\u25c6 ${text} At most 49 points.`)),
            h("p", { class: "dim" }, this.lesson?.why ?? ""),
            h("div", { class: "row" }, again, h("button", { type: "button", class: "button", click: () => this.actions.debrief() }, "Debrief"), h("button", { type: "button", class: "button", click: () => this.actions.close() }, "Back to the menu")));
        // the exact digits, for whoever compares them with the program's
        this.verdict.dataset["score"] = String(progress.score);
        show(this.verdict, true);
        again.focus();
    }
}
