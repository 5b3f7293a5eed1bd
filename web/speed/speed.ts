// Where a picture's time goes: the heaviest surroundings, a vehicle that flies, 150 m of tether, drawn as fast as it will go.
//     npm run speed [LEVEL...]
// prints a line for each resolution, the fit "time = a + b * pixels", and the parts of what JavaScript does. Settings:
//     HAWSER_GRAPHICS  the browser's switches for graphics; without them its software renderer
//     HAWSER_SCREEN    at the screen's beat and the quality that the page chooses for itself, for half a minute
//     HAWSER_BARE      without instruments
//     HAWSER_VIEW, HAWSER_SIZE, HAWSER_SCALES, HAWSER_SECONDS, HAWSER_ROUNDS; HAWSER_SHOT, a file for a screenshot at the end

import type { Page } from "playwright-core";
import type { WebGLRenderer } from "three";
import type { ViewKind } from "../src/scene/views";
import { chooseView, type HawserWindow } from "../test/browser/fly";
import { flyHeavily, startHeavyServer } from "../test/browser/heavy";
import { Browser, SOFTWARE } from "../test/browser/support";

const [WIDTH, HEIGHT] = (process.env["HAWSER_SIZE"] ?? "1280x720").split("x").map(Number) as [number, number];
const SCALES = (process.env["HAWSER_SCALES"] ?? "1 0.7 0.5 0.35 0.25 0.1").split(" ").map(Number);
const SECONDS = Number(process.env["HAWSER_SECONDS"] ?? 4);
const ROUNDS = Number(process.env["HAWSER_ROUNDS"] ?? 2);
const FREE = ["--disable-gpu-vsync", "--disable-frame-rate-limit"];
const GRAPHICS = process.env["HAWSER_GRAPHICS"]?.split(" ") ?? SOFTWARE;

interface Sample {
    /** ms from picture to picture */
    picture: number;
    /** ms that the graphics processor says it worked on a picture, median; NaN where it has no clock */
    graphics: number;
    /** ms of JavaScript in a picture: median and 99th percentile */
    script: number;
    most: number;
    /** ms by part, mean */
    parts: Record<string, number>;
    calls: number;
    triangles: number;
    programs: number;
}

/** Puts clocks round the parts of a picture. */
async function instrument(page: Page, free: boolean): Promise<void> {
    await page.evaluate((wait) => {
        // what the bundler calls when it keeps the names of functions; the page has none
        (globalThis as unknown as { __name: unknown }).__name = (f: unknown) => f;
        const spent: Record<string, number> = {};
        const pictures: number[] = [];
        const wrap = (target: object | null | undefined, method: string, name: string): void => {
            const object = target as Record<string, (...args: unknown[]) => unknown>;
            const inner = object?.[method];
            if (!inner) return;
            object[method] = function (...args: unknown[]): unknown {
                const start = performance.now();
                const result = inner.apply(this, args);
                const time = performance.now() - start;
                spent[name] = (spent[name] ?? 0) + time;
                if (name === "all") pictures.push(time);
                return result;
            };
        };
        const app = (window as unknown as HawserWindow).hawser as unknown as Record<string, object>;
        const stage = app["stage"] as Record<string, object>;
        wrap(app, "draw", "all");
        // Without the screen's beat a browser queues pictures faster than it draws them; asking for a pixel waits for all of it.
        const gl = (stage["renderer"] as WebGLRenderer).getContext() as WebGL2RenderingContext;
        const draw = (app["draw"] as unknown as () => void).bind(app);
        const pixel = new Uint8Array(4);
        if (wait) {
            app["draw"] = () => {
                draw();
                gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
            };
        }
        wrap(app["hub"], "poll", "input");
        wrap(app["hud"], "update", "instruments");
        wrap(app["sound"], "update", "sound");
        wrap(app["plots"], "update", "plots");
        wrap(stage, "move", "bodies");
        wrap(stage, "moveCables", "tether");
        wrap(stage, "light", "light");
        wrap(stage["surface"], "update", "surface");
        wrap(stage["views"], "update", "camera");
        wrap(stage["decor"], "update", "decor");
        wrap(stage["shade"], "render", "shade");
        wrap(stage["renderer"], "render", "three.js");
        // The graphics processor's own clock, asked some pictures later.
        const clock = gl.getExtension("EXT_disjoint_timer_query_webgl2") as { TIME_ELAPSED_EXT: number } | null;
        const graphics: number[] = [];
        const asked: WebGLQuery[] = [];
        const spare: WebGLQuery[] = [];
        const render = stage["render"] as unknown as (...args: unknown[]) => void;
        if (clock) {
            stage["render"] = function (this: unknown, ...args: unknown[]): void {
                const query = spare.pop() ?? gl.createQuery()!;
                gl.beginQuery(clock.TIME_ELAPSED_EXT, query);
                render.apply(this, args);
                gl.endQuery(clock.TIME_ELAPSED_EXT);
                asked.push(query);
                while (asked.length > 4 && gl.getQueryParameter(asked[0]!, gl.QUERY_RESULT_AVAILABLE)) {
                    graphics.push((gl.getQueryParameter(asked[0]!, gl.QUERY_RESULT) as number) / 1e6);
                    spare.push(asked.shift()!);
                }
            };
        }
        Object.assign(window, { speed: { spent, pictures, graphics } });
    }, free);
}

async function setResolution(page: Page, level: number, ratio: number): Promise<void> {
    await page.evaluate(([quality, scale]) => {
        const { stage } = (window as unknown as HawserWindow).hawser;
        stage.fixedQuality = quality!;
        stage.applyQuality();
        (stage as unknown as { renderer: WebGLRenderer }).renderer.setPixelRatio(scale!);
    }, [level, ratio]);
}

