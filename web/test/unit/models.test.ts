// Models: what the scripts write is glTF that the loader reads, fits what is touched, and is coarse where it must be.

import { Box3, Group, Matrix4, Vector3, type BufferGeometry } from "three";
import { beforeAll, describe, expect, it } from "vitest";
import { makeModels, MODELS } from "../../models/index";
import type { BodyEntry, ShapeEntry } from "../../src/net/messages";
import { hullShapes, isBoat } from "../../src/scene/boat";
import { Levels, reachOf } from "../../src/scene/detail";
import { dressBody, findJoints } from "../../src/scene/dressing";
import { poseMatrix } from "../../src/scene/geometry";
import { Library, nodesOf, parseModel, type LoadedModel, type ModelNode } from "../../src/scene/library";

const library = new Library();
const models = new Map<string, LoadedModel>();

beforeAll(async () => {
    for (const [file, bytes] of makeModels("models")) {
        if (!file.endsWith(".glb")) continue;
        const model = await parseModel(file.slice(0, -4), bytes.slice().buffer as ArrayBuffer);
        models.set(model.name, model);
        library.add(model);
    }
});

const triangles = (nodes: readonly ModelNode[]): number => nodes.flatMap(({ parts }) => parts).reduce((sum, { geometry }) => sum + geometry.getAttribute("position").count / 3, 0);

function boundsOf(geometries: readonly BufferGeometry[]): Box3 {
    const box = new Box3();
    for (const geometry of geometries) {
        geometry.computeBoundingBox();
        box.union(geometry.boundingBox!);
    }
    return box;
}

const geometriesOf = (nodes: readonly ModelNode[]): BufferGeometry[] => nodes.flatMap(({ parts }) => parts.map(({ geometry }) => geometry));

/** m from a point to the surface of a cylinder along z or of a box about the origin; below zero inside. */
function outside(shape: ShapeEntry, p: Vector3): number {
    if (shape.kind === "cylinder") return Math.max(Math.hypot(p.x, p.y) - shape.radius!, Math.abs(p.z) - shape.length! / 2);
    const [x, y, z] = shape.size!;
    return Math.max(Math.abs(p.x) - x / 2, Math.abs(p.y) - y / 2, Math.abs(p.z) - z / 2);
}

