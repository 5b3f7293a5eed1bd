// Places for the mock server: scene descriptions of the kind that the real one sends.

import type { BodyEntry, EnvironmentEntry, FlightOptions, Quat, SceneMessage, SeabedEntry, ShapeEntry, Vec3,
    VehicleEntry } from "../src/net/messages";
import { makeRandom } from "../src/math/numbers";
import type { WaveComponent } from "../src/math/waves";

const LEVEL: Quat = [1, 0, 0, 0];

function turn(axis: Vec3, degrees: number): Quat {
    const half = (degrees * Math.PI) / 360;
    const s = Math.sin(half);
    return [Math.cos(half), s * axis[0], s * axis[1], s * axis[2]];
}

/** Turns +z to the direction from one point to another. */
function along(from: Vec3, to: Vec3): { centre: Vec3; length: number; attitude: Quat } {
    const d: Vec3 = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    const length = Math.hypot(...d);
    const q: Quat = [1 + d[2] / length, -d[1] / length, d[0] / length, 0];
    const norm = Math.hypot(...q);
    return {
        centre: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2],
        length,
        attitude: norm < 1e-6 ? [0, 1, 0, 0] : [q[0] / norm, q[1] / norm, q[2] / norm, 0],
    };
}

function tube(from: Vec3, to: Vec3, radius: number, material: string): ShapeEntry {
    const { centre, length, attitude } = along(from, to);
    return { kind: "cylinder", radius, length, position: centre, attitude, material };
}

function box(size: Vec3, position: Vec3, material: string, attitude: Quat = LEVEL): ShapeEntry {
    return { kind: "box", size, position, attitude, material };
}

function still(name: string, shapes: ShapeEntry[], position: Vec3 = [0, 0, 0], attitude: Quat = LEVEL): BodyEntry {
    return { name, position, attitude, shapes };
}

export interface Pile {
    x: number;
    y: number;
    radius: number;
}

export interface Place {
    bodies: BodyEntry[];
    piles: Pile[];
    depth: number;
    seabed: SeabedEntry | null;
    waves: boolean;
    /** half size of a pool, m */
    pool: { round: boolean; size: number } | null;
    /** where the tether's upper end is */
    launch: Vec3;
    start: Vec3;
}

function boat(): BodyEntry {
    return still("boat", [box([9, 3, 1.4], [0, 0, 0.3], "paint"), box([2.6, 2.2, 1.8], [-1, 0, 1.9], "paint")], [-9, 3, 0]);
}

function complexArea(): Place {
    const depth = 14;
    const bodies: BodyEntry[] = [boat()];
    const piles: Pile[] = [];
    const pileAt = (x: number, y: number, radius: number, material: string): void => {
        piles.push({ x, y, radius });
        bodies.push(still(`pile_${piles.length}`, [{ kind: "cylinder", radius, length: depth + 3, position: [0, 0, 0],
            attitude: LEVEL, material }], [x, y, (3 - depth) / 2]));
    };
    pileAt(5, 2.2, 0.35, "wood");
    pileAt(8, -2.4, 0.35, "wood");
    pileAt(11, 2.8, 0.35, "wood");
    pileAt(14, -1.8, 0.5, "concrete");
    bodies.push(still("pipeline", [tube([-14, -7, -depth + 0.3], [24, -4, -depth + 0.3], 0.3, "rust")]));
    bodies.push(still("riser", [tube([6, -5.35, -depth + 0.3], [6, -5.35, -depth + 4], 0.16, "rust"),
        tube([6, -5.35, -depth + 4], [9, -8, -depth + 4], 0.16, "rust")]));
    bodies.push(jacket(18, 8, depth));
    bodies.push(still("wreck", wreckShapes(), [2, 12, -depth + 0.6], turn([0, 0, 1], 35)));
    const random = makeRandom(5);
    for (let i = 0; i < 12; ++i) {
        const angle = random() * 6.28;
        const far = 4 + random() * 16;
        const size = 0.25 + random() * 0.7;
        bodies.push(still(`rock_${i}`, [{ kind: "sphere", radius: size, position: [0, 0, 0], attitude: LEVEL, material: "rock" }],
            [6 + far * Math.cos(angle), far * Math.sin(angle), -depth - size * 0.3]));
    }
    return { bodies, piles, depth, seabed: { kind: "plane", depth, material: "sand" }, waves: true, pool: null,
        launch: [-5, 2, 0.4], start: [-3, 1, -3] };
}

