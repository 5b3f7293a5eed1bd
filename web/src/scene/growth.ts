// What lives on structures, to be seen from near: clumps of mussels and tufts of hydroids on everything that has stood in the sea,
// denser where there is light. Their places are sampled once, evenly over the surfaces; those near the eye are drawn, as instances.

import { IcosahedronGeometry, InstancedMesh, Matrix4, Quaternion, Vector3, type BufferGeometry, type Mesh } from "three";
import { makeRandom } from "../math/numbers";
import { tuftGeometry } from "./decor";
import { rememberLocal } from "./geometry";
import type { Shading } from "./shading";

const CELL = 3; // m
const REACH = 2; // cells each way
const MOST_CLUMPS = 1100;
const MOST_TUFTS = 500;
const PER_SQUARE_METRE = 22;
const MOST_PLACES = 40_000;
/** m below the surface where growth begins: above, waves wash it off */
const TIDE = 0.4;

interface Place {
    at: Vector3;
    normal: Vector3;
    size: number;
    turn: number;
    tuft: boolean;
}

/** A clump: a ball of few faces, flattened towards what it sits on and bumpy. */
function clumpGeometry(): BufferGeometry {
    const ball = new IcosahedronGeometry(1, 1);
    const position = ball.getAttribute("position");
    const p = new Vector3();
    for (let i = 0; i < position.count; ++i) {
        p.fromBufferAttribute(position, i);
        const bump = 1 + 0.28 * Math.sin(5.1 * p.x + 2.3) * Math.sin(4.3 * p.y) + 0.18 * Math.sin(7.7 * p.z + 1.1);
        position.setXYZ(i, bump * p.x, bump * p.y, 0.55 * bump * p.z);
    }
    // rounded: normals of the ball that it was made from
    const normal = ball.getAttribute("normal");
    for (let i = 0; i < normal.count; ++i) {
        p.fromBufferAttribute(position, i).setZ(1.8 * position.getZ(i)).normalize();
        normal.setXYZ(i, p.x, p.y, p.z);
    }
    return rememberLocal(ball);
}

export class Growth {
    readonly clumps: InstancedMesh;
    readonly tufts: InstancedMesh;
    private readonly cells = new Map<string, Place[]>();
    private cell = "";
    private wanted = false;

    /** Of all these meshes, which stand still, whose material has growth; `surface`: height of the water's. */
    constructor(meshes: readonly Mesh<BufferGeometry>[], shading: Shading, surface: number) {
        const random = makeRandom(4711);
        const grown = meshes.filter((mesh) => ((mesh.userData["growth"] as number | undefined) ?? 0) > 0.3);
        // Large surroundings have it thinner, not only in parts.
        const wanted = grown.reduce((sum, mesh) => sum + PER_SQUARE_METRE * (mesh.userData["growth"] as number) * areaBelow(mesh.geometry, surface - TIDE), 0);
        const density = PER_SQUARE_METRE * Math.min(1, MOST_PLACES / Math.max(wanted, 1));
        for (const mesh of grown) this.sample(mesh.geometry, density * (mesh.userData["growth"] as number), surface, random);
        this.clumps = new InstancedMesh(clumpGeometry(), shading.make({ color: "#5d5044", second: "#a0673c", scale: 0.5 }), MOST_CLUMPS);
        this.tufts = new InstancedMesh(tuftGeometry(), shading.make({ color: "#7a4a26", second: "#4f5a2a", scale: 0.5, doubleSided: true }), MOST_TUFTS);
        for (const mesh of [this.clumps, this.tufts]) {
            mesh.frustumCulled = false;
            mesh.visible = false;
        }
    }

    private sample(geometry: BufferGeometry, density: number, surface: number, random: () => number): void {
        const position = geometry.getAttribute("position");
        const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
        let owed = random();
        for (let i = 0; i + 2 < position.count; i += 3) {
            a.fromBufferAttribute(position, i);
            b.fromBufferAttribute(position, i + 1).sub(a);
            c.fromBufferAttribute(position, i + 2).sub(a);
            const normal = b.clone().cross(c);
            const area = normal.length() / 2;
            if (!(area > 0)) continue;
            normal.divideScalar(2 * area);
            owed += area * density;
            while (owed >= 1) {
                owed -= 1;
                let [s, t] = [random(), random()];
                if (s + t > 1) [s, t] = [1 - s, 1 - t];
                const at = a.clone().addScaledVector(b, s).addScaledVector(c, t);
                const depth = surface - TIDE - at.z;
                const [size, turn, kind] = [0.014 + 0.045 * random() ** 3, 6.28 * random(), random()];
                // less of it where it is dark
                if (depth < 0 || random() > 0.35 + 0.65 / (1 + 0.12 * depth)) continue;
                const key = keyOf(at.x, at.y, at.z);
                const list = this.cells.get(key) ?? [];
                list.push({ at, normal: normal.clone(), size, turn, tuft: kind < 0.3 });
                this.cells.set(key, list);
            }
        }
    }

    setWanted(wanted: boolean): void {
        this.wanted = wanted;
        this.clumps.visible = this.tufts.visible = wanted;
        this.cell = "";
    }

    update(eye: Vector3): void {
        const key = keyOf(eye.x, eye.y, eye.z);
        if (!this.wanted || key === this.cell) return;
        this.cell = key;
        const near: Place[] = [];
        for (let i = -REACH; i <= REACH; ++i) {
            for (let j = -REACH; j <= REACH; ++j) {
                for (let k = -REACH; k <= REACH; ++k) near.push(...(this.cells.get(keyOf(eye.x + i * CELL, eye.y + j * CELL, eye.z + k * CELL)) ?? []));
            }
        }
        near.sort((a, b) => a.at.distanceToSquared(eye) - b.at.distanceToSquared(eye));
        let [clump, tuft] = [0, 0];
        const matrix = new Matrix4();
        const up = new Vector3(0, 0, 1);
        const spin = new Quaternion();
        const turn = new Quaternion();
        const scale = new Vector3();
        for (const place of near) {
            if (place.tuft ? tuft === MOST_TUFTS : clump === MOST_CLUMPS) continue;
            turn.setFromUnitVectors(up, place.normal).multiply(spin.setFromAxisAngle(up, place.turn));
            const size = place.tuft ? 3.5 * place.size + 0.1 : place.size;
            matrix.compose(place.at, turn, scale.setScalar(size));
            if (place.tuft) this.tufts.setMatrixAt(tuft++, matrix);
            else this.clumps.setMatrixAt(clump++, matrix);
        }
        this.clumps.count = clump;
        this.tufts.count = tuft;
        this.clumps.instanceMatrix.needsUpdate = this.tufts.instanceMatrix.needsUpdate = true;
    }
}

/** m2 of triangles that reach below a height. */
function areaBelow(geometry: BufferGeometry, height: number): number {
    const position = geometry.getAttribute("position");
    const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
    let sum = 0;
    for (let i = 0; i + 2 < position.count; i += 3) {
        a.fromBufferAttribute(position, i);
        b.fromBufferAttribute(position, i + 1);
        c.fromBufferAttribute(position, i + 2);
        if (Math.min(a.z, b.z, c.z) < height) sum += b.sub(a).cross(c.sub(a)).length() / 2;
    }
    return sum;
}

function keyOf(x: number, y: number, z: number): string {
    return `${Math.floor(x / CELL)},${Math.floor(y / CELL)},${Math.floor(z / CELL)}`;
}
