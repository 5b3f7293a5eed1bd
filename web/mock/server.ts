// A server that speaks docs/protocol.md without simulating much: for work on the page and for its tests. It keeps what it
// was told (`log`) so that tests can look.

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import { WebSocketServer, type WebSocket } from "ws";
import type { FlightEntry, FlightOptions, Preset, SceneMessage, TetherAction } from "../src/net/messages";
import { encodeFrame } from "./frame_writer";
import { LiveSession, ReplaySession, type Recording, type Session } from "./session";
import { PLACES } from "./surroundings";
import { MODES } from "./vehicle";
import { CraneWorld, FlightWorld } from "./world";

type Json = Record<string, unknown>;

const TYPES: Record<string, string> = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8" };

const DEFAULTS: FlightOptions = {
    vehicle: "bluerov2_heavy", surroundings: "complex_area", current: { speed: 0.1, direction_deg: 90 },
    waves: { height: 0.4, period: 5, direction_deg: 0 }, visibility: 12, tether: { type: "fathom", length: 100, out: 14 },
    handler: "hold", record: true, title: "",
};

export interface MockOptions {
    port?: number;
    root: string;
    mode?: "train" | "view";
    preset?: Preset | null;
    token?: string;
}

class Client {
    session: Session | null = null;
    greeted = false;
    constructor(readonly socket: WebSocket) {}
}

class Refusal extends Error {
    constructor(readonly code: string, message: string) { super(message); }
}

export class MockServer {
    readonly log: Json[] = [];
    readonly recordings: Recording[] = [];
    readonly flights = new Map<string, { session: LiveSession; secret: string; client: Client | null }>();
    private readonly clients = new Set<Client>();
    private readonly http: Server;
    private readonly sockets: WebSocketServer;
    private timer: ReturnType<typeof setInterval> | undefined;
    private counter = 0;

