// A second tether as a ghost: the same flight with another model of the tether. Asks the server for it, has it drawn, and says how far the
// two are apart. An aid, like forecasts. Replays show what the recording holds of it.

import { ghostAt, parseGhosts, type GhostLine } from "./net/ghosts";
import type { Link } from "./net/link";
import type { TwinMessage, TwinModel } from "./net/messages";
import type { TwinLine } from "./scene/twin_line";
import { h, show } from "./ui/dom";

export const TWIN_TITLES: Record<TwinModel, string> = {
    none: "none",
    wrap_line: "wrapping, spans straight",
    wrap_vee: "wrapping, spans bent once",
    wrap_catenary: "wrapping, spans hang as catenaries",
    pid: "links held by controllers",
};

export class Twin {
    readonly element = h("section", { class: "plate twin hidden", role: "status", "aria-label": "Second tether" });
    last: TwinMessage | null = null;
    /** what the server shows for this page */
    private asked: TwinModel = "none";
    /** of the recording that is replayed; null: it has none */
    private recorded: GhostLine[] | null = null;
    /** replays show it */
    replayed = true;

    constructor(private readonly link: Link, private readonly drawn: TwinLine, private readonly wanted: () => TwinModel) {}

    /** Another flight: the server shows none of it. */
    reset(): void {
        this.asked = "none";
        this.recorded = null;
        this.show(null, "");
    }

    /** To be called now and then; `allowed`: a flight is shown, and no lesson takes this aid away. */
    tick(allowed: boolean): void {
        const model = allowed ? this.wanted() : "none";
        if (model === this.asked) return;
        this.asked = model;
        if (model === "none") this.show(null, "");
        this.link.request({ type: "twin", model }).catch((error: Error) => {
            if (this.asked === model && model !== "none") this.show(null, error.message);
        });
    }

    /** A recording with a ghost is replayed; its lines are at this address. */
    async load(address: string): Promise<void> {
        const lines: GhostLine[] = [];
        this.recorded = lines;
        const response = await fetch(address);
        if (!response.ok) throw new Error(`The ghost of this flight did not come: ${response.statusText}`);
        const read = parseGhosts(await response.text());
        // unless another session has begun meanwhile
        if (this.recorded === lines) this.recorded = read;
    }

    /** Shows what the recording has at a time, s; null: nothing is replayed. */
    replay(time: number | null): void {
        if (this.recorded === null) return;
        const ghost = this.replayed && time !== null ? ghostAt(this.recorded, time) : null;
        if (ghost) this.take({ type: "twin", ...ghost });
        else if (this.last) this.show(null, "");
    }

    take(message: TwinMessage): void {
        if (this.asked === "none" && this.recorded === null) return; // another page's
        if (message.model === "none") this.show(null, message.message ?? "");
        else this.show(message, `Ghost (${TWIN_TITLES[message.model]}): at most ${(message.apart ?? 0).toFixed(1)} m from the tether`);
    }

    private show(message: TwinMessage | null, text: string): void {
        this.last = message;
        this.drawn.show(message?.line ?? []);
        if (this.element.textContent !== text) this.element.textContent = text;
        show(this.element, text !== "");
    }
}
