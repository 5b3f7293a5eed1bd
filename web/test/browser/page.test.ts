// The page in a browser, on the mock server.

import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MockServer } from "../../mock/server";
import { FLIGHT_VIEWS } from "../../src/scene/views";
import { addGamepad, dive, flySide, readings, setSticks, tapButton, until } from "./fly";
import { measureRate, startBrowser, type Browser } from "./support";

const ROOT = process.env["HAWSER_PAGE"] ?? "dist";
const SHOTS = process.env["HAWSER_SHOTS"];
const BASE = { surroundings: "open_water", current: { speed: 0, direction_deg: 0 }, waves: { height: 0, period: 5, direction_deg: 0 }, tether: { type: "fathom", length: 100, out: 40 } };

let browser: Browser;
let server: MockServer;
let page: Page;
let errors: string[];

beforeAll(async () => {
    browser = await startBrowser();
});
afterAll(async () => {
    await browser?.close();
});
beforeEach(async () => {
    server = new MockServer({ root: ROOT });
    ({ page, errors } = await browser.open(await server.listen()));
});
afterEach(async () => {
    await page.close();
    await server.close();
    // No test may leave an error in the console, whatever it tested.
    expect(errors).toEqual([]);
});

async function shot(name: string): Promise<void> {
    if (!SHOTS) return;
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

describe("the page", () => {
    it("goes from its address to flying with Enter alone, within ten seconds", async () => {
        const start = Date.now();
        await page.getByRole("button", { name: "Dive", exact: true }).focus();
        await page.keyboard.press("Enter");
        await until(page, "frames come", (r) => r.time > 0);
        await page.keyboard.press("Enter");
        await until(page, "armed", (r) => r.armed);
        expect(Date.now() - start).toBeLessThan(10_000);
        await shot("first");
    });

    it("flies a box with a gamepad", async () => {
        await dive(page, BASE);
        await addGamepad(page);
        await page.waitForTimeout(200);
        await tapButton(page, 9);
        await until(page, "armed", (r) => r.armed);
        await tapButton(page, 12); // gain up, twice
        await tapButton(page, 12);
        expect((await until(page, "gain", (r) => r.gain > 0.9)).gain).toBeCloseTo(1, 5);
        const steer = (surge: number, yaw: number): Promise<void> => setSticks(page, [0, -surge, yaw, 0]);
        const first = (await readings(page))!;
        for (let side = 0; side < 4; ++side) {
            const [from, to] = await flySide(page, 2, ((side + 1) * Math.PI) / 2, steer);
            const along = Math.atan2(-(to.y - from.y), to.x - from.x);
            // a side goes the way the vehicle looked, within what it drifts
            expect(Math.cos(along - (side * Math.PI) / 2)).toBeGreaterThan(0.7);
        }
        const last = (await readings(page))!;
        expect(Math.hypot(last.x - first.x, last.y - first.y)).toBeLessThan(2.5);
        // four corners to starboard are a turn of the tether
        expect(last.turns).toBeGreaterThan(0.8);
        expect(await page.locator(".turns").textContent()).toContain("left");
        await shot("box");
    });

    it("flies with the keyboard, up and down and sideways", async () => {
        await dive(page, BASE);
        await page.keyboard.press("Enter");
        const start = await until(page, "armed", (r) => r.armed);
        await page.keyboard.down("KeyF");
        await until(page, "going down", (r) => r.depth > start.depth + 0.5);
        await page.keyboard.up("KeyF");
        await page.keyboard.down("KeyD");
        // starboard is east when the bow is north: the world's y falls
        await until(page, "going to starboard", (r) => r.y < start.y - 0.5);
        await page.keyboard.up("KeyD");
        await page.keyboard.press("Digit3");
        const held = await until(page, "depth hold", (r) => r.mode === 2);
        await page.waitForTimeout(1500);
        expect(Math.abs((await readings(page))!.depth - held.depth)).toBeLessThan(0.6);
        await page.keyboard.press("Backspace");
        await until(page, "disarmed", (r) => !r.armed);
    });

    it("lets go of everything when it loses the focus or the gamepad", async () => {
        await dive(page, BASE);
        await page.keyboard.down("KeyW");
        await page.waitForTimeout(500);
        await page.evaluate(() => window.dispatchEvent(new Event("blur")));
        await page.waitForTimeout(200);
        expect(server.sent("pilot").at(-1)!["axes"]).toEqual([0, 0, 0, 0]);
        await page.keyboard.up("KeyW");
        await addGamepad(page);
        await setSticks(page, [0, -1, 0, 0]);
        await page.waitForTimeout(400);
        expect((server.sent("pilot").at(-1)!["axes"] as number[])[0]).toBe(1);
        await page.evaluate(() => { (window as any).testPad.connected = false; });
        await page.waitForTimeout(400);
        expect(server.sent("pilot").at(-1)!["axes"]).toEqual([0, 0, 0, 0]);
    });

    it("works camera, lights, gripper and tether", async () => {
        await dive(page, { ...BASE, handler: "manual" });
        const before = (await readings(page))!;
        await page.keyboard.press("BracketRight");
        await until(page, "lights", (r) => r.lights > before.lights + 0.1);
        await page.keyboard.down("KeyG");
        await until(page, "tilt", (r) => r.tilt < -0.2);
        await page.keyboard.up("KeyG");
        await page.keyboard.down("KeyL");
        await until(page, "gripper", (r) => r.gripper > before.gripper + 0.2);
        await page.keyboard.up("KeyL");
        await page.keyboard.down("Period");
        await until(page, "paying out", (r) => r.out > before.out + 0.3);
        await page.keyboard.up("Period");
        await page.waitForTimeout(300);
        expect(server.sent("tether").at(-1)!["action"]).toBe("hold");
    });

    it("wraps the tether round a pile and shows contact and turns", async () => {
        await dive(page, { ...BASE, surroundings: "round_pool", tether: { type: "fathom", length: 100, out: 10.3 } });
        // The mock's post stands at (2, 1): led past it on one side and back on the other, the tether has to go round.
        const { vehicle } = [...server.flights.values()][0]!.session.world as unknown as { vehicle: { position: number[] } };
        for (const [x, y] of [[-3, 3], [3, 3], [3, -1.2]] as const) {
            while (Math.hypot(x - vehicle.position[0]!, y - vehicle.position[1]!) > 0.1) {
                const [dx, dy] = [x - vehicle.position[0]!, y - vehicle.position[1]!];
                const step = Math.min(0.05 / Math.hypot(dx, dy), 1);
                vehicle.position = [vehicle.position[0]! + step * dx, vehicle.position[1]! + step * dy, -1.8];
                await new Promise((resolve) => setTimeout(resolve, 12));
            }
        }
        const touching = await until(page, "contact", (r) => r.contacts > 0 && r.wrap > 0.2);
        expect(touching.tension).toBeGreaterThanOrEqual(1);
        await page.waitForTimeout(300);
        expect(await page.locator(".truth").textContent()).not.toContain("Contacts0");
        await page.evaluate(() => (window as any).hawser.chooseView("top"));
        await page.waitForTimeout(600);
        await shot("wrap");
    });

    it("drifts with the current that the menu sets", async () => {
        await dive(page, { ...BASE, tether: null });
        const before = (await readings(page))!;
        await page.keyboard.press("Escape");
        const current = page.getByLabel("Current", { exact: true });
        await current.fill("0.8");
        await page.getByLabel("Current goes to").fill("0");
        await page.keyboard.press("Escape");
        await until(page, "drift to the north", (r) => r.x > before.x + 0.5);
        expect(server.sent("current").at(-1)).toMatchObject({ speed: 0.8, direction_deg: 0 });
    });

    it("keeps settings, and tells the server about curves", async () => {
        await dive(page, BASE);
        await page.keyboard.press("Escape");
        await page.getByRole("tab", { name: "Controls" }).click();
        await page.locator('[data-axis="yaw"]').getByLabel("Expo").fill("0.8");
        await page.locator('[data-axis="yaw"]').getByLabel("Inverted").click();
        await page.waitForTimeout(200);
        expect(server.sent("tune").at(-1)).toMatchObject({ axes: { yaw: { expo: 0.8, invert: true } } });
        await page.reload();
        await until(page, "the flight is still there", (r) => r.time > 0);
        expect(await page.evaluate(() => (window as any).hawser.settings.tuning.yaw.expo)).toBe(0.8);
    });

    it("maps a key and a button to something else", async () => {
        await dive(page, BASE);
        await addGamepad(page);
        await page.keyboard.press("Escape");
        await page.getByRole("tab", { name: "Controls" }).click();
        await page.getByText("Every key").click();
        await page.locator('details >> [data-action="lights_up"]').first().click();
        await page.keyboard.press("KeyY");
        await page.getByText("Every button of the gamepad").click();
        await page.locator('[data-action="lights_down"]').last().click();
        await page.waitForTimeout(150);
        await tapButton(page, 4);
        await page.keyboard.press("Escape");
        const before = (await readings(page))!;
        await page.keyboard.press("KeyY");
        const brighter = await until(page, "brighter", (r) => r.lights > before.lights + 0.05);
        await tapButton(page, 4);
        await until(page, "dimmer", (r) => r.lights < brighter.lights - 0.05);
    });

    it("reverses and fails thrusters", async () => {
        await dive(page, BASE);
        await page.keyboard.press("Escape");
        await page.getByRole("tab", { name: "Vehicle" }).click();
        await page.getByLabel("Turns the other way").nth(1).click();
        await page.getByLabel("Failed").nth(2).click();
        await until(page, "failed", (r) => r.failed === 4);
        expect(server.sent("command").map((m) => m["name"])).toEqual(expect.arrayContaining(["reverse_thruster", "fail_thruster"]));
    });

    it("comes back to the same flight within two seconds of a dropped connection", async () => {
        await dive(page, BASE);
        await page.waitForTimeout(800);
        const before = (await readings(page))!;
        server.dropAll();
        await page.waitForFunction(() => (window as any).hawser.link.state !== "open");
        const lost = Date.now();
        await page.waitForFunction(() => (window as any).hawser.link.state === "open");
        const after = await until(page, "frames come again", (r) => r.time > before.time, 5);
        expect(Date.now() - lost).toBeLessThan(2000);
        expect(after.time - before.time).toBeLessThan(6);
        expect(server.flights.size).toBe(1);
    });

    it("says what the server refuses", async () => {
        await page.waitForFunction(() => (window as any).hawser?.session.hello);
        await page.evaluate(() => (window as any).hawser.dive({ surroundings: "atlantis" }));
        await page.getByText("There are no surroundings atlantis").waitFor();
    });

    it("replays a flight, at any speed, from any moment, with a free camera", async () => {
        await dive(page, { ...BASE, title: "to be replayed" });
        await page.keyboard.press("Enter");
        await page.keyboard.down("KeyW");
        await until(page, "some seconds", (r) => r.time > 4);
        await page.keyboard.up("KeyW");
        await page.keyboard.press("KeyI");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "End the flight" }).click();
        await page.getByRole("tab", { name: "Flights" }).click();
        const row = page.locator(".flights li").first();
        expect(await row.textContent()).toContain("to be replayed");
        expect(await row.getByText("CSV").getAttribute("href")).toMatch(/^flights\/.+\/results\.csv$/);
        await row.getByRole("button", { name: "Replay" }).click();
        await until(page, "the replay is open, paused at its beginning", (r) => r.paused && r.time < 0.5);
        await page.getByLabel("Speed", { exact: true }).selectOption("4");
        await page.getByRole("button", { name: "Play" }).click();
        const one = await until(page, "it plays", (r) => r.time > 0.8);
        await until(page, "four times as fast", (r) => r.time > one.time + 1.5, 4);
        await page.getByLabel("Time", { exact: true }).fill("1");
        await until(page, "it was sought", (r) => Math.abs(r.time - 1) < 1.2);
        await page.keyboard.press("Space");
        await page.evaluate(() => (window as any).hawser.chooseView("free"));
        await page.mouse.move(640, 300);
        await page.mouse.down();
        await page.mouse.move(760, 340, { steps: 4 });
        await page.mouse.up();
        await page.getByRole("button", { name: "Plots" }).click();
        await page.locator(".uplot").first().waitFor();
        await shot("replay");
    });

    it("shows each of the surroundings from each of the views", async () => {
        for (const surroundings of ["complex_area", "round_pool", "rectangular_pool", "open_water"]) {
            await dive(page, { ...BASE, surroundings, waves: { height: 0.5, period: 5, direction_deg: 0 } });
            for (const view of FLIGHT_VIEWS) {
                await page.evaluate((kind) => (window as any).hawser.chooseView(kind), view);
                await page.waitForTimeout(250);
                const shown = await page.evaluate(() => {
                    const app = (window as any).hawser;
                    return { kind: app.stage.views.kind, calls: app.stage.drawCalls };
                });
                expect(shown.kind).toBe(view);
                expect(shown.calls).toBeGreaterThan(3);
                expect(shown.calls).toBeLessThan(150);
                await shot(`${surroundings}-${view}`);
            }
        }
        await page.keyboard.press("KeyJ");
        await page.waitForTimeout(200);
        expect(await page.evaluate(() => (window as any).hawser.stage.worldAxes.visible)).toBe(true);
    });

    it("can be used without colour, without motion and without a mouse", async () => {
        await page.emulateMedia({ reducedMotion: "reduce" });
        await page.reload();
        await page.waitForFunction(() => (window as any).hawser?.session.hello);
        expect(await page.evaluate(() => document.documentElement.classList.contains("still"))).toBe(true);
        // Every control of the menu has a name.
        for (const tab of ["Dive", "Flights", "Controls", "Calibration", "Vehicle", "Display", "Help"]) {
            await page.getByRole("tab", { name: tab }).click();
            const unnamed = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>(".menu button, .menu input, .menu select")]
                .filter((e) => !(e.textContent?.trim() || e.getAttribute("aria-label") || (e as HTMLInputElement).labels?.length)).map((e) => e.outerHTML.slice(0, 80)));
            expect(unnamed, tab).toEqual([]);
        }
    });

    it("has text that contrasts at least 4.5 to 1 with its plate on the brightest picture", async () => {
        await dive(page, BASE);
        await page.waitForTimeout(300);
        const low = await page.evaluate(() => {
            const parse = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
            const linear = (v: number): number => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
            const luminance = (c: number[]): number => 0.2126 * linear(c[0]!) + 0.7152 * linear(c[1]!) + 0.0722 * linear(c[2]!);
            const bad: string[] = [];
            for (const element of document.querySelectorAll<HTMLElement>(".hud .plate *")) {
                const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim());
                if (!text || element.closest(".hidden") || element.getClientRects().length === 0) continue;
                const style = getComputedStyle(element);
                const ink = parse(element instanceof SVGElement ? style.fill : style.color);
                // the plate over white: the worst that can be behind it
                const [r, g, b, a = 1] = parse(getComputedStyle(element.closest(".plate")!).backgroundColor) as [number, number, number, number];
                const plate = [r, g, b].map((v) => v * a + 255 * (1 - a));
                const [high, dark] = [luminance(ink), luminance(plate)].sort((x, y) => y - x) as [number, number];
                const ratio = (high + 0.05) / (dark + 0.05);
                if (ratio < 4.5) bad.push(`${element.className.toString()} ${element.textContent} ${ratio.toFixed(2)}`);
            }
            return bad;
        });
        expect(low).toEqual([]);
    });

    it("fits small screens", async () => {
        await dive(page, BASE);
        for (const [width, height] of [[390, 844], [844, 390], [1024, 768], [1920, 1080]] as const) {
            await page.setViewportSize({ width, height });
            await page.waitForTimeout(250);
            const outside = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>(".hud .plate")].filter((plate) => {
                const box = plate.getBoundingClientRect();
                return box.width > 0 && (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1);
            }).map((plate) => plate.className));
            expect(outside, `${width} x ${height}`).toEqual([]);
        }
        await page.setViewportSize({ width: 1280, height: 720 });
    });

    it("draws at least 15 pictures a second with the software renderer", async () => {
        await dive(page, { surroundings: "complex_area", visibility: 10 });
        // Time for the controller to find its level.
        await page.waitForTimeout(8000);
        // The best of a few: other programs on the machine only ever make it slower.
        let rate = 0;
        for (let i = 0; i < 4 && rate < 20; ++i) rate = Math.max(rate, await measureRate(page, 4));
        const level = await page.evaluate(() => (window as any).hawser.stage.quality.index);
        console.log(`software renderer: ${rate.toFixed(1)} pictures a second at level ${level}`);
        expect(rate).toBeGreaterThanOrEqual(15);
    });
});

