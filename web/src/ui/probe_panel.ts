// A freeze: everything else is blank, and the pilot says what is so.

import type { ProbeItemEntry, ProbeMessage } from "../net/messages";
import { h, show } from "./dom";
import { Sketch, type Point } from "./sketch";

export interface ProbeAnswers {
    [item: string]: unknown;
}

export class ProbePanel {
    readonly element = h("section", { class: "probe-panel hidden", role: "dialog", "aria-modal": "true", "aria-label": "Questions" });
    private readers: (() => [string, unknown])[] = [];

    constructor(private readonly answer: (probe: number, answers: ProbeAnswers) => void) {}

    /** Null: nothing is asked any more. */
    set(message: ProbeMessage | null): void {
        show(this.element, message !== null);
        if (!message) {
            this.element.replaceChildren();
            return;
        }
        this.readers = [];
        const items = message.items.map((item) => this.ask(item, message));
        const confidence = h("input", { type: "range", id: "probe-confidence", min: 0, max: 1, step: 0.1, value: 0.5 });
        const form = h("form", {},
            h("h2", {}, `Time stands: freeze ${message.probe + 1} of ${message.count}`),
            h("p", { class: "dim" }, "Answer from memory. What you leave out counts as not known."), ...items,
            h("div", { class: "field" }, h("label", { for: "probe-confidence" }, "How sure are you?"), confidence),
            h("div", { class: "row" }, h("button", { type: "submit", class: "button primary" }, "Answer and fly on")));
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            const answers: ProbeAnswers = { confidence: Number(confidence.value) };
            for (const read of this.readers) {
                const [item, value] = read();
                if (value !== null) answers[item] = value;
            }
            this.answer(message.probe, answers);
        });
        this.element.replaceChildren(form);
        this.element.querySelector<HTMLElement>("input, svg")?.focus();
    }

    private ask(item: ProbeItemEntry, message: ProbeMessage): HTMLElement {
        const name = `probe-${item.item}`;
        if (item.kind === "number") {
            const input = h("input", { type: "number", id: name, min: item.min, max: item.max, step: "any" });
            this.readers.push(() => [item.item, input.value === "" ? null : Number(input.value)]);
            return h("div", { class: "field" }, h("label", { for: name }, item.text), input, h("span", { class: "dim" }, item.unit ?? ""));
        }
        if (item.kind === "choice") {
            const inputs = (item.choices ?? []).map((choice) => h("input", { type: "radio", name, value: choice.value, id: `${name}-${choice.value}` }));
            this.readers.push(() => {
                const chosen = inputs.find((input) => input.checked);
                return [item.item, chosen ? Number(chosen.value) : null];
            });
            return h("fieldset", { class: "choices" }, h("legend", {}, item.text), ...(item.choices ?? []).map((choice, i) => h("label", {}, inputs[i]!, choice.text)));
        }
        return this.sketch(item, message);
    }

    private sketch(item: ProbeItemEntry, { sheet }: ProbeMessage): HTMLElement {
        const [x, y, z] = sheet.launch;
        const { reach } = sheet;
        // As on the chart: north is up, west to the left.
        const plan = new Sketch({ title: "From above", across: [-(y + reach), -(y - reach)], up: [x - reach, x + reach], start: [-y, x], axes: ["east", "north up"],
            marks: sheet.obstacles.map((obstacle) => ({ at: [-obstacle.position[1], obstacle.position[0]] as Point, label: obstacle.name })) });
        const elevation = new Sketch({ title: "From the side", across: [-0.15 * reach, 1.85 * reach], up: [z - 1.7 * reach, z + 0.3 * reach], start: [0, z], marks: [], axes: ["distance", "height"] });
        this.readers.push(() => [item.item, plan.points.length < 2 && elevation.points.length < 2 ? null : {
            plan: plan.points.length < 2 ? [] : plan.points.map(([east, north]) => [round(north), round(-east)]),
            elevation: elevation.points.length < 2 ? [] : elevation.points.map(([away, up]) => [round(away), round(up)]),
        }]);
        return h("fieldset", { class: "sketches" }, h("legend", {}, item.text), plan.element, elevation.element);
    }
}

/** cm are enough, and short. */
function round(value: number): number {
    return Math.round(100 * value) / 100;
}
