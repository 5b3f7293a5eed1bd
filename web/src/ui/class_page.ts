// All pilots of a class on one screen, for the instructor.

import { memberText } from "../crew";
import { metres, timeText, turnsText } from "../hud/readings";
import type { ClassEntry } from "../net/messages";
import { h } from "./dom";
import type { Desk, Page } from "./page";
import { button } from "./widgets";

const INTERVAL = 1000; // ms

export class ClassPage implements Page {
    readonly title = "Class";
    readonly element = h("div", { class: "class-page" });
    private timer: ReturnType<typeof setInterval> | undefined;

    constructor(private readonly desk: Desk) {}

    refresh(): void {
        this.load();
        clearInterval(this.timer);
        this.timer = setInterval(() => this.load(), INTERVAL);
    }

    leave(): void {
        clearInterval(this.timer);
    }

    private load(): void {
        if (!this.element.isConnected && this.timer !== undefined) {
            clearInterval(this.timer);
            this.timer = undefined;
            return;
        }
        if (!this.desk.session.hello?.instructor) {
            this.element.replaceChildren(h("p", { class: "empty" }, "This page is for instructors: the server prints their address when it starts."));
            return;
        }
        this.desk.link.request<{ flights: ClassEntry[] }>({ type: "class" }).then(({ flights }) => this.fill(flights), () => undefined);
    }

    private fill(flights: readonly ClassEntry[]): void {
        if (flights.length === 0) {
            this.element.replaceChildren(h("p", { class: "empty" }, "Nobody is flying."));
            return;
        }
        // A row that has the focus keeps it.
        const focused = this.element.contains(document.activeElement) ? (document.activeElement as HTMLElement).closest("tr")?.dataset["flight"] : undefined;
        const rows = flights.map((flight) => {
            const { progress } = flight;
            const done = progress ? `${progress.done.filter((time) => time !== null).length} of ${progress.done.length}` : "";
            const state = !flight.present ? "away" : progress?.over ? `${progress.passed ? "passed" : "not passed"}, ${(progress.score ?? 0).toFixed(0)}` : flight.paused ? "paused" : "flies";
            const number = (value: number | null | undefined, text: (value: number) => string): string => (typeof value === "number" ? text(value) : "");
            return h("tr", { "data-flight": flight.flight },
                h("th", { scope: "row" }, flight.pilot || h("span", { class: "dim" }, "no name")), h("td", {}, flight.title),
                h("td", {}, state), h("td", { class: "number small" }, timeText(flight.time ?? 0)), h("td", {}, done),
                h("td", { class: "number small" }, number(flight.depth, (v) => metres(v))), h("td", { class: "number small" }, number(flight.turns, turnsText)),
                h("td", { class: "number small" }, number(flight.out, (v) => metres(v, 0))), h("td", { class: "number small" }, number(flight.tension, (v) => v.toFixed(0))),
                h("td", {}, flight.members.filter((member) => member.role !== "pilot").map(memberText).join(", ")),
                h("td", {}, button("Teach", () => this.desk.join({ flight: flight.flight, role: "instructor", secret: "" }))));
        });
        const titles = ["Pilot", "Dive", "State", "Time", "Done", "Depth, m", "Turns", "Out, m", "Tension, N", "Crew", "Aboard"];
        const table = h("table", { class: "keys class-table" }, h("thead", {}, h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title)))), h("tbody", {}, ...rows));
        table.style.setProperty("--rows", String(rows.length));
        this.element.replaceChildren(table);
        if (focused) this.element.querySelector<HTMLElement>(`tr[data-flight="${focused}"] button`)?.focus({ preventScroll: true });
    }
}