function jacket(x: number, y: number, depth: number): BodyEntry {
    const shapes: ShapeEntry[] = [];
    const corner = (i: number, z: number): Vec3 => {
        const spread = 2.2 + (2.2 * (3 - z)) / (depth + 3);
        return [(i === 0 || i === 3 ? 1 : -1) * spread, (i < 2 ? 1 : -1) * spread, z];
    };
    for (let i = 0; i < 4; ++i) {
        shapes.push(tube(corner(i, -depth), corner(i, 3), 0.3, "steel"));
        for (const [low, high] of [[-depth + 0.8, -depth / 2], [-depth / 2, -1]] as const) {
            shapes.push(tube(corner(i, low), corner((i + 1) % 4, high), 0.14, "steel"));
            shapes.push(tube(corner(i, low), corner((i + 1) % 4, low), 0.14, "steel"));
        }
    }
    shapes.push(box([6, 6, 0.4], [0, 0, 3.2], "steel"));
    return still("jacket", shapes, [x, y, 0]);
}

function wreckShapes(): ShapeEntry[] {
    const shapes: ShapeEntry[] = [];
    const heel = turn([1, 0, 0], 18);
    shapes.push(box([9, 2.6, 0.12], [0, 0, 0.2], "rust", heel));
    shapes.push(box([9, 0.12, 1.6], [0, 1.35, 0.9], "rust", turn([1, 0, 0], 30)));
    shapes.push(box([9, 0.12, 1.3], [0, -1.3, 0.4], "rust", turn([1, 0, 0], 4)));
    shapes.push(box([2.2, 1.9, 1.5], [-2.4, 0.1, 1.2], "rust", heel));
    shapes.push(tube([1, 0, 0.6], [2.2, -0.9, 3.4], 0.1, "rust"));
    for (let i = 0; i < 6; ++i) shapes.push(box([0.1, 2.5, 0.3], [-0.5 + i * 0.8, 0, 0.45], "rust", heel));
    return shapes;
}

function roundPool(): Place {
    const depth = 4;
    const radius = 6;
    const shapes: ShapeEntry[] = [];
    for (let i = 0; i < 36; ++i) {
        const angle = (i / 36) * 2 * Math.PI;
        shapes.push(box([0.3, 1.08, depth + 0.7], [(radius + 0.15) * Math.cos(angle), (radius + 0.15) * Math.sin(angle),
            -depth / 2 + 0.35], "tile", turn([0, 0, 1], (angle * 180) / Math.PI)));
    }
    return { bodies: [still("wall", shapes), still("post", [tube([2, 1, -depth], [2, 1, -1], 0.5, "concrete")])],
        piles: [{ x: 2, y: 1, radius: 0.5 }], depth, seabed: { kind: "plane", depth, material: "tile" }, waves: false,
        pool: { round: true, size: radius }, launch: [-5.8, 0, 0.4], start: [-3, 0, -1.5] };
}

function rectangularPool(): Place {
    const depth = 3;
    const [lx, ly] = [12.5, 5];
    const walls = [box([2 * lx, 0.3, depth + 0.6], [0, ly + 0.15, -depth / 2 + 0.3], "tile"),
        box([2 * lx, 0.3, depth + 0.6], [0, -ly - 0.15, -depth / 2 + 0.3], "tile"),
        box([0.3, 2 * ly + 0.6, depth + 0.6], [lx + 0.15, 0, -depth / 2 + 0.3], "tile"),
        box([0.3, 2 * ly + 0.6, depth + 0.6], [-lx - 0.15, 0, -depth / 2 + 0.3], "tile")];
    return { bodies: [still("wall", walls), still("hoop", [box([0.1, 0.1, 1.6], [4, 0.8, -2.2], "paint"),
        box([0.1, 0.1, 1.6], [4, -0.8, -2.2], "paint"), box([0.1, 1.7, 0.1], [4, 0, -1.4], "paint")])],
        piles: [], depth, seabed: { kind: "plane", depth, material: "tile" }, waves: false,
        pool: { round: false, size: ly }, launch: [-12.4, 0, 0.4], start: [-8, 0, -1.5] };
}

function openWater(): Place {
    return { bodies: [boat()], piles: [], depth: 60, seabed: { kind: "plane", depth: 60, material: "sand" }, waves: true,
        pool: null, launch: [-5, 2, 0.4], start: [-2, 0, -4] };
}

export const PLACES: Record<string, { title: string; summary: string; make: () => Place }> = {
    complex_area: { title: "Complex area", summary: "piles, a pipeline, a jacket and a wreck on sand", make: complexArea },
    round_pool: { title: "Round pool", summary: "12 m across, 4 m deep, a post to go round", make: roundPool },
    rectangular_pool: { title: "Rectangular pool", summary: "25 by 10 m, 3 m deep, a hoop to fly through", make: rectangularPool },
    open_water: { title: "Open water", summary: "60 m of it under a boat", make: openWater },
};