describe("the viewer", () => {
    it("opens what the program was started with, with plots and contact arrows", async () => {
        await page.close();
        await server.close();
        server = new MockServer({ root: ROOT, mode: "view", preset: { kind: "scene", title: "crane" } });
        ({ page, errors } = await browser.open(await server.listen()));
        await page.locator(".uplot").first().waitFor();
        await page.waitForTimeout(3000);
        const shown = await page.evaluate(() => {
            const app = (window as any).hawser;
            return { kind: app.session.kind, view: app.stage.views.kind, arrows: app.stage.options.contacts, time: app.frame().time };
        });
        expect(shown).toMatchObject({ kind: "scene", view: "free", arrows: true });
        expect(shown.time).toBeGreaterThan(1);
        const points = await page.evaluate(() => (window as any).hawser.plots.series.time.length);
        expect(points).toBeGreaterThan(20);
        await page.locator('[data-channel="payload.position.x"]').click();
        await page.getByRole("button", { name: "Pause" }).click();
        await page.waitForFunction(() => (window as any).hawser.session.state.paused);
        await shot("viewer");
    });

    it("asks for the token, and says when it is wrong", async () => {
        await page.close();
        await server.close();
        server = new MockServer({ root: ROOT, token: "0123456789abcdef" });
        const address = await server.listen();
        ({ page, errors } = await browser.open(address));
        await page.getByText("The server refuses this page").waitFor();
        await page.goto(`${address}#token=0123456789abcdef`);
        await page.reload();
        await page.waitForFunction(() => (window as any).hawser?.session.hello);
        expect(page.url()).not.toContain("token");
    });
});
