// The pictures of README and docs, taken from flights that are flown for them: npm run pictures [NAME...]

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import type { FlightOptions } from "../src/net/messages";
import { addGamepad, chooseView, dive, flyThrough, pass, readings, ready, tapButton, until, type HawserWindow, type Waypoint } from "../test/browser/fly";
import { Browser, Server } from "../test/browser/support";

const FOLDER = "../docs/images";
const WIDTH = 1280;
const HEIGHT = 720;
const LARGEST = 300_000; // bytes

const at = (x: number, y: number, depth: number): Waypoint => ({ x, y, depth });

interface Picture {
    /** a scene to view; or surroundings to dive in, at a place of its own choice */
    scene?: string;
    surroundings?: string;
    spawn?: [number, number, number];
    headingDegrees?: number;
    options?: FlightOptions;
    /** flies, chooses the view */
    prepare(page: Page): Promise<void>;
}

async function tell(page: Page, message: object): Promise<void> {
    await page.evaluate((m) => (window as unknown as HawserWindow).hawser.tell(m), message);
}

const command = (page: Page, name: string, value: unknown): Promise<void> => tell(page, { type: "command", name, value });

async function arm(page: Page): Promise<void> {
    await addGamepad(page);
    await tapButton(page, 9);
    await tapButton(page, 12);
    await tapButton(page, 12);
    await until(page, "armed, with full gain", (r) => r.armed && r.gain > 0.9);
}

async function hover(page: Page, seconds: number): Promise<void> {
    await command(page, "mode", "hold");
    await command(page, "arm", true);
    await pass(page, seconds);
}

async function lookFrom(page: Page, eye: [number, number, number], target: [number, number, number]): Promise<void> {
    await chooseView(page, "free");
    await page.evaluate(([camera, aim]) => {
        const { views } = (window as unknown as HawserWindow).hawser.stage;
        views.place({ camera: camera!, target: aim! }, views.camera.position, 1);
    }, [eye, target]);
}

/** From a place that moves with the vehicle. */
async function lookFromBeside(page: Page, eye: [number, number, number], target: [number, number, number]): Promise<void> {
    const r = (await readings(page))!;
    const add = ([x, y, z]: [number, number, number]): [number, number, number] => [r.x + x, r.y + y, z - r.depth];
    await lookFrom(page, add(eye), add(target));
}

async function hideInstruments(page: Page): Promise<void> {
    await page.evaluate(() => {
        const { hawser } = window as unknown as HawserWindow;
        hawser.settings.display.hud = false;
        hawser.changed();
        (hawser as unknown as { showPlots(on: boolean): void }).showPlots(false);
        document.querySelectorAll<HTMLElement>(".corner, .timeline").forEach((element) => { element.style.visibility = "hidden"; });
    });
}

const now = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as HawserWindow).hawser.frame()!.time);

/** Of a scene at a time, from a place relative to a body's; without a place as the viewer shows it. */
function view(scene: string, time: number, body?: string, eye?: [number, number, number], target?: [number, number, number]): Picture {
    return {
        scene: `../scenes/${scene}.yaml`,
        async prepare(page) {
            // by whole steps: a busy machine shows the same moment
            await tell(page, { type: "pause", paused: true });
            await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.session.state?.paused && (window as unknown as HawserWindow).hawser.frame());
            for (let left = time - (await now(page)); left > 0.01; left = time - (await now(page))) {
                const end = (await now(page)) + Math.min(left, 10);
                await tell(page, { type: "step", seconds: Math.min(left, 10) });
                await page.waitForFunction((t) => (window as unknown as HawserWindow).hawser.frame()!.time > t - 0.02, end, { timeout: 120_000 });
            }
            if (!body || !eye || !target) return;
            await hideInstruments(page);
            const origin = await page.evaluate((name) => {
                const { hawser } = window as unknown as HawserWindow;
                const entry = hawser.session.scene!.bodies.find((one) => one.name === name)!;
                if (entry.slot === undefined) return entry.position!;
                const pose = hawser.frame()!.poses.subarray(7 * entry.slot);
                return [pose[0]!, pose[1]!, pose[2]!];
            }, body);
            const add = (p: [number, number, number]): [number, number, number] => [p[0] + origin[0]!, p[1] + origin[1]!, p[2] + origin[2]!];
            await lookFrom(page, add(eye), add(target));
        },
    };
}

