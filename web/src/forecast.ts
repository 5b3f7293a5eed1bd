// Forecasts of the tether: asks the server for one after the other while any of them is switched on, has them drawn, and says in
// words what they mean. Each is an aid: where a lesson takes aids away there is none.

import type { Link } from "./net/link";
import type { Forecast, ForecastKinds } from "./net/messages";
import type { ForecastLines } from "./scene/forecast_lines";
import { h, show } from "./ui/dom";

const AHEAD = 10; // s
const PERIOD = 1.5; // s of real time between two, at least

const seconds = (time: number, now: number): string => `${Math.max(time - now, 0).toFixed(0)} s`;

/** What a forecast says, a sentence for each kind that is switched on. */
export function describeForecast({ time, home, ahead, haul }: Forecast, kinds: ForecastKinds): string[] {
    const lines: string[] = [];
    if (kinds.home) {
        let length = 0;
        let least = Infinity;
        for (let i = 1; i < (home?.length ?? 0); ++i) {
            const [a, b] = [home![i - 1]!, home![i]!];
            length += Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
            if (i + 1 < home!.length && b[3] !== null) least = Math.min(least, b[3]);
        }
        if (!home) lines.push("Way home: none found");
        else lines.push(`Way home: ${length.toFixed(0)} m${Number.isFinite(least) ? `, ${least.toFixed(1)} m clear of everything` : ""}`);
    }
    if (kinds.ahead) {
        const news: string[] = [];
        if (ahead?.wound != null) news.push(`wound ${ahead.feature ? `at ${ahead.feature} ` : ""}in ${seconds(ahead.wound, time)}`);
        if (ahead?.snagged != null) news.push(ahead.snagged > time ? `snagged in ${seconds(ahead.snagged, time)}` : "snagged already");
        if (ahead?.taut != null) news.push(`taut in ${seconds(ahead.taut, time)}`);
        lines.push(`Ahead: ${!ahead ? "not known" : news.length > 0 ? news.join(", ") : `clear for ${seconds(ahead.end, time)}`}`);
    }
    if (kinds.haul) {
        const held = haul && haul.holding >= 0 ? haul.arcs[haul.holding] : undefined;
        if (!haul) lines.push("Hauled now: not known");
        else if (held) lines.push(`Hauled now: hangs at ${held.name}`);
        else lines.push(`Hauled now: comes home with ${haul.pull.toFixed(0)} N${haul.arcs.length > 0 ? `, over ${haul.arcs.length} ${haul.arcs.length > 1 ? "places" : "place"}` : ""}`);
    }
    return lines;
}

export class Forecasts {
    readonly element = h("section", { class: "plate forecast hidden", role: "status", "aria-label": "Forecast of the tether" });
    /** the last one; null: none since one was switched on */
    last: Forecast | null = null;
    private asked = -Infinity;
    private waiting = false;
    private on = false;

    constructor(private readonly link: Link, private readonly lines: ForecastLines, private readonly kinds: ForecastKinds) {}

    /** Nothing is known of another flight. */
    reset(): void {
        this.last = null;
        this.draw(false);
    }

    /** To be called now and then; `allowed`: a flight is shown, and no lesson takes this aid away. */
    tick(allowed: boolean, now: number): void {
        this.on = allowed && (this.kinds.home || this.kinds.ahead || this.kinds.haul);
        if (!this.on) {
            if (this.last) this.reset();
            return;
        }
        if (this.waiting || now - this.asked < PERIOD) return;
        this.asked = now;
        this.waiting = true;
        this.link.request<Forecast>({ type: "forecast", ahead: this.kinds.ahead ? AHEAD : 0 }).then((forecast) => {
            if (!this.on) return; // switched off while it was made
            this.last = forecast;
            this.draw(true);
        }, () => this.reset()).finally(() => { this.waiting = false; });
    }

    draw(allowed: boolean): void {
        const forecast = allowed ? this.last : null;
        this.lines.show(forecast, this.kinds);
        this.element.replaceChildren(...(forecast ? describeForecast(forecast, this.kinds) : []).map((text) => h("div", {}, text)));
        show(this.element, this.element.childElementCount > 0);
    }
}
