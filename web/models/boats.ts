// Boats, ships and barges. Each is made for a box of collision shapes (extras.design: lowest and highest corner, and the height of the deck's
// edge), to which the page stretches it; what stands above and is not touched is thin.

import { bar, box, boxFrom, Node, pipe, ring, skin, softBox, turned, type Finish, type Model, type Vec } from "./kit";

const PAINT: Finish = { gloss: 0.4, scale: 2 };
const DULL: Finish = { gloss: 0.1, scale: 1.2 };
const GLASS: Finish = { gloss: 0.9, scale: 2 };
const RUBBER = "#1a1c1e";
const WHITE = "#e9edef";
const YELLOW = "#e6a81e";
const GREY = "#8d979d";
const DECK = "#5d6a62";
const HULL = "#174a73";
const BOTTOM = "#7c2a22";

interface Lines {
    /** m at the side: half breadths and heights of keel, chine and sheer at a place from stern (0) to bow (1) */
    at(share: number): { x: number; keel: Vec; chine: Vec; rail: Vec };
}

/** Rows of a hull's skin from the keel over the chine to the rail, one side. */
function shellRows(lines: Lines, stations: number, side: number, from: (l: ReturnType<Lines["at"]>) => Vec[]): Vec[][] {
    return Array.from({ length: stations + 1 }, (_, i) => from(lines.at(i / stations)).map(([x, y, z]): Vec => [x, side * y, z]));
}

const mix = (a: Vec, b: Vec, t: number): Vec => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];

/** Cuts a line at a height. */
function atHeight(a: Vec, b: Vec, z: number): Vec {
    return mix(a, b, Math.min(Math.max((z - a[2]) / (b[2] - a[2] || 1), 0), 1));
}

// The trainer's work boat: 6.4 m, a well deck behind bulwarks, the house forward, an A-frame over the stern. The shapes that are touched are
// in scenes/trainer: a hull from (-3, -1.1, -0.9) to (3.4, 1.1, 1) and a house from (-0.1, -0.65, 0.8) to (1.3, 0.65, 2.1).
const workLines: Lines = {
    at(share) {
        const x = -3 + 6.4 * share;
        const bow = Math.max((share - 0.62) / 0.38, 0);
        const full = Math.sqrt(Math.max(1 - bow ** 2.2, 0));
        const low = Math.max((share - 0.72) / 0.28, 0);
        const rail = 0.8 + 0.2 * Math.max((share - 0.35) / 0.65, 0) ** 2;
        return { x, keel: [Math.min(x, 3.0 + 0.1 * bow), 0, -0.9 + 0.35 * low ** 2], chine: [x - 0.14 * bow, 0.9 * full * (1 - 0.35 * bow), -0.55 + 0.75 * bow ** 2], rail: [x, 1.1 * full, rail] };
    },
};
const WATERLINE = 0.02; // m, red to a hand's breadth above the water
const WELL = 0.5; // m, the deck

