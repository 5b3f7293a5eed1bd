// Where a lesson wants the vehicle: three circles round a zone, one circle with an arrow for a gate. What is to be done is bright,
// the one after it faint; the others are not drawn, nor is one about the eye, whose lines would cross the whole picture, unless nothing else is
// to be done.

import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Quaternion, Vector3 } from "three";
import type { ObjectiveEntry } from "../net/messages";

const SEGMENTS = 48;
const NEXT = "#ffd84a";
const LATER = "#8fd6ff";

export function circle(radius: number, axis: 0 | 1 | 2, out: number[]): void {
    for (let i = 0; i < SEGMENTS; ++i) {
        for (const k of [i, i + 1]) {
            const angle = (2 * Math.PI * k) / SEGMENTS;
            const point = [0, 0, 0];
            point[(axis + 1) % 3] = radius * Math.cos(angle);
            point[(axis + 2) % 3] = radius * Math.sin(angle);
            out.push(...point);
        }
    }
}

function lines(positions: number[]): LineSegments<BufferGeometry, LineBasicMaterial> {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    geometry.computeBoundingSphere();
    return new LineSegments(geometry, new LineBasicMaterial({ transparent: true, depthTest: false }));
}

function mark(objective: ObjectiveEntry): LineSegments<BufferGeometry, LineBasicMaterial> | null {
    const positions: number[] = [];
    if (objective.gate) {
        const { position, direction, radius } = objective.gate;
        circle(radius, 2, positions);
        positions.push(0, 0, -radius, 0, 0, radius, 0, 0, radius, 0.25 * radius, 0, 0.6 * radius, 0, 0, radius, -0.25 * radius, 0, 0.6 * radius);
        const drawn = lines(positions);
        drawn.position.set(...position);
        drawn.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...direction)));
        return drawn;
    }
    if (!objective.zone) return null;
    for (const axis of [0, 1, 2] as const) circle(objective.zone.radius, axis, positions);
    const drawn = lines(positions);
    drawn.position.set(...objective.zone.position);
    return drawn;
}

export class Markers {
    readonly group = new Group();
    private marks: (LineSegments<BufferGeometry, LineBasicMaterial> | null)[] = [];
    private wanted: boolean[] = [];
    private next: boolean[] = [];

    setObjectives(objectives: readonly ObjectiveEntry[]): void {
        for (const drawn of this.marks) {
            drawn?.geometry.dispose();
            drawn?.material.dispose();
        }
        this.group.clear();
        this.marks = objectives.map(mark);
        this.wanted = this.marks.map(() => false);
        this.next = this.marks.map(() => false);
        for (const drawn of this.marks) if (drawn) this.group.add(drawn);
    }

    /** `done` says of each objective whether it is over; `current` is the one to do, -1: none. */
    update(done: readonly boolean[], current: number, sequence: boolean): void {
        this.marks.forEach((drawn, i) => {
            if (!drawn) return;
            const next = sequence ? i === current : !done[i];
            this.wanted[i] = !done[i] && (next || i === current + 1);
            this.next[i] = next;
            drawn.renderOrder = 29;
            drawn.material.color.set(next ? NEXT : LATER);
        });
    }

    /** Before each picture, with the eye's place. */
    look(eye: Vector3): void {
        const others = this.next.filter(Boolean).length > 1;
        this.marks.forEach((drawn, i) => {
            if (!drawn) return;
            const inside = eye.distanceTo(drawn.position) < 1.05 * (drawn.geometry.boundingSphere?.radius ?? 0);
            drawn.visible = this.wanted[i]! && (!inside || (this.next[i]! && !others));
            drawn.material.opacity = this.next[i] ? (inside ? 0.4 : 0.95) : 0.25;
        });
    }
}
