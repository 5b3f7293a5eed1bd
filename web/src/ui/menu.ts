// The menu: a drawer with pages. The world goes on behind it.

import { h, setClass, show } from "./dom";
import { icon } from "./icons";
import type { Page } from "./page";

export class Menu {
    readonly element: HTMLElement;
    private readonly tabs = h("nav", { class: "tabs", role: "tablist" });
    private readonly body = h("div", { class: "page", tabindex: "-1" });
    private readonly pages = new Map<string, Page>();
    private current = "";
    open = false;

    constructor(private readonly events: { opened(): void; closed(): void; mayClose(): boolean }) {
        const close = h("button", { type: "button", class: "round close", "aria-label": "Close the menu", click: () => this.close() }, icon("close"));
        this.element = h("aside", { class: "menu hidden", "aria-label": "Menu" },
            h("header", { class: "menu-head" }, h("span", { class: "brand" }, "Hawser"), close), this.tabs, this.body);
    }

    add(name: string, page: Page): void {
        this.pages.set(name, page);
        this.tabs.append(h("button", { type: "button", role: "tab", "data-page": name, "aria-selected": "false", click: () => this.show(name) }, page.title));
    }

    /** Whether a page has a tab. */
    allow(name: string, on: boolean): void {
        const tab = this.tabs.querySelector<HTMLElement>(`[data-page="${name}"]`);
        if (tab) show(tab, on);
    }

    show(name: string): void {
        const page = this.pages.get(name);
        if (!page) return;
        if (this.current !== name) this.pages.get(this.current)?.leave?.();
        this.current = name;
        for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.getAttribute("data-page") === name));
        page.refresh();
        this.body.replaceChildren(page.element);
        // a page that is only read is scrolled by keys all the same
        this.body.tabIndex = this.body.querySelector("button, input, select, a, summary") ? -1 : 0;
        this.body.scrollTop = 0;
        if (!this.open) {
            this.open = true;
            show(this.element, true);
            this.events.opened();
        }
        page.entered?.();
    }

    toggle(): void {
        if (this.open) this.close();
        else this.show(this.current || "dive");
    }

    close(): void {
        if (!this.open || !this.events.mayClose()) return;
        this.pages.get(this.current)?.leave?.();
        this.open = false;
        show(this.element, false);
        (document.activeElement as HTMLElement | null)?.blur();
        this.events.closed();
    }

    /** On its own there is nothing to go back to. */
    setAlone(alone: boolean): void {
        setClass(this.element, "alone", alone);
    }

    refresh(): void {
        if (this.open) this.pages.get(this.current)?.refresh();
    }

    tick(): void {
        if (this.open) this.pages.get(this.current)?.tick?.();
    }
}
