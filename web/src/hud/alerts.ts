// What needs the pilot's attention, in words: the newest three of each moment, with a shape for the level beside its colour.
// Captions say in words what the page lets sound.

import type { AlertMessage } from "../net/messages";
import { h, setText, show } from "../ui/dom";

const SHAPES: Record<AlertMessage["level"], string> = { info: "\u25cf", warning: "\u25b2", alarm: "\u25c6" };
const ORDER: Record<AlertMessage["level"], number> = { alarm: 0, warning: 1, info: 2 };
/** s that a passing event stays in view */
const PASSING = 6;

interface Shown {
    alert: AlertMessage;
    raised: number;
    overAt: number | null;
}

export class AlertPane {
    readonly element = h("div", { class: "alerts", role: "status", "aria-live": "polite" });
    private active = new Map<string, Shown>();
    private drawnKey = "";

    raise(alert: AlertMessage, now: number): void {
        const known = this.active.get(alert.code);
        if (alert.over) {
            if (known) known.overAt = now;
            return;
        }
        // a newer number of what goes on keeps its place among the others
        const same = known !== undefined && known.overAt === null && known.alert.level === alert.level;
        this.active.set(alert.code, { alert, raised: same ? known.raised : now, overAt: alert.level === "info" ? now : null });
    }

    /** Something the page itself has to say. */
    say(code: string, level: AlertMessage["level"], text: string, now: number): void {
        this.active.set(code, { alert: { type: "alert", time: 0, level, code, text }, raised: now, overAt: now });
    }

    clear(): void {
        this.active.clear();
    }

    get worst(): AlertMessage["level"] | null {
        const levels = [...this.active.values()].filter((shown) => shown.overAt === null).map((shown) => shown.alert.level);
        return levels.includes("alarm") ? "alarm" : levels.includes("warning") ? "warning" : levels.length > 0 ? "info" : null;
    }

    update(now: number): void {
        for (const [code, shown] of this.active) {
            if (shown.overAt !== null && now - Math.max(shown.overAt, shown.raised) > (shown.overAt === shown.raised ? PASSING : 1.5)) this.active.delete(code);
        }
        const list = [...this.active.values()].sort((a, b) => ORDER[a.alert.level] - ORDER[b.alert.level] || b.raised - a.raised).slice(0, 3);
        const key = list.map(({ alert, overAt }) => `${alert.level}${alert.text}${overAt !== null}`).join("|");
        if (key === this.drawnKey) return;
        this.drawnKey = key;
        this.element.replaceChildren(...list.map(({ alert, overAt }) =>
            h("div", { class: `alert ${alert.level}${overAt !== null ? " over" : ""}` }, h("span", { class: "shape", "aria-hidden": "true" }, SHAPES[alert.level]), alert.text)));
    }
}

export class Captions {
    readonly element = h("div", { class: "caption hidden", "aria-live": "off" });
    private until = 0;
    enabled = true;

    say(text: string, now: number): void {
        setText(this.element, `[${text}]`);
        this.until = now + 1.8;
        show(this.element, this.enabled);
    }

    update(now: number): void {
        if (now > this.until || !this.enabled) show(this.element, false);
    }
}
