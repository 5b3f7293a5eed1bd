// What a mock session runs: a flight with vehicle and tether, or a crane with a swinging load for the viewer.

import { clamp } from "../src/math/numbers";
import { BODY_SEABED, CableFlag, FrameFlag, type Frame } from "../src/net/frame";
import type { AlertMessage, FlightOptions, SceneMessage, Vec3 } from "../src/net/messages";
import { Rope } from "./rope";
import { describeFlight, PLACES, type Place } from "./surroundings";
import { Vehicle } from "./vehicle";

export interface MockWorld {
    readonly scene: SceneMessage;
    time: number;
    step(dt: number): void;
    frame(): Frame;
    channels(): Record<string, { unit: string; value: number }>;
    takeAlerts(): AlertMessage[];
}

export function emptyFrame(time: number): Frame {
    return { flags: 0, time, number: 0, seq: 0, factor: 1, revision: 1, poses: new Float32Array(0), vehicles: [], thrusters: [],
        cables: [], contacts: [], channels: new Map() };
}

export class FlightWorld implements MockWorld {
    readonly scene: SceneMessage;
    readonly vehicle: Vehicle;
    readonly rope: Rope | null;
    readonly place: Place;
    time = 0;
    seq = 0;
    current: Vec3 = [0, 0, 0];
    tether = { action: "hold" as "pay_out" | "haul_in" | "hold" | "auto", rate: 0.5 };
    private raised = new Map<string, AlertMessage>();
    private alerts: AlertMessage[] = [];

    constructor(readonly options: FlightOptions, flight: string) {
        this.place = PLACES[options.surroundings ?? "complex_area"]!.make();
        this.scene = describeFlight(this.place, options, flight, "flight");
        this.vehicle = new Vehicle(this.scene.vehicles[0]!, this.place);
        const tether = options.tether;
        this.rope = tether ? new Rope(this.place.launch, this.fairlead(), tether.out, this.place) : null;
        if (options.current) this.setCurrent(options.current.speed, options.current.direction_deg);
    }

    setCurrent(speed: number, degrees: number): void {
        const angle = (degrees * Math.PI) / 180;
        this.current = this.place.pool ? [0, 0, 0] : [speed * Math.cos(angle), speed * Math.sin(angle), 0];
    }

    private fairlead(): Vec3 {
        const { position, yaw } = this.vehicle;
        return [position[0] - 0.22 * Math.cos(yaw), position[1] - 0.22 * Math.sin(yaw), position[2] + 0.02];
    }

    step(dt: number): void {
        this.time += dt;
        const rope = this.rope;
        let pull: Vec3 = [0, 0, 0];
        if (rope) {
            const n = rope.nodes.length;
            const from = rope.nodes[n - 1]!;
            const to = rope.nodes[n - 2]!;
            const d = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) || 1;
            const tension = Math.min(rope.tensionAtVehicle, 150);
            pull = [0, 1, 2].map((axis) => (tension * (to[axis]! - from[axis]!)) / d) as Vec3;
        }
        this.vehicle.step(dt, this.current, { pull });
        if (!rope) return;
        this.wind(rope, dt);
        rope.step(this.fairlead(), this.current, dt);
        this.watch();
    }

    private wind(rope: Rope, dt: number): void {
        const total = this.options.tether?.length ?? 100;
        let rate = 0;
        if (this.tether.action === "pay_out") rate = this.tether.rate;
        if (this.tether.action === "haul_in") rate = -this.tether.rate;
        if (this.tether.action === "auto") rate = clamp((0.1 - rope.slackness) * 4, -1, 1);
        rope.out = clamp(rope.out + rate * dt, 1, total);
        rope.flags = rate > 0.02 ? CableFlag.PAYING_OUT : rate < -0.02 ? CableFlag.HAULING_IN : 0;
    }

    private watch(): void {
        const tension = this.rope?.tensionAtVehicle ?? 0;
        this.alert("tension", tension > 137 ? "alarm" : tension > 69 ? "warning" : null, `Tether tension ${Math.round(tension)} N`);
        const turns = this.vehicle.turns;
        this.alert("turns", Math.abs(turns) > 3 ? "alarm" : Math.abs(turns) > 1 ? "warning" : null,
            `${Math.abs(turns).toFixed(1)} turns to ${turns > 0 ? "starboard" : "port"}`);
        this.alert("altitude", this.vehicle.position[2] + this.place.depth < 0.5 ? "warning" : null, "Close to the bottom");
        this.alert("slack", (this.rope?.slackness ?? 0) > 0.25 ? "info" : null, "Much slack in the tether");
        this.alert("collision", this.vehicle.hit > 0 ? "warning" : null, "Collision");
    }

    private alert(code: string, level: AlertMessage["level"] | null, text: string): void {
        const before = this.raised.get(code);
        if (level === (before?.level ?? null)) return;
        if (level === null) {
            this.raised.delete(code);
            this.alerts.push({ ...before!, time: this.time, over: true });
        } else {
            const message: AlertMessage = { type: "alert", time: this.time, level, code, text };
            this.raised.set(code, message);
            this.alerts.push(message);
        }
    }

    takeAlerts(): AlertMessage[] {
        return this.alerts.splice(0);
    }

    frame(): Frame {
        const frame = emptyFrame(this.time);
        frame.seq = this.seq;
        if (this.options.record) frame.flags |= FrameFlag.RECORDING;
        frame.poses = Float32Array.from([...this.vehicle.position, ...this.vehicle.attitude()]);
        frame.vehicles = [this.vehicle.frame(this.current, this.rope?.tensionAtVehicle ?? Number.NaN)];
        frame.thrusters = [this.vehicle.thrusters()];
        if (this.rope) frame.cables = [this.rope.frame()];
        if (this.vehicle.hit > 0) {
            frame.contacts = [{ point: Float32Array.from(this.vehicle.position), force: Float32Array.from([-60, 0, 20]),
                first: this.scene.bodies.length - 1, second: BODY_SEABED }];
        }
        return frame;
    }

    channels(): Record<string, { unit: string; value: number }> {
        const v = this.vehicle;
        return {
            "world.time": { unit: "s", value: this.time },
            "rov.depth": { unit: "m", value: v.depth },
            "rov.heading": { unit: "rad", value: v.heading },
            "rov.speed": { unit: "m/s", value: Math.hypot(...v.velocity) },
            "rov.turns": { unit: "", value: v.turns },
            "rov.position.x": { unit: "m", value: v.position[0] },
            "rov.position.y": { unit: "m", value: v.position[1] },
            "rov.position.z": { unit: "m", value: v.position[2] },
            "tether.b.tension": { unit: "N", value: this.rope?.tensionAtVehicle ?? 0 },
            "tether.length": { unit: "m", value: this.rope?.out ?? 0 },
        };
    }
}