const PICTURES: Record<string, Picture> = {
    // what the pilot sees before the jacket
    pilot: {
        surroundings: "complex_area",
        spawn: [19.7, -4.9, -11.6],
        headingDegrees: 14,
        options: { visibility: 16, tether: { type: "fathom", length: 100, out: 33 }, handler: "hold" },
        async prepare(page) {
            await hover(page, 4);
            await command(page, "lights", 0.6);
            await command(page, "gripper", 0.7);
            await pass(page, 3);
        },
    },
    // the same jacket in murky water, by sonar
    sonar: {
        surroundings: "complex_area",
        spawn: [17.5, -5.6, -11.6],
        headingDegrees: 14,
        options: { visibility: 4, tether: { type: "fathom", length: 100, out: 33 }, handler: "hold" },
        async prepare(page) {
            await page.evaluate(() => {
                const { hawser } = window as unknown as HawserWindow;
                hawser.settings.display.sonar = hawser.settings.display.sensors = true;
                hawser.changed();
            });
            await hover(page, 4);
            await command(page, "lights", 0.6);
            await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.hud.sonar.count > 3);
            await pass(page, 1);
        },
    },
    // along a pipeline, its tether behind it
    tether: {
        surroundings: "complex_area",
        spawn: [6.5, -8.7, -18.3],
        headingDegrees: 25,
        options: { visibility: 24, tether: { type: "fathom", length: 100, out: 30 }, handler: "hold" },
        async prepare(page) {
            await hover(page, 6);
            await command(page, "lights", 0.8);
            await pass(page, 1);
            await hideInstruments(page);
            await lookFromBeside(page, [-2.2, 0.9, 0.75], [1.0, -0.75, -0.25]);
        },
    },
    // a tether that has gone round a pole
    wrap: {
        surroundings: "round_pool",
        options: { visibility: 25, tether: { type: "fathom", length: 100, out: 8 }, handler: "auto" },
        async prepare(page) {
            await arm(page);
            const ring = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => at(2.5 - Math.cos((i * Math.PI) / 4), 1.5 + Math.sin((i * Math.PI) / 4), 1.8));
            await flyThrough(page, ring, 0.35);
            await tell(page, { type: "tether", action: "hold" });
            await lookFrom(page, [4.1, 2.9, -1.0], [2.15, 1.4, -1.9]);
        },
    },
    // before the jacket, from outside
    jacket: {
        surroundings: "complex_area",
        spawn: [17.6, -7.4, -12.4],
        headingDegrees: 340,
        options: { visibility: 24, tether: { type: "fathom", length: 100, out: 33 }, handler: "hold" },
        async prepare(page) {
            await hover(page, 4);
            await command(page, "lights", 1);
            await pass(page, 2);
            await hideInstruments(page);
            await lookFromBeside(page, [-2.2, -1.9, -0.5], [5.5, 3.2, 1.6]);
        },
    },
    // a small vehicle in a pool
    pool: {
        surroundings: "rectangular_pool",
        spawn: [-4, 0, -1.6],
        headingDegrees: 20,
        options: { vehicle: "videoray_pro", visibility: 30, tether: { type: "videoray_neutral", length: 75, out: 10 }, handler: "hold" },
        async prepare(page) {
            await hover(page, 3);
            await command(page, "lights", 0.6);
            await hideInstruments(page);
            await lookFromBeside(page, [0.75, -0.7, 0.22], [-0.1, 0.1, -0.05]);
        },
    },
    // the boat on the waves
    boat: {
        surroundings: "complex_area",
        options: { waves: { height: 0.7, period: 5, direction_deg: 150 } },
        async prepare(page) {
            await hover(page, 2);
            await hideInstruments(page);
            await lookFrom(page, [-1.1, 2.0, 2.1], [-3.4, 9.2, -0.1]);
        },
    },
    // mechanisms in the viewer
    walker: {
        scene: "../scenes/frame_walker.yaml",
        async prepare(page) {
            await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.frame()!.time > 6);
        },
    },
    cranes: view("two_crane_lift", 8),
    // the other scenes of docs/gallery.md
    all_sim_objects: view("all_sim_objects", 3, "payload", [10, -14, 6], [-1, 0, 1]),
    launch_and_recovery: view("launch_and_recovery", 38, "ship", [-20, -40, 13], [0, -8, 5]),
    subsea_lowering: view("subsea_lowering", 10, "anchor", [-9, -11, 5], [0, 0, 1.5]),
    towed_body: view("towed_body", 60, "fish", [-3.5, -4.5, 1.6], [1.5, 0.5, 0.4]),
    towed_array: view("towed_array", 30, "ship", [-110, -60, 22], [-20, 0, -2]),
    ship_tow: view("ship_tow", 60, "barge", [-55, -60, 26], [60, 0, -2]),
    replenishment_at_sea: view("replenishment_at_sea", 30, "trolley", [-45, -28, 6], [0, 6, -9]),
    rov_with_tms: view("rov_with_tms", 11, "tms", [1.6, -6.4, 0.9], [3.4, 0, -0.4]),
};

