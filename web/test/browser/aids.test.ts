// Aids that fade with the passes of a lesson, hints about the tether, and how a stranger is told to fly.

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { turns, type HawserWindow } from "./fly";
import { Browser, Server, type Tab } from "./support";

// far too much tether, and nobody who hauls it in
const LESSON = `hawser: 1
include: round_pool
name: faded
vehicles: [{name: rov, model: bluerov2_heavy, position: [0, 0, -2], armed: true, mode: hold}]
cables:
  - name: tether
    sections: [{length: 12, elements: 12, diameter: 0.0076, mass_per_length: 0.0454, EA: 5e4, damping: {axial: 100}}]
    ends: {a: {on: fairlead, at: [0.4, 0, 0], joint: pin}, b: {on: rov, at: tether, joint: pin}}
    shape: catenary
winches: [{name: winch, cable: tether, end: a, mode: velocity, setpoint: 0}]
contact: {ignore: [[tether, fairlead]]}
lesson:
  title: Faded
  par: 300
  aids: fade
  hints: true
  handler: hold
  objectives: [{name: deep, conditions: [{channel: rov.depth, above: 90}]}]
  weights: {task: 1}
`;
const COLUMNS = "started,pilot,group,phase,lesson,flight,score,passed,complete,time,hits,gates,task,time_term,turns,slack,wrap,tension,return,awareness,error,version";

let folder: string;
let browser: Browser;
let server: Server;
let tab: Tab;

beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hawser-aids-"));
    writeFileSync(join(folder, "faded.yaml"), LESSON);
    [browser, server] = await Promise.all([Browser.start(), Server.start("train", join(folder, "faded.yaml"))]);
    tab = await browser.open(server.address);
});
afterAll(async () => {
    await tab?.close();
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
});

const seen = (): Promise<{ aids: string | undefined; chart: boolean; slack: boolean; contacts: boolean }> => tab.page.evaluate(() => {
    const visible = (selector: string): boolean => (document.querySelector(selector) as HTMLElement | null)?.checkVisibility({ visibilityProperty: true }) ?? false;
    const { hawser } = window as unknown as HawserWindow;
    const row = (label: string): boolean => [...document.querySelectorAll<HTMLElement>(".tether-panel .row")].some((element) => element.innerText.startsWith(label) && element.checkVisibility());
    return { aids: hawser.session.scene?.lesson?.aids, chart: visible(".map-panel"), slack: row("Slack"), contacts: row("Contacts") };
});
async function dive(name: string): Promise<void> {
    await tab.page.evaluate((pilot) => {
        const { hawser } = window as unknown as HawserWindow;
        hawser.settings.pilot.name = pilot;
        hawser.changed();
        hawser.dive({ scene: "preset" });
    }, name);
}

it("fades from everything to the instruments alone, and hints at too much tether", async () => {
    await expect.poll(seen).toEqual({ aids: "all", chart: true, slack: true, contacts: true });
    // the hint: three seconds of too much slack
    await expect.poll(() => tab.page.locator(".arm-hint.advice").innerText({ timeout: 1000 }).catch(() => "")).toMatch(/slack|long|haul/i);
    // passed once: the chart and the slack, but nothing that only the simulation knows
    const pass = (i: number): string => `2026-01-0${i}T10:00:00Z,Ada,,,Faded,f${i},90,1,1,100,0,0,1,,,,,,,,,0.1.0\n`;
    appendFileSync(join(server.flights, "logbook.csv"), `${COLUMNS}\n${pass(1)}`);
    await dive("Ada");
    await expect.poll(seen).toEqual({ aids: "chart", chart: true, slack: true, contacts: false });
    // twice in a row: what a real vehicle tells; asking for more does not help
    appendFileSync(join(server.flights, "logbook.csv"), pass(2));
    await dive("Ada");
    await expect.poll(seen).toEqual({ aids: "instruments", chart: false, slack: false, contacts: false });
    await tab.page.keyboard.press("v");
    await turns(tab.page, 3); // until the page has looked at it
    expect(await tab.page.locator(".view-name").innerText()).toBe("Pilot camera");
    expect(tab.errors).toEqual([]);
});

it("tells who has armed how to fly, who minds the tether, and forgets warnings at the end", async () => {
    const menu = await Server.start("train");
    const stranger = await browser.open(menu.address);
    const { page } = stranger;
    await page.locator("button.dive").waitFor();
    await page.evaluate(() => (window as unknown as HawserWindow).hawser.dive({ surroundings: "round_pool", handler: "auto" }));
    await expect.poll(() => page.locator(".arm-hint").innerText({ timeout: 1000 }).catch(() => "")).toContain("Enter or");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".arm-hint").innerText({ timeout: 1000 }).catch(() => "")).toContain("W S ahead and back");
    await expect.poll(() => page.locator(".tether-panel header").innerText()).toContain("handler");
    await page.keyboard.press("/");
    await expect.poll(() => page.locator(".tether-panel header").innerText()).not.toContain("handler");
    await page.keyboard.down("w");
    await expect.poll(() => page.locator(".arm-hint").isVisible()).toBe(false);
    await page.keyboard.up("w");
    // without aids there is the pilot's camera, and of the tether what its drum and a load cell tell
    const next = async (): Promise<string> => {
        await page.keyboard.press("v");
        await turns(page, 3);
        return page.locator(".view-name").innerText();
    };
    expect(await next()).toBe("Chase");
    // from above a pool lies in its deck, which hides nothing of what is in it
    expect(await next()).toBe("Top");
    expect(await page.evaluate(() => (window as unknown as HawserWindow).hawser.stage.views.camera.near)).toBeLessThan(0.1);
    expect(await page.locator(".tether-panel").innerText()).toContain("Straight");
    await page.evaluate(() => {
        const { hawser } = window as unknown as HawserWindow;
        hawser.settings.display.aids = "none";
        hawser.changed();
    });
    expect(await page.locator(".view-name").innerText()).toBe("Pilot camera");
    expect(await next()).toBe("Pilot camera");
    await expect.poll(() => page.locator(".tether-panel").innerText()).not.toMatch(/Straight|Slack|Contacts|Wrap/);
    expect(await page.locator(".map-panel").isVisible()).toBe(false);
    await page.evaluate(() => (window as unknown as HawserWindow).hawser.hud.raise({ type: "alert", time: 0, level: "warning", code: "test", text: "A warning" }, performance.now() / 1000));
    await expect.poll(() => page.locator(".alerts").innerText()).toContain("A warning");
    // a newer number keeps its place below what came later
    await page.evaluate(() => {
        const { hud } = (window as unknown as HawserWindow).hawser;
        const now = performance.now() / 1000;
        hud.raise({ type: "alert", time: 0, level: "warning", code: "later", text: "A later one" }, now + 1);
        hud.raise({ type: "alert", time: 0, level: "warning", code: "test", text: "A warning, 2" }, now + 2);
    });
    await expect.poll(() => page.locator(".alerts").innerText()).toMatch(/A later one[^]*A warning, 2/);
    await page.evaluate(() => (window as unknown as HawserWindow).hawser.endSession());
    await expect.poll(() => page.locator(".alerts").innerText()).toBe("");
    expect(stranger.errors).toEqual([]);
    await stranger.close();
    await menu.stop();
});
