// One bar for each thruster, up for forward, down for reverse.

import { h, setAttribute, setClass, show, svg } from "../ui/dom";
import type { ThrusterEntry } from "../net/messages";
import { EffortWatch, effortOf } from "./readings";

const STEP = 17;
const HALF = 22;

export class EffortPanel {
    readonly element: HTMLElement;
    private readonly drawing = svg("svg", { class: "effort", role: "img", "aria-label": "Thruster effort" });
    private readonly note = h("span", { class: "winch" });
    private bars: { fill: SVGRectElement; cross: SVGElement }[] = [];
    private readonly watch = new EffortWatch();

    constructor() {
        this.element = h("section", { class: "plate effort-panel", "aria-label": "Thrusters" }, h("header", {}, "Thrusters", this.note), this.drawing);
    }

    setThrusters(thrusters: readonly ThrusterEntry[]): void {
        this.drawing.replaceChildren();
        this.drawing.setAttribute("viewBox", `0 0 ${Math.max(thrusters.length * STEP, 60)} ${2 * HALF + 16}`);
        this.bars = thrusters.map((thruster, i) => {
            const x = i * STEP + 2;
            const fill = svg("rect", { x, y: HALF, width: STEP - 5, height: 0, class: "fill" });
            const cross = svg("path", { d: `M${x + 1} ${HALF - 5}l10 10m0 -10l-10 10`, class: "cross hidden" });
            this.drawing.append(svg("rect", { x, y: 0, width: STEP - 5, height: 2 * HALF, class: "groove" }), fill, cross,
                svg("line", { x1: x - 1, x2: x + STEP - 4, y1: HALF, y2: HALF, class: "tick" }),
                svg("text", { x: x + 6, y: 2 * HALF + 13, class: "label" }, String(i + 1), svg("title", {}, thruster.name ?? `Thruster ${i + 1}`)));
            return { fill, cross };
        });
    }

    update(values: Float32Array | undefined, thrusters: readonly ThrusterEntry[], failed: number, dt: number): void {
        const efforts: number[] = [];
        this.bars.forEach((bar, i) => {
            const effort = effortOf(values?.[4 * i] ?? 0, thrusters[i]?.forward ?? 1, thrusters[i]?.reverse ?? 1);
            efforts.push(effort);
            const height = Math.abs(effort) * HALF;
            setAttribute(bar.fill, "height", height.toFixed(0));
            setAttribute(bar.fill, "y", (effort > 0 ? HALF - height : HALF).toFixed(0));
            setClass(bar.fill, "warning", Math.abs(effort) > 0.9);
            show(bar.cross, (failed & (1 << i)) !== 0);
        });
        const uneven = this.watch.update(efforts, dt);
        if ((this.note.textContent !== "") !== uneven) this.note.textContent = uneven ? "\u25b2 uneven" : "";
    }
}
