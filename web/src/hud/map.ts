// The chart in the corner: north up, the vehicle in the middle, its trail behind it, what it may run into around it: what stands at
// its depth is filled, the rest of it a faint outline. The tether only where aids are wished for: on a real dive nobody sees it so.
// Where the tether crosses itself its upper part is whole and the lower one broken.

import { clamp } from "../math/numbers";
import type { CableFrame, VehicleFrame } from "../net/frame";
import type { SceneMessage } from "../net/messages";
import { h, setText } from "../ui/dom";
import { icon } from "../ui/icons";
import { crossings } from "./crossings";
import { sceneFootprints, sliceOf, type Footprint, type Slice } from "./footprints";
import { positionText } from "./readings";

const SIZE = 176;
const RANGES = [4, 8, 15, 30, 60, 120];
const USUAL = 2;
/** m above and below the vehicle that the chart's slice holds, and by which the vehicle may have left it before it is cut anew */
const SLICE = 1;
const RECUT = 0.25;

/** Which of the ranges shows a pool as large as it goes; elsewhere the usual one. */
export function rangeFor(prints: readonly Footprint[]): number {
    const reach = Math.max(0, ...prints.map((print) => (print.kind === "circle" ? Math.hypot(print.x, print.y) + print.radius
        : Math.max(...print.points.map(([x, y]) => Math.hypot(x, y))))));
    return reach > 0 && reach < RANGES[USUAL - 1]! ? USUAL - 1 : USUAL;
}

export class MapPanel {
    readonly element: HTMLElement;
    private readonly canvas = h("canvas", { role: "img", "aria-label": "Chart" });
    private readonly rangeText = h("span", { class: "winch" });
    private readonly position = h("div", { class: "number small" });
    private prints: Footprint[] = [];
    private slices: Slice[] = [];
    private slicedAt = Number.NaN;
    private trail: [number, number][] = [];
    private range = USUAL;
    private sized = 0;

    constructor() {
        const nearer = h("button", { type: "button", title: "Show less", "aria-label": "Chart: show less", click: () => this.setRange(-1) }, icon("plus"));
        const farther = h("button", { type: "button", title: "Show more", "aria-label": "Chart: show more", click: () => this.setRange(1) }, icon("minus"));
        this.element = h("section", { class: "plate map-panel", "aria-label": "Chart" },
            h("header", {}, "Chart", this.rangeText, h("span", { class: "buttons" }, farther, nearer)), this.canvas, this.position);
        this.setRange(0);
    }

    private setRange(step: number): void {
        this.range = clamp(this.range + step, 0, RANGES.length - 1);
        setText(this.rangeText, `\u00b1${RANGES[this.range]} m`);
    }

    setScene(scene: SceneMessage): void {
        this.prints = sceneFootprints(scene);
        this.setRange(rangeFor(this.prints) - this.range);
        this.slicedAt = Number.NaN;
        this.trail = [];
    }

    update(vehicle: VehicleFrame, cable: CableFrame | undefined): void {
        const [x, y] = [vehicle.position[0]!, vehicle.position[1]!];
        setText(this.position, positionText(x, y));
        const last = this.trail[this.trail.length - 1];
        if (!last || Math.hypot(last[0] - x, last[1] - y) > 0.25) this.trail.push([x, y]);
        if (this.trail.length > 1500) this.trail.shift();
        const z = vehicle.position[2]!;
        if (!(Math.abs(z - this.slicedAt) < RECUT)) {
            this.slicedAt = z;
            this.slices = this.prints.map((print) => sliceOf(print, z - SLICE, z + SLICE)).filter((slice) => slice !== null);
        }
        this.draw(vehicle, x, y, cable);
    }

