// The pilot and the logbook: who flies, which lessons were flown how well, and what is still to be passed.

import { timeText } from "../hud/readings";
import type { LogbookLine } from "../net/messages";
import { h } from "./dom";
import type { Desk, Page } from "./page";
import { ENOUGH, recordPage } from "./record";
import { button, group } from "./widgets";

/** How a lesson stands: runs, best score, and how many of the last runs were passed one after another. */
export function standing(lines: readonly LogbookLine[]): { runs: number; best: number; row: number } {
    let row = 0;
    for (const line of lines) row = line.passed ? row + 1 : 0;
    return { runs: lines.length, best: Math.max(0, ...lines.map((line) => line.score)), row };
}

/** The same in words; empty: not flown. */
export function standingText(lines: readonly LogbookLine[]): string {
    const { runs, row } = standing(lines);
    if (runs === 0) return "";
    return row >= ENOUGH ? `\u2714 passed ${row} times in a row` : row > 0 ? `passed ${row} of ${ENOUGH} in a row` : "not passed";
}

export class LogbookPage implements Page {
    readonly title = "Logbook";
    readonly element = h("div", { class: "logbook-page" });
    private lines: LogbookLine[] = [];

    constructor(private readonly desk: Desk) {}

    refresh(): void {
        this.fill();
        if (!this.desk.session.hello) return;
        this.desk.link.request<{ lines: LogbookLine[] }>({ type: "logbook" }).then(({ lines }) => {
            this.lines = lines;
            this.fill();
        }, (error: unknown) => this.element.append(h("p", { class: "empty" }, error instanceof Error ? error.message : "The logbook did not come.")));
    }

    private field(label: string, key: "name" | "group" | "phase", most: number, list?: readonly string[]): HTMLElement {
        const { pilot } = this.desk.settings;
        const input = h("input", { type: "text", maxlength: most, value: pilot[key], "aria-label": label, list: list ? `logbook-${key}` : undefined, autocomplete: "off" });
        input.addEventListener("change", () => {
            pilot[key] = input.value.trim();
            input.blur();
            this.desk.changed();
            this.fill();
        });
        return h("label", { class: "field" }, h("span", {}, label), input,
            list ? h("datalist", { id: `logbook-${key}` }, ...list.map((value) => h("option", { value }))) : null);
    }

    private fill(): void {
        const { pilot } = this.desk.settings;
        const own = this.lines.filter((line) => line.pilot === pilot.name);
        const lessons = this.desk.session.hello?.catalog.lessons ?? [];
        const names = [...new Set(this.lines.map((line) => line.pilot))].sort();
        const parts: Node[] = [group("Pilot", this.field("Name", "name", 60, names), h("small", {}, "Lessons that are flown under a name are kept in the logbook on this machine, and nowhere else."),
            h("details", {}, h("summary", {}, "Study"), this.field("Group", "group", 30), this.field("Phase, such as pre or post", "phase", 30)))];
        if (pilot.name) {
            parts.push(group("Lessons", h("table", { class: "standing" }, h("tbody", {}, ...lessons.map((lesson) => {
                const flown = own.filter((line) => line.lesson === lesson.title);
                const { runs, best } = standing(flown);
                const word = standingText(flown) || "not flown";
                return h("tr", {}, h("th", { scope: "row" }, lesson.title), h("td", { class: "number small" }, runs > 0 ? best.toFixed(1) : ""), h("td", { class: "dim" }, word),
                    h("td", {}, button("Fly", () => this.desk.dive({ scene: lesson.name }))));
            })))));
            if (own.length > 0) parts.push(h("div", { class: "buttons" }, this.recordLink(own)));
            parts.push(group("Runs", own.length === 0 ? h("p", { class: "empty" }, "No run yet.") : this.table(own)));
        }
        // Whoever types keeps the field: the list may come while a name is being written.
        if (this.element.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return;
        this.element.replaceChildren(...parts);
    }

    /** A page to print and sign, saved by the browser. */
    private recordLink(lines: readonly LogbookLine[]): HTMLAnchorElement {
        const { hello } = this.desk.session;
        const { name } = this.desk.settings.pilot;
        const link = h("a", { class: "button record", href: "#", download: `training-record-${name.replace(/[^\p{L}\p{N}]+/gu, "-")}.html`, title: "One page to print and sign" }, "Training record");
        link.addEventListener("click", () => {
            link.href = URL.createObjectURL(new Blob([recordPage(name, hello?.catalog.lessons ?? [], lines, hello?.server ?? "")], { type: "text/html" }));
            setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
        });
        return link;
    }

    private table(lines: readonly LogbookLine[]): HTMLElement {
        return h("table", { class: "logbook" }, h("tbody", {}, ...[...lines].reverse().map((line) => {
            const row = h("tr", {}, h("td", { class: "dim" }, new Date(line.started).toLocaleString()), h("th", { scope: "row" }, line.lesson),
                h("td", { class: "number small" }, line.score.toFixed(1)), h("td", {}, line.passed ? "passed" : "not passed"), h("td", { class: "number small" }, timeText(line.time)),
                h("td", {}, line.flight ? button("Debrief", () => this.desk.openDebrief(line.flight)) : null));
            row.dataset["score"] = String(line.score);
            return row;
        })));
    }
}
