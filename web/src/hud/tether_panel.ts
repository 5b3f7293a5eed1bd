// The left rail: how much tether is out, how much of it is slack, and how hard it pulls.

import { clamp } from "../math/numbers";
import { CableFlag, countContacts, type CableFrame } from "../net/frame";
import type { CableEntry, EntanglementMessage, HandlerMode } from "../net/messages";
import { h, setAttribute, setClass, setText, show, svg } from "../ui/dom";
import type { Aids } from "../settings";
import { keepWithin } from "./room";
import { degrees, metres, slackLevel, slackOf, slackText, tensionLevel, type Level } from "./readings";

const BAR = 150;

/** Which way the vehicle must go to take a winding out, seen from above. */
const FREES: Readonly<Record<EntanglementMessage["wound"][number]["frees"], string>> = {
    clockwise: "\u21bb free it clockwise", counter_clockwise: "\u21ba free it counter-clockwise", back_through: "\u21a9 back through it",
};

function turnsOf(number: number): string {
    return number > 0 ? `+${number}` : `\u2212${-number}`;
}

function levelClass(element: Element, level: Level): void {
    setClass(element, "warning", level === "warning");
    setClass(element, "alarm", level === "alarm");
}

/** A bar from left to right with marks where it begins to matter. */
class Bar {
    readonly element: SVGSVGElement;
    private readonly fill: SVGRectElement;
    private readonly hatch: SVGGElement;

    constructor(label: string, marks: readonly number[]) {
        this.fill = svg("rect", { x: 0, y: 3, width: 0, height: 8, class: "fill" });
        // The same again as a pattern, for those who do not see the colour change.
        this.hatch = svg("g", { class: "hatch" });
        for (let x = 4; x < BAR; x += 8) this.hatch.append(svg("line", { x1: x, y1: 3, x2: x - 4, y2: 11 }));
        this.element = svg("svg", { class: "bar", viewBox: `0 0 ${BAR} 14`, role: "img", "aria-label": label },
            svg("rect", { x: 0, y: 3, width: BAR, height: 8, class: "groove" }), this.fill, this.hatch);
        for (const mark of marks) this.element.append(svg("line", { x1: mark * BAR, x2: mark * BAR, y1: 0, y2: 14, class: "mark" }));
    }

    update(share: number, level: Level): void {
        setAttribute(this.fill, "width", (clamp(share, 0, 1) * BAR).toFixed(0));
        levelClass(this.element, level);
        show(this.hatch, level !== "normal");
    }
}

const MINDERS: Record<HandlerMode, string> = { auto: "\u25cf handler", manual: "by hand", hold: "held" };

export class TetherPanel {
    readonly element: HTMLElement;
    private readonly out = h("b", { class: "number" });
    private readonly total = h("span", { class: "dim" });
    private readonly distance = h("b", { class: "number small" });
    private readonly slack = h("b", { class: "number small" });
    private readonly tension = h("b", { class: "number" });
    private readonly tensionRow: HTMLElement;
    private readonly slackBar = new Bar("Slack", [0.25 / 0.5]);
    private readonly tensionBar = new Bar("Tension", [0.2 / 0.6, 0.4 / 0.6]);
    private readonly winch = h("span", { class: "winch" });
    private readonly contacts = h("b", { class: "number small" });
    private readonly wrap = h("b", { class: "number small" });
    private readonly truth: HTMLElement;
    /** what no drum and no instrument of a real vehicle tells */
    private readonly derived: HTMLElement[];
    private minder = "";
    private readonly tangles = h("ul", { class: "tangles", "aria-label": "Wound round", role: "status" });

    constructor() {
        const row = (label: string, ...values: Node[]): HTMLElement => h("div", { class: "row" }, h("span", { class: "dim" }, label), h("span", {}, ...values));
        this.tensionRow = h("div", { class: "block" }, row("Tension", this.tension, h("i", {}, "N")), this.tensionBar.element);
        const [contacts, wrap, straight] = [row("Contacts", this.contacts), row("Wrap", this.wrap), row("Straight", this.distance, h("i", {}, "m"))];
        this.truth = h("div", { class: "block truth" }, contacts, wrap, this.tangles);
        this.derived = [straight, h("div", { class: "block" }, row("Slack", this.slack), this.slackBar.element)];
        this.element = h("section", { class: "plate tether-panel", "aria-label": "Tether" },
            h("header", {}, "Tether", this.winch),
            row("Out", this.out, h("i", {}, "m"), this.total),
            ...this.derived,
            this.tensionRow, this.truth);
        keepWithin(this.element, [this.truth, this.tensionRow], () => [straight, contacts, this.tensionBar.element, this.slackBar.element, wrap]);
    }

    /** What it is wound round, and which way round frees it. */
    setEntanglement(message: EntanglementMessage | null): void {
        const wraps = new Map((message?.wraps ?? []).map(({ name, wrap_deg }) => [name, wrap_deg]));
        this.tangles.replaceChildren(...(message?.wound ?? []).map(({ name, number, certain, frees }) => {
            const wrap = wraps.get(name);
            return h("li", {}, h("b", {}, `${name} ${certain ? turnsOf(number) : "?"}`), wrap === undefined ? "" : ` ${wrap}\u00b0`, h("span", { class: "dim" }, ` ${FREES[frees]}`));
        }));
    }

    /** Who minds it. */
    setMinder(handler: HandlerMode | undefined): void {
        this.minder = handler ? MINDERS[handler] : "";
    }

    update(cable: CableFrame | undefined, entry: CableEntry | undefined, waveHeight: number, tension: number, showTension: boolean, aids: Aids): void {
        show(this.element, cable !== undefined);
        if (!cable) return;
        setText(this.out, metres(cable.length));
        setText(this.total, entry?.length ? ` / ${Math.round(entry.length)}` : "");
        setText(this.distance, metres(cable.distance));
        const slack = slackOf(cable.length, cable.distance);
        setText(this.slack, slackText(slack));
        const tangles = slackLevel(slack, cable.length - cable.distance, waveHeight);
        levelClass(this.slack, tangles);
        this.slackBar.update(slack / 0.5, tangles);
        const working = entry?.working ?? 343;
        const pull = Number.isFinite(tension) ? tension : cable.tensionB;
        const level = tensionLevel(pull, working);
        show(this.tensionRow, showTension);
        setText(this.tension, metres(pull, 0));
        levelClass(this.tension, level);
        this.tensionBar.update(pull / (0.6 * working), level);
        for (const element of this.derived) show(element, aids !== "none");
        const showTruth = aids === "full";
        show(this.truth, showTruth);
        if (showTruth) {
            setText(this.contacts, String(countContacts(cable)));
            setText(this.wrap, degrees(cable.wrap));
            levelClass(this.wrap, cable.wrap > Math.PI / 2 ? "warning" : "normal");
        }
        const turning = cable.flags & CableFlag.PAYING_OUT ? "\u25bc paying out" : cable.flags & CableFlag.HAULING_IN ? "\u25b2 hauling in" : "";
        setClass(this.winch, "dim", !turning && (cable.flags & CableFlag.PARTED) === 0);
        setText(this.winch, cable.flags & CableFlag.PARTED ? "\u2715 PARTED" : turning || this.minder);
    }
}
