// What is seen and heard.

import { QUALITY_LEVELS } from "../scene/quality";
import type { TwinModel } from "../net/messages";
import { TWIN_TITLES } from "../twin";
import type { Aids } from "../settings";
import { h, setText } from "./dom";
import type { Desk, Page } from "./page";
import { group, select, slider, toggle } from "./widgets";

export class DisplayPage implements Page {
    readonly title = "Display";
    readonly element = h("div", { class: "display-page" });
    private readonly numbers = h("p", { class: "note" });

    constructor(private readonly desk: Desk) {}

    refresh(): void {
        const { display, sound } = this.desk.settings;
        const changed = (): void => this.desk.changed();
        const { rules, scene } = this.desk.session;
        const limit = rules.locked ? scene?.lesson?.aids : undefined;
        this.element.replaceChildren(
            group("Aids",
                ...(limit && limit !== "all" ? [h("p", { class: "note" }, `The lesson under way allows ${limit === "chart" ? "the chart without the tether" : "the instruments of a real vehicle alone"}, whatever is chosen here.`)] : []),
                select("Aids", display.aids, [{ value: "full", title: "all: chart, tether, contacts" }, { value: "map", title: "the chart without the tether" },
                    { value: "none", title: "none: instruments as on a real vehicle" }], (value) => {
                    display.aids = value as Aids;
                    changed();
                }).element,
                toggle("Way home of the tether", this.desk.settings.forecast.home, (on) => { this.desk.settings.forecast.home = on; changed(); }, "a line that undoes every winding").element,
                toggle("Ghost of the next seconds", this.desk.settings.forecast.ahead, (on) => { this.desk.settings.forecast.ahead = on; changed(); }, "vehicle and tether under the present command").element,
                toggle("Haul-in forecast", this.desk.settings.forecast.haul, (on) => { this.desk.settings.forecast.haul = on; changed(); }, "the tether pulled tight, and where it would hang").element,
                select("Second tether, as a ghost", this.desk.settings.twin, Object.entries(TWIN_TITLES).map(([value, title]) => ({ value, title })), (value) => {
                    this.desk.settings.twin = value as TwinModel;
                    changed();
                }).element,
                toggle("Hints about the tether", display.hints, (on) => { display.hints = on; changed(); }, "too slack, winding, a pull that comes, back another way").element,
                toggle("Ghost under latency", display.ghost, (on) => { display.ghost = on; changed(); }, "where the vehicle will be when commands on their way have arrived").element,
                toggle("Sonar", display.sonar, (on) => { display.sonar = on; changed(); }, "image of the vehicle's sonar, where it has one").element,
                toggle("Readings of the sensors", display.sensors, (on) => { display.sensors = on; changed(); }, "DVL, altimeter, USBL, load cells, as noisy as they are").element,
                toggle("Tether drawn with its load", display.overlay, (on) => { display.overlay = on; changed(); }, "colour and pattern, with rings at contacts").element,
                toggle("Tension gauge", display.tension, (on) => { display.tension = on; changed(); }, "many real systems have none").element,
                toggle("Coordinate axes", display.axes, (on) => { display.axes = on; changed(); }).element,
                toggle("Instruments", display.hud, (on) => { display.hud = on; changed(); }).element),
            group("Picture",
                select("Quality", display.quality, [{ value: "auto", title: "as good as it runs fluently" }, { value: "high", title: "high" }, { value: "medium", title: "medium" },
                    { value: "low", title: "low" }], (value) => {
                    display.quality = value as "auto";
                    changed();
                }).element,
                slider("Size of the instruments", display.scale, { min: 0.7, max: 1.5, step: 0.05, text: (v) => `${Math.round(100 * v)} %`, change: (value) => {
                    display.scale = value;
                    changed();
                } }).element,
                select("Motion", display.reducedMotion, [{ value: "system", title: "as the system says" }, { value: "on", title: "reduced" }, { value: "off", title: "full" }], (value) => {
                    display.reducedMotion = value as "system";
                    changed();
                }).element,
                this.numbers),
            group("Sound",
                toggle("Sound", !sound.muted, (on) => { sound.muted = !on; changed(); }).element,
                slider("Volume", sound.volume, { min: 0, max: 1, step: 0.05, text: (v) => `${Math.round(100 * v)} %`, change: (value) => {
                    sound.volume = value;
                    changed();
                } }).element,
                toggle("Captions", sound.captions, (on) => { sound.captions = on; changed(); }, "say in words what sounds").element));
    }

    tick(): void {
        const { stage, link } = this.desk;
        const ratio = QUALITY_LEVELS[stage.fixedQuality ?? stage.quality.index]!.ratio;
        const size = link.frameCount > 0 ? link.frameBytes / link.frameCount / 1000 : 0;
        setText(this.numbers, `${stage.quality.rate.toFixed(0)} pictures a second at ${Math.round(100 * ratio)} % resolution, ${stage.drawCalls} calls, `
            + `${(stage.triangles / 1000).toFixed(0)} thousand triangles; frames of ${size.toFixed(1)} kB`);
    }
}
