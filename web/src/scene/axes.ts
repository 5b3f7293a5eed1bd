// Coordinate axes with letters: the world's and the vehicle's.

import { BufferAttribute, BufferGeometry, CanvasTexture, Group, LineBasicMaterial, LineSegments, Sprite, SpriteMaterial } from "three";

const COLORS = ["#ff7a6b", "#7ee08a", "#7ab8ff"];

function letter(text: string, color: string): Sprite {
    const canvas = document.createElement("canvas");
    canvas.width = 128;
    canvas.height = 64;
    const pen = canvas.getContext("2d")!;
    pen.font = "700 34px B612, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineWidth = 6;
    pen.strokeStyle = "rgba(2, 12, 18, 0.8)";
    pen.strokeText(text, 64, 32);
    pen.fillStyle = color;
    pen.fillText(text, 64, 32);
    return new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthTest: false, transparent: true }));
}

/** Three lines with a name at the end of each; `length` in m. */
export function makeAxes(length: number, names: readonly [string, string, string]): Group {
    const group = new Group();
    const positions: number[] = [];
    const colors: number[] = [];
    names.forEach((name, axis) => {
        const end = [0, 0, 0];
        end[axis] = length;
        positions.push(0, 0, 0, ...end);
        const value = Number.parseInt(COLORS[axis]!.slice(1), 16);
        const rgb = [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
        colors.push(...rgb, ...rgb);
        const sprite = letter(name, COLORS[axis]!);
        end[axis] = length * 1.14;
        sprite.position.set(end[0]!, end[1]!, end[2]!);
        sprite.scale.set(0.5 * length, 0.25 * length, 1);
        sprite.renderOrder = 31;
        group.add(sprite);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(colors), 3));
    const lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
    lines.renderOrder = 30;
    group.add(lines);
    return group;
}
