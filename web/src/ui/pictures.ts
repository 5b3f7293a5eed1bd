// Small drawings for the cards of the menu.

import { svg } from "./dom";

const W = 96;
const H = 48;

function picture(...children: SVGElement[]): SVGElement {
    return svg("svg", { class: "picture", viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" }, ...children);
}

const line = (d: string, kind = "ink"): SVGElement => svg("path", { d, class: kind });

export function surroundingsPicture(name: string): SVGElement {
    if (name.includes("round")) {
        return picture(svg("ellipse", { cx: 48, cy: 16, rx: 34, ry: 10, class: "water" }), line("M14 16v18c0 14 68 14 68 0v-18", "ink"),
            svg("ellipse", { cx: 48, cy: 16, rx: 34, ry: 10, class: "ink" }));
    }
    if (name.includes("pool")) {
        return picture(line("M14 14h58l12 10v16h-58l-12 -10z", "water"), line("M14 14h58l12 10h-58zM26 24v16h58v-16M14 14v16l12 10", "ink"));
    }
    if (name.includes("open")) {
        return picture(line("M0 12q8 -5 16 0t16 0t16 0t16 0t16 0t16 0v36h-96z", "water"), line("M0 12q8 -5 16 0t16 0t16 0t16 0t16 0t16 0", "ink"),
            line("M34 9l4 -6h20l5 6", "ink"));
    }
    return picture(line("M0 10q8 -4 16 0t16 0t16 0t16 0t16 0t16 0v38h-96z", "water"), line("M16 4v40M30 4v40M58 4l-6 40M78 4l6 40M57 16h24M55 30h27M57 16l27 14M80 16l-26 14", "ink"),
        line("M0 44q24 -4 48 0t48 0", "ink"));
}

export function vehiclePicture(name: string): SVGElement {
    if (name.startsWith("videoray")) {
        return picture(svg("ellipse", { cx: 48, cy: 22, rx: 22, ry: 15, class: "water" }), svg("ellipse", { cx: 48, cy: 22, rx: 22, ry: 15, class: "ink" }),
            svg("circle", { cx: 60, cy: 22, r: 8, class: "ink" }), line("M30 40h36M36 36v4M60 36v4M20 22h6", "ink"));
    }
    return picture(line("M22 10h52v10h-52z", "water"), line("M22 10h52v10h-52zM22 20l-2 20h56l-2 -20M36 24h28v9h-28zM64 28a4 4 0 0 0 6 0", "ink"),
        svg("circle", { cx: 28, cy: 30, r: 5, class: "ink" }), svg("circle", { cx: 70, cy: 30, r: 5, class: "ink" }));
}
