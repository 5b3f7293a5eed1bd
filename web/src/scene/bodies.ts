// Bodies of the scene: those that stay are joined, one drawing call for each material; those that move have a group each.

import { BufferGeometry, Group, Mesh, Quaternion, Vector3 } from "three";
import type { BodyEntry, SceneMessage } from "../net/messages";
import { isBoat, makeBoat } from "./boat";
import { joinGeometries, poseMatrix, quaternionOf, shapeGeometry, vectorOf } from "./geometry";
import { lookOf } from "./looks";
import type { Look, Shading } from "./shading";
import { SHADE_LAYER } from "./shadows";

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

class Bins {
    private readonly bins = new Map<string, { look: Look; parts: BufferGeometry[] }>();

    add(body: BodyEntry, scene: SceneMessage, seed: number, place: boolean): void {
        const pose = poseMatrix(body.position, body.attitude);
        const paint = body.mechanism === undefined ? undefined : linkPaint(body, scene);
        body.shapes.forEach((shape, i) => {
            const geometry = shapeGeometry(shape, scene.meshes ?? [], seed + i);
            if (!geometry) return;
            if (place) geometry.applyMatrix4(pose);
            const color = shape.color ?? (shape.material ? undefined : paint);
            const material = shape.material ?? (color ? "paint" : undefined);
            const key = lookKey(material, color);
            const bin = this.bins.get(key) ?? { look: lookOf(material, color), parts: [] };
            bin.parts.push(geometry);
            this.bins.set(key, bin);
        });
    }

    fill(group: Group, shading: Shading): void {
        for (const { look, parts } of this.bins.values()) {
            const mesh = new Mesh(joinGeometries(parts), shading.make(look));
            mesh.userData["growth"] = look.growth ?? 0;
            group.add(mesh);
        }
    }
}

export class Bodies {
    readonly group = new Group();
    /** by slot; null where something else draws the body */
    readonly moving: (Group | null)[] = [];
    private readonly from = new Quaternion();
    private readonly to = new Quaternion();

    /** `drawn`: indices of bodies that have a picture of their own. */
    constructor(scene: SceneMessage, drawn: ReadonlySet<number>, shading: Shading) {
        const still = new Bins();
        scene.bodies.forEach((body, index) => {
            if (drawn.has(index)) return;
            if (body.slot === undefined && !isBoat(body)) {
                still.add(body, scene, 7 * index + 1, true);
                return;
            }
            let group = new Group();
            if (isBoat(body)) {
                group = makeBoat(body, scene.meshes ?? [], shading);
            } else {
                const bins = new Bins();
                bins.add(body, scene, 7 * index + 1, false);
                bins.fill(group, shading);
            }
            group.name = body.name;
            group.position.copy(vectorOf(body.position));
            group.quaternion.copy(quaternionOf(body.attitude));
            this.group.add(group);
            if (body.slot !== undefined) this.moving[body.slot] = group;
        });
        still.fill(this.group, shading);
        this.group.traverse((object) => object.layers.enable(SHADE_LAYER));
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
