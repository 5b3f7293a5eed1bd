// A mock session: a world that runs, or a recording that is played.

import { clamp } from "../src/math/numbers";
import { FrameFlag, type Frame } from "../src/net/frame";
import type { Mark, SceneMessage, StateMessage } from "../src/net/messages";
import { FlightWorld, type MockWorld } from "./world";

const STEP = 1 / 60;

export interface Row {
    frame: Frame;
    channels: Record<string, number>;
}

export interface Recording {
    flight: string;
    title: string;
    started: Date;
    scene: SceneMessage;
    units: Record<string, string>;
    rows: Row[];
    marks: Mark[];
    status: string;
}

export abstract class Session {
    paused = false;
    speed = 1;
    rate = 30;
    jump = true;
    plots: string[] = [];
    plotNumber = 0;
    private frames = 0;
    private carry = 0;

    abstract readonly scene: SceneMessage;
    abstract readonly kind: "flight" | "scene" | "replay";
    protected abstract move(dt: number): void;
    protected abstract current(): Frame;
    abstract seek(time: number): void;
    abstract values(): Record<string, number>;
    abstract readonly units: Record<string, string>;
    abstract state(): StateMessage;

    advance(dt: number): void {
        if (!this.paused) this.move(dt * this.speed);
    }

    stepOnce(seconds: number): void {
        this.paused = true;
        this.move(seconds);
    }

    /** The frame to send now, or null when it is not yet time for one. */
    take(dt: number): Frame | null {
        this.carry += dt;
        if (this.carry < 1 / this.rate - 0.002) return null;
        this.carry = 0;
        const frame: Frame = { ...this.current(), number: ++this.frames, factor: this.paused ? 0 : this.speed, channels: new Map() };
        frame.flags = (frame.flags & ~FrameFlag.JUMP) | (this.paused ? FrameFlag.PAUSED : 0) | (this.jump ? FrameFlag.JUMP : 0)
            | (this.kind === "replay" ? FrameFlag.REPLAY : 0);
        this.jump = false;
        if (this.plots.length > 0) {
            const values = this.values();
            frame.channels.set(this.plotNumber, Float32Array.from(this.plots.map((name) => values[name] ?? Number.NaN)));
        }
        return frame;
    }
}

export class LiveSession extends Session {
    connectedAt = true;
    private left = 0;
    private sinceRow = 1;
    private history: { time: number; rows: number }[] = [];

    constructor(readonly kind: "flight" | "scene", readonly world: MockWorld, readonly recording: Recording | null) {
        super();
    }

    get scene(): SceneMessage { return this.world.scene; }

    get units(): Record<string, string> {
        return Object.fromEntries(Object.entries(this.world.channels()).map(([name, channel]) => [name, channel.unit]));
    }

    values(): Record<string, number> {
        return Object.fromEntries(Object.entries(this.world.channels()).map(([name, channel]) => [name, channel.value]));
    }

    protected move(dt: number): void {
        this.left += dt;
        for (let n = 0; this.left >= STEP && n < 40; ++n) {
            this.left -= STEP;
            this.world.step(STEP);
            this.sinceRow += STEP;
            if (this.recording && this.sinceRow >= 0.1) {
                this.sinceRow = 0;
                this.recording.rows.push({ frame: this.world.frame(), channels: this.values() });
            }
        }
    }

    protected current(): Frame {
        return this.world.frame();
    }

    /** The mock cannot rewind; it only pauses there. */
    seek(time: number): void {
        this.paused = true;
        this.history = this.history.filter((entry) => entry.time <= time);
    }

    state(): StateMessage {
        const handler = this.world instanceof FlightWorld && this.world.tether.action === "auto" ? "auto" : "hold";
        return { type: "state", paused: this.paused, speed: this.speed, recording: this.recording !== null, handler, start: 0,
            end: null };
    }
}

export class ReplaySession extends Session {
    readonly kind = "replay";
    readonly scene: SceneMessage;
    private time = 0;

    constructor(readonly recording: Recording) {
        super();
        this.paused = true;
        this.scene = { ...recording.scene, session: "replay" };
    }

    get end(): number {
        return this.recording.rows.at(-1)?.frame.time ?? 0;
    }

    get units(): Record<string, string> { return this.recording.units; }

    private index(): number {
        const rows = this.recording.rows;
        let i = 0;
        while (i + 1 < rows.length && rows[i + 1]!.frame.time <= this.time) ++i;
        return i;
    }

    values(): Record<string, number> {
        return this.recording.rows[this.index()]?.channels ?? {};
    }

    protected move(dt: number): void {
        this.time = clamp(this.time + dt, 0, this.end);
    }

    protected current(): Frame {
        const rows = this.recording.rows;
        const i = this.index();
        const a = rows[i]!.frame;
        const b = rows[Math.min(i + 1, rows.length - 1)]!.frame;
        const share = b.time > a.time ? (this.time - a.time) / (b.time - a.time) : 0;
        const frame: Frame = { ...a, time: this.time, flags: this.time >= this.end ? FrameFlag.ENDED : 0 };
        frame.poses = a.poses.map((value, k) => value + share * (b.poses[k]! - value));
        frame.vehicles = a.vehicles.map((vehicle, k) => ({ ...vehicle,
            position: vehicle.position.map((value, axis) => value + share * (b.vehicles[k]!.position[axis]! - value)),
            attitude: vehicle.attitude.map((value, axis) => value + share * (b.vehicles[k]!.attitude[axis]! - value)) }));
        return frame;
    }

    seek(time: number): void {
        this.time = clamp(time, 0, this.end);
        this.jump = true;
    }

    state(): StateMessage {
        return { type: "state", paused: this.paused, speed: this.speed, recording: false, start: 0, end: this.end };
    }
}
