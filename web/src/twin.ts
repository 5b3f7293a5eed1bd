// A second tether as a ghost: the same flight with another model of the tether. Asks the server for it, has it drawn, and says how far the
// two are apart. An aid, like forecasts.

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

    constructor(private readonly link: Link, private readonly drawn: TwinLine, private readonly wanted: () => TwinModel) {}

    /** Another flight: the server shows none of it. */
    reset(): void {
        this.asked = "none";
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

    take(message: TwinMessage): void {
        if (this.asked === "none") return; // another page's
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
