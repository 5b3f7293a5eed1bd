// What a lesson is made of, drawn while it is being written: zones, gates, what is to be looked at, the line to follow, the
// obstacles that probes ask about; each with its name.

import { BufferAttribute, BufferGeometry, CanvasTexture, Group, LineBasicMaterial, LineSegments, Quaternion, Sprite, SpriteMaterial, Vector3 } from "three";
import type { DraftLesson, Vec3 } from "../net/messages";
import { circle } from "./markers";

const COLORS = { objective: "#ffd84a", recover: "#7dff9a", station: "#7dff9a", gate: "#ffd84a", look: "#ff9df2", path: "#7dff9a", obstacle: "#ff8a5c" } as const;
const OBSTACLE_HALF = 8; // m up and down: obstacles have no height of their own
const LETTERS = 40; // pixels

/** A name that always faces the viewer, `height` m tall. */
function label(text: string, color: string, at: Vector3, height: number): Sprite {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d")!;
    const font = `bold ${LETTERS}px sans-serif`;
    context.font = font;
    canvas.width = Math.ceil(context.measureText(text).width) + 12;
    canvas.height = LETTERS + 14;
    context.font = font;
    context.lineWidth = 6;
    context.strokeStyle = "#03141c";
    context.fillStyle = color;
    context.strokeText(text, 6, LETTERS);
    context.fillText(text, 6, LETTERS);
    const sprite = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthTest: false, transparent: true }));
    sprite.scale.set((height * canvas.width) / canvas.height, height, 1);
    sprite.position.copy(at);
    sprite.renderOrder = 31;
    return sprite;
}

export class DraftMarks {
    readonly group = new Group();

    /** Null: nothing is being written. */
    set(lesson: DraftLesson | null): void {
        for (const child of this.group.children) {
            if (child instanceof LineSegments) child.geometry.dispose();
            if (child instanceof Sprite) child.material.map?.dispose();
            (child as LineSegments<BufferGeometry, LineBasicMaterial>).material.dispose();
        }
        this.group.clear();
        if (!lesson) return;
        for (const { kind, name, position, radius } of lesson.zones) {
            const positions: number[] = [];
            for (const axis of [0, 1, 2] as const) circle(radius, axis, positions);
            this.add(positions, COLORS[kind], position);
            this.name(name, COLORS[kind], position, radius);
        }
        for (const { name, position, direction, radius } of lesson.gates) {
            const positions: number[] = [];
            circle(radius, 2, positions);
            positions.push(0, 0, -radius, 0, 0, radius, 0, 0, radius, 0.25 * radius, 0, 0.6 * radius, 0, 0, radius, -0.25 * radius, 0, 0.6 * radius);
            this.add(positions, COLORS.gate, position).quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...direction));
            this.name(name, COLORS.gate, position, radius);
        }
        for (const { name, at, near, far } of lesson.looks) {
            const positions: number[] = [-0.3, 0, 0, 0.3, 0, 0, 0, -0.3, 0, 0, 0.3, 0, 0, 0, -0.3, 0, 0, 0.3];
            if (near > 0) circle(near, 2, positions);
            circle(far, 2, positions);
            this.add(positions, COLORS.look, at);
            this.name(name, COLORS.look, at, 0.5);
        }
        const line: number[] = [];
        for (let i = 1; i < lesson.path.length; ++i) line.push(...lesson.path[i - 1]!, ...lesson.path[i]!);
        if (line.length > 0) this.add(line, COLORS.path, [0, 0, 0]);
        for (const { name, position } of lesson.obstacles) {
            this.add([0, 0, -OBSTACLE_HALF, 0, 0, OBSTACLE_HALF, -0.3, 0, 0, 0.3, 0, 0, 0, -0.3, 0, 0, 0.3, 0], COLORS.obstacle, position);
            this.name(name, COLORS.obstacle, position, 0.4);
        }
    }

    private add(positions: number[], color: string, at: Vec3): { quaternion: Quaternion } {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
        const drawn = new LineSegments(geometry, new LineBasicMaterial({ color, transparent: true, opacity: 0.9, depthTest: false }));
        drawn.position.set(...at);
        drawn.renderOrder = 30;
        this.group.add(drawn);
        return drawn;
    }

    private name(text: string, color: string, [x, y, z]: Vec3, above: number): void {
        this.group.add(label(text, color, new Vector3(x, y, z + above + 0.2), 0.28));
    }
}
