// Sticks and keys: presets, curves, remapping.

import { KEYBOARD_NAMES, KEYBOARD_PRESETS, PAD_PRESETS, padNames, type KeyboardPreset, type PadPreset } from "../input/bindings";
import { PILOT_AXES } from "../net/messages";
import { BindingsList } from "./bindings_list";
import { h } from "./dom";
import type { Desk, Page } from "./page";
import { TuningCard } from "./tuning";
import { button, group, select } from "./widgets";

export class ControlsPage implements Page {
    readonly title = "Controls";
    readonly element = h("div", { class: "controls-page" });
    private readonly keys: BindingsList;
    private readonly pads: BindingsList;
    private tuning: TuningCard[] = [];

    constructor(private readonly desk: Desk) {
        this.keys = new BindingsList("key", () => desk.settings.keyboard.map, () => KEYBOARD_NAMES, desk.hub, () => desk.changed());
        this.pads = new BindingsList("pad", () => desk.settings.pad.map, () => padNames(desk.settings.pad.preset), desk.hub, () => desk.changed());
    }

    refresh(): void {
        const { settings, hub } = this.desk;
        const presets = <T extends string>(list: Record<T, { title: string }>) =>
            (Object.keys(list) as T[]).map((value) => ({ value, title: list[value].title }));
        const pad = hub.pad;
        const connected = h("p", { class: "note" }, pad ? `Connected: ${pad.id}` : "No gamepad. Connect one and press a button on it.",
            window.isSecureContext ? "" : " Browsers show gamepads only to pages from this computer or over https.");
        this.tuning = PILOT_AXES.map((axis) => new TuningCard(axis, settings.tuning[axis], () => {
            this.desk.changed();
            this.desk.tell({ type: "tune", axes: { [axis]: settings.tuning[axis] } });
        }));
        this.keys.refresh();
        this.pads.refresh();
        this.element.replaceChildren(
            group("Gamepad", connected,
                select("Preset", settings.pad.preset, presets(PAD_PRESETS), (value) => {
                    const preset = value as PadPreset;
                    settings.pad = { preset, map: structuredClone(PAD_PRESETS[preset].map) };
                    this.desk.changed();
                    this.refresh();
                }).element,
                h("div", { class: "buttons" }, button("Calibrate the sticks", () => this.desk.showPage("calibration")))),
            group("Curves", ...this.tuning.map((card) => card.element)),
            group("Keyboard", select("Preset", settings.keyboard.preset, presets(KEYBOARD_PRESETS), (value) => {
                const preset = value as KeyboardPreset;
                settings.keyboard = { preset, map: structuredClone(KEYBOARD_PRESETS[preset].map) };
                this.desk.changed();
                this.refresh();
            }).element),
            h("details", { class: "group" }, h("summary", {}, "Every key"), this.keys.element),
            h("details", { class: "group" }, h("summary", {}, "Every button of the gamepad"), this.pads.element));
    }

    tick(): void {
        this.pads.tick();
        this.tuning.forEach((card, i) => card.tick(this.desk.hub.raw[i] ?? 0));
    }

    leave(): void {
        this.keys.stop();
        this.pads.stop();
    }
}
