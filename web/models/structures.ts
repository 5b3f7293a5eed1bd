// What structures are dressed with: each model is made for one kind of shape, on a cylinder of radius 1 and length 1 or a box of sides 1, and the
// page fits it to every shape of that kind and material (docs/models.md). Up to the unit shape's surface a part stretches with the shape; what
// stands out beyond it does so by as many metres as here, never by more than a hand's breadth: what a pilot sees is what he touches.

import { BufferGeometry, CylinderGeometry } from "three";
import { bar, box, Node, smooth, turned, type Model } from "./kit";

/** Open or closed about z from -0.5 to 0.5. */
function tube(sides: number, rows: number): BufferGeometry {
    return new CylinderGeometry(1, 1, 1, sides, rows).rotateX(Math.PI / 2);
}

/** A band round a cylinder, about z = 0: half its length, and how much it stands out, m. */
function band(half: number, out: number, sides: number, bevel = 0.6 * out): BufferGeometry {
    return turned([[1, -half - bevel], [1 + out, -half], [1 + out, half], [1, half + bevel]], sides);
}

/** A bead of weld. */
const bead = (sides: number): BufferGeometry => turned([[0.998, -0.03], [1.013, 0], [0.998, 0.03]], sides);

const STEEL = { gloss: 0.25, growth: 0.55, scale: 1.3 };
const ZINC = { gloss: 0.2, growth: 0.25, scale: 0.7 };
const CONCRETE = { gloss: 0, growth: 0.5, scale: 1.6 };
const RUST = { gloss: 0, growth: 0.4, scale: 0.9 };
const RAIL = { gloss: 0.4, scale: 2 };
const WOOD = { gloss: 0, growth: 0.7, scale: 0.7 };

const steel: Model = {
    name: "tubular",
    extras: { fits: { kind: "cylinder", material: "steel", radius: [0.18, 1.5], length: [3, 1e3] } },
    nodes: [
        new Node("wall", { at: "whole" }).add(STEEL, "#7d8386", tube(28, 1)),
        // welds between the lengths that it was rolled in
        new Node("weld", { at: "every", step: 3 }).add(STEEL, "#70787b", bead(20)),
        // where another tubular ends on it: a thicker can; and on that one the weld at the can's surface
        new Node("can", { at: "joint" }).add(STEEL, "#858b8d", band(0.75, 0.025, 28)),
        new Node("stub", { at: "stub" }).add(STEEL, "#6c7477", turned([[1.07, 0], [1.035, 0.05], [1.02, 0.12], [1.02, 0.55], [1, 0.6]], 18)),
        // bracelets of anodes
        new Node("anode", { at: "every", step: 6, from: 1.6, radius: [0.4, 2] }).add(ZINC, "#b3b7b2", band(0.28, 0.045, 24), band(0.28, 0.045, 24).translate(0, 0, 0.75)),
    ],
};

const conductor: Model = {
    name: "casing",
    extras: { fits: { kind: "cylinder", material: "rust", radius: [0.18, 1.5], length: [5, 1e3] } },
    nodes: [
        new Node("wall", { at: "whole" }).add(RUST, "#7b4a2c", tube(24, 1)),
        new Node("collar", { at: "every", step: 4 }).add(RUST, "#5d3a26", band(0.16, 0.03, 18), band(0.02, 0.04, 18).translate(0, 0, 0.24)),
    ],
};

const pile: Model = {
    name: "pile",
    extras: { fits: { kind: "cylinder", material: "concrete", radius: [0.2, 2], length: [3, 1e3] } },
    nodes: [
        new Node("shaft", { at: "whole" }).add(CONCRETE, "#9a9890", smooth(tube(20, 1))),
        new Node("joint", { at: "every", step: 5.5, from: 2.2 }).add(CONCRETE, "#86847c", band(0.05, 0.018, 16)),
        // the sleeve in the splash zone with its straps, and the head under the deck
        new Node("head", { at: "top" }).add(CONCRETE, "#8f8d85", turned([[1, -0.75], [1.05, -0.55], [1.05, 0]], 20))
            .add({ gloss: 0.15, growth: 0.6, scale: 0.8 }, "#4d4f4c", band(0.9, 0.03, 24).translate(0, 0, -2.2))
            .add({ gloss: 0.3, growth: 0.3, scale: 0.8 }, "#8b9093", ...[-2.9, -2.2, -1.5].map((z) => band(0.04, 0.045, 24).translate(0, 0, z))),
    ],
};

