// Another line than the true tether's: dashes with a small cross at every few points, over everything, as aids are. The ghost of a second
// model has long dashes, the tether as a pilot sketched it short ones.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, LineDashedMaterial, LineSegments } from "three";
import type { Point } from "../net/messages";

const CROSS = 0.07; // m
const MOST_CROSSES = 24;

export class TwinLine {
    readonly group = new Group();
    private readonly line: Line<BufferGeometry, LineDashedMaterial>;
    private readonly crosses: LineSegments<BufferGeometry, LineBasicMaterial>;

    constructor(color = "#e7a8ff", dashSize = 0.6, gapSize = 0.15) {
        const look = { color, transparent: true, opacity: 0.9, depthTest: false };
        this.line = new Line(new BufferGeometry(), new LineDashedMaterial({ ...look, dashSize, gapSize }));
        this.crosses = new LineSegments(new BufferGeometry(), new LineBasicMaterial(look));
        this.group.renderOrder = 30;
        this.group.visible = false;
        for (const drawn of [this.line, this.crosses]) {
            drawn.frustumCulled = false;
            this.group.add(drawn);
        }
    }

    show(points: readonly Point[]): void {
        this.group.visible = points.length > 1;
        if (!this.group.visible) return;
        fill(this.line.geometry, points.flat());
        this.line.computeLineDistances();
        const every = Math.max(1, Math.ceil(points.length / MOST_CROSSES));
        fill(this.crosses.geometry, points.filter((_, i) => i % every === 0).flatMap(([x, y, z]) => [x - CROSS, y, z - CROSS, x + CROSS, y, z + CROSS,
            x, y - CROSS, z + CROSS, x, y + CROSS, z - CROSS]));
    }
}

/** Into the buffer that is there, where it is large enough. */
function fill(geometry: BufferGeometry, values: number[]): void {
    const held = geometry.getAttribute("position") as BufferAttribute | undefined;
    if (!held || held.array.length < values.length) {
        geometry.dispose();
        geometry.deleteAttribute("lineDistance");
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(2 * values.length), 3));
    }
    const position = geometry.getAttribute("position") as BufferAttribute;
    (position.array as Float32Array).set(values);
    position.needsUpdate = true;
    geometry.setDrawRange(0, values.length / 3);
}
