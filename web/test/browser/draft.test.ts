// A lesson that is being written: the page follows its file, shows errors at their place, and draws what it is made of.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { turns, type HawserWindow } from "./fly";
import { Browser, Server, SHOTS, type Tab } from "./support";

const lesson = (objectives: string): string => `hawser: 1
include: round_pool
name: written
vehicles:
  - {name: rov, model: bluerov2_heavy, position: [0, 0, -2]}
lesson:
  title: Written by hand
  par: 60
  weights: {task: 0.7, awareness: 0.3}
  probes: {count: 2, first: 30, spread: 0, spacing: 60, obstacles: [{name: pole, position: [2.5, 1.5, 0]}]}
  objectives:
${objectives}
`;
const ZONE = "    - {name: corner, zone: {position: [2, 0, -2], radius: 0.5}}";
const GATE = "    - {name: ring, gate: {position: [1, 1, -2], direction: [1, 0, 0]}}";

let folder: string;
let file: string;
let browser: Browser;
let server: Server;
let tab: Tab;

beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hawser-draft-"));
    file = join(folder, "written.yaml");
    // a mistake in the sixth line of what follows `lesson:`, where the eye of a reader would look for it
    writeFileSync(file, lesson("    - {name: corner, zone: {positon: [2, 0, -2]}}"));
    [browser, server] = await Promise.all([Browser.start(), Server.start("train", file, "--watch")]);
    tab = await browser.open(server.address);
});
afterAll(async () => {
    await tab?.close();
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
});

const panel = (): Promise<string> => tab.page.locator(".draft-panel").innerText();
const drawn = (): Promise<number> => tab.page.evaluate(() => (window as unknown as HawserWindow).hawser.stage.draft.group.children.length);

it("shows errors at line and column, reloads what is saved, and draws its zones, gates and obstacles", async () => {
    // the file is wrong from the start: the server serves, and the page says where
    await expect.poll(panel).toContain("written.yaml, line 12, column 29");
    expect(await panel()).toContain("positon");
    expect(await tab.page.locator(".draft-panel pre").innerText()).toMatch(/\n {28}\^$/);
    expect(await drawn()).toBe(0);
    // mended and saved: it is flown, and drawn
    writeFileSync(file, lesson(ZONE));
    await expect.poll(() => tab.page.locator(".lesson-panel header").innerText()).toBe("Written by hand");
    await expect.poll(panel).toContain("1 objective, 1 zone, 1 obstacle; par 01:00.");
    expect(await panel()).toContain("Freezes at 00:30, 01:30.");
    await expect.poll(drawn).toBe(4); // each with its name
    // looked at from elsewhere, saved with a gate more: the same view, the new gate
    const camera = (): Promise<number[]> => tab.page.evaluate(() => (window as unknown as HawserWindow).hawser.stage.views.camera.position.toArray() as number[]);
    await tab.page.evaluate(() => {
        const { hawser } = window as unknown as HawserWindow;
        hawser.chooseView("free");
        const { views } = hawser.stage;
        views.place({ camera: [-4, -3, 1], target: [1, 1, -2] }, views.camera.position, 1);
    });
    await expect.poll(async () => (await camera())[2]).toBeGreaterThan(0.5);
    writeFileSync(file, lesson(`${ZONE}\n${GATE}`));
    await expect.poll(panel).toContain("2 objectives, 1 zone, 1 gate");
    await expect.poll(() => tab.page.locator(".objectives li").count()).toBe(2);
    await expect.poll(drawn).toBe(6);
    await turns(tab.page, 20);
    expect((await camera())[2]).toBeGreaterThan(0.5);
    expect(await tab.page.evaluate(() => (window as unknown as HawserWindow).hawser.stage.views.kind)).toBe("free");
    mkdirSync(SHOTS, { recursive: true });
    await tab.page.screenshot({ path: `${SHOTS}/draft.png` });
    // a channel that no world has is found too; what was good goes on
    writeFileSync(file, lesson(`${ZONE}\n    - {name: deep, conditions: [{channel: rov.dept, above: 3}]}`));
    await expect.poll(panel).toContain("written.yaml, line 13");
    expect(await panel()).toContain("rov.dept");
    expect(await tab.page.locator(".objectives li").count()).toBe(2);
    expect(tab.errors).toEqual([]);
});
