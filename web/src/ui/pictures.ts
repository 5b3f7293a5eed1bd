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

// Lessons: the way of the vehicle as ink with an arrow, the tether dashed, what stands in the way filled.

const arrow = (x: number, y: number, dx: number, dy: number): string =>
    `M${x - 4 * dx - 2.5 * dy} ${y - 4 * dy + 2.5 * dx}L${x} ${y}L${x - 4 * dx + 2.5 * dy} ${y - 4 * dy - 2.5 * dx}`;
const way = (d: string, x: number, y: number, dx: number, dy: number): SVGElement => line(d + arrow(x, y, dx, dy), "ink");
const tether = (d: string): SVGElement => line(d, "tether");
const pile = (x: number, y: number, r = 4): SVGElement => svg("circle", { cx: x, cy: y, r, class: "solid" });
const rov = (x: number, y: number): SVGElement => svg("rect", { x: x - 5, y: y - 3, width: 10, height: 6, rx: 1.5, class: "vehicle" });
const goal = (x: number, y: number, r = 5): SVGElement => svg("circle", { cx: x, cy: y, r, class: "goal" });
const sea = (): SVGElement => line("M0 10q8 -4 16 0t16 0t16 0t16 0t16 0t16 0v38h-96z", "water");

const LESSONS: Record<string, () => SVGElement[]> = {
    first_flight: () => [rov(48, 24), line("M48 17v-9M48 31v9M40 24h-14M56 24h14"), line([arrow(48, 6, 0, -1), arrow(48, 42, 0, 1), arrow(24, 24, -1, 0),
        arrow(72, 24, 1, 0)].join(""))],
    plan_view: () => [pile(40, 16), pile(58, 30), tether("M8 40Q30 38 40 26T82 12"), rov(84, 12)],
    drive_the_box: () => [way("M26 40v-32h44v32h-38", 32, 40, -1, 0), goal(26, 8, 4), goal(70, 8, 4), goal(70, 40, 4), rov(26, 40)],
    hover_and_hold: () => [goal(54, 24, 14), rov(54, 24), line("M6 14h22M6 24h26M6 34h22" + arrow(28, 14, 1, 0) + arrow(32, 24, 1, 0) + arrow(28, 34, 1, 0))],
    turns_budget: () => [rov(48, 24), way("M48 8a16 16 0 1 1 -14 8", 34, 16, 0.5, -0.87), tether("M43 24H8")],
    follow_the_tether: () => [sea(), tether("M8 8Q30 44 84 34"), rov(70, 37), way("M62 38Q40 36 30 28", 30, 28, -0.75, -0.6)],
    slack_discipline: () => [tether("M10 12Q44 34 78 20"), line("M10 12L78 20", "ink"), rov(82, 21)],
    mind_the_tether: () => [line("M6 18h18l-3 8h-12zM14 18v-8h6"), line("M0 26q8 -4 16 0t16 0t16 0t16 0t16 0t16 0"), tether("M22 14Q34 40 74 38"), rov(78, 38)],
    same_path_return: () => [pile(34, 14), pile(50, 30), pile(66, 14), way("M8 26C26 30 36 22 46 20S66 26 86 24", 86, 24, 1, 0), tether("M8 30C26 34 36 26 46 24S66 30 82 28")],
    cross_current_pile: () => [pile(46, 24, 6), line("M8 12h18M8 24h18M8 36h18" + arrow(26, 12, 1, 0) + arrow(26, 24, 1, 0) + arrow(26, 36, 1, 0)),
        way("M86 40Q80 26 58 24", 58, 24, -1, 0)],
    leg_inspection: () => [pile(48, 24, 8), way("M48 8a16 16 0 0 1 0 32a16 16 0 0 1 -14 -8", 34, 32, -0.5, -0.87), goal(48, 8, 3), goal(64, 24, 3), goal(48, 40, 3), goal(32, 24, 3)],
    pier_weave: () => [pile(28, 16), pile(44, 16), pile(60, 16), pile(28, 32), pile(44, 32), pile(60, 32), way("M8 44H84V24", 84, 24, 0, -1)],
    confined_entry: () => [line("M34 14h54v22h-54", "ink"), way("M8 22h68", 76, 22, 1, 0), way("M76 29h-60", 16, 29, -1, 0)],
    snag_recovery: () => [pile(50, 26, 6), tether("M6 10L48 19A7 7 0 1 1 44 29L84 14"), rov(86, 13)],
    pick_and_place: () => [line("M0 42h96"), svg("rect", { x: 28, y: 36, width: 7, height: 6, class: "solid" }), goal(70, 40, 6), way("M32 32Q50 6 70 32", 70, 32, 0.5, 0.87)],
    splash_zone: () => [line("M4 14l4 10h26l2 -10zM26 14l14 -10v4"), sea(), line("M40 8v18"), line("M32 26h16v14h-16z"), rov(40, 36), way("M60 14v26", 60, 40, 0, 1)],
    sonar_search: () => [rov(12, 24), line("M20 24L86 4M20 24L86 44M34 20a30 30 0 0 1 0 8M52 14a30 30 0 0 1 0 20"), line("M70 8A46 46 0 0 1 70 40"),
        pile(60, 16, 3), svg("rect", { x: 70, y: 26, width: 8, height: 5, class: "solid" }), goal(44, 30, 3)],
    check_dive: () => [line("M34 4l-6 40M70 4l6 40M33 12h38M31 24h42M29 36h46M33 12l42 12M31 24l44 12", "ink"), way("M8 30Q48 48 86 26", 86, 26, 0.85, -0.5), tether("M8 6Q10 20 8 30")],
};

/** A lesson that has no drawing of its own gets a way with a place to go to. */
export function lessonPicture(name: string): SVGElement {
    const parts = LESSONS[name]?.() ?? [sea(), rov(14, 36), way("M22 36Q48 40 70 26", 70, 26, 0.8, -0.6), goal(78, 22)];
    return picture(...parts);
}

export const LESSON_PICTURES: readonly string[] = Object.keys(LESSONS);
