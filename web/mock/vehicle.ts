// A vehicle that flies plausibly: four axes with drag, level by itself, hold modes, and instruments.

import { conditionAxis, type AxisTuning } from "../src/math/conditioning";
import { TAU, headingDifference, wrapHeading } from "../src/math/angles";
import { clamp } from "../src/math/numbers";
import { VehicleFlag, type VehicleFrame } from "../src/net/frame";
import type { PilotAxis, Vec3, VehicleEntry } from "../src/net/messages";
import type { Place } from "./surroundings";

export const MODES = ["manual", "stabilize", "depth_hold", "heading_hold", "hold"];
const THRUST = [137, 137, 160, 12] as const;
const MASS = [20, 21, 32, 0.6] as const;
const DRAG = [141, 217, 190, 1.5] as const;
const LINEAR = [13.7, 10, 33, 0.8] as const;
const RADIUS = 0.3;

export class Vehicle {
    position: Vec3;
    /** to port positive, as the world's axes; the heading is its negative */
    yaw = 0;
    roll = 0;
    pitch = 0;
    velocity: Vec3 = [0, 0, 0];
    yawRate = 0;
    turns = 0;
    pilot = [0, 0, 0, 0];
    conditioned = [0, 0, 0, 0];
    tuning: Record<PilotAxis, AxisTuning>;
    armed = false;
    hold = false;
    mode = 0;
    gain = 0.5;
    lights = 0.6;
    tilt = 0;
    tiltRate = 0;
    zoom = 1;
    zoomRate = 0;
    gripper = 0.2;
    gripperTarget: number | null = null;
    depthTarget = Number.NaN;
    headingTarget = Number.NaN;
    failed = 0;
    reversed = 0;
    hit = 0;
    private forces: number[];
    private angles: number[];

    constructor(readonly entry: VehicleEntry, private readonly place: Place) {
        this.position = [...place.start];
        const plain = (): AxisTuning => ({ dead_zone: 0.05, sensitivity: 1, expo: 0.3, invert: false });
        this.tuning = { surge: plain(), sway: plain(), heave: plain(), yaw: plain() };
        this.forces = entry.thrusters.map(() => 0);
        this.angles = entry.thrusters.map(() => 0);
    }

    get depth(): number { return -this.position[2]; }
    get heading(): number { return wrapHeading(-this.yaw); }

    setMode(mode: number): void {
        this.mode = mode;
        this.depthTarget = mode === 2 || mode === 4 ? this.depth : Number.NaN;
        this.headingTarget = mode >= 3 ? this.heading : Number.NaN;
    }

    step(dt: number, water: Vec3, tether: { pull: Vec3 }): void {
        const names = ["surge", "sway", "heave", "yaw"] as const;
        this.conditioned = names.map((name, i) => conditionAxis(this.tuning[name], this.pilot[i]!));
        const wanted = this.conditioned.map((value, i) => value * this.gain * THRUST[i]!);
        if (!Number.isNaN(this.depthTarget)) {
            this.depthTarget = clamp(this.depthTarget - this.conditioned[2]! * 0.4 * dt, 0, this.place.depth);
            wanted[2] = 250 * (this.depth - this.depthTarget) - 120 * this.velocity[2];
        }
        if (!Number.isNaN(this.headingTarget)) {
            this.headingTarget = wrapHeading(this.headingTarget + this.conditioned[3]! * 0.8 * dt);
            wanted[3] = 14 * headingDifference(this.heading, this.headingTarget) + 5 * this.yawRate;
        }
        const demand = wanted.map((value, i) => (this.armed ? clamp(value, -THRUST[i]!, THRUST[i]!) : 0));
        this.turnThrusters(demand, dt);

        const [c, s] = [Math.cos(this.yaw), Math.sin(this.yaw)];
        const relative: Vec3 = [this.velocity[0] - water[0], this.velocity[1] - water[1], this.velocity[2] - water[2]];
        const body = [c * relative[0] + s * relative[1], s * relative[0] - c * relative[1], relative[2]];
        const acceleration = body.map((v, i) => (demand[i]! - (DRAG[i]! * Math.abs(v) + LINEAR[i]!) * v) / MASS[i]!);
        const world: Vec3 = [c * acceleration[0]! + s * acceleration[1]!, s * acceleration[0]! - c * acceleration[1]!,
            acceleration[2]!];
        for (let axis = 0; axis < 3; ++axis) {
            this.velocity[axis] = this.velocity[axis]! + dt * (world[axis]! + tether.pull[axis]! / MASS[axis]!);
            this.position[axis] = this.position[axis]! + dt * this.velocity[axis]!;
        }
        // + yaw axis is to starboard: the heading grows, the world's angle falls.
        this.yawRate += (dt * (-demand[3]! - (DRAG[3] * Math.abs(this.yawRate) + LINEAR[3]) * this.yawRate)) / MASS[3];
        this.yaw += dt * this.yawRate;
        this.turns -= (dt * this.yawRate) / TAU;
        this.pitch += dt * 3 * (-0.12 * body[0]! - this.pitch);
        this.roll += dt * 3 * (0.1 * body[1]! - this.roll);
        this.tilt = clamp(this.tilt + this.tiltRate * dt, -Math.PI / 2, Math.PI / 2);
        this.zoom = clamp(this.zoom + this.zoomRate * dt, 1, this.entry.camera.zoom);
        if (this.gripperTarget !== null) this.gripper += clamp(this.gripperTarget - this.gripper, -0.5 * dt, 0.5 * dt);
        this.collide();
        this.hit = Math.max(this.hit - dt, 0);
    }

