// A tether that behaves well enough to look at: position-based, in still or moving water, stopped by piles and the bottom.

import type { CableFrame } from "../src/net/frame";
import type { Vec3 } from "../src/net/messages";
import type { Place } from "./surroundings";

const SPACING = 0.8;
const ITERATIONS = 30;

export class Rope {
    nodes: Vec3[] = [];
    private before: Vec3[] = [];
    private touching: boolean[] = [];
    private tension: number[] = [];
    flags = 0;

    constructor(readonly launch: Vec3, end: Vec3, public out: number, private readonly place: Place) {
        const count = Math.max(Math.ceil(out / SPACING), 8) + 1;
        const straight = Math.hypot(end[0] - launch[0], end[1] - launch[1], end[2] - launch[2]);
        const sag = Math.sqrt(Math.max(out - straight, 0) * straight * 0.3);
        for (let i = 0; i < count; ++i) {
            const t = i / (count - 1);
            this.nodes.push([0, 1, 2].map((axis) => launch[axis]! + t * (end[axis]! - launch[axis]!)
                - (axis === 2 ? 4 * sag * t * (1 - t) : 0)) as Vec3);
        }
        this.before = this.nodes.map((node) => [...node] as Vec3);
    }

    /** Nodes come and go at the launch end. */
    private resize(): void {
        const wanted = Math.max(Math.ceil(this.out / SPACING), 8) + 1;
        while (this.nodes.length < wanted) {
            this.nodes.splice(1, 0, [...this.nodes[0]!] as Vec3);
            this.before.splice(1, 0, [...this.nodes[0]!] as Vec3);
        }
        while (this.nodes.length > wanted) {
            this.nodes.splice(1, 1);
            this.before.splice(1, 1);
        }
    }

    step(end: Vec3, water: Vec3, dt: number): void {
        this.resize();
        const n = this.nodes.length;
        const rest = this.out / (n - 1);
        this.touching = new Array<boolean>(n).fill(false);
        this.nodes.forEach((node, i) => {
            const old = this.before[i]!;
            const inWater = node[2] < 0;
            const keep = Math.exp(-(inWater ? 6 : 1) * dt);
            for (let axis = 0; axis < 3; ++axis) {
                const flow = inWater ? water[axis]! : 0;
                const velocity = flow + keep * ((node[axis]! - old[axis]!) / dt - flow);
                old[axis] = node[axis]!;
                node[axis] = node[axis]! + dt * velocity;
            }
            node[2] -= (inWater ? 0.03 : 9.81) * dt * dt;
        });
        let pull = 0;
        for (let k = 0; k < ITERATIONS; ++k) {
            this.nodes[0] = [...this.launch] as Vec3;
            this.nodes[n - 1] = [...end] as Vec3;
            pull = 0;
            for (let i = 0; i < n - 1; ++i) {
                const a = this.nodes[i]!;
                const b = this.nodes[i + 1]!;
                const d = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
                if (d <= rest) continue;
                pull = Math.max(pull, d / rest - 1);
                const wa = i === 0 ? 0 : 1;
                const wb = i + 1 === n - 1 ? 0 : 1;
                const share = (d - rest) / (d * Math.max(wa + wb, 1));
                for (let axis = 0; axis < 3; ++axis) {
                    const correction = share * (b[axis]! - a[axis]!);
                    a[axis] = a[axis]! + wa * correction;
                    b[axis] = b[axis]! - wb * correction;
                }
            }
            for (let i = 1; i < n - 1; ++i) this.collide(i);
        }
        this.setTension(pull);
    }

    private collide(i: number): void {
        const node = this.nodes[i]!;
        const bottom = -this.place.depth + 0.01;
        if (node[2] < bottom) {
            node[2] = bottom;
            this.touching[i] = true;
        }
        for (const pile of this.place.piles) {
            const dx = node[0] - pile.x;
            const dy = node[1] - pile.y;
            const d = Math.hypot(dx, dy);
            const reach = pile.radius + 0.01;
            if (d < reach && d > 1e-6) {
                node[0] = pile.x + (dx / d) * reach;
                node[1] = pile.y + (dy / d) * reach;
                this.touching[i] = true;
            }
        }
    }

    private setTension(pull: number): void {
        const taut = Math.min(Math.max(pull * 6000, 1), 400);
        this.tension = this.nodes.slice(1).map((_, i) => taut * (0.75 + (0.25 * i) / this.nodes.length));
    }

    get slackness(): number {
        const a = this.nodes[0]!;
        const b = this.nodes[this.nodes.length - 1]!;
        return this.out / Math.max(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 0.1) - 1;
    }

    get tensionAtVehicle(): number {
        return this.tension[this.tension.length - 1] ?? 0;
    }

    frame(): CableFrame {
        const n = this.nodes.length;
        const contacts = new Uint8Array(Math.ceil(n / 8));
        let wrap = 0;
        for (let i = 1; i < n - 1; ++i) {
            if (!this.touching[i]) continue;
            contacts[i >> 3]! |= 1 << (i & 7);
            if (this.nodes[i]![2] > -this.place.depth + 0.05) wrap += this.bend(i);
        }
        const a = this.nodes[0]!;
        const b = this.nodes[n - 1]!;
        return {
            count: n, flags: this.flags, length: this.out, distance: Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]),
            tensionA: this.tension[0] ?? 0, tensionB: this.tensionAtVehicle, wrap,
            nodes: Float32Array.from(this.nodes.flat()), tensions: Float32Array.from(this.tension), contacts,
        };
    }

    private bend(i: number): number {
        const [a, b, c] = [this.nodes[i - 1]!, this.nodes[i]!, this.nodes[i + 1]!];
        const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]] as const;
        const v = [c[0] - b[0], c[1] - b[1], c[2] - b[2]] as const;
        const cosine = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / (Math.hypot(...u) * Math.hypot(...v) || 1);
        return Math.acos(Math.min(Math.max(cosine, -1), 1));
    }
}