/** A copy of surroundings in which dives begin elsewhere. */
function place(picture: Picture): string {
    let text = readFileSync(`../scenes/trainer/${picture.surroundings}.yaml`, "utf8");
    if (picture.spawn) {
        text = text.replace(/^ {2}heading_deg: .*\n/m, "");
        text = text.replace(/^ {2}spawn: .*$/m, `  spawn: [${picture.spawn.join(", ")}]\n  heading_deg: ${picture.headingDegrees ?? 0}`);
    }
    const file = join(mkdtempSync(join(tmpdir(), "hawser-picture-")), `${picture.surroundings}.yaml`);
    writeFileSync(file, text);
    return file;
}

/** Stops time, draws as well as it can, and packs what is seen. */
async function take(page: Page): Promise<Buffer> {
    await tell(page, { type: "pause", paused: true });
    await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.session.state?.paused);
    await page.evaluate(async () => {
        const { hawser } = window as any;
        hawser.settings.display.quality = "high";
        hawser.changed();
        hawser.stage.renderer.setPixelRatio(2);
        hawser.stage.views.steady = true;
        document.querySelectorAll<HTMLElement>(".alerts, .captions, .arm-hint").forEach((element) => { element.style.visibility = "hidden"; });
        for (let i = 0; i < 4; ++i) await new Promise(requestAnimationFrame);
        // The last one stays: a picture of this size takes seconds to draw.
        window.requestAnimationFrame = () => 0;
        await new Promise((done) => setTimeout(done, 500));
        for (const text of document.querySelectorAll(".status .dim")) text.textContent = "";
    });
    const png = (await page.screenshot({ type: "png", timeout: 180_000 })).toString("base64");
    // Taken with twice the pixels and halved: smooth edges.
    const blank = await page.context().newPage();
    const pack = (quality: number): Promise<string> => blank.evaluate(async ({ data, width, height, share }) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
        const canvas = Object.assign(document.createElement("canvas"), { width, height });
        const context = canvas.getContext("2d")!;
        context.imageSmoothingQuality = "high";
        context.drawImage(image, 0, 0, width, height);
        return canvas.toDataURL("image/webp", share).split(",")[1]!;
    }, { data: png, width: WIDTH, height: HEIGHT, share: quality });
    let packed = Buffer.alloc(LARGEST);
    for (let quality = 0.92; packed.byteLength >= LARGEST; quality -= 0.06) packed = Buffer.from(await pack(quality), "base64");
    await blank.close();
    if (process.env["PICTURES_PNG"]) writeFileSync(`${process.env["PICTURES_PNG"]}`, Buffer.from(png, "base64"));
    return packed;
}

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
const browser = await Browser.start(WIDTH, HEIGHT, 2);
try {
    for (const [name, picture] of Object.entries(PICTURES)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        const placed = picture.scene ? null : place(picture);
        const server = placed ? await Server.start("train", placed) : await Server.start("view", picture.scene!);
        const tab = await browser.open(server.address);
        try {
            if (picture.scene) await ready(tab.page);
            else await dive(tab.page, { vehicle: "bluerov2_heavy", ...picture.options });
            await picture.prepare(tab.page);
            const data = await take(tab.page);
            writeFileSync(`${FOLDER}/${name}.webp`, data);
            console.log(`${name}.webp  ${Math.round(data.byteLength / 1000)} kB`);
        } finally {
            await tab.close();
            await server.stop();
            if (placed) rmSync(dirname(placed), { recursive: true });
        }
    }
} finally {
    await browser.close();
}
