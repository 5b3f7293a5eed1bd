// What the vehicle's instruments say, beside the exact numbers of the other panels: with noise, rate and losses. A reading that is
// lost or old is marked by a word, not by its colour alone.

import type { InstrumentEntry } from "../net/messages";
import { h, setClass, setText, show } from "../ui/dom";
import { metres } from "./readings";

/** s after which a value is old: five samples of a slow one */
const OLD = 5;

export interface Reading {
    label: string;
    value: string;
    unit: string;
    /** a few words more, or why there is no value */
    note: string;
    lost: boolean;
}

const LABELS: Record<string, string> = { dvl: "DVL", altimeter: "Altimeter", usbl: "USBL", load_cell: "Load cell" };

/** The last part of an instrument's name, as people read it: "winch_cell" is "winch cell". */
function shortName(name: string): string {
    return name.slice(name.lastIndexOf(".") + 1).replaceAll("_", " ");
}

/** Null: it is none of those that pilots read. `values`: valid, age, and then what the entry lists. */
export function readInstrument(entry: InstrumentEntry, values: Float32Array | undefined, several: boolean): Reading | null {
    const label = LABELS[entry.kind];
    if (label === undefined) return null;
    const read = (name: string): number => values?.[2 + entry.values.indexOf(name)] ?? Number.NaN;
    const age = values?.[1] ?? Number.NaN;
    const lost = !((values?.[0] ?? 0) > 0.5);
    const old = !(age < OLD);
    const title = several ? shortName(entry.name).replace(/^./, (c) => c.toUpperCase()) : label;
    const show = (value: number, digits: number): string => (lost || old ? "--" : metres(Number(value.toFixed(digits)) || 0, digits));
    const note = (text: string): string => (Number.isFinite(age) && old ? `${Math.min(age, 999).toFixed(0)} s old` : lost ? "lost" : text);
    switch (entry.kind) {
        case "dvl": {
            // its own axes: ahead, to port, up
            const speed = Math.hypot(read("velocity.x"), read("velocity.y"));
            const beams = read("beams");
            const [u, v, w] = ["x", "y", "z"].map((axis) => metres(read(`velocity.${axis}`), 2));
            return { label: title, value: show(speed, 2), unit: "m/s", note: lost ? `no bottom lock, ${Number.isFinite(beams) ? beams.toFixed(0) : 0} of 4 beams` : note(`${u} ${v} ${w}, ${beams.toFixed(0)} of 4 beams`), lost: lost || old };
        }
        case "altimeter": return { label: title, value: show(read("range"), 2), unit: "m", note: note(""), lost: lost || old };
        case "usbl": {
            const [x, y, z] = [read("position.x"), read("position.y"), read("position.z")];
            const part = (value: number, plus: string, minus: string): string => `${value < 0 ? minus : plus}\u2009${Math.abs(value).toFixed(1)}`;
            return { label: title, value: show(read("range"), 1), unit: "m", note: note(`${part(x, "N", "S")} ${part(-y, "E", "W")} ${part(z, "up", "down")}`), lost: lost || old };
        }
        default: return { label: title, value: show(read("force"), 0), unit: "N", note: note(""), lost: lost || old };
    }
}

export class SensorPanel {
    readonly element = h("section", { class: "plate sensor-panel hidden", "aria-label": "Sensors" });
    private rows: { entry: InstrumentEntry; index: number; several: boolean; row: HTMLElement; label: HTMLElement; value: HTMLElement; unit: HTMLElement; note: HTMLElement }[] = [];

    setInstruments(instruments: readonly InstrumentEntry[]): void {
        const count = (kind: string): number => instruments.filter((entry) => entry.kind === kind).length;
        this.rows = instruments.flatMap((entry, index) => {
            const several = count(entry.kind) > 1;
            if (readInstrument(entry, undefined, several) === null) return [];
            const [label, value, unit, note] = [h("span", { class: "dim" }), h("b", { class: "number small" }), h("i", {}), h("div", { class: "dim sensor-note" })];
            const row = h("div", { class: `sensor ${entry.kind}` }, h("div", { class: "row" }, label, h("span", {}, value, unit)), note);
            return [{ entry, index, several, row, label, value, unit, note }];
        });
        this.element.replaceChildren(h("header", {}, "Sensors"), ...this.rows.map(({ row }) => row));
    }

    get available(): boolean {
        return this.rows.length > 0;
    }

    update(values: ReadonlyMap<number, Float32Array>, on: boolean): void {
        show(this.element, on && this.available);
        if (!on) return;
        for (const { entry, index, several, row, label, value, unit, note } of this.rows) {
            const reading = readInstrument(entry, values.get(index), several)!;
            setText(label, reading.label);
            setText(value, reading.value);
            setText(unit, reading.unit);
            setText(note, reading.note);
            show(note, reading.note !== "");
            setClass(row, "warning", reading.lost);
        }
    }
}
