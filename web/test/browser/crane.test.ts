// A crane's operator on a page of their own: every joint of the seven-joint crane moved by its lever, there and back, in a flight.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dive, drawCoarsely, pass, type HawserWindow } from "./fly";
import { Browser, seriousViolations, Server, type Tab } from "./support";

const JOINTS = ["slew", "boom1", "boom2", "tele1", "tele2", "tele3", "tele4"] as const;
const folder = mkdtempSync(join(tmpdir(), "hawser-crane-"));
let browser: Browser;

beforeAll(async () => {
    browser = await Browser.start(640, 480);
});
afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
});

/** The crane of the scenes, at work on its own, with a vehicle beside it; its pilot has invited an operator. */
async function operate(change: (scene: string) => string, work: (operator: Tab) => Promise<void>): Promise<void> {
    const file = join(folder, "crane.yaml");
    writeFileSync(file, change(`${readFileSync("../scenes/palfinger_crane.yaml", "utf8")}
environment:
  water: {density: 1025}
  seabed: {depth: 30, stiffness: 1e5, damping: 1e4, friction: 0.5}
vehicles:
  - {name: rov, model: bluerov2_heavy, position: [12, 0, -4]}
`));
    const server = await Server.start("train", file);
    const tabs: Tab[] = [];
    const open = async (address: string): Promise<Tab> => {
        const tab = await browser.open(address);
        tabs.push(tab);
        await drawCoarsely(tab.page);
        return tab;
    };
    try {
        const pilot = await open(server.address);
        // a flight that nobody records has levers, too
        await dive(pilot.page, { scene: "preset", record: false });
        const invited = await pilot.page.evaluate(async () => (await (window as unknown as HawserWindow).hawser.link.request({ type: "invite", role: "winch" })) as { flight: string; secret: string });
        const operator = await open(`${server.address.replace(/\/$/, "")}/#join=${invited.flight}.winch.${invited.secret}`);
        await operator.page.locator(".winch-panel .lever").first().waitFor();
        await work(operator);
        for (const { errors } of tabs) expect(errors).toEqual([]);
    } finally {
        for (const tab of tabs) await tab.close();
        await server.stop();
    }
}

const read = (page: Page, channels = JOINTS.map((name) => `crane.${name}.q`)): Promise<number[]> => page.evaluate(async (names) =>
    (await (window as unknown as HawserWindow).hawser.link.request<{ values: number[] }>({ type: "read", channels: names })).values, channels);

it("moves each joint of a crane by its lever while it is held, and no other", () => operate((scene) => scene, async ({ page }) => {
    expect(await page.locator(".winch-panel .lever").count()).toBe(2 * JOINTS.length);
    // the scene's own course goes on until the operator stops it
    await page.getByRole("button", { name: "Stop everything" }).click();
    await pass(page, 1);
    const settled = await read(page);
    await pass(page, 1);
    (await read(page)).forEach((q, i) => expect(Math.abs(q - settled[i]!), `${JOINTS[i]} stands`).toBeLessThan(0.005));
    for (const [i, name] of JOINTS.entries()) {
        for (const [way, label] of [[1, "+"], [-1, "\u2212"]] as const) {
            const before = await read(page);
            const lever = page.getByRole("button", { name: `crane.${name}: ${label}` });
            // the first by mouse, the way back by key
            if (way > 0) {
                await lever.hover();
                await page.mouse.down();
            } else {
                await lever.focus();
                await page.keyboard.down("Space");
            }
            // rad, m; farther there than back, for the telescopes may begin at their stops
            const least = (i < 3 ? 0.04 : 0.08) * (way > 0 ? 1.5 : 1);
            await expect.poll(async () => way * ((await read(page))[i]! - before[i]!), { message: `${name} ${label}`, timeout: 60_000 }).toBeGreaterThan(least);
            await (way > 0 ? page.mouse.up() : page.keyboard.up("Space"));
            await pass(page, 1);
            const after = await read(page);
            await pass(page, 0.5);
            const later = await read(page);
            later.forEach((q, k) => expect(Math.abs(q - after[k]!), `${JOINTS[k]} stands after ${name} ${label}`).toBeLessThan(0.005));
            after.forEach((q, k) => k !== i && expect(Math.abs(q - before[k]!), `${JOINTS[k]} stays while ${name} moves`).toBeLessThan(0.02));
        }
    }
    // the telescope at its stop: the drive does not go on pushing when the lever is let go of
    const lever = page.getByRole("button", { name: "crane.tele4: \u2212" });
    await lever.focus();
    await page.keyboard.down("Space");
    await expect.poll(async () => (await read(page))[6]!, { timeout: 60_000 }).toBeLessThan(0.01);
    await pass(page, 1.5);
    await page.keyboard.up("Space");
    await pass(page, 0.5);
    const target = await page.evaluate(async () => (await (window as unknown as HawserWindow).hawser.link.request<{ inputs: { name: string; value: number }[] }>({ type: "inputs" })).inputs.find(({ name }) => name === "crane.tele4.target")!.value);
    expect(target).toBeGreaterThan(-0.1);
    // what it says is where it is
    await expect.poll(() => page.locator(".winch-panel output").nth(0).innerText()).toBe(`${(((await read(page))[0]! * 180) / Math.PI).toFixed(1)}\u00b0`);
    expect(await seriousViolations(page)).toEqual([]);
}));

it("moves the tip of a crane along its axes", () => operate((scene) => scene.replace("    links:", "    tool: {link: tele4, position: [0, 0, 1], speed: 0.3}\n    links:"), async ({ page }) => {
    expect(await page.locator(".winch-panel .lever").count()).toBe(12); // six axes, both ways; joints follow the tip
    const axes = ["x", "y", "z"];
    const tip = (): Promise<number[]> => read(page, [...axes, "x", "y", "z"].map((axis, i) => (i < 3 ? `crane.tool.position.${axis}` : `deck.position.${axis}`)));
    for (const [i, axis] of axes.entries()) {
        const before = await tip();
        const lever = page.getByRole("button", { name: `crane: ${axis} +` });
        await lever.hover();
        await page.mouse.down();
        // m from the deck, which heaves
        await expect.poll(async () => { const now = await tip(); return now[i]! - now[i + 3]! - (before[i]! - before[i + 3]!); }, { message: axis, timeout: 60_000 }).toBeGreaterThan(0.6);
        await page.mouse.up();
        await pass(page, 1);
    }
}));
