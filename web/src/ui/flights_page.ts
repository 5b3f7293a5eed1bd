// Recorded flights: replay and download.

import { timeText } from "../hud/readings";
import { recordingAddress } from "../net/address";
import type { FlightEntry } from "../net/messages";
import { h } from "./dom";
import type { Desk, Page } from "./page";
import { button } from "./widgets";

const FILES = [["results.h5", "HDF5"], ["results.csv", "CSV"], ["inputs.csv", "Inputs"], ["scene.yaml", "Scene"]] as const;

export function sizeText(bytes: number): string {
    if (!(bytes >= 0)) return "";
    if (bytes < 1e3) return `${bytes} B`;
    if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
    return `${(bytes / 1e6).toFixed(1)} MB`;
}

export class FlightsPage implements Page {
    readonly title = "Flights";
    readonly element = h("div", { class: "flights-page" });

    constructor(private readonly desk: Desk) {}

    refresh(): void {
        this.desk.link.request<{ flights: FlightEntry[] }>({ type: "flights" }).then(
            ({ flights }) => this.fill(flights),
            (error: unknown) => this.element.replaceChildren(h("p", { class: "empty" }, error instanceof Error ? error.message : "The list did not come.")));
    }

    private fill(flights: readonly FlightEntry[]): void {
        if (flights.length === 0) {
            this.element.replaceChildren(h("p", { class: "empty" }, "No flights yet. Every dive that is recorded appears here."));
            return;
        }
        const titles = (kind: "vehicles" | "surroundings", name: string): string =>
            this.desk.session.hello?.catalog[kind].find((entry) => entry.name === name)?.title ?? name;
        this.element.replaceChildren(h("ul", { class: "flights" }, ...flights.map((flight) => {
            const started = new Date(flight.started);
            const flying = flight.status === "flying";
            // The list knows a flight's duration only from its end on; of its own the page knows the time.
            const ours = flying && this.desk.session.flying && this.desk.session.scene?.flight === flight.flight;
            const time = ours ? timeText(this.desk.frame()?.time ?? 0) : flying ? "under way" : timeText(flight.duration);
            const files = FILES.map(([file, label]) => h("a", { href: recordingAddress(flight.flight, file, this.desk.token()), download: `${flight.flight}-${file}` }, label));
            return h("li", { "data-flight": flight.flight },
                h("div", { class: "flight-text" }, h("b", {}, flight.title || titles("surroundings", flight.surroundings)),
                    h("small", {}, `${flight.pilot ? `${flight.pilot} \u00b7 ` : ""}${started.toLocaleDateString()} ${started.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })} \u00b7 ${time} \u00b7 ${titles("vehicles", flight.vehicle)} \u00b7 ${sizeText(flight.bytes)}`),
                    flight.status === "completed" ? null : h("small", { class: "later" }, flight.status)),
                h("div", { class: "flight-actions" }, flying ? button("Go on", () => this.desk.resumeFlight(flight.flight), "go-on") : button("Replay", () => this.desk.openReplay(flight.flight), "replay"),
                    flying ? null : button("Debrief", () => this.desk.openDebrief(flight.flight), "debrief"), h("span", { class: "files" }, ...files)));
        })));
    }
}
