// Controls that the menu's pages are made of. Each shows its value in words beside it and works with keyboard alone.

import { h, setText } from "./dom";

let nextId = 0;
const makeId = (): string => `w${++nextId}`;

export interface SliderOptions {
    min: number;
    max: number;
    step: number;
    text(value: number): string;
    change(value: number): void;
}

export interface Slider {
    element: HTMLElement;
    set(value: number): void;
    enable(on: boolean): void;
}

export function slider(label: string, value: number, options: SliderOptions): Slider {
    const id = makeId();
    const reading = h("output", { for: id, class: "number small" });
    const input = h("input", { id, type: "range", min: options.min, max: options.max, step: options.step });
    const refresh = (): void => {
        const value = Number(input.value);
        const text = options.text(value);
        setText(reading, text);
        input.setAttribute("aria-valuetext", text);
        input.style.setProperty("--share", String((value - options.min) / (options.max - options.min)));
    };
    input.value = String(value);
    refresh();
    input.addEventListener("input", () => {
        refresh();
        options.change(Number(input.value));
    });
    return {
        element: h("div", { class: "field" }, h("label", { for: id }, label), input, reading),
        set(next) {
            input.value = String(next);
            refresh();
        },
        enable(on) {
            input.disabled = !on;
        },
    };
}

export function toggle(label: string, value: boolean, change: (value: boolean) => void, note?: string): { element: HTMLElement; set(value: boolean): void } {
    const id = makeId();
    const input = h("input", { id, type: "checkbox", class: "switch" });
    input.checked = value;
    input.addEventListener("change", () => change(input.checked));
    return {
        element: h("div", { class: "field switch-field" }, h("label", { for: id }, label, note ? h("small", {}, note) : null), input),
        set(next) {
            input.checked = next;
        },
    };
}

export interface Choice {
    value: string;
    title: string;
    note?: string;
    picture?: Node;
}

export function select(label: string, value: string, choices: readonly Choice[], change: (value: string) => void): { element: HTMLElement; set(value: string): void } {
    const id = makeId();
    const input = h("select", { id }, ...choices.map((choice) => h("option", { value: choice.value }, choice.title)));
    input.value = value;
    input.addEventListener("change", () => change(input.value));
    return {
        element: h("div", { class: "field" }, h("label", { for: id }, label), input),
        set(next) {
            input.value = next;
        },
    };
}

/** One of several, each a card. */
export function cards(label: string, value: string, choices: readonly Choice[], change: (value: string) => void): HTMLElement {
    const name = makeId();
    return h("fieldset", { class: "cards" }, h("legend", {}, label), ...choices.map((choice) => {
        const input = h("input", { type: "radio", name, value: choice.value });
        input.checked = choice.value === value;
        input.addEventListener("change", () => change(choice.value));
        return h("label", { class: "card" }, input, choice.picture ?? null, h("b", {}, choice.title), choice.note ? h("small", {}, choice.note) : null);
    }));
}

export function button(label: string, act: () => void, kind = ""): HTMLButtonElement {
    return h("button", { type: "button", class: `button ${kind}`.trim(), click: act }, label);
}

export function group(title: string, ...children: (Node | null)[]): HTMLElement {
    return h("section", { class: "group" }, h("h3", {}, title), ...children);
}
