// Sensitivity, dead zone, expo and inversion of one axis, with a picture of the curve and of the stick on it.

import { conditionAxis, type AxisTuning } from "../math/conditioning";
import type { PilotAxis } from "../net/messages";
import { h, setAttribute, svg } from "./dom";
import { slider, toggle } from "./widgets";

const SIZE = 92;
const AXIS_TITLES: Record<PilotAxis, string> = { surge: "Forward and back", sway: "Sideways", heave: "Up and down", yaw: "Turn" };

export class TuningCard {
    readonly element: HTMLElement;
    private readonly curve = svg("path", { class: "curve" });
    private readonly dot = svg("circle", { r: 4, class: "dot" });

    constructor(readonly axis: PilotAxis, private readonly tuning: AxisTuning, change: () => void) {
        const edit = (part: Partial<AxisTuning>): void => {
            Object.assign(tuning, part);
            this.draw();
            change();
        };
        const picture = svg("svg", { class: "curve-picture", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": `Curve of ${AXIS_TITLES[axis]}` },
            svg("path", { d: `M${SIZE / 2} 2V${SIZE - 2}M2 ${SIZE / 2}H${SIZE - 2}`, class: "grid" }), this.curve, this.dot);
        this.element = h("div", { class: "tuning", "data-axis": axis }, h("div", { class: "tuning-picture" }, h("b", {}, AXIS_TITLES[axis]), picture),
            h("div", { class: "tuning-fields" },
                slider("Sensitivity", tuning.sensitivity, { min: 0, max: 2, step: 0.05, text: (v) => v.toFixed(2), change: (sensitivity) => edit({ sensitivity }) }).element,
                slider("Dead zone", tuning.dead_zone, { min: 0, max: 0.5, step: 0.01, text: (v) => `${Math.round(100 * v)} %`, change: (dead_zone) => edit({ dead_zone }) }).element,
                slider("Expo", tuning.expo, { min: 0, max: 1, step: 0.05, text: (v) => v.toFixed(2), change: (expo) => edit({ expo }) }).element,
                toggle("Inverted", tuning.invert, (invert) => edit({ invert })).element));
        this.draw();
    }

    private place(x: number, y: number): [number, number] {
        const half = SIZE / 2 - 4;
        return [SIZE / 2 + half * x, SIZE / 2 - half * y];
    }

    private draw(): void {
        const points: string[] = [];
        for (let i = 0; i <= 40; ++i) {
            const x = i / 20 - 1;
            points.push(this.place(x, conditionAxis(this.tuning, x)).map((v) => v.toFixed(1)).join(" "));
        }
        this.curve.setAttribute("d", `M${points.join("L")}`);
    }

    /** `raw`: where the stick is. */
    tick(raw: number): void {
        const [x, y] = this.place(raw, conditionAxis(this.tuning, raw));
        setAttribute(this.dot, "cx", x.toFixed(1));
        setAttribute(this.dot, "cy", y.toFixed(1));
    }
}