function workBoat(fine: boolean): Node {
    const node = new Node(fine ? "boat" : "boat_coarse", { level: fine ? 0 : 1 });
    const stations = fine ? 26 : 12;
    const round = fine ? 14 : 7;
    for (const side of [-1, 1]) {
        const flip = side > 0;
        node.add(DULL, BOTTOM, skin(shellRows(workLines, stations, side, ({ keel, chine }) => [keel, mix(keel, chine, 0.5), chine]), !flip),
            skin(shellRows(workLines, stations, side, ({ chine, rail }) => [chine, atHeight(chine, rail, WATERLINE)]), !flip));
        node.add(PAINT, HULL, skin(shellRows(workLines, stations, side, ({ chine, rail }) => [atHeight(chine, rail, WATERLINE), mix(chine, rail, 0.8), rail]), !flip));
        // inside of the bulwark, the deck, the rail, a rubbing strake
        const inner = ([x, y, z]: Vec): Vec => [Math.max(x - 0.02, -2.98), Math.max(y - 0.07, 0), z];
        const edge = (chine: Vec, rail: Vec): Vec => inner(atHeight(chine, rail, WELL));
        node.add(PAINT, WHITE, skin(shellRows(workLines, stations, side, ({ chine, rail }) => [inner(rail), edge(chine, rail)]), !flip));
        node.add(DULL, DECK, skin(shellRows(workLines, stations, side, ({ chine, rail }) => [edge(chine, rail), [edge(chine, rail)[0], 0, WELL]]), !flip));
        node.add(PAINT, WHITE, skin(shellRows(workLines, stations, side, ({ rail }) => [[rail[0], rail[1] + 0.004, rail[2]], inner(rail)]), !flip));
        const strake = Array.from({ length: fine ? 15 : 8 }, (_, i): Vec => {
            const { rail, chine } = workLines.at((0.985 * i) / (fine ? 14 : 7));
            const [x, y, z] = mix(chine, rail, 0.86);
            return [x, side * (y + 0.012), z];
        });
        node.add(DULL, RUBBER, pipe(strake, 0.045, fine ? 8 : 5, fine ? 2 : 1));
        // tyres as fenders, scuppers
        for (const x of fine ? [-2.3, -1.2, -0.1, 1.0] : [-2.0, 0.4]) node.add(DULL, RUBBER, ring(0.15, 0.06, fine ? 18 : 9, fine ? 8 : 5).rotateX(Math.PI / 2).translate(x, side * 1.12, 0.32));
        if (fine) {
            for (const x of [-2.5, -1.7, -0.9]) node.add(DULL, "#0d1114", box([0.22, 0.012, 0.05], [x, side * 1.075, WELL + 0.08]));
            // cleats, and hand rails along the house
            for (const x of [-2.75, 1.9]) node.add(PAINT, GREY, bar([x - 0.09, side * (x > 0 ? 0.82 : 1.04), 0.9], [x + 0.09, side * (x > 0 ? 0.82 : 1.04), 0.9], 0.015, 8), bar([x, side * (x > 0 ? 0.82 : 1.04), 0.83], [x, side * (x > 0 ? 0.82 : 1.04), 0.9], 0.018, 8));
            node.add(PAINT, GREY, pipe([[0.0, side * 0.66, 1.36], [0.05, side * 0.69, 1.4], [1.1, side * 0.69, 1.4], [1.15, side * 0.66, 1.36]], 0.012, 6, 4));
        }
        // rails round the bow
        const rail = [0.72, 0.8, 0.88, 0.95, 1].map((s): Vec => {
            const { rail: [x, y, z] } = workLines.at(s);
            return [x - 0.06, side * Math.max(y - 0.05, 0), z + 0.32];
        });
        node.add(PAINT, "#cfd6da", pipe(rail, 0.014, fine ? 8 : 5, fine ? 5 : 2));
        for (const [i, [x, y, z]] of rail.entries()) if (i < 4) node.add(PAINT, "#cfd6da", bar([x, y, z - 0.34], [x, y, z], 0.012, 6));
    }
    // transom with its bulwark, an outdrive well, name board
    const { keel, chine, rail } = workLines.at(0);
    const low: Vec[] = [[keel[0], 0, keel[2]], [chine[0], chine[1], chine[2]], [rail[0], rail[1], rail[2]]];
    for (const side of [-1, 1]) {
        const [k, c, r] = low.map(([x, y, z]): Vec => [x, side * y, z]);
        const cut = atHeight(c!, r!, WATERLINE);
        node.add(DULL, BOTTOM, skin([[k!, k!], [c!, [k![0], 0, c![2]]], [cut, [k![0], 0, WATERLINE]]], side < 0));
        node.add(PAINT, HULL, skin([[cut, [k![0], 0, WATERLINE]], [r!, [r![0], 0, r![2]]]], side < 0));
    }
    node.add(PAINT, WHITE, boxFrom([-2.98, -1.02, WELL], [-2.93, 1.02, 0.8]));
    node.add(PAINT, WHITE, box([0.02, 0.9, 0.18], [-3.005, 0, 0.5]));
    // the house: sides that lean in above the sill, windows all round, roof with a brow
    const [x0, x1, y1, sill, top] = [-0.1, 1.3, 0.65, 1.42, 2.02];
    node.add(PAINT, WHITE, softBox([x1 - x0, 2 * y1, sill - WELL], 0.03, [(x0 + x1) / 2, 0, (sill + WELL) / 2], 1));
    const corners: [number, number, number][] = [[x0 + 0.03, y1 - 0.03, sill], [x1 - 0.02, y1 - 0.03, sill]];
    const tops: Vec[] = [[x0 + 0.05, y1 - 0.07, top], [x1 - 0.2, y1 - 0.07, top]];
    const [sternLow, bowLow] = corners as [Vec, Vec];
    const [sternTop, bowTop] = tops as [Vec, Vec];
    const mirror = ([x, y, z]: Vec): Vec => [x, -y, z];
    const quad = (a: Vec, b: Vec, c: Vec, d: Vec): ReturnType<typeof skin> => skin([[a, b], [d, c]], true);
    const walls: [Vec, Vec, Vec, Vec][] = [[bowLow, sternLow, sternTop, bowTop], [mirror(sternLow), mirror(bowLow), mirror(bowTop), mirror(sternTop)],
        [mirror(bowLow), bowLow, bowTop, mirror(bowTop)], [sternLow, mirror(sternLow), mirror(sternTop), sternTop]];
    for (const [i, [a, b, c, d]] of walls.entries()) {
        node.add({ ...PAINT, doubleSided: true }, WHITE, quad(a, b, c, d));
        // panes, a hand's breadth apart, a little in front of the wall
        const out: Vec = [[0, 0.006, 0], [0, -0.006, 0], [0.006, 0, 0.002], [-0.006, 0, 0]][i] as Vec;
        const panes = i === 3 ? 2 : i === 2 ? 3 : 3;
        for (let k = 0; k < panes; ++k) {
            const [s, e] = [(k + 0.1) / panes, (k + 0.9) / panes];
            const at = (t: number, up: number): Vec => {
                const p = mix(mix(a, b, t), mix(d, c, t), up);
                return [p[0] + out[0], p[1] + out[1], p[2] + out[2]];
            };
            node.add({ ...GLASS, doubleSided: true }, "#14242f", quad(at(s, 0.12), at(e, 0.12), at(e, 0.88), at(s, 0.88)));
        }
    }
    node.add(PAINT, WHITE, softBox([x1 - x0 - 0.02, 2 * y1 - 0.02, 0.08], 0.03, [(x0 + x1) / 2 - 0.05, 0, top + 0.04], fine ? 2 : 1));
    node.add(PAINT, "#a33a2c", box([x1 - x0 + 0.004, 2 * y1 + 0.004, 0.06], [(x0 + x1) / 2, 0, sill - 0.14]));
    node.add({ ...PAINT }, "#6f4a2b", box([0.01, 0.5, 0.82], [x0 - 0.004, 0.2, WELL + 0.45]));
    // mast with radar, lights and aerials
    node.add(PAINT, WHITE, bar([0.25, 0, top + 0.08], [0.2, 0, top + 0.95], 0.03, round, 0.02), softBox([0.1, 0.62, 0.06], 0.02, [0.24, 0, top + 0.58], 1),
        turned([[0.0001, 0.06], [0.09, 0.055], [0.12, 0.03], [0.12, -0.03], [0.0001, -0.045]], round).translate(0.36, 0, top + 0.42), bar([0.22, 0, top + 0.4], [0.36, 0, top + 0.4], 0.02, 6));
    node.add(PAINT, "#d8342a", softBox([0.07, 0.07, 0.08], 0.015, [0.55, 0.5, top + 0.11], 1));
    node.add(PAINT, "#2e9e4b", softBox([0.07, 0.07, 0.08], 0.015, [0.55, -0.5, top + 0.11], 1));
    node.add(PAINT, "#f4f0dc", turned([[0.0001, 0.07], [0.03, 0.06], [0.035, 0], [0.0001, -0.005]], 10).translate(0.2, 0, top + 0.97));
    for (const side of [-1, 1]) node.add(PAINT, "#dfe4e6", bar([0.1, side * 0.45, top + 0.08], [-0.05, side * 0.5, top + 1.5], 0.01, 5, 0.004));
    node.add(DULL, "#f06a1e", ring(0.17, 0.045, fine ? 22 : 10, fine ? 8 : 5).rotateY(Math.PI / 2).translate(x0 - 0.05, -0.32, 1.12));
    // the funnel, lockers, hatch, and the stand of the drum
    node.add(PAINT, "#2a3138", bar([0.0, -0.45, top + 0.05], [-0.06, -0.45, top + 0.5], 0.05, round));
    node.add(PAINT, GREY, softBox([0.5, 0.42, 0.36], 0.03, [-0.42, 0.78, WELL + 0.18], 1), softBox([0.5, 0.42, 0.36], 0.03, [-0.42, -0.78, WELL + 0.18], 1));
    node.add(DULL, "#46524b", softBox([0.6, 0.6, 0.07], 0.02, [1.95, 0, WELL + 0.03], 1));
    for (const side of [-1, 1]) {
        node.add(PAINT, YELLOW, bar([-1.5, side * 0.42, WELL], [-1.2, side * 0.42, 1.25], 0.035, round), bar([-0.9, side * 0.42, WELL], [-1.2, side * 0.42, 1.25], 0.035, round));
        // the A-frame leans over the stern; its rams
        node.add(PAINT, YELLOW, bar([-2.42, side * 0.86, WELL], [-2.95, side * 0.55, 2.05], 0.07, round, 0.055), softBox([0.34, 0.2, 0.12], 0.02, [-2.42, side * 0.86, WELL + 0.06], 1));
        node.add(PAINT, "#3a4248", bar([-1.95, side * 0.84, WELL], [-2.4, side * 0.74, 1.3], 0.045, round));
        node.add(PAINT, "#d7dde1", bar([-2.4, side * 0.74, 1.3], [-2.72, side * 0.68, 1.62], 0.025, round));
    }
    node.add(PAINT, YELLOW, bar([-2.95, -0.6, 2.05], [-2.95, 0.6, 2.05], 0.075, round), softBox([0.22, 0.2, 0.22], 0.03, [-2.95, 0, 2.05], 1));
    node.add(PAINT, GREY, box([0.9, 0.9, 0.03], [-1.2, 0, WELL + 0.015]));
    // a case of the pilot's station, a coil of tether
    node.add(DULL, "#2b3e33", softBox([0.5, 0.36, 0.3], 0.03, [-1.9, -0.6, WELL + 0.15], 1));
    for (const [i, z] of (fine ? [0.04, 0.1, 0.16] : [0.08]).entries()) node.add(DULL, "#f0c531", ring(0.24 - 0.015 * i, fine ? 0.032 : 0.06, fine ? 24 : 12, 6).translate(-2.05, 0.55, WELL + z));
    return node;
}

