// Moving scales: heading across the top, depth down the right side. Where there is less room they show less of the scale, as large.

import { cardinalName, headingDifference, headingText, toDegrees } from "../math/angles";
import { clamp } from "../math/numbers";
import { setAttribute, setText, show, svg } from "../ui/dom";
import { metres } from "./readings";

const PIXELS_PER_DEGREE = 3.4;
const HEADING_WIDTH = 380;
const HEADING_HEIGHT = 58;

export class HeadingTape {
    readonly element: SVGSVGElement;
    private readonly scale: SVGGElement;
    private readonly bug: SVGGElement;
    private readonly digits: SVGTextElement;

    constructor() {
        this.scale = svg("g");
        // A turn and a bit on either side, so that the scale never shows its end.
        for (let degree = -75; degree <= 435; degree += 5) {
            const x = degree * PIXELS_PER_DEGREE;
            const name = cardinalName(degree);
            const long = degree % 15 === 0;
            this.scale.append(svg("line", { x1: x, x2: x, y1: 0, y2: long ? 11 : 6, class: "tick" }));
            if (long) {
                const shown = ((degree % 360) + 360) % 360;
                this.scale.append(svg("text", { x, y: 24, class: name ? "cardinal" : "label" }, name ?? String(shown).padStart(3, "0")));
            }
        }
        this.bug = svg("g", {}, svg("path", { d: "M-8 0h16v5l-5 0l-3 5l-3 -5h-5z", class: "bug" }));
        this.digits = svg("text", { x: HEADING_WIDTH / 2, y: 52, class: "digits" }, "000");
        const clip = svg("svg", { x: 0, y: 0, width: HEADING_WIDTH, height: 30 }, this.scale, this.bug);
        const middle = HEADING_WIDTH / 2;
        this.element = svg("svg", { class: "heading-tape", preserveAspectRatio: "xMidYMid slice", viewBox: `0 0 ${HEADING_WIDTH} ${HEADING_HEIGHT}`, role: "img", "aria-label": "Heading" },
            clip,
            svg("path", { d: `M${middle} 27l-6 7h12z`, class: "pointer" }),
            svg("rect", { x: middle - 30, y: 34, width: 60, height: 23, rx: 4, class: "box" }),
            this.digits);
    }

    update(heading: number, target: number): void {
        const degrees = Number.isFinite(heading) ? toDegrees(heading) : 0;
        setAttribute(this.scale, "transform", `translate(${(HEADING_WIDTH / 2 - degrees * PIXELS_PER_DEGREE).toFixed(1)} 0)`);
        setText(this.digits, headingText(heading));
        show(this.bug, Number.isFinite(target));
        if (Number.isFinite(target)) {
            const off = toDegrees(headingDifference(heading, target)) * PIXELS_PER_DEGREE;
            const x = clamp(HEADING_WIDTH / 2 + off, 8, HEADING_WIDTH - 8);
            setAttribute(this.bug, "transform", `translate(${x.toFixed(1)} 0)`);
        }
    }
}

const DEPTH_WIDTH = 96;
const DEPTH_HEIGHT = 250;
const PIXELS_PER_METRE = 34;
const LABELS = 9;

/** where surface and bottom begin: beside the numbers, not across them */
const LINES = 43;

export class DepthTape {
    readonly element: SVGSVGElement;
    private readonly scale: SVGGElement;
    private readonly labels: SVGTextElement[] = [];
    private readonly target: SVGPathElement;
    private readonly bottom: SVGGElement;
    private readonly surface: SVGGElement;
    private readonly digits: SVGTextElement;
    private readonly trail: SVGPolylineElement;
    private readonly past: { time: number; depth: number }[] = [];

    constructor() {
        this.scale = svg("g");
        for (let i = 0; i < LABELS; ++i) {
            const y = (i - (LABELS - 1) / 2) * PIXELS_PER_METRE;
            const label = svg("text", { x: 40, y: y + 4.5, class: "label end" });
            this.labels.push(label);
            this.scale.append(svg("line", { x1: 46, x2: 58, y1: y, y2: y, class: "tick" }), label,
                svg("line", { x1: 52, x2: 58, y1: y + PIXELS_PER_METRE / 2, y2: y + PIXELS_PER_METRE / 2, class: "tick" }));
        }
        this.target = svg("path", { d: "M58 0l8 -6v12z", class: "bug" });
        const hatch = svg("g", { class: "ground" });
        hatch.append(svg("line", { x1: LINES, x2: DEPTH_WIDTH, y1: 0, y2: 0 }));
        for (let x = LINES + 7; x < DEPTH_WIDTH + 10; x += 9) hatch.append(svg("line", { x1: x, y1: 0, x2: x - 7, y2: 8 }));
        this.bottom = hatch;
        this.surface = svg("g", { class: "waterline" }, svg("path", { d: `M${LINES} 0q6 -5 12 0${"t12 0".repeat(Math.ceil((DEPTH_WIDTH - LINES) / 12))}` }));
        this.trail = svg("polyline", { class: "trail" });
        this.digits = svg("text", { x: 41, y: 6, class: "digits end" });
        const middle = DEPTH_HEIGHT / 2;
        const clip = svg("svg", { x: 0, y: 0, width: DEPTH_WIDTH, height: DEPTH_HEIGHT, viewBox: `0 ${-middle} ${DEPTH_WIDTH} ${DEPTH_HEIGHT}` },
            this.trail, this.surface, this.bottom, this.scale, this.target,
            svg("path", { d: "M0.5 -14h43l7 14l-7 14h-43z", class: "box" }), this.digits);
        this.element = svg("svg", { class: "depth-tape", preserveAspectRatio: "xMidYMid slice", viewBox: `0 0 ${DEPTH_WIDTH} ${DEPTH_HEIGHT}`, role: "img", "aria-label": "Depth" }, clip);
    }

    update(depth: number, target: number, altitude: number, time: number): void {
        const shown = Number.isFinite(depth) ? depth : 0;
        const whole = Math.floor(shown);
        setAttribute(this.scale, "transform", `translate(0 ${(-(shown - whole) * PIXELS_PER_METRE).toFixed(1)})`);
        this.labels.forEach((label, i) => {
            const value = whole + i - (LABELS - 1) / 2;
            setText(label, value < 0 ? "" : String(value));
        });
        // the box has room for four signs
        setText(this.digits, metres(depth, depth >= 99.95 ? 0 : 1));
        const place = (element: SVGElement, at: number, limit: number): void => {
            const visible = Number.isFinite(at);
            show(element, visible);
            if (visible) setAttribute(element, "transform", `translate(0 ${clamp((at - shown) * PIXELS_PER_METRE, -limit, limit).toFixed(1)})`);
        };
        place(this.target, target, DEPTH_HEIGHT / 2 - 7);
        place(this.bottom, shown + altitude, 1e4);
        place(this.surface, 0, 1e4);
        this.drawTrail(shown, time);
    }

    /** The last half minute of depth, to the right of the scale. */
    private drawTrail(depth: number, time: number): void {
        const last = this.past[this.past.length - 1];
        if (last && time < last.time) this.past.length = 0;
        if (!last || time - last.time >= 0.5 || this.past.length === 0) this.past.push({ time, depth });
        while (this.past.length > 0 && time - this.past[0]!.time > 30) this.past.shift();
        const points = this.past.map((p) => `${(DEPTH_WIDTH - ((time - p.time) / 30) * 36).toFixed(1)},${((p.depth - depth) * PIXELS_PER_METRE).toFixed(1)}`);
        setAttribute(this.trail, "points", points.join(" "));
    }
}
