// Signs on buttons, drawn so that they look the same whatever fonts there are.

import { svg } from "./dom";

const PATHS = {
    menu: "M4 7h16M4 12h16M4 17h16",
    help: "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1.2.6-1.5 1.2-1.5 2.3M12 18v.4",
    sound: "M4 10v4h3l5 4v-12l-5 4zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
    mute: "M4 10v4h3l5 4v-12l-5 4zM16 9.5l5 5M21 9.5l-5 5",
    play: "M8 5.5v13l10 -6.5z",
    pause: "M8.5 6v12M15.5 6v12",
    step: "M7 6l7 6l-7 6zM17 6v12",
    close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
    plus: "M12 6v12M6 12h12",
    minus: "M6 12h12",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
    return svg("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}

/** Puts another sign on a button, only when it changes. */
export function setIcon(element: HTMLElement, name: IconName): void {
    if (element.dataset["icon"] === name) return;
    element.dataset["icon"] = name;
    element.replaceChildren(icon(name));
}
