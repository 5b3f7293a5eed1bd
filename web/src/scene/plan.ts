// A lesson seen from above, as on paper: all of its area, what stands there as outlines, the vehicle as an arrow that is large enough
// to be seen from however far off.

import { Box3, BufferAttribute, BufferGeometry, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, Vector3 } from "three";
import { sceneFootprints, sliceOf } from "../hud/footprints";
import type { SceneMessage } from "../net/messages";
import { vectorOf } from "./geometry";
import type { Subject } from "./views";

/** CSS pixels from the arrow's tail to its tip */
const ARROW = 30;

/** All that the lesson is about: where it wants the vehicle, and what is round the way there and back. */
export function planArea(scene: SceneMessage): Box3 {
    const area = new Box3();
    for (const { zone, gate } of scene.lesson?.objectives ?? []) {
        const place = zone ?? gate;
        if (!place) continue;
        const reach = new Vector3(place.radius, place.radius, place.radius);
        area.expandByPoint(vectorOf(place.position).add(reach)).expandByPoint(vectorOf(place.position).sub(reach));
    }
    return area;
}

/** What stands at a height, from above, over everything: what is cut open there would look like holes. */
function outlines(scene: SceneMessage, height: number): LineSegments {
    const positions: number[] = [];
    for (const print of sceneFootprints(scene)) {
        if (!sliceOf(print, height - 0.5, height + 0.5)) continue;
        const points = print.kind === "polygon" ? print.points
            : Array.from({ length: 32 }, (_, i): [number, number] => [print.x + print.radius * Math.cos((i * Math.PI) / 16), print.y + print.radius * Math.sin((i * Math.PI) / 16)]);
        points.forEach(([x, y], i) => {
            const [u, v] = points[(i + 1) % points.length]!;
            positions.push(x, y, height, u, v, height);
        });
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
    const drawn = new LineSegments(geometry, new LineBasicMaterial({ color: "#f2f7fa", transparent: true, depthTest: false }));
    drawn.renderOrder = 28;
    return drawn;
}

/** One long, its bow along x. */
function arrow(color: string, share: number, order: number): Mesh {
    const geometry = new BufferGeometry();
    const points = [0.55, 0, -0.45, 0.38, -0.24, 0, -0.45, -0.38].map((value) => share * value);
    const [tip, port, notch, starboard] = [0, 2, 4, 6].map((i) => [points[i]!, points[i + 1]!, 0]);
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([tip!, port!, notch!, tip!, notch!, starboard!].flat()), 3));
    const drawn = new Mesh(geometry, new MeshBasicMaterial({ color, transparent: true, depthTest: false, side: DoubleSide }));
    drawn.renderOrder = order;
    drawn.frustumCulled = false;
    return drawn;
}

export class Plan {
    readonly group = new Group();
    readonly arrow = new Group();
    private readonly ahead = new Vector3();

    constructor(scene: SceneMessage, readonly area: Box3) {
        this.arrow.add(arrow("#04101a", 1.3, 30), arrow("#eaf6fb", 1, 31));
        this.group.add(outlines(scene, area.getCenter(new Vector3()).z), this.arrow);
    }

    /** Before each picture; `pixel`: m at 1 m distance that one CSS pixel covers. */
    update(subject: Subject | null, shown: boolean, eye: Vector3, pixel: number): void {
        this.arrow.visible = shown && subject !== null;
        if (!subject) return;
        const ahead = this.ahead.set(1, 0, 0).applyQuaternion(subject.attitude);
        this.arrow.position.copy(subject.position);
        this.arrow.rotation.set(0, 0, Math.atan2(ahead.y, ahead.x));
        this.arrow.scale.setScalar(ARROW * pixel * eye.distanceTo(subject.position));
    }
}