// A supply ship, 80 m by 18 m, hull from -7 to 5: house and helideck forward, a clear deck aft.
function ship(): Node {
    const node = new Node("ship");
    const [length, beam, low, high] = [80, 18, -7, 5];
    const lines: Lines = {
        at(share) {
            const bow = Math.max((share - 0.68) / 0.32, 0);
            const stern = Math.max((0.12 - share) / 0.12, 0);
            const full = Math.sqrt(Math.max(1 - bow ** 2.4, 0));
            const x = -length / 2 + length * share;
            const rail = high + 0.2 * (high - low) * bow ** 1.5;
            return { x, keel: [x - 2.5 * bow, 0.55 * (beam / 2) * full * (1 - 0.6 * bow), low + 3.2 * stern + 1.2 * bow ** 3], chine: [x - 2 * bow, (beam / 2) * full * (1 - 0.3 * bow), low + 1.6 + 2.6 * stern + 2 * bow ** 2], rail: [x, (beam / 2) * full, rail] };
        },
    };
    const water = low + 0.5 * (high - low);
    for (const side of [-1, 1]) {
        const flip = side < 0;
        node.add(DULL, BOTTOM, skin(shellRows(lines, 24, side, ({ keel, chine }) => [[keel[0], 0, keel[2]], keel, chine]), flip), skin(shellRows(lines, 24, side, ({ chine, rail }) => [chine, atHeight(chine, rail, water)]), flip));
        node.add(PAINT, HULL, skin(shellRows(lines, 24, side, ({ chine, rail }) => [atHeight(chine, rail, water), rail]), flip));
        node.add(DULL, DECK, skin(shellRows(lines, 24, side, ({ rail }) => [[rail[0], rail[1], rail[2] - 0.05], [rail[0], 0, rail[2] - 0.05]]), flip));
        const { keel, chine, rail } = lines.at(0);
        node.add(PAINT, HULL, skin([[[keel[0], 0, keel[2]], [keel[0], 0, high]], [[chine[0], side * chine[1], chine[2]], [rail[0], side * rail[1], high]]], flip));
        // crash rails along the cargo deck, bollards, rubbing strake
        node.add(PAINT, GREY, boxFrom([-38, side * 8.2 - 0.15, high], [12, side * 8.2 + 0.15, high + 1.6]));
        node.add(DULL, RUBBER, box([62, 0.25, 0.5], [-8, side * 9.02, 2.2]));
        for (let x = -36; x <= 10; x += 9) for (const k of [-0.6, 0.6]) node.add(PAINT, "#22282c", bar([x + k, side * 8.75, high], [x + k, side * 8.75, high + 0.9], 0.28, 10));
        node.add(PAINT, "#c8792c", softBox([3, 1.8, 6], 0.2, [10.8, side * 6, high + 4.6], 1));
        node.add(PAINT, "#f06a1e", bar([17, side * 8.4, high + 4.2], [22, side * 8.4, high + 4.2], 0.9, 12));
    }
    node.add(DULL, "#7a5a3a", box([48, 15.6, 0.12], [-13, 0, high + 0.06]));
    for (const [i, [from, to, wide]] of ([[13, 36, 15.6], [13.5, 34.5, 15], [14, 33, 14], [15, 31, 13]] as const).entries()) {
        const z = high + 2.9 * i;
        node.add(PAINT, WHITE, softBox([to - from, wide, 2.9], 0.2, [(from + to) / 2, 0, z + 1.45], 1));
        for (const side of [-1, 1]) for (let x = from + 1.5; x < to - 1; x += 2.2) node.add(GLASS, "#14242f", box([0.9, 0.04, 0.8], [x, side * (wide / 2 + 0.01), z + 1.7]));
    }
    const bridge = high + 11.6;
    node.add(PAINT, WHITE, softBox([10, 18.4, 1.0], 0.15, [25, 0, bridge + 0.5], 1), softBox([10.6, 18.6, 0.5], 0.15, [25, 0, bridge + 3.1], 1), softBox([7, 8, 1.6], 0.2, [24, 0, bridge + 4.1], 1));
    node.add(GLASS, "#14242f", softBox([9.7, 18, 1.9], 0.2, [25, 0, bridge + 1.95], 1));
    node.add(PAINT, WHITE, bar([23, 0, bridge + 4.5], [22.4, 0, bridge + 12], 0.45, 10, 0.2), box([0.3, 5, 0.25], [22.9, 0, bridge + 8]), box([0.3, 3, 0.25], [22.7, 0, bridge + 10]));
    node.add(PAINT, "#3c7a4a", turned([[0.0001, 0.35], [8.6, 0.35], [8.8, 0], [0.0001, -0.1]], 8).rotateZ(Math.PI / 8).translate(35, 0, bridge + 4));
    for (const y of [-3, 3]) node.add(PAINT, GREY, bar([33, y, high + 8], [36, y, bridge + 4], 0.3, 8));
    return node;
}