/** A boom on a pedestal, a wire and a swinging load that touches the ground now and then. */
export class CraneWorld implements MockWorld {
    time = 0;
    readonly scene: SceneMessage = {
        type: "scene", revision: 1, session: "scene", name: "crane", title: "Payload under a crane", time: 0,
        environment: { gravity: 9.81, water: { density: 1025, surface: 0 }, seabed: { kind: "plane", depth: 6, material: "sand" },
            waves: { components: [[0.25, 1.1, 0.123, 0.3, 0.2], [0.1, 1.9, 0.368, -0.4, 1.2]] } },
        bodies: [
            { name: "barge", position: [-4, 0, 0], attitude: [1, 0, 0, 0], shapes: [{ kind: "box", size: [12, 8, 2], material: "paint" }] },
            { name: "crane.pedestal", position: [0, 0, 2], attitude: [1, 0, 0, 0], mechanism: "crane",
                shapes: [{ kind: "cylinder", radius: 0.6, length: 2.4, material: "paint" }] },
            { name: "crane.boom", slot: 0, mechanism: "crane", shapes: [{ kind: "box", size: [8, 0.5, 0.6], position: [4, 0, 0],
                material: "steel" }] },
            { name: "payload", slot: 1, shapes: [{ kind: "box", size: [1.4, 1.4, 1.4], material: "rust" }] },
        ],
        meshes: [], vehicles: [], cables: [{ name: "wire", diameter: 0.04, break: 2e5, working: 8e4 }],
        view: { camera: [12, -18, 6], target: [5, 0, 1] },
    };

    step(dt: number): void {
        this.time += dt;
    }

    frame(): Frame {
        const frame = emptyFrame(this.time);
        const slew = 0.4 * Math.sin(0.3 * this.time);
        const luff = -0.5 - 0.1 * Math.sin(0.17 * this.time);
        const [c, s] = [Math.cos(slew / 2), Math.sin(slew / 2)];
        const [cl, sl] = [Math.cos(luff / 2), Math.sin(luff / 2)];
        const boom = [0, 0, 3.2, c * cl, -s * sl, c * sl, s * cl];
        const tip: Vec3 = [8 * Math.cos(luff) * Math.cos(slew), 8 * Math.cos(luff) * Math.sin(slew), 3.2 - 8 * Math.sin(luff)];
        const swing = 0.15 * Math.sin(1.1 * this.time);
        const load: Vec3 = [tip[0] + 6 * Math.sin(swing), tip[1], tip[2] - 6 * Math.cos(swing)];
        frame.poses = Float32Array.from([...boom, ...load, Math.cos(swing / 2), 0, Math.sin(swing / 2), 0]);
        const n = 12;
        const nodes = Array.from({ length: n }, (_, i) => [0, 1, 2].map((axis) => tip[axis]!
            + (i / (n - 1)) * (load[axis]! + (axis === 2 ? 0.7 : 0) - tip[axis]!))).flat();
        const tension = 2e4 + 3e3 * Math.cos(2.2 * this.time);
        frame.cables = [{ count: n, flags: 0, length: 5.3, distance: 5.3, tensionA: tension, tensionB: tension, wrap: 0,
            nodes: Float32Array.from(nodes), tensions: new Float32Array(n - 1).fill(tension), contacts: new Uint8Array(2) }];
        if (Math.sin(1.1 * this.time) > 0.8) {
            frame.contacts = [{ point: Float32Array.from([load[0], load[1], load[2] - 0.7]), force: Float32Array.from([0, 500, 9000]),
                first: 3, second: BODY_SEABED }];
        }
        return frame;
    }

    channels(): Record<string, { unit: string; value: number }> {
        const frame = this.frame();
        return {
            "world.time": { unit: "s", value: this.time },
            "crane.boom.q": { unit: "rad", value: 0.4 * Math.sin(0.3 * this.time) },
            "wire.a.tension": { unit: "N", value: frame.cables[0]!.tensionA },
            "payload.position.x": { unit: "m", value: frame.poses[7]! },
            "payload.position.z": { unit: "m", value: frame.poses[9]! },
        };
    }

    takeAlerts(): AlertMessage[] {
        return [];
    }
}
