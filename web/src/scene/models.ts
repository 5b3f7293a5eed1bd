// Bodies of vehicles that the page knows by name, built from simple forms in real size; others are built from the parts that
// the server sends. Body axes: x forward, y to port, z up; metres. Thrusters, lamps and gripper are added from the data.

import { BufferGeometry, ExtrudeGeometry, Group, Mesh, Path, Shape, SphereGeometry, TorusGeometry } from "three";
import type { MeshEntry, VehicleEntry } from "../net/messages";
import { cylinderAlongZ, joinGeometries, rememberLocal, shapeGeometry } from "./geometry";
import { lookOf } from "./looks";
import type { Look, Shading } from "./shading";

const rod = (radius: number, length: number): BufferGeometry => cylinderAlongZ(radius, length).rotateY(Math.PI / 2);

/** A box with rounded edges: length along x, width along y, height along z. */
function softBox(x: number, y: number, z: number, edge: number): BufferGeometry {
    const shape = new Shape();
    const [hx, hy] = [x / 2 - edge, y / 2 - edge];
    shape.moveTo(-hx, -hy);
    shape.lineTo(hx, -hy);
    shape.lineTo(hx, hy);
    shape.lineTo(-hx, hy);
    shape.closePath();
    const form = new ExtrudeGeometry(shape, { depth: z - 2 * edge, bevelEnabled: true, bevelSize: edge, bevelThickness: edge, bevelSegments: 3 });
    return form.translate(0, 0, -(z - 2 * edge) / 2);
}

/** A plate in the x-z plane with the openings that give a frame its look. */
function sidePlate(length: number, height: number, thickness: number): BufferGeometry {
    const shape = new Shape();
    const [hl, hh] = [length / 2, height / 2];
    const cut = 0.05;
    shape.moveTo(-hl + cut, -hh);
    shape.lineTo(hl - 1.6 * cut, -hh);
    shape.lineTo(hl, -hh + 1.6 * cut);
    shape.lineTo(hl, hh - cut);
    shape.lineTo(hl - cut, hh);
    shape.lineTo(-hl + cut, hh);
    shape.lineTo(-hl, hh - cut);
    shape.lineTo(-hl, -hh + cut);
    shape.closePath();
    for (const [x, z, rx, rz] of [[-0.12, -0.045, 0.055, 0.032], [0.0, -0.045, 0.045, 0.032], [0.11, -0.045, 0.045, 0.032],
        [-0.13, 0.045, 0.045, 0.026], [0.13, 0.045, 0.045, 0.026]] as const) {
        const hole = new Path();
        hole.absellipse(x * (length / 0.457), z * (height / 0.25), rx, rz, 0, 2 * Math.PI, true);
        shape.holes.push(hole);
    }
    return new ExtrudeGeometry(shape, { depth: thickness, bevelEnabled: true, bevelSize: 0.002, bevelThickness: 0.002, bevelSegments: 1,
        curveSegments: 14 }).translate(0, 0, -thickness / 2).rotateX(Math.PI / 2);
}

function add(group: Group, shading: Shading, look: Look, parts: BufferGeometry[]): void {
    group.add(new Mesh(joinGeometries(parts.map(rememberLocal)), shading.make(look)));
}