    private collide(): void {
        const stop = (nx: number, ny: number, nz: number, depth: number): void => {
            const into = this.velocity[0] * nx + this.velocity[1] * ny + this.velocity[2] * nz;
            this.position = [this.position[0] + depth * nx, this.position[1] + depth * ny, this.position[2] + depth * nz];
            if (into >= 0) return;
            if (into < -0.1) this.hit = 0.2;
            this.velocity = [this.velocity[0] - into * nx, this.velocity[1] - into * ny, this.velocity[2] - into * nz];
        };
        const [x, y, z] = this.position;
        if (z < -this.place.depth + 0.15) stop(0, 0, 1, -this.place.depth + 0.15 - z);
        if (z > 0) stop(0, 0, -1, z);
        for (const pile of this.place.piles) {
            const d = Math.hypot(x - pile.x, y - pile.y);
            if (d < pile.radius + RADIUS) stop((x - pile.x) / d, (y - pile.y) / d, 0, pile.radius + RADIUS - d);
        }
        const pool = this.place.pool;
        if (pool?.round) {
            const d = Math.hypot(x, y);
            if (d > pool.size - RADIUS) stop(-x / d, -y / d, 0, d - pool.size + RADIUS);
        } else if (pool) {
            if (Math.abs(y) > pool.size - RADIUS) stop(0, -Math.sign(y), 0, Math.abs(y) - pool.size + RADIUS);
            if (Math.abs(x) > 12.5 - RADIUS) stop(-Math.sign(x), 0, 0, Math.abs(x) - 12.5 + RADIUS);
        }
    }

    private turnThrusters(demand: number[], dt: number): void {
        this.entry.thrusters.forEach((thruster, i) => {
            const [ax, ay, az] = thruster.axis;
            const lever = thruster.position[0] * ay - thruster.position[1] * ax;
            let force = (demand[0]! * ax - demand[1]! * ay) / 2.83 + (demand[2]! * az) / 4 - (demand[3]! * Math.sign(lever)
                * (Math.abs(lever) > 0.01 && az === 0 ? 1 : 0)) / (4 * 0.19);
            if (this.failed & (1 << i)) force = 0;
            if (this.reversed & (1 << i)) force = -force;
            const limited = clamp(force, -thruster.reverse, thruster.forward);
            this.forces[i]! += clamp(dt / 0.15, 0, 1) * (limited - this.forces[i]!);
            const angle = this.angles[i]! + dt * this.propellerSpeed(i);
            this.angles[i] = Math.atan2(Math.sin(angle), Math.cos(angle));
        });
    }

    private propellerSpeed(i: number): number {
        const force = this.forces[i]!;
        return Math.sign(force) * 350 * Math.sqrt(Math.abs(force) / 50) * this.entry.thrusters[i]!.hand;
    }

    thrusters(): Float32Array {
        return Float32Array.from(this.forces.flatMap((force, i) =>
            [force, clamp(force / 50, -1, 1), this.angles[i]!, this.propellerSpeed(i)]));
    }

    attitude(): number[] {
        // Bow up is a negative turn about y to port.
        const [cr, sr] = [Math.cos(this.roll / 2), Math.sin(this.roll / 2)];
        const [cp, sp] = [Math.cos(-this.pitch / 2), Math.sin(-this.pitch / 2)];
        const [cy, sy] = [Math.cos(this.yaw / 2), Math.sin(this.yaw / 2)];
        return [cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr, cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr];
    }

    frame(water: Vec3, tension: number): VehicleFrame {
        return {
            position: Float32Array.from(this.position), attitude: Float32Array.from(this.attitude()),
            velocity: Float32Array.from(this.velocity), rate: Float32Array.from([0, 0, this.yawRate]),
            depth: this.depth, heading: this.heading, roll: this.roll, pitch: this.pitch,
            altitude: this.place.depth + this.position[2], speed: Math.hypot(...this.velocity), turns: this.turns, tension,
            tilt: this.tilt, zoom: this.zoom, lights: this.lights, gripper: this.gripper, gain: this.gain,
            depthTarget: this.depthTarget, headingTarget: this.headingTarget, mode: this.mode,
            flags: (this.armed ? VehicleFlag.ARMED : 0) | (this.hold ? VehicleFlag.INPUT_HOLD : 0)
                | (this.hit > 0 ? VehicleFlag.COLLISION : 0),
            failed: this.failed, water: Float32Array.from(water), axes: Float32Array.from(this.conditioned),
        };
    }
}
