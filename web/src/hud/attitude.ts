// A thin artificial horizon in the middle of the picture. It lies where the horizon is in the camera's picture, by the lens's own
// angles, however the vehicle and its camera are tilted; its short ends always point to the bottom of the sea.

import { toDegrees, toRadians } from "../math/angles";
import { setAttribute, setClass, setText, show, svg } from "../ui/dom";
import { attitudeLevel, degrees } from "./readings";

const SIZE = 240;
const STEPS = [-30, -20, -10, 10, 20, 30];

/**
 * Where a line of this elevation lies above the middle of the picture of a camera that looks `look` up: both in rad, with the
 * picture's half height 1 at the tangent `half`. Null: behind the camera, or nearly so.
 */
export function lineHeight(elevation: number, look: number, half: number): number | null {
    const off = elevation - look;
    return Math.abs(off) < 1.4 ? Math.tan(off) / half : null;
}

export class AttitudeIndicator {
    readonly element: SVGSVGElement;
    private readonly turned: SVGGElement;
    private readonly horizon: SVGPathElement;
    private readonly rungs: SVGGElement[];
    private readonly note: SVGTextElement;

    constructor() {
        this.horizon = svg("path", { d: "M-96 7v-7h60M96 7v-7h-60", class: "horizon" });
        this.rungs = STEPS.map((step) => {
            const half = 14 + Math.abs(step) / 3;
            return svg("g", {}, svg("path", { d: `M${-half} ${step > 0 ? 4 : -4}V0H${half}V${step > 0 ? 4 : -4}`, class: "ladder" }),
                svg("text", { x: half + 6, y: 4, class: "label start" }, String(Math.abs(step))));
        });
        this.turned = svg("g", {}, this.horizon, ...this.rungs);
        this.note = svg("text", { x: 0, y: 108, class: "label" });
        this.element = svg("svg", { class: "attitude", viewBox: `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`, role: "img", "aria-label": "Attitude" },
            this.turned, svg("path", { d: "M-26 0h14l4 6M26 0h-14l-4 6M0 -2v4", class: "aircraft" }), this.note);
    }

    /** `tilt`: of the camera, rad, up; `halfHeight`: half the picture's height in the drawing's units; `half`: tangent of half its field. */
    update(roll: number, pitch: number, tilt: number, halfHeight: number, half: number): void {
        // Rolled to starboard, the horizon turns the other way.
        setAttribute(this.turned, "transform", `rotate(${(-toDegrees(roll)).toFixed(1)})`);
        const look = pitch + tilt;
        const place = (element: SVGElement, elevation: number): void => {
            const height = lineHeight(elevation, look, half);
            const seen = height !== null && Math.abs(height) < 0.66;
            show(element, seen);
            if (seen) setAttribute(element, "transform", `translate(0 ${(-height * halfHeight).toFixed(1)})`);
        };
        place(this.horizon, 0);
        STEPS.forEach((step, i) => place(this.rungs[i]!, toRadians(step)));
        const steep = attitudeLevel(roll, pitch) !== "normal";
        setClass(this.element, "warning", steep);
        setText(this.note, steep ? `ROLL ${degrees(roll)}  PITCH ${degrees(pitch)}` : "");
    }
}
