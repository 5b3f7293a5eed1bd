// What a picture costs, in numbers that no clock decides: drawing calls, triangles, programs, what is kept, what is written
// into the page. Times are printed.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FLIGHT_VIEWS } from "../../src/scene/views";
import { chooseView, pass, setSticks, type HawserWindow } from "./fly";
import { flyHeavily, startHeavyServer } from "./heavy";
import { Browser, type Server, type Tab } from "./support";

// With the shade, all of the surroundings in sight at once and no propeller blurred it is 116 calls and up to 189,000 triangles, of which
// 62,000 are what lives on structures; beside a leg that is covered with it there are 101,000 of those. (Structures are joined place by place,
// so that what is far off is drawn plainly and what is behind the eye not at all; joined all in one it was 99 calls and 219,000 triangles.) Asked for are 150 calls and 300,000 triangles. Of programs those of the best level count, 23: how many of coarser
// ones there are beside them depends on how fast the machine is. More than this means that something is no longer joined or shared.
const MOST_CALLS = 135;
const MOST_TRIANGLES = 260_000;
/** of which 27,400 were drawn, all in sight, before there were models */
const MOST_COARSE = 27_400;
const MOST_PROGRAMS = 28;

let browser: Browser;
let server: Server;
let tab: Tab;

beforeAll(async () => {
    [browser, server] = await Promise.all([Browser.start(), startHeavyServer()]);
    tab = await browser.open(server.address);
    expect(await flyHeavily(tab.page), "m of tether").toBeGreaterThan(140);
});
afterAll(async () => {
    await tab?.close();
    await browser?.close();
    await server?.stop();
});

/** Draws so many pictures at once, small ones of this level of quality; gives ms of JavaScript for each. */
async function drawPictures(count: number, level: number): Promise<number[]> {
    return tab.page.evaluate(async ([pictures, quality]) => {
        const { hawser } = window as unknown as HawserWindow;
        const drawn = hawser as unknown as { draw(): void; stage: { renderer: { setPixelRatio(ratio: number): void; getContext(): WebGL2RenderingContext } } };
        hawser.stage.fixedQuality = quality!;
        hawser.stage.applyQuality();
        drawn.stage.renderer.setPixelRatio(0.05);
        const gl = drawn.stage.renderer.getContext();
        const times: number[] = [];
        for (let i = 0; i < pictures!; ++i) {
            const start = performance.now();
            drawn.draw();
            times.push(performance.now() - start);
            gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
            // frames of the server come in between
            if (i % 8 === 7) await new Promise((done) => setTimeout(done, 0));
        }
        return times;
    }, [count, level]);
}

