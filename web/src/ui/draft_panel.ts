// A scene that is being written: whether it is good, or where its error is, with the line and a mark under the column.

import { timeText } from "../hud/readings";
import type { DraftEntry, DraftLesson } from "../net/messages";
import { h, show } from "./dom";

function describe(lesson: DraftLesson): string[] {
    const count = (n: number, noun: string): string | null => (n > 0 ? `${n} ${noun}${n > 1 ? "s" : ""}` : null);
    const parts = [count(lesson.objectives, "objective"), count(lesson.zones.length, "zone"), count(lesson.gates.length, "gate"),
        count(lesson.looks.length, "look"), count(lesson.obstacles.length, "obstacle")].filter((part) => part !== null);
    const lines = [`${lesson.title}: ${parts.join(", ")}; par ${timeText(lesson.par)}.`];
    if (lesson.freezes.length > 0) lines.push(`Freezes at ${lesson.freezes.map((time) => timeText(time)).join(", ")}.`);
    return lines;
}

export class DraftPanel {
    readonly element = h("section", { class: "draft-panel plate hidden", role: "status", "aria-label": "The scene that is being written" });

    private flown = false;

    set(draft: DraftEntry): void {
        this.flown ||= draft.good;
        show(this.element, true);
        this.element.classList.toggle("wrong", !draft.good);
        const { error } = draft;
        if (!error) {
            this.element.replaceChildren(h("b", {}, `${draft.file}: good`), ...(draft.lesson ? describe(draft.lesson).map((line) => h("p", {}, line)) : []));
            return;
        }
        const place = error.line > 0 ? `${draft.file}, line ${error.line}, column ${error.column}` : draft.file;
        const mark = `${" ".repeat(Math.max(error.column - 1, 0))}^`;
        this.element.replaceChildren(h("b", {}, place), h("p", {}, error.message),
            ...(error.excerpt ? [h("pre", {}, `${error.excerpt}\n${error.column > 0 ? mark : ""}`)] : []),
            h("p", { class: "dim" }, [error.hint, this.flown ? "What was good before is still flown." : ""].filter(Boolean).join(" ")));
    }
}
