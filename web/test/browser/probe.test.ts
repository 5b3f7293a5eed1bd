// A freeze in the middle of a lesson: the page is blank, questions and a sketch are answered, the program comes to the same score.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawCoarsely, type HawserWindow } from "./fly";
import { Browser, PROGRAM, seriousViolations, Server, SHOTS, type Tab } from "./support";

const LESSON = `hawser: 1
include: rectangular_pool
name: asked
vehicles:
  - {name: rov, model: bluerov2_heavy, position: [-10, 0, -1.2]}
cables:
  - name: tether
    sections:
      - {length: 4.5, elements: 8, diameter: 0.0076, mass_per_length: 0.0454, EA: 5e4, EI: 0.015, GJ: 0.015,
         damping: {axial: 100, torsion: 0.0015}, drag: {normal: 1.2, tangential: 0.01},
         added_mass: {normal: 1, tangential: 0}, compression: 0.01, break: 1520, element_length: {min: 0.3, max: 1.2}}
    ends:
      a: {on: fairlead, at: [0.4, 0, 0], joint: pin}
      b: {on: rov, at: tether, joint: pin}
    shape: catenary
winches:
  - {name: winch, cable: tether, end: a, mode: velocity, setpoint: 0, acceleration: 1, deceleration: -1, longest: 60}
contact: {ignore: [[tether, fairlead]]}
lesson:
  title: Asked
  par: 10
  limit: 10
  objectives: [{name: down, conditions: [{channel: rov.depth, above: 90}]}]
  weights: {task: 0.3, awareness: 0.7}
  probes: {count: 1, first: 1.5, spread: 0.5, questions: 11, seed: 5, obstacles: [{name: ladder, position: [-8, 3, 0]}]}
`;

let browser: Browser;
let server: Server;
let tab: Tab;
let folder: string;

beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hawser-lesson-"));
    const path = join(folder, "asked.yaml");
    writeFileSync(path, LESSON);
    [browser, server] = await Promise.all([Browser.start(960, 600), Server.start("train", path)]);
    tab = await browser.open(server.address);
    await drawCoarsely(tab.page);
});
afterAll(async () => {
    await tab?.close();
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
});

describe("a freeze", () => {
    it("blanks the page, takes answers and a sketch, and is scored alike by the program", async () => {
        const { page } = tab;
        const panel = page.locator(".probe-panel");
        await panel.waitFor();
        expect(await page.evaluate(() => document.documentElement.dataset["state"])).toBe("freeze");
        expect(await page.locator(".hud .heading-plate").isVisible()).toBe(false);
        expect(await seriousViolations(page)).toEqual([]);
        await page.keyboard.press("Escape");
        expect(await page.locator("aside.menu").isVisible()).toBe(false);
        await page.locator("#probe-depth").fill("1.2");
        await page.locator("#probe-heading").fill("0");
        await page.locator("#probe-length").fill("4.5");
        await panel.getByRole("group", { name: "How is the tether?" }).getByLabel("right").check();
        await panel.getByRole("group", { name: "Which way" }).getByLabel("neither way").check();
        // from above by pointer, from the side by keyboard
        const plan = page.locator(".sheet").first();
        const box = (await plan.boundingBox())!;
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2 + 4, box.y + box.height / 2 - 24, { steps: 4 });
        await page.mouse.up();
        await page.locator(".sheet").nth(1).focus();
        for (const key of ["ArrowRight", "ArrowRight", "ArrowDown", "Enter"]) await page.keyboard.press(key);
        mkdirSync(SHOTS, { recursive: true });
        await page.screenshot({ path: `${SHOTS}/probe.png` });
        await panel.getByRole("button", { name: "Answer and fly on" }).click();
        await panel.waitFor({ state: "hidden" });
        const verdict = page.locator(".lesson-verdict");
        await verdict.waitFor();
        const shown = await verdict.getAttribute("data-score");
        expect(await page.evaluate(() => document.documentElement.dataset["state"])).toBe("debrief");
        const flight = await page.evaluate(() => (window as unknown as HawserWindow).hawser.session.scene!.flight!);
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.endSession());
        const status = (): Promise<string | undefined> => page.evaluate(async () =>
            ((await (window as unknown as HawserWindow).hawser.link.request({ type: "flights" })) as { flights: { status: string }[] }).flights[0]?.status);
        await expect.poll(status).toBe("completed");
        const score = JSON.parse(execFileSync(PROGRAM, ["score", flight, "--flights", server.flights, "--json", "--verify"], { encoding: "utf8" }));
        expect(String(score.score)).toBe(shown);
        expect(score.verified).toBe(true);
        const items = Object.fromEntries(score.probes[0].items.map((item: { item: string; points: number }) => [item.item, item.points]));
        expect(Object.keys(items)).toHaveLength(11);
        expect(items["heading"]).toBeGreaterThan(0.5);
        expect(items["unwind"]).toBe(1);
        expect(items["sketch"]).toBeGreaterThan(0.5);
        expect(items["turns"]).toBe(0); // left out
        // the debrief tells what was known, and its replay shows the sketch beside the true tether at that moment
        await page.evaluate((id) => (window as unknown as HawserWindow).hawser.openDebrief(id), flight);
        const knew = page.locator(".debrief-probe");
        await knew.waitFor();
        expect(await knew.locator("tbody tr").count()).toBe(11);
        expect(await knew.locator("tr", { hasText: "Which way unwinds" }).innerText()).toContain("100 %");
        await knew.locator(".moment").click();
        const sketched = (): Promise<boolean> => page.evaluate(() => (window as unknown as HawserWindow).hawser.stage.sketched.group.visible);
        await expect.poll(sketched).toBe(true);
        expect(await seriousViolations(page)).toEqual([]);
        await page.screenshot({ path: `${SHOTS}/sketched.png` });
        execFileSync(PROGRAM, ["debrief", flight, "--flights", server.flights, "-o", join(folder, "debrief.html")]);
        expect(readFileSync(join(folder, "debrief.html"), "utf8")).toContain(`class="sketch"`);
        // and at no other
        const end = await page.evaluate(() => (window as unknown as HawserWindow).hawser.session.state!.end!);
        expect(end).toBeGreaterThan(score.probes[0].time + 6);
        await page.evaluate((time) => (window as unknown as HawserWindow).hawser.tell({ type: "seek", time }), end);
        await expect.poll(sketched).toBe(false);
        expect(tab.errors).toEqual([]);
    });
});
