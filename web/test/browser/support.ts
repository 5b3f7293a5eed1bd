// Starts the program and a browser with the software renderer, and opens the one's page in the other.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { chromium, type Browser as Chromium, type BrowserContext, type Page } from "playwright-core";

export const SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-rasterization"];
const FLAGS = ["--headless=new", "--no-sandbox", "--use-gl=angle",
    "--disable-gpu-sandbox", "--ignore-gpu-blocklist", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--autoplay-policy=no-user-gesture-required", "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows", "--hide-scrollbars"];

export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const PROGRAM = resolve(process.env["HAWSER_PROGRAM"] ?? "../build/hawser");
/** The machine is idle: what is promised in seconds is checked. Others only show that it works. */
export const TIMED = Boolean(process.env["HAWSER_TIMED"]);
/** ms: how long a test waits for what must come. Nothing is decided by it, it only keeps a test from hanging: a machine with other
 * work to do takes ten times as long as an idle one. */
export const PATIENCE = 240_000;
/** Where the tests leave what they saw. */
export const SHOTS = resolve(process.env["HAWSER_SHOTS"] ?? join(dirname(PROGRAM), "screenshots"));

// --- the program

/** `hawser train` or `hawser view` on a free port, with a folder of flights of its own. */
export class Server {
    private constructor(private readonly child: ChildProcess, readonly address: string, readonly flights: string, readonly instructor: string) {}

    static start(command: "train" | "view" = "train", ...args: string[]): Promise<Server> {
        return Server.run(PROGRAM, command, args);
    }

    /** With files that cannot grow beyond so many kilobytes, as on a disk that is full. */
    static startOnFullDisk(kilobytes: number): Promise<Server> {
        return Server.run("/bin/bash", "train", [], ["-c", `ulimit -f ${kilobytes}; exec "$0" "$@"`, PROGRAM]);
    }

    private static async run(file: string, command: "train" | "view", args: string[], before: string[] = []): Promise<Server> {
        if (!existsSync(PROGRAM)) throw new Error(`There is no program ${PROGRAM}: build it, or set HAWSER_PROGRAM.`);
        const flights = mkdtempSync(join(tmpdir(), "hawser-flights-"));
        const child = spawn(file, [...before, command, "--flights", flights, ...args], { stdio: ["ignore", "pipe", "inherit"] });
        let instructor = "";
        const address = await new Promise<string>((found, fail) => {
            let text = "";
            child.stdout.on("data", (data) => {
                text += String(data);
                const match = /^http:\S+/m.exec(text);
                instructor = /^For the instructor: (\S+)/m.exec(text)?.[1] ?? "";
                if (match && (instructor || command === "view")) found(match[0]);
            });
            child.once("exit", (status) => fail(new Error(`hawser ${command} ended with ${status}`)));
        });
        return new Server(child, address, flights, instructor);
    }

    get port(): number {
        return Number(new URL(this.address).port);
    }

    /** The hash of a recorded flight's last state, simulated again from its inputs. */
    replayHash(flight: string): string {
        return execFileSync(PROGRAM, ["replay", flight, "--flights", this.flights, "--hash"], { encoding: "utf8" }).trim();
    }

    /** As a power failure would. */
    async kill(): Promise<void> {
        const ended = new Promise((done) => this.child.once("exit", done));
        if (this.child.exitCode === null && this.child.kill("SIGKILL")) await ended;
    }

    async stop(): Promise<void> {
        const ended = new Promise((done) => this.child.once("exit", done));
        if (this.child.exitCode === null && this.child.kill("SIGTERM")) await ended;
        rmSync(this.flights, { recursive: true, force: true });
    }
}

/** A stretch of network that can be cut: passes connections on to a server. */
export class Relay {
    private readonly sockets = new Set<Socket>();
    private readonly listener = createServer((near) => {
        const far = connect(this.target, "127.0.0.1");
        for (const [one, other] of [[near, far], [far, near]] as const) {
            this.sockets.add(one);
            one.on("error", () => other.destroy());
            one.on("close", () => {
                this.sockets.delete(one);
                other.destroy();
            });
            one.pipe(other);
        }
    });
    target = 0;

    /** The port on which it listens. */
    async listen(): Promise<number> {
        await new Promise<void>((done) => this.listener.listen(0, "127.0.0.1", done));
        return (this.listener.address() as { port: number }).port;
    }

    cut(): void {
        for (const socket of this.sockets) socket.destroy();
    }

    close(): void {
        this.cut();
        this.listener.close();
    }
}

// --- the browser

export interface Message {
    type: string;
    [key: string]: unknown;
}

export interface Tab {
    page: Page;
    /** errors and warnings of the console, exceptions, requests that failed */
    errors: string[];
    /** what the page has told the server, of one type */
    sent(type: string): Message[];
    close(): Promise<void>;
}

/** What axe-core finds that is serious or worse, as sentences. */
export async function seriousViolations(page: Page): Promise<string[]> {
    await page.evaluate(readFileSync(resolve("node_modules/axe-core/axe.min.js"), "utf8"));
    return page.evaluate(async () => {
        const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string; help: string; nodes: { html: string }[] }[] }> } };
        const { violations } = await axe.run();
        return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
    });
}

export class Browser {
    private constructor(private readonly chromium: Chromium, private readonly size: { width: number; height: number }, private readonly ratio: number) {}

    /** `graphics`: the browser's switches for them, the software renderer's unless told. */
    static async start(width = 1280, height = 720, ratio = 1, graphics: readonly string[] = SOFTWARE): Promise<Browser> {
        if (!existsSync(CHROMIUM)) throw new Error(`There is no browser at ${CHROMIUM}: install Debian's chromium, or set CHROMIUM.`);
        const launched = await chromium.launch({ executablePath: CHROMIUM, ignoreDefaultArgs: ["--headless", "--headless=old"], args: [...FLAGS, ...graphics] });
        return new Browser(launched, { width, height }, ratio);
    }

    /** In a profile of its own, with nothing remembered, or what another one has remembered. */
    async open(address: string, storageState?: Awaited<ReturnType<BrowserContext["storageState"]>>): Promise<Tab> {
        const context: BrowserContext = await this.chromium.newContext({ viewport: this.size, deviceScaleFactor: this.ratio, ...(storageState ? { storageState } : {}) });
        const page = await context.newPage();
        page.setDefaultTimeout(PATIENCE);
        const errors: string[] = [];
        const messages: Message[] = [];
        page.on("console", (message) => {
            if (message.type() === "error" || message.type() === "warning") errors.push(`${message.type()}: ${message.text()}`);
        });
        page.on("pageerror", (error) => errors.push(`exception: ${error.message}`));
        page.on("requestfailed", (request) => {
            // loading the page anew breaks off what is under way
            if (request.failure()?.errorText !== "net::ERR_ABORTED") errors.push(`request failed: ${request.url()}`);
        });
        page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => messages.push(JSON.parse(String(payload)) as Message)));
        await page.goto(address);
        return { page, errors, sent: (type) => messages.filter((message) => message.type === type), close: () => context.close() };
    }

    async close(): Promise<void> {
        await this.chromium.close();
    }
}

/** Pictures a second that the page draws, measured over some seconds. */
export async function measureRate(page: Page, seconds: number): Promise<number> {
    return page.evaluate(async (duration) => new Promise<number>((resolve) => {
        const start = performance.now();
        let count = 0;
        const tick = (): void => {
            ++count;
            const passed = (performance.now() - start) / 1000;
            if (passed >= duration) resolve(count / passed);
            else requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }), seconds);
}
