// A thin artificial horizon in the middle of the picture. It turns and shifts with the vehicle and stays right upside down:
// the short ends always point to the bottom of the sea.

import { toDegrees } from "../math/angles";
import { clamp } from "../math/numbers";
import { setAttribute, setClass, setText, svg } from "../ui/dom";
import { attitudeLevel, degrees } from "./readings";

const PIXELS_PER_DEGREE = 2.4;
const SIZE = 240;

export class AttitudeIndicator {
    readonly element: SVGSVGElement;
    private readonly turned: SVGGElement;
    private readonly shifted: SVGGElement;
    private readonly note: SVGTextElement;

    constructor() {
        this.shifted = svg("g", {}, svg("path", { d: "M-96 7v-7h60M96 7v-7h-60", class: "horizon" }));
        for (const step of [-30, -20, -10, 10, 20, 30]) {
            const y = -step * PIXELS_PER_DEGREE;
            const half = 14 + Math.abs(step) / 3;
            this.shifted.append(svg("path", { d: `M${-half} ${y + (step > 0 ? 4 : -4)}V${y}H${half}V${y + (step > 0 ? 4 : -4)}`, class: "ladder" }),
                svg("text", { x: half + 6, y: y + 4, class: "label start" }, String(Math.abs(step))));
        }
        this.turned = svg("g", {}, this.shifted);
        this.note = svg("text", { x: 0, y: 108, class: "label" });
        this.element = svg("svg", { class: "attitude", viewBox: `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`, role: "img", "aria-label": "Attitude" },
            this.turned, svg("path", { d: "M-26 0h14l4 6M26 0h-14l-4 6M0 -2v4", class: "aircraft" }), this.note);
    }

    update(roll: number, pitch: number): void {
        // Rolled to starboard, the horizon turns the other way.
        setAttribute(this.turned, "transform", `rotate(${(-toDegrees(roll)).toFixed(1)})`);
        const shift = clamp(toDegrees(pitch), -40, 40) * PIXELS_PER_DEGREE;
        setAttribute(this.shifted, "transform", `translate(0 ${shift.toFixed(1)})`);
        const steep = attitudeLevel(roll, pitch) !== "normal";
        setClass(this.element, "warning", steep);
        setText(this.note, steep ? `ROLL ${degrees(roll)}  PITCH ${degrees(pitch)}` : "");
    }
}
