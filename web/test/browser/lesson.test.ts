// A lesson from a cold start, by doing what the page says; its result; the same score from the program.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { HawserWindow } from "./fly";
import { Browser, PATIENCE, PROGRAM, seriousViolations, Server, SHOTS, type Tab } from "./support";

let browser: Browser;
let server: Server;
let tab: Tab;

beforeAll(async () => {
    [browser, server] = await Promise.all([Browser.start(), Server.start("train", resolve("../lessons/first_flight.yaml"))]);
    tab = await browser.open(server.address);
});
afterEach(() => {
    expect(tab.errors).toEqual([]);
});
afterAll(async () => {
    await tab?.close();
    await browser?.close();
    await server?.stop();
});

/** The line that the page wants done now. */
const wanted = (): Promise<string> => tab.page.locator(".objectives li.current").first().innerText();

/** Holds a key until the page has another wish, or the reading is reached. */
async function holdUntil(key: string, over: () => Promise<boolean>): Promise<void> {
    const until = Date.now() + PATIENCE;
    await tab.page.keyboard.down(key);
    while (!(await over())) {
        if (Date.now() > until) throw new Error(`holding ${key} did not help: ${await wanted()}`);
        await tab.page.waitForTimeout(50);
    }
    await tab.page.keyboard.up(key);
}

const gone = (text: string) => async (): Promise<boolean> => !(await tab.page.locator(".objectives li.current").first().innerText()).startsWith(text);
const vehicle = (): Promise<{ depth: number; heading: number }> => tab.page.evaluate(() => {
    const frame = (window as unknown as { hawser: { frame(): { vehicles: { depth: number; heading: number }[] } } }).hawser.frame();
    return { depth: frame.vehicles[0]!.depth, heading: frame.vehicles[0]!.heading };
});

/** Turns or climbs until the page is content: on towards the goal, and back where a slow page let go of the key late. */
async function steer(off: () => Promise<number>, keys: { more: string; less: string }, far: number, near: number, text: string): Promise<void> {
    const until = Date.now() + PATIENCE;
    const done = gone(text);
    while (!(await done())) {
        const before = await off();
        if (Date.now() > until) throw new Error(`${before} from where "${text}" wants the vehicle: ${await wanted()}`);
        if (Math.abs(before) > near) {
            const key = before > 0 ? keys.more : keys.less;
            await tab.page.keyboard.down(key);
            // so near that a tap is enough, or until it coasts there
            do await tab.page.waitForTimeout(50);
            while (Math.abs(before) > far && (await off()) * Math.sign(before) > far);
            await tab.page.keyboard.up(key);
        }
        await tab.page.waitForTimeout(500);
    }
}

/** Radians to turn right to a heading. */
const right = (heading: number) => async (): Promise<number> => {
    const off = heading - (await vehicle()).heading;
    return Math.atan2(Math.sin(off), Math.cos(off));
};

describe("the first lesson", () => {
    it("is flown by following the page, passed, and scored alike by the program", async () => {
        const { page } = tab;
        expect(await wanted()).toContain("Arm the thrusters");
        // the control as it is set, and the instrument that shows it
        expect(await page.locator(".objectives li.current .controls").innerText()).toBe("Enter");
        await expect.poll(() => page.locator(".plate.status").getAttribute("class")).toContain("pointed");
        await page.keyboard.press("Enter");
        await expect.poll(wanted).toContain("hold depth and heading");
        await page.keyboard.press("5");
        await expect.poll(wanted).toContain("Fly ahead");
        mkdirSync(SHOTS, { recursive: true });
        await page.screenshot({ path: `${SHOTS}/lesson.png` });
        await holdUntil("w", gone("Fly ahead"));
        await steer(async () => 2.6 - (await vehicle()).depth, { more: "f", less: "r" }, 0.15, 0.15, "Go down");
        await steer(right(Math.PI / 2), { more: "e", less: "q" }, 0.35, 0.2, "Turn right");
        while ((await wanted()).includes("Lights on")) {
            await page.keyboard.press("]");
            await page.waitForTimeout(700);
        }
        await holdUntil("g", gone("Look down"));
        await steer(right(0), { more: "e", less: "q" }, 0.35, 0.2, "Turn back");
        await holdUntil("r", async () => (await vehicle()).depth < 1.6);
        const verdict = page.locator(".lesson-verdict");
        await holdUntil("s", () => verdict.isVisible());
        expect(await verdict.locator("h2").innerText()).toContain("Passed");
        expect(await verdict.locator(".rule").innerText()).toContain("70 points");
        expect(await page.locator(".pointed").count()).toBe(0);
        expect(await verdict.locator(".next-lesson").innerText()).toBe("Next: Plan view");
        await page.screenshot({ path: `${SHOTS}/verdict.png` });
        const shown = await verdict.getAttribute("data-score");
        await verdict.getByRole("button", { name: "Back to the menu" }).click();
        // nothing of the lesson stays in the water behind the menu
        expect(await page.evaluate(() => (window as unknown as HawserWindow).hawser.stage.markers.group.children.length)).toBe(0);
        const flights = (): Promise<{ flight: string; status: string }[]> => page.evaluate(async () =>
            ((await (window as unknown as { hawser: { link: { request(m: object): Promise<unknown> } } }).hawser.link.request({ type: "flights" })) as { flights: { flight: string; status: string }[] }).flights);
        await expect.poll(async () => (await flights())[0]?.status).toBe("completed");
        const { flight } = (await flights())[0]!;
        const score = JSON.parse(execFileSync(PROGRAM, ["score", flight, "--flights", server.flights, "--json", "--verify"], { encoding: "utf8" }));
        expect(String(score.score)).toBe(shown);
        expect(score.verified).toBe(true);
        expect(score.passed).toBe(true);
    });
});