// A flat deck barge, 60 m by 20 m, hull from -3 to 2.
function barge(): Node {
    const node = new Node("barge");
    const [length, beam, low, high] = [60, 20, -3, 2];
    const rows = Array.from({ length: 25 }, (_, i): Vec[] => {
        const x = -length / 2 + (length * i) / 24;
        const end = Math.max(Math.abs(2 * x) / length - 0.8, 0) / 0.2;
        const z = low + 0.62 * end * end * (high - low);
        return [[x, -beam / 2, high], [x, -beam / 2, -0.4], [x, -beam / 2, z], [x, beam / 2, z], [x, beam / 2, -0.4], [x, beam / 2, high]];
    });
    node.add(DULL, "#5a3a30", skin(rows.map((r) => r.slice(1, 5)), true));
    node.add(PAINT, "#575e63", skin(rows.map((r) => r.slice(0, 2)), true), skin(rows.map((r) => r.slice(4, 6)), true));
    for (const side of [-1, 1]) node.add(PAINT, "#575e63", boxFrom([side * 29.99 - 0.01, -beam / 2, low + 0.62 * (high - low)], [side * 29.99 + 0.01, beam / 2, high]));
    node.add(DULL, "#6d7468", box([length, beam, 0.1], [0, 0, high - 0.05]));
    for (const side of [-1, 1]) {
        node.add(DULL, RUBBER, box([length, 0.3, 0.4], [0, side * 10.02, 1.2]));
        for (let x = -27; x <= 27; x += 6) {
            for (const k of [-0.6, 0.6]) node.add(PAINT, "#22282c", bar([x + k, side * 9.4, high], [x + k, side * 9.4, high + 0.9], 0.28, 10));
            node.add(DULL, RUBBER, ring(0.75, 0.3, 14, 6).rotateX(Math.PI / 2).translate(x + 2, side * 10.15, 0.2));
        }
        for (const x of [-20, -7, 7, 20]) node.add(DULL, "#4d5650", softBox([1, 1, 0.25], 0.08, [x, side * 6, high + 0.1], 1));
    }
    return node;
}

export const boats: Model[] = [
    { name: "boat", extras: { design: { low: [-3, -1.1, -0.9], high: [3.4, 1.1, 2.1], deck: 0.8 } }, nodes: [workBoat(true), workBoat(false)] },
    { name: "ship", extras: { design: { low: [-40, -9, -7], high: [40, 9, 5], deck: 5 } }, nodes: [ship()] },
    { name: "barge", extras: { design: { low: [-30, -10, -3], high: [30, 10, 2], deck: 2 } }, nodes: [barge()] },
];
