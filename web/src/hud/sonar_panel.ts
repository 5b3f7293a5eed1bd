// The sonars of the vehicle: the fan of a multibeam sonar, or the sweep of a scanning one, bow up, with range and gain. Images come
// only while the panel is open.

import { clamp } from "../math/numbers";
import type { SonarEntry } from "../net/messages";
import type { SonarImage } from "../net/sonar";
import { h, setText, show } from "../ui/dom";
import { icon } from "../ui/icons";
import { gatherBins, mapSonar, placeSonar, sonarColours, type SonarPlace } from "./sonar_picture";

const WIDTH = 214; // CSS pixels at size 1, as in style.css
const HEIGHT = 150;
const RANGES = [2, 3, 5, 10, 15, 20, 30, 40, 50, 75, 100, 120];
const GAIN_STEP = 3; // dB
const GAIN_MOST = 24;
/** of a sweep all round: one for each step of 0.9 degrees */
const SLOTS = 400;

export interface SonarActions {
    /** asks for images of a sonar, or for no more */
    watch(sonar: number, on: boolean): void;
    setRange(sonar: number, range: number): void;
    /** the gain was changed: to be kept */
    gainChanged(gain: number): void;
    close(): void;
}

export class SonarPanel {
    readonly element: HTMLElement;
    gain = 0;
    /** of the image that is shown, for tests and for the words beside it */
    image: SonarImage | null = null;
    /** images since it was opened */
    count = 0;
    private readonly canvas = h("canvas", { role: "img" });
    private readonly title = h("button", { type: "button", class: "sonar-name", title: "Next sonar" });
    private readonly rangeText = h("span", { class: "number small" });
    private readonly gainText = h("span", { class: "number small" });
    private readonly note = h("div", { class: "dim sonar-note" });
    private sonars: readonly SonarEntry[] = [];
    private chosen = 0;
    private watched = -1;
    private swept = new Uint8Array(0);
    private map: Int32Array | null = null;
    private mapFor = "";
    private rings = 1;
    private gathered: Uint8Array = new Uint8Array(0);
    private place: SonarPlace = placeSonar(1, 1, 1);
    private picture: ImageData | null = null;
    private colours: Uint32Array = new Uint32Array(256);
    private coloursFor = "";

    constructor(private readonly actions: SonarActions) {
        const small = (sign: "plus" | "minus", label: string, click: () => void): HTMLElement => h("button", { type: "button", title: label, "aria-label": label, click }, icon(sign));
        this.title.addEventListener("click", () => this.next());
        this.element = h("section", { class: "plate sonar-panel hidden", "aria-label": "Sonar" },
            h("header", {}, this.title, h("button", { type: "button", class: "close", title: "Close the sonar", "aria-label": "Close the sonar", click: () => this.actions.close() }, icon("close"))),
            this.canvas,
            h("div", { class: "sonar-knobs" },
                h("span", { class: "dim" }, "Range"), small("minus", "Sonar: shorter range", () => this.stepRange(-1)), this.rangeText, small("plus", "Sonar: longer range", () => this.stepRange(1)),
                h("span", { class: "dim" }, "Gain"), small("minus", "Sonar: less gain", () => this.stepGain(-1)), this.gainText, small("plus", "Sonar: more gain", () => this.stepGain(1))),
            this.note);
    }

    setSonars(sonars: readonly SonarEntry[]): void {
        this.sonars = sonars;
        this.chosen = Math.min(this.chosen, Math.max(sonars.length - 1, 0));
        this.watched = -1;
        this.clear();
    }

    get available(): boolean {
        return this.sonars.length > 0;
    }

    /** Opens or closes it; asks the server when that changes. */
    open(on: boolean, why = ""): void {
        const wanted = on && this.available ? this.chosen : -1;
        show(this.element, on && (this.available || why !== ""));
        setText(this.note, this.available ? "" : why);
        show(this.note, !this.available);
        if (wanted === this.watched) return;
        if (this.watched >= 0) this.actions.watch(this.watched, false);
        this.watched = wanted;
        this.clear();
        if (wanted >= 0) this.actions.watch(wanted, true);
        this.write();
    }

    /** The connection is a new one: what it was asked for is forgotten. */
    forget(): void {
        this.watched = -1;
    }

    next(): void {
        if (this.sonars.length < 2) return;
        this.chosen = (this.chosen + 1) % this.sonars.length;
        if (this.watched >= 0) this.open(true);
    }

    stepRange(step: number): void {
        const entry = this.sonars[this.chosen];
        if (!entry) return;
        const now = this.image?.most ?? entry.most;
        const allowed = RANGES.filter((range) => range >= entry.range[0] && range <= entry.range[1]);
        const next = step > 0 ? allowed.find((range) => range > now + 0.01) : allowed.filter((range) => range < now - 0.01).pop();
        if (next === undefined) return;
        entry.most = next;
        this.actions.setRange(this.chosen, next);
        this.write();
    }

    stepGain(step: number): void {
        this.gain = clamp(this.gain + step * GAIN_STEP, -GAIN_MOST, GAIN_MOST);
        this.actions.gainChanged(this.gain);
        this.write();
        if (this.image) this.draw(this.image);
    }

    take(image: SonarImage): void {
        if (image.sonar !== this.watched) return;
        if (image.scanning) this.sweep(image);
        this.image = image;
        this.count += 1;
        this.write();
        this.draw(image);
    }