describe("the menu", () => {
    it("offers the lessons and opens one", async () => {
        const other = await Server.start("train");
        const menu = await browser.open(other.address);
        await menu.page.locator(".lesson-card").first().waitFor();
        expect(await menu.page.locator(".lesson-card").first().innerText()).toContain("Par 03:00 \u00b7 70 points pass");
        expect(await seriousViolations(menu.page)).toEqual([]);
        // where a dive goes, and no page that is not a pilot's
        expect(await menu.page.locator("button.dive").innerText()).toContain("Complex area \u00b7 BlueROV2 Heavy");
        expect(await menu.page.locator('[data-page="class"]').isVisible()).toBe(false);
        const tops = await menu.page.locator("[role=tab]:visible").evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
        expect(new Set(tops).size).toBe(1);
        await menu.page.getByRole("button", { name: "Drive the box" }).click();
        await expect.poll(() => menu.page.locator(".lesson-panel header").innerText()).toBe("Drive the box");
        expect(await menu.page.locator(".objectives li.current").innerText()).toContain("first corner");
        // of later objectives one is drawn, and none about the eye, whose lines would cross the picture
        await expect.poll(() => menu.page.evaluate(() => (window as unknown as HawserWindow).hawser.stage.markers.group.children.map(({ visible }) => visible))).toEqual([true, true, false, false]);
        // who has touched the page is told what to touch
        await menu.page.evaluate(() => {
            window.dispatchEvent(new PointerEvent("pointerdown", { pointerType: "touch" }));
            (window as unknown as HawserWindow).hawser.dive({ scene: "first_flight" });
        });
        await expect.poll(() => menu.page.locator(".objectives li.current .controls").first().innerText()).toBe("Arm");
        await expect.poll(() => menu.page.locator(".touch-key.pointed").innerText()).toBe("Arm");
        // a plan shows all that its lesson is about, beside the instruments
        await menu.page.evaluate(() => (window as unknown as HawserWindow).hawser.dive({ scene: "plan_view" }));
        await expect.poll(() => menu.page.locator(".lesson-panel header").innerText()).toBe("Plan view");
        const places = (): Promise<[number, number][]> => menu.page.evaluate(() => {
            const { stage, session } = (window as unknown as HawserWindow).hawser;
            const { camera } = stage.views;
            return session.scene!.lesson!.objectives.map(({ zone }) => {
                const seen = camera.position.clone().fromArray(zone!.position).project(camera);
                return [seen.x, seen.y];
            });
        });
        await expect.poll(async () => (await places()).every(([x, y]) => Math.abs(x) < 0.7 && Math.abs(y) < 0.8)).toBe(true);
        // and the vehicle as an arrow that can be seen from there
        const pixels = await menu.page.evaluate(() => {
            const { plan, views: { camera } } = (window as unknown as HawserWindow).hawser.stage;
            const [tail, tip] = [-0.5, 0.5].map((x) => plan!.arrow.localToWorld(camera.position.clone().set(x, 0, 0)).project(camera));
            return plan!.arrow.visible ? Math.hypot((tip!.x - tail!.x) * innerWidth, (tip!.y - tail!.y) * innerHeight) / 2 : 0;
        });
        expect(pixels).toBeGreaterThan(25);
        expect(pixels).toBeLessThan(35);
        expect(menu.errors).toEqual([]);
        await menu.close();
        await other.stop();
    });
});