/** Along x, the longest side; y the next, z the thickness. */
const rib = (width: number, out: number): BufferGeometry => box([width, 0.96, 1 + 2 * out]);

const plate: Model = {
    name: "plating",
    extras: { fits: { kind: "box", material: "rust", thickness: [0.05, 0.35], size: [1.5, 1e3] } },
    nodes: [
        new Node("plate", { at: "whole" }).add(RUST, "#7b4a2c", box([1, 1, 1])),
        // frames, and the laps of strakes
        new Node("frame", { at: "along", step: 0.75 }).add(RUST, "#5f3b27", rib(0.07, 0.05)).add(RUST, "#6b4229", box([0.02, 0.96, 1 + 0.1], [0.07, 0, 0])),
        new Node("strake", { at: "whole" }).add(RUST, "#6e4429", box([0.99, 0.03, 1 + 0.02], [0, 0.24, 0]), box([0.99, 0.03, 1 + 0.02], [0, -0.24, 0])),
    ],
};

const house: Model = {
    name: "deckhouse",
    extras: { fits: { kind: "box", material: "rust", thickness: [1, 6], size: [2, 12] } },
    nodes: [
        new Node("walls", { at: "whole" }).add(RUST, "#7b4a2c", box([1, 1, 1])),
        // windows that are black holes, their frames, a door, stiffeners
        new Node("windows", { at: "along", step: 0.8 }).add(RUST, "#14100d", box([0.4, 1.02, 0.26], [0, 0, 0.12])).add(RUST, "#553320", box([0.05, 1.06, 0.94], [0.4, 0, 0])),
        new Node("roof", { at: "whole" }).add(RUST, "#66402a", box([1.12, 1.12, 0.03], [0, 0, 0.5])),
    ],
};

const deck: Model = {
    name: "deck",
    extras: { fits: { kind: "box", material: ["concrete", "paint"], thickness: [0.25, 1.2], size: [6, 1e3], across: [3, 1e3], flat: true } },
    nodes: [
        new Node("slab", { at: "whole" }).add(CONCRETE, "#a3a199", box([1, 1, 1])),
        new Node("kerb", { at: "whole" }).add(CONCRETE, "#8b8981", box([1.02, 0.02, 1.12], [0, 0.49, 0]), box([1.02, 0.02, 1.12], [0, -0.49, 0])),
        // railings, on the outside of the kerb: posts, and rails from end to end
        new Node("posts", { at: "along", step: 1.5 }).add(RAIL, "#d9a523", ...[-0.53, 0.53].map((y) => bar([0, y, 0.3], [0, y, 1.55], 0.025, 6))),
        new Node("rails", { at: "whole" }).add(RAIL, "#d9a523", ...[-0.53, 0.53].flatMap((y) => [1.05, 1.55].map((z) => box([1, 0.04, 0.04], [0, y, z])))),
        // fenders of rubber along both sides
        new Node("fenders", { at: "along", step: 3 }).add({ gloss: 0.1, scale: 0.5 }, "#202326", ...[-1, 1].map((s) => box([0.35, 0.12, 0.96], [0, s * 0.54, 0]))),
    ],
};

const timber: Model = {
    name: "timber",
    extras: { fits: { kind: "box", material: "wood", thickness: [0.1, 0.8], size: [3, 1e3] } },
    nodes: [
        new Node("beam", { at: "whole" }).add(WOOD, "#8a6d4c", box([1, 0.94, 0.94])).add(WOOD, "#79603f", box([1, 1, 0.55]), box([1, 0.55, 1])),
        new Node("bolts", { at: "along", step: 1.2 }).add({ gloss: 0.3, growth: 0.4, scale: 0.5 }, "#5b5148", ...[-1, 1].flatMap((s) => [bar([0, 0.45 * s, 0.12], [0, s * 0.54, 0.12], 0.045, 8), bar([0.25, 0.45 * s, -0.12], [0.25, s * 0.54, -0.12], 0.045, 8)])),
        new Node("straps", { at: "along", step: 4.8 }).add({ gloss: 0.3, growth: 0.4, scale: 0.5 }, "#5d6266", box([0.12, 1.02, 1.02])),
    ],
};

export const structures: Model[] = [steel, conductor, pile, plate, house, deck, timber];