describe("a picture", () => {
    it("is drawn from coarse models and plain shapes where a processor draws it", async () => {
        await chooseView(tab.page, "chase");
        await drawPictures(2, 8);
        const { triangles, dressed } = await tab.page.evaluate(() => {
            const { stage } = (window as unknown as HawserWindow).hawser;
            const { bodies } = stage as unknown as { bodies: { dressed: { children: { visible: boolean }[] } } };
            return { triangles: stage.triangles, dressed: bodies.dressed.children.length === 0 || bodies.dressed.children.some(({ visible }) => visible) };
        });
        console.log(`coarsest: ${triangles} triangles`);
        expect(dressed).toBe(false);
        expect(triangles).toBeLessThanOrEqual(MOST_COARSE);
    });

    it("needs few drawing calls, triangles and programs, whatever is in sight", async () => {
        const { page } = tab;
        for (const view of FLIGHT_VIEWS) {
            await chooseView(page, view);
            await drawPictures(2, 0);
            const { calls, triangles, programs } = await page.evaluate(() => {
                const { stage } = (window as unknown as HawserWindow).hawser;
                const inner = stage as unknown as { root: { traverse(visit: (object: { frustumCulled: boolean }) => void): void } };
                const culled: { frustumCulled: boolean }[] = [];
                inner.root.traverse((object) => {
                    if (object.frustumCulled) culled.push(object);
                    object.frustumCulled = false;
                });
                let [most, all] = [0, 0];
                // every other picture has the shade
                for (let i = 0; i < 2; ++i) {
                    (window as any).hawser.draw();
                    most = Math.max(most, stage.drawCalls);
                    all = Math.max(all, stage.triangles);
                }
                for (const object of culled) object.frustumCulled = true;
                const { renderer } = stage as unknown as { renderer: { info: { programs: { cacheKey: string }[] } } };
                const best = renderer.info.programs.filter(({ cacheKey }) => !cacheKey.split(",").includes("LOW"));
                return { calls: most, triangles: all, programs: best.length };
            });
            console.log(`${view}: ${calls} calls, ${triangles} triangles, ${programs} programs`);
            expect(calls, `calls, ${view}`).toBeLessThanOrEqual(MOST_CALLS);
            expect(triangles, `triangles, ${view}`).toBeLessThanOrEqual(MOST_TRIANGLES);
            expect(programs, `programs, ${view}`).toBeLessThanOrEqual(MOST_PROGRAMS);
            // and there is something in it
            expect(triangles, `triangles, ${view}`).toBeGreaterThan(10_000);
        }
    });

    it("has structures, boat and vehicle in detail near by, and plain ones from afar", async () => {
        const { page } = tab;
        await chooseView(page, "free");
        const seen = async (away: number): Promise<{ dressed: boolean; hull: boolean; triangles: number }> => {
            await page.evaluate((x) => {
                const { stage } = (window as unknown as HawserWindow).hawser;
                const at = stage.subject(null)!.position;
                stage.views.steady = true;
                stage.views.place({ camera: [at.x + x, at.y, at.z], target: [at.x, at.y, at.z] }, stage.views.camera.position, 1);
            }, away);
            await drawPictures(3, 0);
            return page.evaluate(() => {
                const { stage } = (window as unknown as HawserWindow).hawser;
                const { bodies, vehicles } = stage as unknown as { bodies: { dressed: { children: { visible: boolean }[] } }; vehicles: { hull: { group: { children: { visible: boolean }[] } } }[] };
                return { dressed: bodies.dressed.children.some(({ visible }) => visible), hull: vehicles[0]!.hull.group.children[0]!.visible, triangles: stage.triangles };
            });
        };
        const [near, far] = [await seen(3), await seen(300)];
        console.log(`near ${near.triangles} triangles, far ${far.triangles}`);
        expect([near.dressed, near.hull]).toEqual([true, true]);
        expect([far.dressed, far.hull]).toEqual([false, false]);
        expect(far.triangles).toBeLessThan(near.triangles);
    });

    it("leaves nothing behind: after a minute of them as much is kept as before", async () => {
        const { page } = tab;
        const held = (): Promise<{ geometries: number; textures: number; programs: number }> => page.evaluate(() => (window as unknown as HawserWindow).hawser.stage.held);
        for (const view of FLIGHT_VIEWS) {
            await chooseView(page, view);
            await drawPictures(4, 0);
            await drawPictures(4, 8);
        }
        const before = await held();
        const times: number[] = [];
        // 1,200: a minute at 20 a second, through all views, with the vehicle turning
        for (const view of FLIGHT_VIEWS) {
            await chooseView(page, view);
            times.push(...await drawPictures(20, 0), ...await drawPictures(180, 8));
        }
        const after = await held();
        // What comes in sight for the first time is sent and compiled then (sediment that the thrusters stir up, say), and where the
        // vehicle has got to before depends on the machine. What pictures or views left behind would be hundreds, or six.
        for (const kind of ["geometries", "textures", "programs"] as const) expect(after[kind] - before[kind], kind).toBeLessThan(5);
        times.sort((a, b) => a - b);
        console.log(`JavaScript of a picture: median ${times[times.length >> 1]!.toFixed(2)} ms, 99 % within ${times[Math.floor(0.99 * times.length)]!.toFixed(2)} ms`);
    });

    it("writes nothing into the page while nothing changes", async () => {
        const { page } = tab;
        await chooseView(page, "pilot");
        await setSticks(page, [0, 0, 0, 0]);
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "pause", paused: true }));
        await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.session.state?.paused);
        const writes = (paused: boolean): Promise<string[]> => page.evaluate(async (settled) => {
            // alerts and captions go after 12 s of the page's clock, which a slow machine tells in few pictures
            if (settled) await new Promise((done) => setTimeout(done, 12_000));
            for (let i = 0; settled && i < 5; ++i) await new Promise(requestAnimationFrame);
            const seen: string[] = [];
            const observer = new MutationObserver((records) => {
                for (const { target, type } of records) seen.push(`${type} of ${(target as Element).className || target.parentElement?.className}`);
            });
            observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
            for (let i = 0; i < 60; ++i) await new Promise(requestAnimationFrame);
            await new Promise((done) => setTimeout(done, 100));
            observer.disconnect();
            return seen;
        }, paused);
        expect(await writes(true)).toEqual([]);
        // the same ears hear a flight that goes on
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "pause", paused: false }));
        await pass(page, 0.2);
        expect((await writes(false)).length).toBeGreaterThan(0);
        expect(tab.errors).toEqual([]);
    });
});
