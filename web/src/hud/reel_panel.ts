// For those who mind the tether and do not fly: pay out, haul in, hold.

import type { TetherAction } from "../net/messages";
import { h } from "../ui/dom";
import { button } from "../ui/widgets";

export class ReelPanel {
    readonly element: HTMLElement;

    constructor(act: (action: TetherAction) => void, call: (text: string) => void) {
        this.element = h("section", { class: "plate reel-panel hidden", "aria-label": "Tether handler" }, h("header", {}, "You mind the tether"),
            h("div", { class: "buttons" }, button("Pay out", () => act("pay_out"), "pay-out"), button("Haul in", () => act("haul_in"), "haul-in"), button("Hold", () => act("hold")), button("Automatic", () => act("auto"))),
            h("div", { class: "buttons" }, ...["Paying out", "Hauling in", "It is taut", "It is snagged"].map((text) => button(text, () => call(text), "call"))));
    }
}