/** A few dozen waves with the energy of a sea of this height. */
export function makeWaves(height: number, period: number, directionDegrees: number): WaveComponent[] {
    if (!(height > 0)) return [];
    const random = makeRandom(11);
    const components: WaveComponent[] = [];
    const count = 30;
    let energy = 0;
    const peak = (2 * Math.PI) / period;
    for (let i = 0; i < count; ++i) {
        const omega = peak * (0.6 + (2.2 * (i + random())) / count);
        const ratio = peak / omega;
        const density = ratio ** 5 * Math.exp(-1.25 * ratio ** 4);
        energy += density;
        const direction = (directionDegrees * Math.PI) / 180 + (random() - 0.5) * 1.2;
        components.push([Math.sqrt(density), omega, (omega * omega) / 9.81, direction, random() * 2 * Math.PI]);
    }
    const scale = height / 4 / Math.sqrt(energy / 2);
    return components.map(([a, o, k, d, p]) => [a * scale, o, k, d, p] as const);
}

export function blueRov(body: number): VehicleEntry {
    const horizontal = (name: string, x: number, y: number, yaw: number, hand: number) => ({ name, position: [x, y, 0.0] as Vec3,
        axis: [Math.cos(yaw), Math.sin(yaw), 0] as Vec3, diameter: 0.076, blades: 3, hand, forward: 50, reverse: 40.2 });
    const vertical = (name: string, x: number, y: number, hand: number) => ({ name, position: [x, y, 0.06] as Vec3,
        axis: [0, 0, 1] as Vec3, diameter: 0.076, blades: 3, hand, forward: 50, reverse: 40.2 });
    const q = Math.PI / 4;
    return {
        name: "rov", model: "bluerov2_heavy", title: "BlueROV2 Heavy", body, parts: [],
        thrusters: [horizontal("front right", 0.156, -0.111, q, 1), horizontal("front left", 0.156, 0.111, -q, -1),
            horizontal("rear right", -0.156, -0.111, -q, -1), horizontal("rear left", -0.156, 0.111, q, 1),
            vertical("vertical front right", 0.12, -0.218, 1), vertical("vertical front left", 0.12, 0.218, -1),
            vertical("vertical rear right", -0.12, -0.218, -1), vertical("vertical rear left", -0.12, 0.218, 1)],
        camera: { position: [0.21, 0, 0.0], attitude: LEVEL, hfov_deg: 110, tilt_deg: [-90, 90], zoom: 4 },
        lights: [{ position: [0.22, 0.13, 0.09], axis: [1, 0, 0], beam_deg: 110, lumens: 1500, tilts: false },
            { position: [0.22, -0.13, 0.09], axis: [1, 0, 0], beam_deg: 110, lumens: 1500, tilts: false },
            { position: [0.22, 0.13, -0.09], axis: [0.96, 0, -0.28], beam_deg: 110, lumens: 1500, tilts: false },
            { position: [0.22, -0.13, -0.09], axis: [0.96, 0, -0.28], beam_deg: 110, lumens: 1500, tilts: false }],
        gripper: { position: [0.33, -0.06, -0.12], axis: [1, 0, 0], opening: 0.06, length: 0.09 },
        tether: [-0.22, 0, 0.02], gains: [0.25, 0.5, 0.75, 1], speed: 1,
    };
}

export function describeFlight(place: Place, options: FlightOptions, flight: string, session: SceneMessage["session"]): SceneMessage {
    const bodies: BodyEntry[] = [...place.bodies,
        { name: "rov", slot: 0, vehicle: 0, shapes: [{ kind: "box", size: [0.46, 0.57, 0.25], position: [0, 0, 0], attitude: LEVEL,
            material: "plastic" }] }];
    const environment: EnvironmentEntry = {
        gravity: 9.81, water: { density: 1025, surface: 0 }, seabed: place.seabed, visibility: options.visibility ?? 8,
        waves: { components: place.waves && options.waves
            ? makeWaves(options.waves.height, options.waves.period, options.waves.direction_deg) : [] },
    };
    return {
        type: "scene", revision: 1, session, flight, name: options.surroundings ?? "", title: options.title ?? "", time: 0, options,
        environment, meshes: [], bodies, vehicles: [blueRov(bodies.length - 1)],
        cables: options.tether ? [{ name: "tether", diameter: 0.0076, color: "#f2d21b", break: 1520, working: 343,
            length: options.tether.length }] : [],
    };
}
