// The arm that the sticks move: each joint between its stops, and how much of its drive's effort it needs.

import type { ArmMode } from "../input/arm";
import { clamp } from "../math/numbers";
import { toDegrees } from "../math/angles";
import type { ArmEntry } from "../net/messages";
import { h, setAttribute, setClass, setText, show, svg } from "../ui/dom";

const WIDTH = 84;
/** share of its travel from a stop, and of its effort, from which a joint is said to be at its limit */
const NEAR_STOP = 0.01;
const NEAR_LIMIT = 0.98;

export interface JointReading {
    text: string;
    /** 0..1 between the stops; null: it has none */
    share: number | null;
    note: "" | "stop" | "limit";
}

export function readJoint(joint: ArmEntry["joints"][number], q: number, use: number): JointReading {
    const stops = joint.low !== null && joint.high !== null && joint.high > joint.low;
    const share = stops && Number.isFinite(q) ? clamp((q - joint.low!) / (joint.high! - joint.low!), 0, 1) : null;
    const text = !Number.isFinite(q) ? "--" : joint.slides ? `${(100 * q).toFixed(1)} cm` : `${Math.round(toDegrees(q))}\u00b0`;
    const note = Math.abs(use) >= NEAR_LIMIT ? "limit" : share !== null && (share < NEAR_STOP || share > 1 - NEAR_STOP) ? "stop" : "";
    return { text: text.replace("-", "\u2212"), share, note };
}

export class ArmPanel {
    readonly element = h("section", { class: "plate arm-panel hidden", "aria-label": "Arm" });
    private readonly title = h("span", {});
    private readonly how = h("b", {});
    private readonly help = h("div", { class: "dim arm-help" });
    private entry: ArmEntry | null = null;
    private rows: { mark: SVGElement; use: SVGElement; value: HTMLElement; row: HTMLElement; note: HTMLElement }[] = [];

    set(entry: ArmEntry | null): void {
        this.entry = entry;
        show(this.element, entry !== null);
        if (!entry) return;
        setText(this.title, entry.name.slice(entry.name.indexOf(".") + 1));
        this.rows = entry.joints.map((joint) => {
            const mark = svg("rect", { y: 0, width: 3, height: 9, class: "pointer" });
            const use = svg("rect", { x: 0, y: 10.5, width: 0, height: 2.5, class: "fill" });
            const [value, note] = [h("b", { class: "number small" }), h("span", { class: "arm-note" })];
            const bar = svg("svg", { class: "arm-bar", viewBox: `0 0 ${WIDTH} 13`, "aria-hidden": "true" }, svg("rect", { x: 0, y: 3, width: WIDTH, height: 3, class: "groove" }), mark, use);
            const row = h("div", { class: "arm-joint" }, h("span", { class: "dim" }, joint.name), bar, value, note);
            return { mark, use, value, row, note };
        });
        this.element.replaceChildren(h("header", {}, this.title, this.how), ...this.rows.map(({ row }) => row), this.help);
    }

    update(values: Float32Array | undefined, mode: ArmMode): void {
        const { entry } = this;
        if (!entry) return;
        const byTip = mode === "tool" && entry.tool;
        setText(this.how, byTip ? "by its tip" : "by its joints");
        setText(this.help, byTip ? "Sticks move the tip, with Shift they turn the hand" : "Sticks move joints 1 to 4, with Shift the next");
        this.rows.forEach((row, i) => {
            const use = values?.[2 * i + 1] ?? 0;
            const reading = readJoint(entry.joints[i]!, values?.[2 * i] ?? Number.NaN, use);
            setText(row.value, reading.text);
            setAttribute(row.mark, "x", ((reading.share ?? 0.5) * (WIDTH - 3)).toFixed(0));
            setAttribute(row.use, "width", (clamp(Math.abs(use) || 0, 0, 1) * WIDTH).toFixed(0));
            setText(row.note, reading.note === "" ? "" : `\u25b2 ${reading.note}`);
            setClass(row.row, "warning", reading.note !== "");
        });
    }
}
