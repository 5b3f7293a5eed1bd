// Vehicles: hulls without thrusters, lamps and grippers, which the page adds from the vehicle's data. Every one comes twice: as it is seen on
// graphics processors, and coarser for software renderers (extras.level 1).

import { bar, ball, box, Node, panel, pipe, ring, slot, softBox, turned, type Model, type Vec } from "./kit";

const PLASTIC = { gloss: 0.3, scale: 0.4 };
const SHINY = { gloss: 0.65, scale: 0.5 };
const GLASS = { gloss: 1, scale: 1 };

const BLUE = "#1d78c8";
const BLUE_DARK = "#155a98";
const FRAME = "#2c3238";
const METAL = "#a9b9c2";
const DARK = "#15191d";
const FOAM = "#b9c2c6";
const CABLE = "#0f1113";
const ORANGE = "#e8842a";

/** Along x from one place to another. */
const rod = (x0: number, x1: number, y: number, z: number, radius: number, sides: number): ReturnType<typeof bar> => bar([x0, y, z], [x1, y, z], radius, sides);

/** Sizes after the maker's drawings: 457 by 575 by 254 mm with eight thrusters, 338 mm wide with six. */
function blueRov(heavy: boolean, fine: boolean): Node {
    const node = new Node(fine ? "hull" : "hull_coarse", { level: fine ? 0 : 1 });
    const round = fine ? 28 : 14;
    const steps = fine ? 3 : 1;
    const half = 0.164;
    // fairings: four shells, a seam between them, the front ones sloped towards the camera
    for (const side of [-1, 1]) {
        for (const end of [-1, 1]) {
            node.add(PLASTIC, end > 0 ? BLUE : BLUE_DARK, softBox([0.212, 0.142, 0.058], 0.016, [end * 0.112, side * 0.079, 0.081], steps));
            if (fine) node.add(PLASTIC, BLUE_DARK, softBox([0.13, 0.07, 0.012], 0.005, [end * 0.115, side * 0.08, 0.106], 1));
        }
    }
    // side panels with their openings; the front edge leans back
    const outline: [number, number][] = [[-0.2285, -0.1], [-0.2, -0.142], [0.19, -0.142], [0.2285, -0.095], [0.2285, 0.03], [0.2, 0.092], [-0.19, 0.092], [-0.2285, 0.055]];
    const holes = fine ? [slot(-0.158, -0.088, 0.072, 0.07, 0.03), slot(-0.052, -0.1, 0.095, 0.05, 0.02), slot(0.062, -0.1, 0.095, 0.05, 0.02), slot(0.165, -0.085, 0.07, 0.066, 0.03),
        slot(-0.165, 0.012, 0.075, 0.055, 0.02), slot(-0.058, -0.012, 0.1, 0.075, 0.03), slot(0.066, -0.012, 0.1, 0.075, 0.03), slot(0.172, 0.008, 0.062, 0.055, 0.02)]
        : [slot(-0.158, -0.085, 0.08, 0.08, 0.03, 1), slot(0.0, -0.1, 0.2, 0.05, 0.02, 1), slot(0.16, -0.085, 0.08, 0.08, 0.03, 1), slot(0.0, -0.01, 0.24, 0.075, 0.03, 1)];
    for (const side of [-1, 1]) node.add(PLASTIC, FRAME, panel(outline, holes, 0.009).translate(0, side * half, 0));
    // cross members: the centre panel under the fairings, two cradles, bottom panels, skids
    node.add(PLASTIC, FRAME, box([0.41, 2 * half, 0.007], [0, 0, 0.053]), box([0.36, 0.09, 0.007], [0, 0.115, -0.121]), box([0.36, 0.09, 0.007], [0, -0.115, -0.121]));
    for (const x of [-0.115, 0.085]) {
        node.add(PLASTIC, FRAME, panel([[-0.115, 0.05], [-0.115, 0.005], [-0.06, -0.05], [0.06, -0.05], [0.115, 0.005], [0.115, 0.05]], [slot(0, 0, 0.118, 0.09, 0.044, fine ? 6 : 2)], 0.01).rotateZ(Math.PI / 2).translate(x, 0, 0.0));
    }
    for (const side of [-1, 1]) node.add(PLASTIC, DARK, softBox([0.36, 0.02, 0.012], 0.004, [-0.002, side * 0.15, -0.136], 1));
    if (fine) {
        for (const side of [-1, 1]) {
            // ballast on the skids, screws along the panels
            for (const x of [-0.12, -0.06, 0.06, 0.12]) node.add(SHINY, "#7b858b", softBox([0.05, 0.022, 0.016], 0.003, [x, side * 0.128, -0.109], 1));
            for (const [x, z] of [[-0.2, 0.07], [-0.06, 0.07], [0.06, 0.07], [0.19, 0.07], [-0.2, -0.12], [-0.06, -0.13], [0.06, -0.13], [0.19, -0.12]] as const) {
                node.add(SHINY, METAL, bar([x, side * 0.1685, z], [x, side * 0.1715, z], 0.0045, 8));
            }
        }
    }
    // the enclosures, their flanges and end caps, and the dome with the camera in it
    node.add(SHINY, "#7f929c", rod(-0.165, 0.125, 0, 0, 0.0572, round), rod(-0.135, 0.1, 0, -0.1, 0.045, round));
    node.add(SHINY, DARK, rod(-0.185, -0.155, 0, 0, 0.0615, round), rod(0.112, 0.137, 0, 0, 0.0615, round), rod(-0.15, -0.13, 0, -0.1, 0.049, round), rod(0.095, 0.115, 0, -0.1, 0.049, round));
    node.add(GLASS, "#0c1820", turned([[0.056, 0], [0.055, 0.012], [0.05, 0.026], [0.04, 0.04], [0.025, 0.05], [0.0001, 0.056]], round).rotateY(Math.PI / 2).translate(0.137, 0, 0));
    node.add(GLASS, "#2d5f86", turned([[0.0001, 0.02], [0.012, 0.017], [0.016, 0.006], [0.016, -0.01]], fine ? 16 : 8).rotateY(Math.PI / 2).translate(0.176, 0, 0.004));
    if (fine) {
        node.add(SHINY, "#c9a447", ring(0.0165, 0.002, 20, 6).rotateY(Math.PI / 2).translate(0.187, 0, 0.004));
        // bolts of the flange, penetrators of the end cap, and the cables from there to the thrusters
        for (let i = 0; i < 8; ++i) {
            const [c, s] = [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)];
            node.add(SHINY, METAL, rod(0.137, 0.141, 0.055 * c, 0.055 * s, 0.0035, 6));
            if (i % 2) node.add(SHINY, "#c23b30", rod(-0.197, -0.185, 0.036 * c, 0.036 * s, 0.008, 10));
        }
        for (const side of [-1, 1]) {
            const ends: Vec[] = [[-0.156, side * 0.1, -0.06], [0.15, side * 0.105, -0.06]];
            for (const [i, end] of ends.entries()) {
                node.add(PLASTIC, CABLE, pipe([[-0.197, side * 0.02, 0.02 - 0.03 * i], [-0.215, side * 0.06, 0.01 - 0.03 * i], [-0.18, side * 0.13, 0.02 - 0.02 * i], [end[0] * 0.7, side * 0.15, 0.03 - 0.02 * i], end], 0.0035, 6, 5));
            }
            if (heavy) for (const x of [-0.12, 0.12]) node.add(PLASTIC, CABLE, pipe([[-0.19, side * 0.1, 0.035], [-0.1, side * 0.15, 0.045], [x - 0.02, side * 0.175, 0.05], [x, side * 0.205, 0.03]], 0.0035, 6, 5));
        }
    }
    // the tether's strain relief behind, and a lifting loop on top
    node.add(SHINY, METAL, rod(-0.228, -0.2, 0, 0.04, 0.007, 10), pipe([[-0.03, 0, 0.052], [-0.03, 0, 0.104], [0.03, 0, 0.104], [0.03, 0, 0.052]], 0.005, 8, fine ? 6 : 3));
    node.add(PLASTIC, "#f0c531", rod(-0.26, -0.228, 0, 0.04, 0.005, 8));
    if (!heavy) return node;
    // outriggers that carry the vertical thrusters, with the foam that makes up for their weight
    for (const side of [-1, 1]) {
        node.add(PLASTIC, FRAME, softBox([0.33, 0.012, 0.034], 0.004, [0, side * 0.176, 0.03], 1));
        for (const x of [-0.12, 0.12]) {
            node.add(PLASTIC, FRAME, panel([[-0.045, -0.012], [0.045, -0.012], [0.03, 0.03], [-0.03, 0.03]], fine ? [slot(0, 0.008, 0.045, 0.02, 0.008)] : [], 0.008).rotateX(Math.PI / 2).translate(x, side * 0.2, 0.038));
            node.add(SHINY, METAL, bar([x, side * 0.172, 0.03], [x, side * 0.19, 0.03], 0.005, 8));
        }
        node.add(PLASTIC, FOAM, softBox([0.12, 0.05, 0.05], 0.01, [0, side * 0.202, 0.028], steps));
    }
    return node;
}

