// The predictive ghost: where the vehicle will be when the commands on their way have arrived, as an outline over the delayed picture.

import { BoxGeometry, BufferAttribute, BufferGeometry, EdgesGeometry, Group, Line, LineBasicMaterial, LineSegments, Vector3 } from "three";
import type { BodyEntry, GhostMessage, ShapeEntry } from "../net/messages";

const COLOUR = "#ffd36b";

/** Edges of the box that holds the shapes, along x, y and z. */
export function extentOf(shapes: readonly ShapeEntry[]): { size: Vector3; middle: Vector3 } {
    const [low, high] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
    for (const shape of shapes) {
        const [x, y, z] = shape.position ?? [0, 0, 0];
        // a cylinder may lie any way round: its longest measure counts
        const reach = Math.max(shape.radius ?? 0.1, (shape.length ?? 0) / 2 + (shape.kind === "capsule" ? shape.radius ?? 0 : 0));
        const half = shape.size ? shape.size.map((edge) => edge / 2) : [reach, reach, reach];
        low.min(new Vector3(x - half[0]!, y - half[1]!, z - half[2]!));
        high.max(new Vector3(x + half[0]!, y + half[1]!, z + half[2]!));
    }
    if (!(high.x > low.x)) return { size: new Vector3(0.4, 0.4, 0.3), middle: new Vector3() };
    return { size: high.clone().sub(low), middle: high.clone().add(low).multiplyScalar(0.5) };
}

export class GhostOutline {
    readonly group = new Group();
    /** of the last one, for tests */
    last: GhostMessage | null = null;
    private readonly hull = new Group();
    private readonly material = new LineBasicMaterial({ color: COLOUR, transparent: true, opacity: 0.9, depthTest: false });
    private readonly way = new Line(new BufferGeometry(), this.material);

    constructor() {
        this.group.renderOrder = 31;
        this.group.visible = false;
        this.way.frustumCulled = false;
        this.group.add(this.hull, this.way);
    }

    setBody(body: BodyEntry | undefined): void {
        for (const drawn of this.hull.children as LineSegments[]) drawn.geometry.dispose();
        this.hull.clear();
        this.show(null, null);
        const { size, middle } = extentOf(body?.shapes ?? []);
        const box = new LineSegments(new EdgesGeometry(new BoxGeometry(size.x, size.y, size.z)), this.material);
        box.position.copy(middle);
        // an arrow at the bow
        const tip = new BufferGeometry();
        const [front, half] = [middle.x + size.x / 2, size.y / 4];
        tip.setAttribute("position", new BufferAttribute(new Float32Array([front, half, middle.z, front + 2 * half, 0, middle.z, front + 2 * half, 0, middle.z, front, -half, middle.z]), 3));
        this.hull.add(box, new LineSegments(tip, this.material));
    }

    /** `from`: where the vehicle is in the picture. */
    show(ghost: GhostMessage | null, from: ArrayLike<number> | null): void {
        this.last = ghost;
        this.group.visible = ghost !== null;
        if (!ghost) return;
        const [w, x, y, z] = ghost.attitude;
        this.hull.position.set(...ghost.position);
        this.hull.quaternion.set(x, y, z, w);
        const points = from ? [from[0]!, from[1]!, from[2]!, ...ghost.position] : [];
        this.way.geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
        this.way.visible = points.length > 0;
    }
}