describe("models", () => {
    it("are glTF that the loader reads, painted, with whole numbers of triangles", () => {
        expect(models.size).toBe(MODELS.length);
        for (const { name, nodes } of models.values()) {
            for (const { parts } of nodes) {
                expect(parts.length, name).toBeGreaterThan(0);
                for (const { geometry, look } of parts) {
                    expect(look.painted, name).toBe(true);
                    expect([...(geometry.getAttribute("position").array as Float32Array)].every(Number.isFinite), name).toBe(true);
                    expect(geometry.getAttribute("position").count % 3, name).toBe(0);
                }
            }
        }
    });

    it("are found by the longest name that fits", () => {
        expect(library.find("bluerov2_heavy")?.name).toBe("bluerov2_heavy");
        expect(library.find("bluerov2_with_skid")?.name).toBe("bluerov2");
        expect(library.find("glider")).toBe(null);
        expect(library.find("pile")).toBe(null); // it dresses shapes
    });

    it("have hulls as large as their vehicles, and half of the detail for software renderers", () => {
        const sizes: Record<string, [number, number, number]> = { bluerov2_heavy: [0.457, 0.575, 0.254], bluerov2: [0.457, 0.338, 0.254], videoray_pro: [0.375, 0.289, 0.223] };
        for (const [name, [x, y, z]] of Object.entries(sizes)) {
            const model = models.get(name)!;
            const size = boundsOf(geometriesOf(nodesOf(model, 0))).getSize(new Vector3());
            expect(size.x, name).toBeLessThan(1.1 * x);
            expect(size.y, name).toBeLessThan(1.05 * y);
            expect(size.z, name).toBeLessThan(1.05 * z);
            expect(size.x, name).toBeGreaterThan(0.8 * x);
            expect(triangles(nodesOf(model, 1)), name).toBeLessThan(0.5 * triangles(nodesOf(model, 0)));
        }
    });

    it("have a boat whose hull is where its shapes are", () => {
        const { low, high, deck } = models.get("boat")!.extras["design"] as { low: number[]; high: number[]; deck: number };
        const p = new Vector3();
        const hull = new Box3();
        for (const geometry of geometriesOf(models.get("boat")!.nodes)) {
            const position = geometry.getAttribute("position");
            for (let i = 0; i < position.count; ++i) if (p.fromBufferAttribute(position, i).z <= deck) hull.expandByPoint(p);
        }
        expect(hull.min.x).toBeGreaterThan(low[0]! - 0.05);
        expect(hull.max.x).toBeLessThan(high[0]! + 0.05);
        // tyres hang outside
        expect(hull.max.y).toBeLessThan(high[1]! + 0.1);
        expect(hull.min.y).toBeGreaterThan(low[1]! - 0.1);
        expect(hull.min.z).toBeGreaterThan(low[2]! - 0.01);
    });

    it("dress shapes without leaving what is touched", () => {
        const shapes: ShapeEntry[] = [
            { kind: "cylinder", radius: 0.5, length: 24, material: "steel" }, { kind: "cylinder", radius: 0.3, length: 25, material: "rust" },
            { kind: "cylinder", radius: 0.4, length: 22.5, material: "concrete" }, { kind: "box", size: [14, 0.2, 3.2], material: "rust" },
            { kind: "box", size: [2.6, 3.2, 2], material: "rust" }, { kind: "box", size: [24, 0.4, 0.4], material: "wood" },
        ];
        for (const shape of shapes) {
            const { dressed, bare } = dressBody([shape], new Matrix4(), library.fitting);
            expect(bare, JSON.stringify(shape)).toEqual([]);
            const p = new Vector3();
            let [most, off] = [-1, 0];
            for (const { geometry } of dressed) {
                const position = geometry.getAttribute("position");
                const normal = geometry.getAttribute("normal");
                for (let i = 0; i < position.count; ++i) {
                    most = Math.max(most, outside(shape, p.fromBufferAttribute(position, i)));
                    off = Math.max(off, Math.abs(p.fromBufferAttribute(normal, i).length() - 1));
                }
            }
            expect(off).toBeLessThan(1e-3);
            expect(most, JSON.stringify(shape)).toBeGreaterThan(0.005);
            expect(most, JSON.stringify(shape)).toBeLessThan(0.061);
            // and all of it is covered
            const size = boundsOf(dressed.filter(({ whole }) => whole).map(({ geometry }) => geometry)).getSize(new Vector3());
            const own = shape.kind === "box" ? shape.size! : [2 * shape.radius!, 2 * shape.radius!, shape.length!];
            for (let k = 0; k < 3; ++k) expect(size.getComponent(k)).toBeGreaterThan(own[k]! - 1e-3);
        }
    });

    it("leave shapes alone that they are not for", () => {
        const { dressed, bare } = dressBody([{ kind: "sphere", radius: 1, material: "steel" }, { kind: "cylinder", radius: 0.05, length: 4, material: "steel" },
            { kind: "cylinder", radius: 0.5, length: 4, material: "steel", color: "#ff0000" }], new Matrix4(), library.fitting);
        expect(dressed).toEqual([]);
        expect(bare).toEqual([0, 1, 2]);
    });

    it("put cans where a brace ends on a leg, and none where the leg ends", () => {
        const leg: ShapeEntry = { kind: "cylinder", radius: 0.5, length: 20 };
        const brace: ShapeEntry = { kind: "cylinder", radius: 0.25, length: 8, position: [4, 0, 3], attitude: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] };
        const thin: ShapeEntry = { kind: "cylinder", radius: 0.2, length: 8, position: [4, 0, 3], attitude: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] };
        const joints = findJoints([leg, brace, thin].map((shape) => ({ shape, matrix: poseMatrix(shape.position, shape.attitude) })));
        expect(joints.map(({ guest, host }) => [guest, host])).toEqual([[1, 0], [2, 0]]);
        for (const { at, out } of joints) {
            expect(at).toBeCloseTo(3, 9);
            expect(out).toBeCloseTo(0.5, 9);
        }
    });
});

describe("levels of detail", () => {
    it("are fine as far as details are a pixel large and the water lets them be seen, and do not flicker at the bound", () => {
        const air = reachOf(600, null);
        expect(air(0.1)).toBe(60);
        expect(reachOf(600, [0.4, 0.2, 0.25])(0.1)).toBeCloseTo(Math.log(100) / 0.2, 9);
        const [fine, coarse] = [new Group(), new Group()];
        const levels = new Levels(fine, coarse, 0.1);
        const shown = (x: number): boolean[] => {
            levels.setEye(new Vector3(x, 0, 0), air);
            return [fine.visible, coarse.visible];
        };
        expect(shown(10)).toEqual([true, false]);
        expect(shown(64)).toEqual([true, false]);
        expect(shown(70)).toEqual([false, true]);
        expect(shown(64)).toEqual([false, true]);
        expect(shown(59)).toEqual([true, false]);
        // without the time for it never
        levels.setFine(false);
        expect(shown(1)).toEqual([false, true]);
    });

    it("have ships with masts on their hulls", () => {
        const hull: ShapeEntry = { kind: "box", size: [90, 18, 8] };
        const mast: ShapeEntry = { kind: "box", size: [1, 1, 18] };
        const receiver = { name: "receiver", position: [0, 0, 0], attitude: [1, 0, 0, 0], shapes: [hull, mast] } as unknown as BodyEntry;
        expect(isBoat(receiver)).toBe(true);
        expect(hullShapes(receiver)).toBe(1);
        expect(hullShapes({ ...receiver, name: "boat" })).toBe(2);
        expect(isBoat({ ...receiver, name: "supplier" })).toBe(true);
        expect(isBoat({ ...receiver, shapes: [mast, hull] })).toBe(false);
    });
});