    constructor(private readonly options: MockOptions) {
        this.http = createServer((request, response) => void this.serve(request.url ?? "/").then(
            ({ status, type, body }) => {
                response.writeHead(status, { "content-type": type, "cache-control": "no-cache",
                    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'" });
                response.end(body);
            }));
        this.sockets = new WebSocketServer({ server: this.http, path: "/ws", handleProtocols: () => "hawser.1" });
        this.sockets.on("connection", (socket) => this.accept(socket));
    }

    async listen(): Promise<string> {
        await new Promise<void>((resolve) => this.http.listen(this.options.port ?? 0, "127.0.0.1", resolve));
        let last = performance.now();
        this.timer = setInterval(() => {
            const now = performance.now();
            this.tick(Math.min((now - last) / 1000, 0.25));
            last = now;
        }, 8);
        const address = this.http.address();
        return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`;
    }

    async close(): Promise<void> {
        clearInterval(this.timer);
        this.dropAll();
        this.sockets.close();
        await new Promise<void>((resolve) => { this.http.close(() => resolve()); this.http.closeAllConnections(); });
    }

    /** As if the network had failed: flights stay. */
    dropAll(): void {
        for (const client of this.clients) client.socket.terminate();
    }

    sent(type: string): Json[] {
        return this.log.filter((message) => message["type"] === type);
    }

    private async serve(url: string): Promise<{ status: number; type: string; body: string | Buffer }> {
        const path = new URL(url, "http://localhost").pathname;
        const flight = /^\/flights\/([^/]+)\/([a-z.0-9]+)$/.exec(path);
        if (flight) {
            const recording = this.recordings.find((entry) => entry.flight === decodeURIComponent(flight[1]!));
            if (!recording) return { status: 404, type: "text/plain", body: "no such flight" };
            const names = Object.keys(recording.units);
            const lines = recording.rows.map((row) => names.map((name) => row.channels[name]).join(","));
            return { status: 200, type: "text/csv", body: [names.join(","), ...lines].join("\n") };
        }
        try {
            const file = path === "/" ? "/index.html" : path;
            const body = await readFile(join(this.options.root, file));
            return { status: 200, type: TYPES[extname(file)] ?? "application/octet-stream", body };
        } catch {
            return { status: 404, type: "text/plain", body: "not found" };
        }
    }

    private accept(socket: WebSocket): void {
        const client = new Client(socket);
        this.clients.add(client);
        socket.on("message", (data, binary) => {
            if (binary) return socket.close(1003);
            this.receive(client, String(data));
        });
        socket.on("close", () => {
            this.clients.delete(client);
            for (const flight of this.flights.values()) {
                if (flight.client !== client) continue;
                flight.client = null;
                if (flight.session.world instanceof FlightWorld) flight.session.world.vehicle.pilot = [0, 0, 0, 0];
            }
        });
        socket.on("error", () => undefined);
    }

    private receive(client: Client, text: string): void {
        const message = JSON.parse(text) as Json;
        this.log.push(message);
        if (this.log.length > 5000) this.log.shift();
        const id = message["id"];
        try {
            const reply = this.answer(client, message);
            if (id !== undefined) this.send(client, { type: "reply", id, ...reply.body });
            reply.then?.();
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.send(client, { type: "error", id, code: error.code, message: error.message });
            if (error.code === "token") client.socket.close(1008);
        }
    }

    private send(client: Client, message: object): void {
        client.socket.send(JSON.stringify(message));
    }

    private tick(dt: number): void {
        for (const flight of this.flights.values()) if (!flight.client) flight.session.advance(dt);
        for (const client of this.clients) {
            const session = client.session;
            if (!session) continue;
            session.advance(dt);
            if (session instanceof LiveSession) for (const alert of session.world.takeAlerts()) this.send(client, alert);
            const frame = session.take(dt);
            if (frame && client.socket.bufferedAmount < 65536) client.socket.send(encodeFrame(frame));
        }
    }

    private enter(client: Client, session: Session): () => void {
        this.leave(client);
        client.session = session;
        session.jump = true;
        return () => {
            this.send(client, session.scene);
            this.send(client, session.state());
        };
    }

    private leave(client: Client): void {
        const session = client.session;
        client.session = null;
        if (session instanceof LiveSession && session.recording) {
            session.recording.status = "completed";
            this.flights.delete(session.recording.flight);
        }
    }

    private answer(client: Client, message: Json): { body: object; then?: () => void } {
        const type = message["type"] as string;
        if (type === "ping") return { body: {} };
        if (type === "hello") return this.hello(client, message);
        if (!client.greeted) throw new Refusal("order", "hello must come first");
        switch (type) {
            case "start": return this.start(client, message);
            case "open": return this.open(client, message);
            case "flights": return { body: { flights: this.listFlights() } };
            case "stop": {
                const session = client.session;
                this.leave(client);
                return { body: {}, then: () => this.send(client, { type: "ended", reason: "stopped",
                    flight: session?.scene.flight, hash: "0x0123456789abcdef", time: 0 }) };
            }
            default: break;
        }
        const session = client.session;
        if (!session) throw new Refusal("order", `${type} needs a session`);
        const body = this.control(session, type, message);
        const timely = ["pause", "speed", "step", "seek", "tether"].includes(type);
        return { body, then: timely ? () => this.send(client, session.state()) : undefined };
    }

    private hello(client: Client, message: Json): { body: object; then?: () => void } {
        if (this.options.token && message["token"] !== this.options.token) throw new Refusal("token", "The token is missing or wrong.");
        client.greeted = true;
        const resume = message["resume"] as { flight: string; secret: string } | undefined;
        const flight = resume && this.flights.get(resume.flight);
        const resumed = flight !== undefined && flight.secret === resume?.secret;
        let then: (() => void) | undefined;
        if (flight && resumed) {
            flight.client = client;
            client.session = flight.session;
            flight.session.jump = true;
            then = () => {
                this.send(client, flight.session.scene);
                this.send(client, flight.session.state());
            };
        }
        const list = Object.entries(PLACES).map(([name, place]) => ({ name, title: place.title, summary: place.summary }));
        return { then, body: {
            version: 1, server: "mock", mode: this.options.mode ?? "train", resumed,
            catalog: {
                vehicles: [{ name: "bluerov2_heavy", title: "BlueROV2 Heavy", summary: "eight thrusters, all six axes" },
                    { name: "videoray_pro", title: "VideoRay Pro", summary: "two horizontal thrusters, one vertical" }],
                surroundings: list,
                tethers: [{ name: "fathom", title: "Fathom, 7.6 mm", length: { min: 10, max: 300, default: 100 } },
                    { name: "videoray_neutral", title: "VideoRay neutral, 11.2 mm", length: { min: 10, max: 150, default: 75 } }],
                scenes: [{ name: "crane", title: "Payload under a crane" }],
                modes: MODES,
            },
            defaults: DEFAULTS, preset: this.options.preset ?? null, limits: { frame_rate: 60, flights: 16 },
        } };
    }

    private start(client: Client, message: Json): { body: object; then: () => void } {
        const options: FlightOptions = { ...DEFAULTS, ...(message["options"] as FlightOptions | undefined) };
        const tether = options.tether;
        if (tether && (tether.length < 10 || tether.length > 300)) {
            throw new Refusal("value", `tether.length must be from 10 to 300, it is ${tether.length}`);
        }
        if (options.scene) options.surroundings = "complex_area";
        if (!PLACES[options.surroundings ?? ""]) throw new Refusal("value", `There are no surroundings ${options.surroundings}`);
        const flight = `20260114-1015${String(++this.counter).padStart(2, "0")}-mk`;
        const world = new FlightWorld(options, flight);
        const channels = world.channels();
        const recording: Recording = {
            flight, title: options.title || PLACES[options.surroundings!]!.title, started: new Date(), scene: world.scene, rows: [],
            units: Object.fromEntries(Object.entries(channels).map(([name, channel]) => [name, channel.unit])), marks: [],
            status: "flying",
        };
        const session = new LiveSession("flight", world, options.record ? recording : null);
        const then = this.enter(client, session);
        const secret = `secret-${this.counter}`;
        this.flights.set(flight, { session, secret, client });
        if (options.record) this.recordings.unshift(recording);
        return { body: { flight, secret, options }, then };
    }

    private open(client: Client, message: Json): { body: object; then: () => void } {
        const kind = message["kind"];
        if (kind === "replay" || kind === "watch") {
            const recording = this.recordings.find((entry) => entry.flight === message["flight"]);
            if (!recording || recording.rows.length === 0) throw new Refusal("value", "There is no such flight");
            const session = new ReplaySession(recording);
            const then = this.enter(client, session);
            return { body: { kind, title: recording.title, start: 0, end: session.end, flight: recording.flight }, then };
        }
        const session = new LiveSession("scene", new CraneWorld(), null);
        const then = this.enter(client, session);
        return { body: { kind, title: "Payload under a crane", start: 0, end: null, flight: null }, then };
    }

    private listFlights(): FlightEntry[] {
        return this.recordings.map((entry) => ({
            flight: entry.flight, title: entry.title, vehicle: "bluerov2_heavy",
            surroundings: (entry.scene as SceneMessage).name ?? "", started: entry.started.toISOString(),
            duration: entry.rows.at(-1)?.frame.time ?? 0, status: entry.status, hash: "0x0123456789abcdef",
            bytes: entry.rows.length * 400,
        }));
    }

    private control(session: Session, type: string, message: Json): object {
        const world = session instanceof LiveSession && session.world instanceof FlightWorld ? session.world : null;
        switch (type) {
            case "pilot":
                if (!world) throw new Refusal("order", "there is no vehicle to fly");
                world.vehicle.pilot = message["axes"] as number[];
                world.vehicle.hold = message["hold"] === true;
                world.seq = message["seq"] as number;
                return {};
            case "command":
                if (!world) throw new Refusal("order", "there is no vehicle to command");
                command(world, message["name"] as string, message["value"]);
                return {};
            case "tune":
                for (const [axis, values] of Object.entries(message["axes"] as Json)) {
                    Object.assign(world?.vehicle.tuning[axis as "surge"] ?? {}, values);
                }
                return {};
            case "tether":
                if (world) world.tether = { action: message["action"] as TetherAction, rate: (message["rate"] as number) ?? 0.5 };
                return {};
            case "current":
                world?.setCurrent(message["speed"] as number, message["direction_deg"] as number);
                return {};
            case "set": return {};
            case "inputs": return { inputs: [] };
            case "pause": session.paused = message["paused"] as boolean; return {};
            case "speed": session.speed = message["factor"] as number; return {};
            case "step": session.stepOnce((message["seconds"] as number) ?? 1 / 60); return {};
            case "seek": session.seek(message["time"] as number); return {};
            case "frames": session.rate = message["rate"] as number; return {};
            case "mark":
                if (session instanceof LiveSession) session.recording?.marks.push({ time: session.world.time,
                    text: message["text"] as string });
                return {};
            case "marks":
                return { marks: (session instanceof ReplaySession || session instanceof LiveSession
                    ? session.recording?.marks : null) ?? [] };
            case "channels": {
                const filter = new RegExp(`^${((message["filter"] as string) ?? "*").replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
                return { channels: Object.entries(session.units).filter(([name]) => filter.test(name))
                    .map(([name, unit]) => ({ name, unit })) };
            }
            case "plot":
                session.plots = message["channels"] as string[];
                return { number: ++session.plotNumber };
            case "history": return history(session, message);
            default: throw new Refusal("type", `there is no message ${type}`);
        }
    }
}

function history(session: Session, message: Json): object {
    const recording = session instanceof ReplaySession || session instanceof LiveSession ? session.recording : null;
    const from = (message["from"] as number) ?? 0;
    const to = (message["to"] as number) ?? Number.POSITIVE_INFINITY;
    const rows = recording?.rows.filter((row) => row.frame.time >= from && row.frame.time <= to) ?? [];
    return { time: rows.map((row) => row.frame.time),
        values: (message["channels"] as string[]).map((name) => rows.map((row) => row.channels[name] ?? null)) };
}

function command(world: FlightWorld, name: string, value: unknown): void {
    const vehicle = world.vehicle;
    const number = value as number;
    switch (name) {
        case "arm": vehicle.armed = value === true; break;
        case "mode": {
            const mode = MODES.indexOf(value as string);
            if (mode < 0) throw new Refusal("value", `mode must be one of ${MODES.join(", ")}`);
            vehicle.setMode(mode);
            break;
        }
        case "lights": vehicle.lights = number; break;
        case "lights_step": vehicle.lights = Math.min(Math.max(vehicle.lights + number, 0), 1); break;
        case "gripper":
            vehicle.gripperTarget = value === "open" ? 1 : value === "close" ? 0 : value === "stop" ? null : number;
            break;
        case "camera_tilt_deg": vehicle.tilt = (number * Math.PI) / 180; break;
        case "camera_tilt_rate_deg": vehicle.tiltRate = (number * Math.PI) / 180; break;
        case "camera_center": vehicle.tilt = 0; vehicle.zoom = 1; break;
        case "camera_zoom": vehicle.zoom = number; break;
        case "camera_zoom_rate": vehicle.zoomRate = number; break;
        case "gain": vehicle.gain = number; break;
        case "gain_step": vehicle.gain = Math.min(Math.max(vehicle.gain + 0.25 * number, 0.25), 1); break;
        case "hold_depth": vehicle.depthTarget = number; break;
        case "hold_heading": vehicle.headingTarget = number; break;
        case "reset_turns": vehicle.turns = 0; break;
        case "fail_thruster": case "reverse_thruster": {
            const { thruster, failed, reversed } = value as { thruster: number; failed?: boolean; reversed?: boolean };
            if (name === "fail_thruster") vehicle.failed = failed ? vehicle.failed | (1 << thruster) : vehicle.failed & ~(1 << thruster);
            else vehicle.reversed = reversed ? vehicle.reversed | (1 << thruster) : vehicle.reversed & ~(1 << thruster);
            break;
        }
        default: throw new Refusal("value", `there is no command ${name}`);
    }
}
