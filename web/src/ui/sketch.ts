// A line that is drawn by pointer or keyboard: the tether as the pilot thinks it lies.

import { clamp } from "../math/numbers";
import { h, setAttribute, svg } from "./dom";

export type Point = [number, number];

export interface SheetMark {
    at: Point;
    label: string;
}

/** What is drawn on, in metres; `across` and `up` are the values at left, right, bottom and top. */
export interface Sheet {
    title: string;
    across: Point;
    up: Point;
    start: Point;
    marks: readonly SheetMark[];
    axes: [string, string];
}

const SIZE = 240;
const STEP = 6; // px between points of a drawn line
const MOST = 120; // points

export class Sketch {
    readonly element: HTMLElement;
    readonly points: Point[] = [];
    private readonly picture: SVGSVGElement;
    private readonly line = svg("polyline", { class: "drawn" });
    private readonly cursor = svg("circle", { r: 4, class: "cursor" });
    private at: Point = [SIZE / 2, SIZE / 2];
    private drawing = false;

    constructor(private readonly sheet: Sheet) {
        this.picture = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "sheet", tabindex: 0, role: "application",
            "aria-label": `${sheet.title}: draw with the pointer, or move the cursor with the arrows, Enter sets a point, Backspace takes the last away` });
        const square = squareOf(sheet.across[1] - sheet.across[0]);
        for (let at = Math.ceil(sheet.across[0] / square) * square; at < sheet.across[1]; at += square) this.picture.append(svg("path", { d: `M${this.toPixels([at, 0])[0].toFixed(1)} 0V${SIZE}`, class: "grid" }));
        for (let at = Math.ceil(sheet.up[0] / square) * square; at < sheet.up[1]; at += square) this.picture.append(svg("path", { d: `M0 ${this.toPixels([0, at])[1].toFixed(1)}H${SIZE}`, class: "grid" }));
        const middle = sheet.marks.reduce((sum, { at }) => sum + at[0], 0) / Math.max(sheet.marks.length, 1);
        for (const mark of sheet.marks) {
            const [x, y] = this.toPixels(mark.at);
            // names lie outside of what they stand beside
            this.picture.append(svg("circle", { cx: x, cy: y, r: 4, class: "obstacle" }), label(x, y, mark.label, mark.at[0] < middle - 0.1));
        }
        const [x, y] = this.toPixels(sheet.start);
        this.picture.append(svg("path", { d: `M${x - 5} ${y + 4}h10l-5 -9z`, class: "launch" }), label(x, y, "launch"), this.line, this.cursor);
        this.at = [x, y];
        this.listen();
        this.element = h("figure", { class: "sketch" }, h("figcaption", {}, `${sheet.title} (${sheet.axes[0]}, ${sheet.axes[1]}), squares of ${square} m`), this.picture,
            h("button", { type: "button", class: "button", click: () => this.clear() }, "Draw again"));
        this.clear();
    }

    private listen(): void {
        this.picture.addEventListener("pointerdown", (event) => {
            this.drawing = true;
            this.picture.setPointerCapture(event.pointerId);
            this.reach(event);
        });
        this.picture.addEventListener("pointermove", (event) => {
            if (this.drawing) this.reach(event);
        });
        this.picture.addEventListener("pointerup", () => {
            this.drawing = false;
        });
        this.picture.addEventListener("keydown", (event) => {
            const step = event.shiftKey ? 2 : 10;
            const way: Record<string, Point> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
            const move = way[event.key];
            if (move) this.at = [clamp(this.at[0] + move[0], 0, SIZE), clamp(this.at[1] + move[1], 0, SIZE)];
            else if (event.key === "Enter") this.add(this.at);
            else if (event.key === "Backspace" && this.points.length > 1) this.points.pop();
            else return;
            event.preventDefault();
            event.stopPropagation();
            this.draw();
        });
    }

    private reach(event: PointerEvent): void {
        const box = this.picture.getBoundingClientRect();
        const to: Point = [clamp(((event.clientX - box.left) / box.width) * SIZE, 0, SIZE), clamp(((event.clientY - box.top) / box.height) * SIZE, 0, SIZE)];
        const last = this.toPixels(this.points[this.points.length - 1]!);
        this.at = to;
        if (Math.hypot(to[0] - last[0], to[1] - last[1]) >= STEP) this.add(to);
        this.draw();
    }

    private add(pixels: Point): void {
        if (this.points.length < MOST) this.points.push(this.toMetres(pixels));
    }

    private clear(): void {
        this.points.length = 0;
        this.points.push([...this.sheet.start]);
        this.draw();
    }

    private draw(): void {
        setAttribute(this.line, "points", this.points.map((point) => this.toPixels(point).map((v) => v.toFixed(1)).join()).join(" "));
        setAttribute(this.cursor, "cx", String(this.at[0]));
        setAttribute(this.cursor, "cy", String(this.at[1]));
    }

    private toPixels([a, b]: Point): Point {
        const { across, up } = this.sheet;
        return [(SIZE * (a - across[0])) / (across[1] - across[0]), (SIZE * (up[1] - b)) / (up[1] - up[0])];
    }

    private toMetres([x, y]: Point): Point {
        const { across, up } = this.sheet;
        return [across[0] + (x / SIZE) * (across[1] - across[0]), up[1] - (y / SIZE) * (up[1] - up[0])];
    }
}

/** m: of 1, 2, 5, 10 and so on, the one that makes about six squares. */
export function squareOf(across: number): number {
    const rough = across / 6;
    const power = 10 ** Math.floor(Math.log10(rough));
    return (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10) * power;
}

function label(x: number, y: number, text: string, before = false): SVGTextElement {
    const element = svg("text", { x: before ? x - 7 : x + 7, y: y + 4, "text-anchor": before ? "end" : "start" });
    element.textContent = text;
    return element;
}
