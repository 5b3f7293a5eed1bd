// A saved action: what is flown is noted, saved as a script, edited as text, and flown again.

import type { StateMessage } from "../net/messages";
import { h, setText } from "./dom";
import type { Desk } from "./page";
import { button, group } from "./widgets";

/** What goes on with the action, in words; `said` is what happened last. */
export function actionText(state: StateMessage["action"] | undefined, said: string): string {
    if (state?.playing) return `An action of ${state.playing.count} steps is flown. A stick that is moved ends it.`;
    if (state && state.noting !== null) return "What is flown is noted until it is saved.";
    return said;
}

export class ActionGroup {
    private readonly script = h("textarea", { class: "script", rows: 10, spellcheck: "false", "aria-label": "Script of the action" });
    private readonly status = h("p", { class: "dim", role: "status" });
    private readonly element: HTMLElement;
    private said = "Note what you fly, save it, change the text as you like, and have it flown again: here, elsewhere, in another current.";

    constructor(private readonly desk: Desk) {
        this.element = group("Saved action",
            h("div", { class: "buttons" },
                button("Note from now on", () => this.ask({ do: "note" }, () => "")),
                button("Save", () => this.ask<{ script: string; duration: number }>({ do: "save" }, (reply) => {
                    this.script.value = reply.script;
                    return `${reply.duration.toFixed(1)} s were saved.`;
                })),
                button("Fly it", () => this.ask<{ count: number }>({ do: "play", script: this.script.value }, () => "It was flown.")),
                button("Stop", () => this.ask({ do: "stop" }, () => "Stopped."))),
            this.script, this.status);
        this.tick();
    }

    get view(): HTMLElement {
        return this.element;
    }

    tick(): void {
        setText(this.status, actionText(this.desk.session.state?.action, this.said));
    }

    private ask<T>(what: object, good: (reply: T) => string): void {
        this.desk.link.request<T>({ type: "action", ...what }).then(
            (reply) => { this.said = good(reply); this.tick(); },
            // a script's mistake has its line and column
            (reason: unknown) => { this.said = reason instanceof Error ? reason.message : String(reason); this.tick(); });
    }
}
