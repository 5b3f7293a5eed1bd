// The support boat, and the ships and barges of scenes: models that are stretched to the shapes that stand for them in the simulation.

import { Box3, Group, Vector3, type BufferGeometry, type Mesh } from "three";
import type { BodyEntry, MeshEntry } from "../net/messages";
import type { Levels } from "./detail";
import { shapeGeometry } from "./geometry";
import { makeLevels, type Library } from "./library";
import type { Shading } from "./shading";

/** Longer than this, m, it is a ship: its house stands forward and its deck is clear for work. */
const SHIP = 25;

interface Design {
    low: [number, number, number];
    high: [number, number, number];
    /** height of the edge of the deck */
    deck: number;
}

/** By its name, and by a first shape that is a hull's: a box, wider than high, longer than wide. */
export function isBoat(body: BodyEntry): boolean {
    if (body.name.startsWith("boat")) return true;
    if (!/^(ship|tug|barge|vessel|suppl(y|ier)|tanker|receiver|tender)/.test(body.name)) return false;
    const hull = body.shapes[0];
    const [x, y, z] = hull?.kind === "box" ? hull.size ?? [0, 0, 0] : [0, 0, 0];
    return x > 1.5 * y && y > z && x > 8;
}

/** Shapes that its model stands for: of a boat all, of a ship the hull alone, what else it has (masts, goalposts) stands on it. */
export function hullShapes(body: BodyEntry): number {
    return body.name.startsWith("boat") ? body.shapes.length : 1;
}

/** The bounds of the shapes that the model stands for, and the top of the widest, which is the hull. */
function measure(body: BodyEntry, meshes: readonly MeshEntry[]): { bounds: Box3; deck: number } {
    const bounds = new Box3();
    let [deck, widest] = [0, 0];
    for (const shape of body.shapes.slice(0, hullShapes(body))) {
        const geometry = shapeGeometry(shape, meshes);
        if (!geometry) continue;
        geometry.computeBoundingBox();
        const box = geometry.boundingBox!;
        bounds.union(box);
        const size = box.getSize(new Vector3());
        if (size.x * size.y > widest) {
            widest = size.x * size.y;
            // a sheer rises towards the bow: the deck's edge is where most of the hull ends
            deck = shape.kind === "box" ? box.max.z : mostlyTop(geometry, box);
        }
        geometry.dispose();
    }
    return { bounds, deck };
}

/** The height of the corners at the stern. */
function mostlyTop(geometry: BufferGeometry, box: Box3): number {
    const position = geometry.getAttribute("position");
    let top = box.min.z;
    for (let i = 0; i < position.count; ++i) if (position.getX(i) < box.min.x + 1e-3) top = Math.max(top, position.getZ(i));
    return top;
}

/** Null: there is no model of it. */
export function makeBoat(body: BodyEntry, meshes: readonly MeshEntry[], library: Library, shading: Shading): { group: Group; levels: Levels } | null {
    const { bounds, deck } = measure(body, meshes);
    if (bounds.isEmpty()) return null;
    const long = bounds.max.x - bounds.min.x > SHIP;
    const model = library.find(body.name.startsWith("barge") ? "barge" : long ? "ship" : "boat");
    const design = model?.extras["design"] as Design | undefined;
    if (!model || !design) return null;
    const made = makeLevels(model, shading);
    // Lengths and breadths stretch evenly; heights below the deck's edge with the hull, above it with what stands on it.
    const share = (low: number, high: number, from: number, to: number, value: number): number => from + ((value - low) / (high - low)) * (to - from);
    const { min, max } = bounds;
    const above = max.z > deck + 0.1 && design.high[2] > design.deck + 0.1 ? (max.z - deck) / (design.high[2] - design.deck) : (max.x - min.x) / (design.high[0] - design.low[0]);
    made.group.traverse((object) => {
        const geometry = (object as Partial<Mesh>).geometry as BufferGeometry | undefined;
        if (!geometry) return;
        const position = geometry.getAttribute("position");
        for (let i = 0; i < position.count; ++i) {
            const z = position.getZ(i);
            position.setXYZ(i, share(design.low[0], design.high[0], min.x, max.x, position.getX(i)), share(design.low[1], design.high[1], min.y, max.y, position.getY(i)),
                z > design.deck ? deck + above * (z - design.deck) : share(design.low[2], design.deck, min.z, deck, z));
        }
    });
    return made;
}