/** Overall sizes after the maker's drawings: 457 by 575 by 254 mm with eight thrusters, 338 mm wide with six. */
function blueRov(vehicle: VehicleEntry, shading: Shading): Group {
    const group = new Group();
    const heavy = vehicle.thrusters.filter((t) => Math.abs(t.axis[2]) > 0.7).length > 2;
    const half = 0.169;
    const foam: BufferGeometry[] = [];
    for (const x of [-0.115, 0.115]) for (const y of [-0.085, 0.085]) foam.push(softBox(0.2, 0.15, 0.062, 0.012).translate(x, y, 0.098));
    add(group, shading, { color: "#1d6fb8", second: "#1a65a8", scale: 0.4, gloss: 0.25 }, foam);
    const frame = [sidePlate(0.457, 0.235, 0.01).translate(0, half, -0.005), sidePlate(0.457, 0.235, 0.01).translate(0, -half, -0.005),
        softBox(0.42, 0.325, 0.008, 0.002).translate(0, 0, 0.063), softBox(0.40, 0.10, 0.008, 0.002).translate(0, 0.11, -0.12),
        softBox(0.40, 0.10, 0.008, 0.002).translate(0, -0.11, -0.12)];
    if (heavy) {
        for (const side of [-1, 1]) {
            for (const x of [-0.12, 0.12]) frame.push(softBox(0.05, 0.075, 0.008, 0.002).translate(x, side * 0.205, 0.035));
            frame.push(softBox(0.32, 0.012, 0.03, 0.003).translate(0, side * 0.178, 0.035));
        }
    }
    add(group, shading, { color: "#39434b", second: "#2d353c", scale: 0.4, gloss: 0.35 }, frame);
    const tubes = [rod(0.057, 0.30).translate(-0.02, 0, 0.0), rod(0.046, 0.23).translate(-0.02, 0, -0.105)];
    add(group, shading, { color: "#9fb4bf", second: "#93a8b3", scale: 0.5, gloss: 0.6 }, tubes);
    const rings = [rod(0.061, 0.022).translate(0.125, 0, 0.0), rod(0.061, 0.03).translate(-0.172, 0, 0.0),
        rod(0.049, 0.02).translate(0.09, 0, -0.105), rod(0.049, 0.02).translate(-0.13, 0, -0.105),
        rod(0.03, 0.03).translate(0.18, 0, 0.0)];
    add(group, shading, { color: "#2a3036", second: "#22272c", scale: 0.3, gloss: 0.5 }, rings);
    add(group, shading, { color: "#0d1a22", second: "#0d1a22", scale: 1, gloss: 1 },
        [new SphereGeometry(0.056, 24, 12, 0, 2 * Math.PI, 0, Math.PI / 2).rotateZ(-Math.PI / 2).translate(0.136, 0, 0)]);
    return group;
}

/** A Pro of the third generation: a rounded yellow hull between two thrusters, a clear dome, a skid below. */
function videoRay(shading: Shading): Group {
    const group = new Group();
    const hull = [new SphereGeometry(0.098, 28, 18).rotateX(Math.PI / 2).scale(1.12, 0.82, 0.95).translate(0.01, 0, 0.01),
        softBox(0.20, 0.06, 0.05, 0.02).translate(-0.02, 0, 0.088)];
    add(group, shading, { color: "#e8b21c", second: "#dca718", scale: 0.4, gloss: 0.5 }, hull);
    const floats = [-1, 1].map((side) => rod(0.030, 0.19).scale(1, 1, 0.9).translate(-0.01, side * 0.086, 0.055));
    add(group, shading, { color: "#e8b21c", second: "#dca718", scale: 0.4, gloss: 0.4 }, floats);
    const dark = [softBox(0.24, 0.016, 0.016, 0.005).translate(0, 0.075, -0.098), softBox(0.24, 0.016, 0.016, 0.005).translate(0, -0.075, -0.098),
        softBox(0.03, 0.165, 0.014, 0.004).translate(0.06, 0, -0.09), softBox(0.03, 0.165, 0.014, 0.004).translate(-0.07, 0, -0.09),
        softBox(0.12, 0.018, 0.05, 0.005).translate(-0.07, 0.088, 0.01), softBox(0.12, 0.018, 0.05, 0.005).translate(-0.07, -0.088, 0.01),
        new TorusGeometry(0.074, 0.008, 10, 28).rotateY(Math.PI / 2).translate(0.082, 0, 0.01)];
    add(group, shading, { color: "#1c2024", second: "#16191c", scale: 0.3, gloss: 0.3 }, dark);
    add(group, shading, { color: "#0d1a22", second: "#0d1a22", scale: 1, gloss: 1 },
        [new SphereGeometry(0.073, 24, 12, 0, 2 * Math.PI, 0, Math.PI / 2).rotateZ(-Math.PI / 2).scale(0.75, 1, 1).translate(0.082, 0, 0.01)]);
    return group;
}

function fromParts(vehicle: VehicleEntry, meshes: readonly MeshEntry[], shading: Shading): Group {
    const group = new Group();
    vehicle.parts.forEach((part, i) => {
        const geometry = shapeGeometry(part, meshes, i + 1);
        if (geometry) group.add(new Mesh(geometry, shading.make({ ...lookOf(part.material, part.color), scale: 0.4 })));
    });
    return group;
}

/** Null: the page has no picture of it; its collision shapes must do. */
export function makeHull(vehicle: VehicleEntry, meshes: readonly MeshEntry[], shading: Shading): Group | null {
    if (vehicle.model.startsWith("bluerov2")) return blueRov(vehicle, shading);
    if (vehicle.model.startsWith("videoray")) return videoRay(shading);
    return vehicle.parts.length > 0 ? fromParts(vehicle, meshes, shading) : null;
}
