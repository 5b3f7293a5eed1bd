// Small things on a sandy bottom that nothing collides with: pebbles, shells, tufts of weed. They give the pilot something
// to judge speed and height by. They lie in square cells round the eye, each cell always the same.

import { BufferAttribute, BufferGeometry, IcosahedronGeometry, InstancedMesh, Matrix4, Quaternion, Vector3 } from "three";
import { makeRandom } from "../math/numbers";
import { rememberLocal } from "./geometry";
import { LOOKS } from "./looks";
import type { Shading } from "./shading";

const CELL = 3; // m
const REACH = 5; // cells each way
const PEBBLES = 7; // per cell
const TUFTS = 2;

export function tuftGeometry(): BufferGeometry {
    const random = makeRandom(9);
    const positions: number[] = [];
    for (let blade = 0; blade < 9; ++blade) {
        const angle = random() * 6.28;
        const lean = 0.06 + 0.12 * random();
        const height = 0.14 + 0.22 * random();
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const [wx, wy] = [-s * 0.008, c * 0.008];
        const root: [number, number] = [0.04 * (random() - 0.5), 0.04 * (random() - 0.5)];
        const middle: [number, number, number] = [root[0] + 0.35 * lean * c, root[1] + 0.35 * lean * s, 0.55 * height];
        const tip: [number, number, number] = [root[0] + lean * c, root[1] + lean * s, height];
        positions.push(root[0] - wx, root[1] - wy, 0, root[0] + wx, root[1] + wy, 0, middle[0] + wx, middle[1] + wy, middle[2]);
        positions.push(root[0] - wx, root[1] - wy, 0, middle[0] + wx, middle[1] + wy, middle[2], middle[0] - wx, middle[1] - wy, middle[2]);
        positions.push(middle[0] - wx, middle[1] - wy, middle[2], middle[0] + wx, middle[1] + wy, middle[2], ...tip);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    geometry.computeVertexNormals();
    return rememberLocal(geometry);
}

export class Decor {
    readonly pebbles: InstancedMesh;
    readonly tufts: InstancedMesh;
    private share = 1;
    private cellX = Number.NaN;
    private cellY = Number.NaN;

    constructor(shading: Shading, private readonly height: (x: number, y: number) => number) {
        const cells = (2 * REACH + 1) ** 2;
        const stone = new IcosahedronGeometry(1, 0);
        rememberLocal(stone);
        this.pebbles = new InstancedMesh(stone, shading.make({ ...LOOKS["rock"]!, color: "#8d8270", second: "#5d564a", growth: 0, scale: 3 }),
            cells * PEBBLES);
        this.tufts = new InstancedMesh(tuftGeometry(), shading.make(LOOKS["weed"]!), cells * TUFTS);
        this.pebbles.frustumCulled = this.tufts.frustumCulled = false;
    }

    /** Of the things to draw: those nearest to the eye. */
    setShare(share: number): void {
        this.share = share;
        this.cellX = Number.NaN;
    }

    update(x: number, y: number): void {
        const cx = Math.floor(x / CELL);
        const cy = Math.floor(y / CELL);
        if (cx === this.cellX && cy === this.cellY) return;
        this.cellX = cx;
        this.cellY = cy;
        const matrix = new Matrix4();
        const turn = new Quaternion();
        const up = new Vector3(0, 0, 1);
        const at = new Vector3();
        const size = new Vector3();
        let pebble = 0;
        let tuft = 0;
        const reach = Math.ceil(REACH * Math.sqrt(this.share));
        for (let i = cx - reach; i <= cx + reach; ++i) {
            for (let j = cy - reach; j <= cy + reach; ++j) {
                const random = makeRandom((i * 73856093) ^ (j * 19349663));
                // Some cells are bare, some rich.
                const rich = random();
                for (let k = 0; k < PEBBLES * rich; ++k) {
                    const px = (i + random()) * CELL;
                    const py = (j + random()) * CELL;
                    const s = 0.015 + 0.06 * random() ** 3;
                    at.set(px, py, this.height(px, py) + 0.1 * s);
                    turn.setFromAxisAngle(up, random() * 6.28);
                    matrix.compose(at, turn, size.set(s * (0.8 + random()), s * (0.7 + 0.6 * random()), s * 0.55));
                    this.pebbles.setMatrixAt(pebble++, matrix);
                }
                for (let k = 0; k < (rich > 0.6 ? TUFTS : 0); ++k) {
                    const px = (i + random()) * CELL;
                    const py = (j + random()) * CELL;
                    const s = 0.5 + random();
                    at.set(px, py, this.height(px, py));
                    turn.setFromAxisAngle(up, random() * 6.28);
                    matrix.compose(at, turn, size.set(s, s, s));
                    this.tufts.setMatrixAt(tuft++, matrix);
                }
            }
        }
        this.pebbles.count = pebble;
        this.tufts.count = tuft;
        this.pebbles.instanceMatrix.needsUpdate = true;
        this.tufts.instanceMatrix.needsUpdate = true;
    }
}