    private clear(): void {
        this.image = null;
        this.count = 0;
        this.swept.fill(0);
        this.canvas.getContext("2d")?.clearRect(0, 0, this.canvas.width, this.canvas.height);
    }

    private write(): void {
        const entry = this.sonars[this.chosen];
        setText(this.title, entry ? `Sonar: ${entry.name}${this.sonars.length > 1 ? " \u25b8" : ""}` : "Sonar");
        setText(this.rangeText, `${Math.round(this.image?.most ?? entry?.most ?? 0)} m`);
        setText(this.gainText, `${this.gain > 0 ? "+" : this.gain < 0 ? "\u2212" : ""}${Math.abs(this.gain)} dB`);
        this.canvas.setAttribute("aria-label", entry ? `Image of the ${entry.kind} sonar` : "Image of the sonar");
    }

    /** Beams of a sweep go into the picture of the whole one; another range begins it anew. */
    private sweep(image: SonarImage): void {
        const size = SLOTS * image.bins;
        if (this.swept.length !== size) this.swept = new Uint8Array(size);
        else if (this.image && this.image.most !== image.most) this.swept.fill(0);
        const round = image.fan >= 2 * Math.PI - 1e-3;
        for (let beam = 0; beam < image.beams; ++beam) {
            const turn = round ? image.bearings[beam]! / (2 * Math.PI) : image.bearings[beam]! / image.fan + 0.5;
            const middle = Math.floor((round ? turn - Math.floor(turn) : clamp(turn, 0, 1)) * SLOTS);
            // a beam of a narrow sector is wider than a slot
            const half = round ? 0 : Math.ceil((SLOTS * 0.008) / image.fan);
            for (let slot = middle - half; slot <= middle + half; ++slot) {
                const at = round ? (slot + SLOTS) % SLOTS : slot;
                if (at >= 0 && at < SLOTS) this.swept.set(image.levels.subarray(beam * image.bins, (beam + 1) * image.bins), at * image.bins);
            }
        }
    }

    private draw(image: SonarImage): void {
        const size = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--u")) || 1;
        const ratio = Math.min(window.devicePixelRatio * size, 2);
        const [width, height] = [Math.round(WIDTH * ratio), Math.round(HEIGHT * ratio)];
        const slots = image.scanning ? SLOTS : image.beams;
        const key = [width, height, image.fan, slots, image.bins, image.least / image.most].join(" ");
        const pen = this.canvas.getContext("2d")!;
        if (this.mapFor !== key) {
            this.mapFor = key;
            this.canvas.width = width;
            this.canvas.height = height;
            this.place = placeSonar(width, height, image.fan);
            this.rings = Math.min(image.bins, Math.max(1, Math.round(this.place.radius)));
            this.map = mapSonar(this.place, image.fan, slots, this.rings, image.least / image.most);
            this.gathered = new Uint8Array(slots * this.rings);
            this.picture = pen.createImageData(width, height);
        }
        const tint = [image.floor, image.step, this.gain].join(" ");
        if (this.coloursFor !== tint) {
            this.coloursFor = tint;
            this.colours = sonarColours(image, this.gain);
        }
        const pixels = new Uint32Array(this.picture!.data.buffer);
        const levels = this.gathered;
        gatherBins(image.scanning ? this.swept : image.levels, slots, image.bins, this.rings, levels);
        // the beams of a fan come from starboard to port, the slots of its picture go from port to starboard
        const last = slots - 1;
        for (let i = 0; i < pixels.length; ++i) {
            const at = this.map![i]!;
            if (at < 0) pixels[i] = 0;
            else if (image.scanning) pixels[i] = this.colours[levels[at]!]!;
            else {
                const slot = Math.floor(at / this.rings);
                pixels[i] = this.colours[levels[(last - slot) * this.rings + at - slot * this.rings]!]!;
            }
        }
        pen.putImageData(this.picture!, 0, 0);
        this.drawScale(pen, image, ratio);
    }

    /** Rings of range with their numbers, the bow's line, and where a scanning sonar looks now. */
    private drawScale(pen: CanvasRenderingContext2D, image: SonarImage, ratio: number): void {
        const { x, y, radius } = this.place;
        const half = Math.min(image.fan / 2, Math.PI);
        pen.lineWidth = ratio;
        pen.strokeStyle = "rgba(150, 215, 240, 0.4)";
        pen.fillStyle = "#d8f1fb";
        pen.font = `${Math.round(10 * ratio)}px B612, sans-serif`;
        for (let i = 1; i <= 4; ++i) {
            pen.beginPath();
            pen.arc(x, y, (radius * i) / 4, -Math.PI / 2 - half, -Math.PI / 2 + half);
            pen.stroke();
        }
        for (const i of [2, 4]) {
            const metres = (image.most * i) / 4;
            const text = metres < 10 && metres % 1 !== 0 ? metres.toFixed(1) : metres.toFixed(0);
            pen.fillText(text, x + 3 * ratio, y - (radius * i) / 4 + 11 * ratio);
        }
        pen.beginPath();
        for (const bearing of image.fan > Math.PI ? [0] : [-half, 0, half]) {
            pen.moveTo(x, y);
            pen.lineTo(x + radius * Math.sin(bearing), y - radius * Math.cos(bearing));
        }
        pen.stroke();
        if (!image.scanning || image.beams === 0) return;
        const now = image.bearings[image.beams - 1]!;
        pen.strokeStyle = "#6fd6ff";
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(x + radius * Math.sin(now), y - radius * Math.cos(now));
        pen.stroke();
    }
}
