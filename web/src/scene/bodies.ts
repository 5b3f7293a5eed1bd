// Bodies of the scene: those that stay are joined, one drawing call for each material, where they have details place by place; those that
// move have a group each.

import { Box3, BufferGeometry, Group, Mesh, Quaternion, Vector3 } from "three";
import type { BodyEntry, SceneMessage } from "../net/messages";
import { hullShapes, isBoat, makeBoat } from "./boat";
import { Levels, type Reach } from "./detail";
import { dressBody } from "./dressing";
import { joinGeometries, poseMatrix, quaternionOf, shapeGeometry, vectorOf } from "./geometry";
import type { Library } from "./library";
import { lookOf } from "./looks";
import type { Look, Shading } from "./shading";
import { SHADE_LAYER } from "./shadows";

/** m, of what models of structures have and plain shapes have not: welds, straps, anodes */
const DETAIL = 0.08;
/** Links of a mechanism that name no material: painted in turns, so that one sees where one ends. */
const LINK_PAINT = ["#46525c", "#d9732b", "#e7a23c"];

function lookKey(material: string | undefined, color: string | undefined): string {
    return `${material ?? "plastic"} ${color ?? ""}`;
}

function linkPaint(body: BodyEntry, scene: SceneMessage): string {
    const links = scene.bodies.filter((other) => other.mechanism === body.mechanism);
    const number = links.indexOf(body);
    return LINK_PAINT[number === 0 ? 0 : 1 + ((number - 1) % (LINK_PAINT.length - 1))]!;
}

function partKey({ gloss, growth, scale, doubleSided, map, color }: Look): string {
    return `model ${gloss} ${growth} ${scale} ${doubleSided} ${map?.uuid ?? ""} ${color}`;
}

class Bins {
    private readonly bins = new Map<string, { look: Look; parts: BufferGeometry[] }>();

    /** `only`: which of its shapes, all unless told. */
    add(body: BodyEntry, scene: SceneMessage, seed: number, place: boolean, only?: readonly number[]): void {
        const pose = poseMatrix(body.position, body.attitude);
        const paint = body.mechanism === undefined ? undefined : linkPaint(body, scene);
        body.shapes.forEach((shape, i) => {
            if (only && !only.includes(i)) return;
            const geometry = shapeGeometry(shape, scene.meshes ?? [], seed + i);
            if (!geometry) return;
            if (place) geometry.applyMatrix4(pose);
            const color = shape.color ?? (shape.material ? undefined : paint);
            const material = shape.material ?? (color ? "paint" : undefined);
            const key = lookKey(material, color);
            this.put(key, lookOf(material, color), geometry);
        });
    }

    put(key: string, look: Look, geometry: BufferGeometry): void {
        const bin = this.bins.get(key) ?? { look, parts: [] };
        bin.parts.push(geometry);
        this.bins.set(key, bin);
    }

    fill(group: Group, shading: Shading): void {
        for (const { look, parts } of this.bins.values()) {
            const mesh = new Mesh(joinGeometries(parts), shading.make(look));
            mesh.userData["growth"] = look.growth ?? 0;
            group.add(mesh);
        }
    }
}

/** m: what stands within so much is joined, and is near or far together */
const PLACE = 24;

interface Place {
    still: Bins;
    whole: Bins;
    details: Bins;
}

export class Bodies {
    readonly group = new Group();
    /** what stands still and has details, place by place; from afar, and for whom time is short, the plain shapes that it collides as are shown */
    readonly dressed = new Group();
    /** what stands still and has none */
    private readonly plain = new Group();
    /** meshes on which things may live */
    readonly grown: Mesh<BufferGeometry>[] = [];
    private readonly levels: Levels[] = [];
    /** by slot; null where something else draws the body */
    readonly moving: (Group | null)[] = [];
    private readonly from = new Quaternion();
    private readonly to = new Quaternion();