/** A Pro: a rounded yellow hull between two thrusters, a clear dome, floats along its shoulders, a skid below. */
function videoRay(fine: boolean): Node {
    const node = new Node(fine ? "hull" : "hull_coarse", { level: fine ? 0 : 1 });
    const round = fine ? 36 : 18;
    const YELLOW = "#f0b81e";
    const SHADE = "#d79a12";
    node.add({ gloss: 0.5, scale: 0.4 }, YELLOW, turned([[0.0001, -0.125], [0.03, -0.12], [0.058, -0.098], [0.077, -0.055], [0.083, 0], [0.081, 0.05], [0.075, 0.085]], round).rotateY(Math.PI / 2).scale(1, 0.92, 1.05).translate(0, 0, 0.01));
    node.add(PLASTIC, DARK, turned([[0.076, 0], [0.081, 0.004], [0.081, 0.016], [0.074, 0.02]], round).rotateY(Math.PI / 2).scale(1, 0.92, 1.05).translate(0.078, 0, 0.01));
    node.add(GLASS, "#0c1820", turned([[0.07, 0], [0.067, 0.015], [0.057, 0.032], [0.04, 0.045], [0.02, 0.052], [0.0001, 0.054]], round).rotateY(Math.PI / 2).translate(0.095, 0, 0.01));
    node.add(GLASS, "#335f80", ball(0.02, 14, 8).translate(0.12, 0, 0.012));
    for (const side of [-1, 1]) {
        node.add({ gloss: 0.5, scale: 0.4 }, SHADE, softBox([0.2, 0.045, 0.05], 0.018, [-0.012, side * 0.082, 0.062], fine ? 3 : 1));
        node.add(PLASTIC, DARK, softBox([0.14, 0.018, 0.045], 0.006, [-0.07, side * 0.082, 0.0], 1));
        node.add(PLASTIC, DARK, pipe([[0.12, side * 0.07, -0.088], [0.105, side * 0.074, -0.1], [-0.1, side * 0.074, -0.1], [-0.12, side * 0.07, -0.085]], 0.0075, 8, fine ? 6 : 2));
        for (const x of [0.06, -0.07]) node.add(PLASTIC, DARK, bar([x, side * 0.074, -0.1], [x, side * 0.045, -0.06], 0.006, 8));
        if (fine) node.add(SHINY, METAL, bar([0.03, side * 0.1055, 0.062], [0.03, side * 0.108, 0.062], 0.006, 10), bar([-0.06, side * 0.1055, 0.062], [-0.06, side * 0.108, 0.062], 0.006, 10));
    }
    for (const x of [0.06, -0.07]) node.add(PLASTIC, DARK, bar([x, -0.074, -0.1], [x, 0.074, -0.1], 0.006, 8));
    node.add({ gloss: 0.5, scale: 0.4 }, YELLOW, softBox([0.17, 0.05, 0.032], 0.012, [-0.035, 0, 0.098], fine ? 3 : 1));
    // the shaft of the vertical thruster, the tether's plug, a handle
    node.add(PLASTIC, DARK, turned([[0.036, 0], [0.041, 0.004], [0.041, 0.012], [0.034, 0.014]], fine ? 24 : 12).translate(0, 0, 0.103));
    node.add(SHINY, METAL, rod(-0.15, -0.118, 0, 0.03, 0.01, 12));
    node.add(PLASTIC, ORANGE, rod(-0.18, -0.15, 0, 0.03, 0.007, 10));
    return node;
}

export const vehicles: Model[] = [
    { name: "bluerov2_heavy", nodes: [blueRov(true, true), blueRov(true, false)] },
    { name: "bluerov2", nodes: [blueRov(false, true), blueRov(false, false)] },
    { name: "videoray_pro", nodes: [videoRay(true), videoRay(false)] },
];