async function measure(page: Page, seconds: number): Promise<Sample> {
    return page.evaluate(async (duration) => {
        const { hawser, speed } = window as unknown as HawserWindow & { speed: { spent: Record<string, number>; pictures: number[]; graphics: number[] } };
        for (const key of Object.keys(speed.spent)) delete speed.spent[key];
        speed.pictures.length = speed.graphics.length = 0;
        const start = performance.now();
        await new Promise((done) => setTimeout(done, 1000 * duration));
        const passed = performance.now() - start;
        const sorted = [...speed.pictures].sort((a, b) => a - b);
        const parts = Object.fromEntries(Object.entries(speed.spent).map(([name, time]) => [name, time / sorted.length]));
        const worked = [...speed.graphics].sort((a, b) => a - b);
        return { picture: passed / sorted.length, graphics: worked[worked.length >> 1] ?? Number.NaN, script: sorted[sorted.length >> 1]!, most: sorted[Math.floor(0.99 * sorted.length)]!, parts,
            calls: hawser.stage.drawCalls, triangles: hawser.stage.triangles, programs: hawser.stage.held.programs };
    }, seconds);
}

/** Least squares of y = a + b x. */
function fit(points: readonly { x: number; y: number }[]): { a: number; b: number } {
    const n = points.length;
    const mx = points.reduce((sum, p) => sum + p.x, 0) / n;
    const my = points.reduce((sum, p) => sum + p.y, 0) / n;
    const b = points.reduce((sum, p) => sum + (p.x - mx) * (p.y - my), 0) / points.reduce((sum, p) => sum + (p.x - mx) ** 2, 0);
    return { a: my - b * mx, b };
}

function report(what: string, points: readonly { x: number; y: number }[]): void {
    const { a, b } = fit(points);
    console.log(`${what} = ${a.toFixed(2)} ms + ${(1e6 * b).toFixed(2)} ms per million pixels`);
}

async function run(page: Page, level: number): Promise<void> {
    const best = new Map<number, Sample>();
    for (let round = 0; round < ROUNDS; ++round) {
        for (const scale of SCALES) {
            await setResolution(page, level, scale);
            await page.waitForTimeout(700);
            const sample = await measure(page, SECONDS);
            // Other programs on the machine only ever make it slower.
            if (sample.picture < (best.get(scale)?.picture ?? Infinity)) best.set(scale, sample);
        }
    }
    console.log(`\nlevel ${level}\nscale   pixels   ms a picture  a second   graphics ms   JavaScript ms: median, 99 %   calls  triangles  programs`);
    const points: { x: number; y: number }[] = [];
    for (const [scale, s] of best) {
        const pixels = Math.floor(WIDTH * scale) * Math.floor(HEIGHT * scale);
        points.push({ x: pixels, y: s.picture });
        console.log(`${scale.toFixed(2)}  ${String(pixels).padStart(8)}  ${s.picture.toFixed(2).padStart(12)}  ${(1000 / s.picture).toFixed(1).padStart(8)}  ${s.graphics.toFixed(2).padStart(11)}  `
            + `${s.script.toFixed(2).padStart(20)}, ${s.most.toFixed(2)}  ${String(s.calls).padStart(9)}  ${String(s.triangles).padStart(9)}  ${String(s.programs).padStart(8)}`);
    }
    report("time", points);
    const worked = [...best].map(([scale, s]) => ({ x: Math.floor(WIDTH * scale) * Math.floor(HEIGHT * scale), y: s.graphics }));
    if (worked.every(({ y }) => y > 0)) report("graphics", worked);
    const { parts } = best.get(SCALES[SCALES.length - 1]!)!;
    console.log(`at scale ${SCALES[SCALES.length - 1]}: ${Object.entries(parts).map(([name, ms]) => `${name} ${ms.toFixed(3)}`).join(", ")} ms`);
}

const levels = process.argv.slice(2).map(Number);
const server = await startHeavyServer();
const browser = await Browser.start(WIDTH, HEIGHT, 1, [...GRAPHICS, ...(process.env["HAWSER_SCREEN"] ? [] : FREE)]);
try {
    const { page, errors } = await browser.open(server.address);
    const out = await flyHeavily(page);
    if (process.env["HAWSER_VIEW"]) await chooseView(page, process.env["HAWSER_VIEW"] as ViewKind);
    if (process.env["HAWSER_BARE"]) {
        await page.evaluate(() => {
            const { hawser } = window as unknown as HawserWindow;
            hawser.settings.display.hud = false;
            hawser.changed();
        });
    }
    console.log(`${out.toFixed(0)} m of tether`);
    console.log(await page.evaluate(() => {
        const gl = document.createElement("canvas").getContext("webgl2")!;
        return String(gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info")!.UNMASKED_RENDERER_WEBGL));
    }));
    if (process.env["HAWSER_SCREEN"]) {
        await instrument(page, false);
        for (let i = 0; i < 6; ++i) {
            const s = await measure(page, 5);
            const level = await page.evaluate(() => (window as unknown as HawserWindow).hawser.stage.quality.index);
            console.log(`controller's level ${level}: ${(1000 / s.picture).toFixed(1)} pictures a second, graphics ${s.graphics.toFixed(2)} ms, `
                + `JavaScript ${s.script.toFixed(2)} ms (99 %: ${s.most.toFixed(2)})`);
        }
    } else {
        await instrument(page, true);
        for (const level of levels.length > 0 ? levels : [8]) await run(page, level);
    }
    if (process.env["HAWSER_SHOT"]) await page.screenshot({ path: process.env["HAWSER_SHOT"] });
    for (const error of errors) console.log(error);
} finally {
    await browser.close();
    await server.stop();
}