    private draw(vehicle: VehicleFrame, x0: number, y0: number, cable: CableFrame | undefined): void {
        const ratio = Math.min(window.devicePixelRatio, 2);
        if (this.sized !== ratio) {
            this.sized = ratio;
            this.canvas.width = this.canvas.height = SIZE * ratio;
        }
        const pen = this.canvas.getContext("2d")!;
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        pen.clearRect(0, 0, SIZE, SIZE);
        const scale = SIZE / 2 / RANGES[this.range]!;
        // North (x) is up, west (y) to the left.
        const px = (y: number): number => SIZE / 2 - (y - y0) * scale;
        const py = (x: number): number => SIZE / 2 - (x - x0) * scale;

        pen.strokeStyle = "rgba(169, 196, 208, 0.25)";
        pen.lineWidth = 1;
        pen.beginPath();
        for (const share of [0.5, 1]) {
            pen.moveTo(SIZE / 2 + (share * SIZE) / 2, SIZE / 2);
            pen.arc(SIZE / 2, SIZE / 2, (share * SIZE) / 2 - 0.5, 0, 7);
        }
        pen.stroke();

        pen.strokeStyle = "rgba(169, 196, 208, 0.22)";
        for (const print of this.prints) {
            pen.beginPath();
            if (print.kind === "circle") pen.arc(px(print.y), py(print.x), Math.max(print.radius * scale, 1.5), 0, 7);
            else print.points.forEach(([x, y], i) => (i === 0 ? pen.moveTo(px(y), py(x)) : pen.lineTo(px(y), py(x))));
            pen.closePath();
            pen.stroke();
        }
        pen.fillStyle = "rgba(150, 178, 190, 0.55)";
        pen.strokeStyle = "rgba(225, 240, 246, 0.95)";
        for (const slice of this.slices) {
            pen.beginPath();
            if (slice.kind === "polygon") {
                slice.points.forEach(([x, y], i) => (i === 0 ? pen.moveTo(px(y), py(x)) : pen.lineTo(px(y), py(x))));
                pen.closePath();
                pen.fill();
            } else {
                for (const [x1, y1, x2, y2] of slice.segments) {
                    pen.moveTo(px(y1), py(x1));
                    pen.lineTo(px(y2), py(x2));
                }
            }
            pen.stroke();
        }

        pen.strokeStyle = "rgba(111, 214, 255, 0.75)";
        pen.setLineDash([3, 3]);
        pen.beginPath();
        this.trail.forEach(([x, y], i) => (i === 0 ? pen.moveTo(px(y), py(x)) : pen.lineTo(px(y), py(x))));
        pen.stroke();
        pen.setLineDash([]);

        if (cable) this.drawTether(pen, cable, px, py);
        this.drawWater(pen, vehicle);
        pen.save();
        pen.translate(SIZE / 2, SIZE / 2);
        pen.rotate(vehicle.heading);
        pen.fillStyle = "#eaf6fb";
        pen.strokeStyle = "#04101a";
        pen.lineWidth = 1.5;
        pen.beginPath();
        pen.moveTo(0, -9);
        pen.lineTo(6, 7);
        pen.lineTo(0, 3.5);
        pen.lineTo(-6, 7);
        pen.closePath();
        pen.stroke();
        pen.fill();
        pen.restore();
        pen.fillStyle = "#a9c4d0";
        pen.font = "700 11px B612, sans-serif";
        pen.textAlign = "center";
        pen.fillText("N", SIZE / 2, 12);
    }

    private drawTether(pen: CanvasRenderingContext2D, { nodes, count }: CableFrame, px: (y: number) => number, py: (x: number) => number): void {
        pen.strokeStyle = "#f2d21b";
        pen.lineWidth = 1.5;
        pen.beginPath();
        for (let i = 0; i < count; ++i) {
            const [x, y] = [px(nodes[3 * i + 1]!), py(nodes[3 * i]!)];
            if (i === 0) pen.moveTo(x, y);
            else pen.lineTo(x, y);
        }
        pen.stroke();
        // A gap in the lower part, and the upper part again across it.
        for (const { upper, share } of crossings(nodes, count)) {
            const [ax, ay] = [px(nodes[3 * upper + 1]!), py(nodes[3 * upper]!)];
            const [bx, by] = [px(nodes[3 * upper + 4]!), py(nodes[3 * upper + 3]!)];
            const length = Math.hypot(bx - ax, by - ay);
            if (!(length > 0)) continue;
            const [cx, cy, dx, dy] = [ax + share * (bx - ax), ay + share * (by - ay), (4 * (bx - ax)) / length, (4 * (by - ay)) / length];
            for (const [color, width] of [["#0b2530", 6], ["#f2d21b", 1.5]] as const) {
                pen.strokeStyle = color;
                pen.lineWidth = width;
                pen.beginPath();
                pen.moveTo(cx - dx, cy - dy);
                pen.lineTo(cx + dx, cy + dy);
                pen.stroke();
            }
        }
    }

    /** The current as an arrow in the corner, longer when stronger. */
    private drawWater(pen: CanvasRenderingContext2D, vehicle: VehicleFrame): void {
        const [wx, wy] = [vehicle.water[0]!, vehicle.water[1]!];
        const speed = Math.hypot(wx, wy);
        if (!(speed > 0.02)) return;
        const length = clamp(10 + 26 * speed, 10, 30);
        pen.save();
        pen.translate(20, SIZE - 22);
        pen.rotate(Math.atan2(-wy, wx));
        pen.strokeStyle = "#7fe3a8";
        pen.lineWidth = 2;
        pen.beginPath();
        pen.moveTo(0, length / 2);
        pen.lineTo(0, -length / 2);
        pen.moveTo(-4, -length / 2 + 5);
        pen.lineTo(0, -length / 2);
        pen.lineTo(4, -length / 2 + 5);
        pen.stroke();
        pen.restore();
        pen.fillStyle = "#7fe3a8";
        pen.font = "11px B612, sans-serif";
        pen.textAlign = "left";
        pen.fillText(speed.toFixed(1), 34, SIZE - 6);
    }
}
