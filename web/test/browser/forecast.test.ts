// Forecasts of the tether in the page: switched on by keys, drawn and said; a lesson without aids has none.

import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dive, drawCoarsely, pass, ready, until, type HawserWindow } from "./fly";
import { Browser, Server, SHOTS, type Tab } from "./support";
import { mkdirSync, readFileSync } from "node:fs";

const OPTIONS = { vehicle: "bluerov2_heavy", surroundings: "complex_area", current: { speed: 0.1, direction_deg: 0 },
    waves: { height: 0, period: 5, direction_deg: 0 }, tether: { type: "fathom", length: 100, out: 20 }, handler: "hold" as const };

let browser: Browser;

beforeAll(async () => {
    browser = await Browser.start();
});
afterAll(async () => {
    await browser?.close();
});

/** Names of what is drawn of forecasts, each once. */
async function drawn(tab: Tab): Promise<string[]> {
    return tab.page.evaluate(() => [...new Set((window as unknown as HawserWindow).hawser.stage.forecast.group.children.map(({ name }) => name))].sort());
}

describe("forecasts of the tether", () => {
    it("are switched on by keys, drawn and said", async () => {
        const server = await Server.start();
        const tab = await browser.open(server.address);
        const { page } = tab;
        await drawCoarsely(page);
        await dive(page, OPTIONS);
        // a flight that stands still: how long a forecast takes does not matter
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "pause", paused: true }));
        await until(page, "paused", (r) => r.paused);
        expect(await drawn(tab)).toEqual([]);
        expect(await page.locator(".forecast").isVisible()).toBe(false);
        await page.keyboard.press("y");
        await expect.poll(() => drawn(tab)).toEqual(["home"]);
        await page.keyboard.press("Shift+Y");
        await expect.poll(() => drawn(tab)).toEqual(["ahead", "home"]);
        await page.keyboard.press("Shift+O");
        await expect.poll(() => drawn(tab)).toEqual(["ahead", "haul", "home"]);
        const text = await page.locator(".forecast").innerText();
        expect(text).toMatch(/Way home: \d+ m/);
        expect(text).toMatch(/Ahead: /);
        expect(text).toMatch(/Hauled now: /);
        mkdirSync(SHOTS, { recursive: true });
        await page.screenshot({ path: `${SHOTS}/forecast.png` });
        // the way home leads from the vehicle to where the tether begins
        const ends = await page.evaluate(() => {
            const { hawser } = window as unknown as HawserWindow;
            const { home } = hawser.forecasts.last!;
            const { nodes, count } = hawser.frame()!.cables[0]!;
            return { first: home![0]!, last: home![home!.length - 1]!, a: [...nodes.slice(0, 3)], b: [...nodes.slice(3 * count - 3, 3 * count)] };
        });
        for (let i = 0; i < 3; ++i) {
            expect(ends.last[i]).toBeCloseTo(ends.a[i]!, 1);
            expect(ends.first[i]).toBeCloseTo(ends.b[i]!, 1);
        }
        // without aids there are none
        await page.evaluate(() => {
            const { hawser } = window as unknown as HawserWindow;
            hawser.settings.display.aids = "none";
            hawser.changed();
        });
        await expect.poll(() => drawn(tab)).toEqual([]);
        expect(await page.locator(".forecast").isVisible()).toBe(false);
        expect(tab.errors).toEqual([]);
        await tab.close();
        await server.stop();
    });

    it("show a second tether of another model as a ghost, chosen in the menu", async () => {
        const server = await Server.start();
        const tab = await browser.open(server.address);
        const { page } = tab;
        await drawCoarsely(page);
        await dive(page, OPTIONS);
        const ghost = (): Promise<{ visible: boolean; model: string; line: number[][]; time: number } | null> => page.evaluate(() => {
            const { hawser } = window as unknown as HawserWindow;
            const { last } = hawser.twin;
            return last ? { visible: hawser.stage.twin.group.visible, model: last.model, line: last.line!, time: last.time } : null;
        });
        expect(await ghost()).toBe(null);
        await page.keyboard.press("Escape");
        await page.getByRole("tab", { name: "Display" }).click();
        const choice = page.getByLabel("Second tether, as a ghost");
        for (const model of ["wrap_catenary", "wrap_vee", "wrap_line", "pid"]) {
            await choice.selectOption(model);
            await expect.poll(async () => (await ghost())?.model, { timeout: 30_000 }).toBe(model);
            expect((await ghost())!.visible).toBe(true);
            // it goes on with the flight
            const { time } = (await ghost())!;
            await expect.poll(async () => (await ghost())!.time, { timeout: 30_000 }).toBeGreaterThan(time + 0.5);
        }
        await choice.selectOption("wrap_catenary");
        await expect.poll(async () => (await ghost())?.model).toBe("wrap_catenary");
        // two lines of it in the recording, which has two a second
        const begun = (await ghost())!.time;
        await expect.poll(async () => (await ghost())!.time, { timeout: 60_000 }).toBeGreaterThan(begun + 1.2);
        await page.keyboard.press("Escape");
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "pause", paused: true }));
        await until(page, "paused", (r) => r.paused);
        expect(await page.locator(".twin").innerText()).toMatch(/Ghost \(wrapping, spans hang as catenaries\): at most \d+\.\d m from the tether/);
        // both begin at the boat and end at the vehicle
        const ends = await page.evaluate(() => {
            const { nodes, count } = (window as unknown as HawserWindow).hawser.frame()!.cables[0]!;
            return [[...nodes.slice(0, 3)], [...nodes.slice(3 * count - 3, 3 * count)]];
        });
        const { line } = (await ghost())!;
        for (let i = 0; i < 3; ++i) {
            expect(Math.abs(line[0]![i]! - ends[0]![i]!)).toBeLessThan(0.2);
            expect(Math.abs(line[line.length - 1]![i]! - ends[1]![i]!)).toBeLessThan(0.2);
        }
        await page.screenshot({ path: `${SHOTS}/second_tether.png` });
        // without aids there is none
        await page.evaluate(() => {
            const { hawser } = window as unknown as HawserWindow;
            hawser.settings.display.aids = "none";
            hawser.changed();
        });
        await expect.poll(ghost).toBe(null);
        expect(await page.locator(".twin").isVisible()).toBe(false);
        // the recording has what was shown, and so has its replay, in between by the page
        const flight = await page.evaluate(() => (window as unknown as HawserWindow).hawser.session.scene!.flight!);
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.endSession());
        await expect.poll(() => page.evaluate((id) => (window as unknown as HawserWindow).hawser.link.request<{ flights: { flight: string; status: string }[] }>({ type: "flights" })
            .then(({ flights }) => flights.find((one) => one.flight === id)?.status), flight)).toBe("completed");
        const rows = readFileSync(`${server.flights}/${flight}/ghost.csv`, "utf8").trim().split("\n").slice(1).map((row) => row.split(","));
        expect([...new Set(rows.map(([, model]) => model))].sort()).toEqual(["pid", "wrap_catenary", "wrap_line", "wrap_vee"]);
        await page.evaluate((id) => (window as unknown as HawserWindow).hawser.control.openDebrief(id), flight);
        const last = Number(rows.at(-1)![0]);
        const middle = last - 0.2;
        await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.session.replaying);
        await page.evaluate((time) => (window as unknown as HawserWindow).hawser.tell({ type: "seek", time }), middle);
        await expect.poll(async () => Math.abs(((await ghost())?.time ?? 0) - middle), { timeout: 30_000 }).toBeLessThan(0.01);
        const replayed = (await ghost())!;
        expect(replayed.visible).toBe(true);
        expect(replayed.model).toBe("wrap_catenary");
        const truth = await page.evaluate(() => {
            const { nodes, count } = (window as unknown as HawserWindow).hawser.frame()!.cables[0]!;
            return [[...nodes.slice(0, 3)], [...nodes.slice(3 * count - 3, 3 * count)]];
        });
        for (let i = 0; i < 3; ++i) {
            expect(Math.abs(replayed.line[0]![i]! - truth[0]![i]!)).toBeLessThan(0.05);
            expect(Math.abs(replayed.line.at(-1)![i]! - truth[1]![i]!)).toBeLessThan(0.05);
        }
        await expect.poll(() => page.locator(".debrief-ghost").innerText(), { timeout: 60_000 }).toMatch(/^The ghost \(.*\) was farthest from the tether, \d+\.\d m, at \d\d:\d\d/);
        await page.screenshot({ path: `${SHOTS}/second_tether_replayed.png` });
        // it is switched off and on
        const toggle = page.getByRole("button", { name: "Ghost", exact: true });
        await toggle.click();
        await expect.poll(ghost).toBe(null);
        expect(await page.evaluate(() => (window as unknown as HawserWindow).hawser.stage.twin.group.visible)).toBe(false);
        await toggle.click();
        await expect.poll(async () => (await ghost())?.visible).toBe(true);
        expect(await page.evaluate((id) => fetch(`flights/${id}/debrief.html`).then((answer) => answer.text()), flight)).toContain('class="ghost" stroke');
        // the whole of it is still the same flight
        const { hash } = JSON.parse(readFileSync(`${server.flights}/${flight}/flight.json`, "utf8")) as { hash: string };
        expect(server.replayHash(flight)).toContain(hash);
        // before the ghost was asked for there is none
        await page.evaluate((time) => (window as unknown as HawserWindow).hawser.tell({ type: "seek", time }), Number(rows[0]![0]) - 0.4);
        await expect.poll(ghost, { timeout: 30_000 }).toBe(null);
        // a recording without one lacks the switch
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.endSession());
        await page.evaluate(() => {
            const { hawser } = window as unknown as HawserWindow;
            hawser.settings.twin = "none";
            hawser.changed();
        });
        await dive(page, OPTIONS);
        const other = await page.evaluate(() => (window as unknown as HawserWindow).hawser.session.scene!.flight!);
        await pass(page, 1);
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.endSession());
        await page.evaluate((id) => (window as unknown as HawserWindow).hawser.control.open({ kind: "replay", flight: id }), other);
        await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.session.replaying);
        await page.locator(".timeline").waitFor();
        expect(await toggle.isVisible()).toBe(false);
        expect(tab.errors).toEqual([]);
        await tab.close();
        await server.stop();
    });

    it("are refused in a lesson without aids", async () => {
        const server = await Server.start("train", resolve("../lessons/check_dive.yaml"));
        const tab = await browser.open(server.address);
        const { page } = tab;
        await drawCoarsely(page);
        await ready(page);
        await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.session.flying);
        const answer = await page.evaluate(() => (window as unknown as HawserWindow).hawser.link.request({ type: "forecast", ahead: 1 }).then(() => "given", (error: Error) => error.message));
        expect(answer).toContain("this lesson is flown without forecasts");
        const twin = await page.evaluate(() => (window as unknown as HawserWindow).hawser.link.request({ type: "twin", model: "wrap_vee" }).then(() => "given", (error: Error) => error.message));
        expect(twin).toContain("this lesson is flown without a second tether");
        // nor do keys do nothing without a word
        await page.keyboard.press("y");
        await expect.poll(() => page.locator(".alerts").innerText()).toContain("This lesson is flown without forecasts");
        await page.keyboard.press("v");
        await expect.poll(() => page.locator(".alerts").innerText()).toContain("with this view alone");
        await tab.close();
        await server.stop();
    });
});
