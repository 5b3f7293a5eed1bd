// Learning a gamepad's ranges, in two steps, with its live readings below.

import { CalibrationRun } from "../input/calibration";
import { h, setAttribute, setText, svg } from "./dom";
import type { Desk, Page } from "./page";
import { button, group } from "./widgets";

export class CalibrationPage implements Page {
    readonly title = "Calibration";
    readonly element = h("div", { class: "calibration-page" });
    private readonly text = h("p", { class: "note" });
    private readonly readings = h("div", { class: "readings" });
    private readonly buttons = h("div", { class: "buttons" });
    private run: CalibrationRun | null = null;
    private shape = "";
    private bars: { dot: SVGCircleElement; number: HTMLElement }[] = [];
    private lamps: HTMLElement[] = [];

    constructor(private readonly desk: Desk) {
        this.element.append(group("Calibration", this.text, this.buttons), group("Readings", this.readings));
    }

    refresh(): void {
        const pad = this.desk.hub.pad;
        if (!pad) {
            this.run = null;
            setText(this.text, "No gamepad. Connect one and press a button on it.");
            this.buttons.replaceChildren(button("Back", () => this.desk.showPage("controls")));
            return;
        }
        if (!this.run) {
            setText(this.text, `${pad.id}. Let go of all sticks, then start.`);
            this.buttons.replaceChildren(button("Start", () => {
                this.run = new CalibrationRun();
                this.refresh();
            }, "primary"), button("Forget what was learnt", () => {
                delete this.desk.settings.calibrations[pad.id];
                this.desk.changed();
            }), button("Back", () => this.desk.showPage("controls")));
        } else if (this.run.stage === "rest") {
            setText(this.text, "Hands off for a second. Then move every stick and lever all the way round.");
            this.buttons.replaceChildren(button("Now I move them", () => {
                this.run?.startMoving();
                this.refresh();
            }, "primary"));
        } else {
            setText(this.text, "Move every stick and lever to all its ends.");
            this.buttons.replaceChildren(button("Done", () => {
                this.desk.settings.calibrations[pad.id] = this.run!.finish();
                this.desk.changed();
                this.run = null;
                this.refresh();
            }, "primary"), button("Cancel", () => {
                this.run = null;
                this.refresh();
            }));
        }
    }

    tick(): void {
        const pad = this.desk.hub.pad;
        const shape = pad ? `${pad.id} ${pad.axes.length} ${pad.buttons.length}` : "";
        if (shape !== this.shape) {
            this.shape = shape;
            this.build(pad);
            this.refresh();
        }
        if (!pad) return;
        this.run?.feed(pad.axes);
        pad.axes.forEach((value, i) => {
            const bar = this.bars[i];
            if (!bar) return;
            setAttribute(bar.dot, "cx", (60 + 54 * Math.max(-1, Math.min(1, value))).toFixed(1));
            setText(bar.number, value.toFixed(2));
        });
        pad.buttons.forEach((b, i) => this.lamps[i]?.classList.toggle("on", b.pressed || b.value > 0.5));
    }

    leave(): void {
        this.run = null;
    }

    private build(pad: Gamepad | null): void {
        this.bars = (pad?.axes ?? []).map(() => ({ dot: svg("circle", { cx: 60, cy: 8, r: 5, class: "dot" }), number: h("span", { class: "number small" }) }));
        this.lamps = (pad?.buttons ?? []).map((_, i) => h("span", { class: "lamp" }, String(i + 1)));
        this.readings.replaceChildren(
            ...this.bars.map((bar, i) => h("div", { class: "reading" }, h("span", { class: "dim" }, `Axis ${i + 1}`),
                svg("svg", { viewBox: "0 0 120 16", class: "axis-bar" }, svg("path", { d: "M6 8H114M60 3V13", class: "grid" }), bar.dot), bar.number)),
            h("div", { class: "lamps" }, ...this.lamps));
    }
}
