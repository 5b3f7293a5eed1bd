// All pilots of a class on one screen, for the instructor.

import { memberText } from "../crew";
import { metres, timeText, turnsText } from "../hud/readings";
import type { ClassEntry } from "../net/messages";
import { h, setText } from "./dom";
import type { Desk, Page } from "./page";
import { button } from "./widgets";

const INTERVAL = 1000; // ms
const TITLES = ["Pilot", "Dive", "State", "Time", "Done", "Depth, m", "Turns", "Out, m", "Tension, N", "Crew"] as const;
const NUMBERS: ReadonlySet<string> = new Set(["Time", "Depth, m", "Turns", "Out, m", "Tension, N"]);

interface Row {
    row: HTMLTableRowElement;
    cells: HTMLElement[];
}

/** What stands in a flight's row, in the order of the titles. */
function textsOf(flight: ClassEntry): string[] {
    const { progress } = flight;
    const done = progress ? `${progress.done.filter((time) => time !== null).length} of ${progress.done.length}` : "";
    const state = !flight.present ? "away" : progress?.over ? `${progress.passed ? "passed" : "not passed"}, ${(progress.score ?? 0).toFixed(0)}` : flight.paused ? "paused" : "flies";
    const number = (value: number | null | undefined, text: (value: number) => string): string => (typeof value === "number" ? text(value) : "");
    return [flight.pilot || "no name", flight.title, state, timeText(flight.time ?? 0), done, number(flight.depth, (v) => metres(v)), number(flight.turns, turnsText),
        number(flight.out, (v) => metres(v, 0)), number(flight.tension, (v) => v.toFixed(0)),
        flight.members.filter((member) => member.role !== "pilot").map(memberText).join(", ")];
}

export class ClassPage implements Page {
    readonly title = "Class";
    readonly element = h("div", { class: "class-page" });
    private timer: ReturnType<typeof setInterval> | undefined;
    private readonly table = h("table", { class: "keys class-table" }, h("thead", {}, h("tr", {}, ...[...TITLES, "Aboard"].map((title) => h("th", { scope: "col" }, title)))), h("tbody", {}));
    private rows = new Map<string, Row>();

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

    /** Rows stay while their numbers change: a click may take longer than it is until the next ones come. */
    private fill(flights: readonly ClassEntry[]): void {
        if (flights.length === 0) {
            this.element.replaceChildren(h("p", { class: "empty" }, "Nobody is flying."));
            return;
        }
        const known = this.rows;
        this.rows = new Map(flights.map((flight) => [flight.flight, known.get(flight.flight) ?? this.makeRow(flight)]));
        for (const flight of flights) textsOf(flight).forEach((text, i) => setText(this.rows.get(flight.flight)!.cells[i]!, text));
        const body = this.table.tBodies[0]!;
        const rows = [...this.rows.values()].map(({ row }) => row);
        if (rows.length !== body.rows.length || rows.some((row, i) => row !== body.rows[i])) body.replaceChildren(...rows);
        this.table.style.setProperty("--rows", String(rows.length));
        if (this.table.parentElement !== this.element) this.element.replaceChildren(this.table);
    }

    private makeRow(flight: ClassEntry): Row {
        const cells = TITLES.map((title) => (title === "Pilot" ? h("th", { scope: "row" }) : h("td", { class: NUMBERS.has(title) ? "number small" : "" })));
        const teach = button("Teach", () => this.desk.join({ flight: flight.flight, role: "instructor", secret: "" }));
        return { row: h("tr", { "data-flight": flight.flight }, ...cells, h("td", { class: "teach" }, teach)), cells };
    }
}