    /** `drawn`: indices of bodies that have a picture of their own. */
    constructor(scene: SceneMessage, drawn: ReadonlySet<number>, library: Library, shading: Shading) {
        const models = library.fitting;
        const places = new Map<string, Place>();
        const bins = new Bins();
        scene.bodies.forEach((body, index) => {
            if (drawn.has(index)) return;
            const boat = isBoat(body) ? makeBoat(body, scene.meshes ?? [], library, shading) : null;
            if (body.slot === undefined && !boat) {
                const pose = poseMatrix(body.position, body.attitude);
                const { dressed, bare } = dressBody(body.shapes, pose, models);
                if (dressed.length === 0) {
                    bins.add(body, scene, 7 * index + 1, true);
                    return;
                }
                const key = [pose.elements[12]!, pose.elements[13]!].map((at) => Math.floor(at / PLACE)).join();
                const place = places.get(key) ?? { still: new Bins(), whole: new Bins(), details: new Bins() };
                places.set(key, place);
                place.still.add(body, scene, 7 * index + 1, true);
                place.whole.add(body, scene, 7 * index + 1, true, bare);
                for (const part of dressed) (part.whole ? place.whole : place.details).put(partKey(part.look), part.look, part.geometry);
                return;
            }
            const group = boat?.group ?? new Group();
            const own = new Bins();
            own.add(body, scene, 7 * index + 1, false, body.shapes.map((_, i) => i).slice(boat ? hullShapes(body) : 0));
            own.fill(group, shading);
            if (boat) this.levels.push(boat.levels);
            group.name = body.name;
            group.position.copy(vectorOf(body.position));
            group.quaternion.copy(quaternionOf(body.attitude));
            this.group.add(group);
            if (body.slot !== undefined) this.moving[body.slot] = group;
        });
        bins.fill(this.plain, shading);
        this.grown.push(...(this.plain.children as Mesh<BufferGeometry>[]));
        this.group.add(this.plain);
        this.group.traverse((object) => object.layers.enable(SHADE_LAYER));
        for (const place of places.values()) this.addPlace(place, shading);
        this.group.add(this.dressed);
        this.setFine(true);
    }

    /** What stands together: in detail near the eye, as its plain shapes from afar. */
    private addPlace({ still, whole, details }: Place, shading: Shading): void {
        const [plain, fine, small] = [new Group(), new Group(), new Group()];
        still.fill(plain, shading);
        whole.fill(fine, shading);
        details.fill(small, shading);
        this.grown.push(...(fine.children as Mesh<BufferGeometry>[]));
        for (const group of [plain, fine]) group.traverse((object) => object.layers.enable(SHADE_LAYER));
        // small things throw no shade, and the eye's ray meets the shapes that are touched
        fine.add(small);
        fine.traverse((object) => {
            object.raycast = () => undefined;
        });
        const box = new Box3().setFromObject(plain);
        this.levels.push(new Levels(fine, plain, DETAIL, (eye) => box.distanceToPoint(eye)));
        this.dressed.add(fine);
        this.group.add(plain);
    }

    /** There is time for what is fine. */
    setFine(fine: boolean): void {
        for (const levels of this.levels) levels.setFine(fine);
    }

    /** What is far is drawn coarsely. */
    setEye(eye: Vector3, reach: Reach): void {
        for (const levels of this.levels) levels.setEye(eye, reach);
    }

    update(before: Float32Array, after: Float32Array, share: number): void {
        for (let slot = 0; slot < this.moving.length; ++slot) {
            const group = this.moving[slot];
            if (!group) continue;
            this.pose(before, after, share, slot, group.position, group.quaternion);
            group.visible = Number.isFinite(group.position.x); // results may hold no places of it
        }
    }

    /** The pose of a slot between two frames. */
    pose(before: Float32Array, after: Float32Array, share: number, slot: number, position: Vector3, attitude: Quaternion): void {
        const at = 7 * slot;
        if (at + 7 > after.length) return;
        const old = at + 7 <= before.length ? before : after;
        position.set(old[at]! + share * (after[at]! - old[at]!), old[at + 1]! + share * (after[at + 1]! - old[at + 1]!),
            old[at + 2]! + share * (after[at + 2]! - old[at + 2]!));
        this.from.set(old[at + 4]!, old[at + 5]!, old[at + 6]!, old[at + 3]!);
        this.to.set(after[at + 4]!, after[at + 5]!, after[at + 6]!, after[at + 3]!);
        attitude.slerpQuaternions(this.from, this.to, share).normalize();
    }
}
