// The page itself: input, settings, connection, and who can use it.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addGamepad, dive, readings, ready, setButton, setSticks, tapButton, turns, until, type HawserWindow } from "./fly";
import { Browser, Relay, Server, TIMED, type Tab } from "./support";

const BASE = { surroundings: "round_pool", tether: { type: "fathom", length: 100, out: 10 } };

let browser: Browser;
let relay: Relay;
let server: Server;
let address: string;
let tab: Tab;

beforeAll(async () => {
    relay = new Relay();
    const port = await relay.listen();
    [browser, server] = await Promise.all([Browser.start(), Server.start("train", "--host", `127.0.0.1:${port}`)]);
    relay.target = server.port;
    address = `http://127.0.0.1:${port}/`;
});
afterAll(async () => {
    await browser?.close();
    relay?.close();
    await server?.stop();
});
beforeEach(async () => {
    tab = await browser.open(address);
});
afterEach(async () => {
    const { errors } = tab;
    await tab.close();
    expect(errors).toEqual([]);
});

const lastAxes = (): number[] | undefined => tab.sent("pilot").at(-1)?.["axes"] as number[] | undefined;

describe("input", () => {
    it("lets go of everything when the page loses the focus or the gamepad", async () => {
        const { page } = tab;
        await dive(page, BASE);
        await page.keyboard.down("KeyW");
        await expect.poll(() => lastAxes()?.[0]).toBe(1);
        await page.evaluate(() => window.dispatchEvent(new Event("blur")));
        await expect.poll(lastAxes).toEqual([0, 0, 0, 0]);
        await page.keyboard.up("KeyW");
        await addGamepad(page);
        await setSticks(page, [0, -1, 0, 0]);
        await expect.poll(() => lastAxes()?.[0]).toBe(1);
        await page.evaluate(() => { (window as unknown as HawserWindow).testPad.connected = false; });
        await expect.poll(lastAxes).toEqual([0, 0, 0, 0]);
        await page.getByText("The gamepad has gone").first().waitFor();
    });

    it("can be mapped to other keys and buttons", async () => {
        const { page } = tab;
        await dive(page, BASE);
        await addGamepad(page);
        await page.keyboard.press("Escape");
        await page.getByRole("tab", { name: "Controls" }).click();
        await page.getByText("Every key").click();
        await page.locator('details >> [data-action="lights_up"]').first().click();
        await page.keyboard.press("KeyY");
        await page.locator('details >> [data-action="gripper_open"]').first().click();
        await page.keyboard.press("KeyV");
        await page.getByText(/V no longer does: Next view \(now without a control\)/).waitFor();
        await page.getByText("Every button of the gamepad").click();
        const dimmer = page.locator('[data-action="lights_down"]').last();
        await dimmer.click();
        await setButton(page, 4, 1);
        await dimmer.getByText("LB").waitFor();
        await setButton(page, 4, 0);
        await page.keyboard.press("Escape");
        await page.locator(".menu").waitFor({ state: "hidden" });
        const before = (await readings(page))!;
        await page.keyboard.press("KeyY");
        const brighter = await until(page, "brighter", (r) => r.lights > before.lights + 0.05);
        await tapButton(page, 4);
        await until(page, "dimmer", (r) => r.lights < brighter.lights - 0.05);
    });

    it("is calibrated: a stick that rests off the middle and moves half way reaches the ends", async () => {
        const { page } = tab;
        await dive(page, BASE);
        await addGamepad(page);
        await setSticks(page, [0, 0.1, 0, 0]);
        await page.keyboard.press("Escape");
        await page.getByRole("tab", { name: "Calibration" }).click();
        await page.getByRole("button", { name: "Start" }).click();
        await turns(page, 5);
        await page.getByRole("button", { name: "Now I move them" }).click();
        for (const value of [-0.5, 0.6]) {
            await setSticks(page, [value, value, value, value]);
            await turns(page, 5);
        }
        await setSticks(page, [0, 0.1, 0, 0]);
        await page.getByRole("button", { name: "Done" }).click();
        await page.keyboard.press("Escape");
        await page.locator(".menu").waitFor({ state: "hidden" });
        await setSticks(page, [0, -0.5, 0, 0]);
        await expect.poll(() => lastAxes()?.[0]).toBeGreaterThan(0.95);
        await setSticks(page, [0, 0.1, 0, 0]);
        await expect.poll(lastAxes).toEqual([0, 0, 0, 0]);
    });
});

describe("settings", () => {
    it("are kept, and curves are told to the server", async () => {
        const { page } = tab;
        await dive(page, BASE);
        await page.keyboard.press("Escape");
        await page.getByRole("tab", { name: "Controls" }).click();
        await page.locator('[data-axis="yaw"]').getByLabel("Expo").fill("0.8");
        await page.locator('[data-axis="yaw"]').getByLabel("Inverted").click();
        await expect.poll(() => tab.sent("tune").at(-1)).toMatchObject({ axes: { yaw: { expo: 0.8, invert: true } } });
        await page.reload();
        await until(page, "the flight is still there", (r) => r.time > 0);
        expect(await page.evaluate(() => (window as unknown as HawserWindow).hawser.settings.tuning.yaw.expo)).toBe(0.8);
    });

    it("of thrusters: turned round, failed", async () => {
        const { page } = tab;
        await dive(page, BASE);
        await page.keyboard.press("Escape");
        await page.getByRole("tab", { name: "Vehicle" }).click();
        await page.getByLabel("Turns the other way").nth(1).click();
        await page.getByLabel("Failed").nth(2).click();
        await until(page, "failed", (r) => r.failed === 4);
        expect(tab.sent("command").map((message) => message["name"])).toEqual(expect.arrayContaining(["reverse_thruster", "fail_thruster"]));
    });
});

describe("the connection", () => {
    it("comes back to the same flight when it was dropped", async () => {
        const { page } = tab;
        await dive(page, BASE);
        const before = await until(page, "a second", (r) => r.time > 1);
        const starts = tab.sent("start").length;
        const lost = Date.now();
        const hellos = tab.sent("hello").length;
        relay.cut();
        await expect.poll(() => tab.sent("hello").length).toBeGreaterThan(hellos);
        await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.link.state === "open");
        await until(page, "frames come again, later ones", (r) => r.time > before.time);
        const passed = Date.now() - lost;
        console.log(`${passed} ms from the cut to the next frame`);
        if (TIMED) expect(passed).toBeLessThan(2000);
        // the page asked for no new flight: it is the same world
        expect(tab.sent("start").length).toBe(starts);
        expect((tab.sent("hello").at(-1)!["resume"] as { flight: string }).flight).toBeTruthy();
        await page.getByText("Connected again").first().waitFor({ state: "attached" });
    });

    it("says that a flight was closed which nobody flew", async () => {
        const { page } = tab;
        const impatient = await Server.start("train", "--close-idle", "2");
        await page.goto(impatient.address);
        // A slow machine has drawn nothing of it when it is over.
        await ready(page);
        await page.evaluate((options) => (window as unknown as HawserWindow).hawser.dive(options), BASE);
        await page.locator(".alerts .alarm").getByText("nobody flew it").waitFor();
        await page.locator("button.dive").waitFor();
        await page.goto(address);
        await impatient.stop();
    });

    it.each([["in the middle of the flight", 300], ["before it", 64]])("says that the disk was full %s, and flies", async (_when, kilobytes) => {
        const { page } = tab;
        const full = await Server.startOnFullDisk(kilobytes);
        await page.goto(full.address);
        await dive(page, BASE);
        await page.keyboard.press("Enter");
        await until(page, "armed", (r) => r.armed);
        await page.keyboard.down("KeyW");
        await page.locator(".alerts .alarm").getByText(/recorded|recording/i).waitFor();
        const then = (await readings(page))!;
        await until(page, "it flies on", (r) => r.time > then.time + 1 && r.armed && r.speed > 0.1);
        await page.locator(".status").getByText("REC").waitFor({ state: "hidden" });
        await page.keyboard.up("KeyW");
        await page.goto(address);
        await full.stop();
    });

    it("says what the server refuses", async () => {
        const { page } = tab;
        await ready(page);
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.dive({ surroundings: "atlantis" }));
        await page.getByText(/atlantis/).first().waitFor();
    });

    it("asks for the token, and says when it is wrong", async () => {
        const guarded = await Server.start("train", "--listen", "127.0.0.1", "--token", "0123456789abcdef");
        const other = await browser.open(guarded.address.replace(/#.*/, ""));
        await other.page.getByText("The server refuses this page").waitFor();
        await other.page.goto(guarded.address.replace(/#.*/, "") + "#token=0123456789abcdef");
        await other.page.reload();
        await ready(other.page);
        expect(other.page.url()).not.toContain("token");
        await other.close();
        await guarded.stop();
    });
});

describe("everybody", () => {
    it("can use it without colour, without motion and without a mouse", async () => {
        const { page } = tab;
        await page.emulateMedia({ reducedMotion: "reduce" });
        await page.reload();
        await ready(page);
        expect(await page.evaluate(() => document.documentElement.classList.contains("still"))).toBe(true);
        // Every control of the menu has a name.
        for (const name of ["Dive", "Flights", "Controls", "Calibration", "Vehicle", "Display", "Help"]) {
            await page.getByRole("tab", { name }).click();
            const unnamed = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>(".menu button, .menu input, .menu select")]
                .filter((e) => !(e.textContent?.trim() || e.getAttribute("aria-label") || (e as HTMLInputElement).labels?.length)).map((e) => e.outerHTML.slice(0, 80)));
            expect(unnamed, name).toEqual([]);
        }
    });

    it("can read it: text contrasts at least 4.5 to 1 with its plate on the brightest picture", async () => {
        const { page } = tab;
        await dive(page, BASE);
        await page.locator(".bottom-bar").waitFor();
        const low = await page.evaluate(() => {
            const parse = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
            const linear = (v: number): number => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
            const luminance = (c: number[]): number => 0.2126 * linear(c[0]!) + 0.7152 * linear(c[1]!) + 0.0722 * linear(c[2]!);
            const bad: string[] = [];
            let seen = 0;
            for (const element of document.querySelectorAll<HTMLElement>(".hud .plate *")) {
                const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim());
                if (!text || element.closest(".hidden") || element.getClientRects().length === 0) continue;
                ++seen;
                const style = getComputedStyle(element);
                const ink = parse(element instanceof SVGElement ? style.fill : style.color);
                // the plate over white: the worst that can be behind it
                const [r, g, b, a = 1] = parse(getComputedStyle(element.closest(".plate")!).backgroundColor) as [number, number, number, number];
                const plate = [r, g, b].map((v) => v * a + 255 * (1 - a));
                const [high, dark] = [luminance(ink), luminance(plate)].sort((x, y) => y - x) as [number, number];
                const ratio = (high + 0.05) / (dark + 0.05);
                if (ratio < 4.5) bad.push(`${element.className.toString()} ${element.textContent} ${ratio.toFixed(2)}`);
            }
            return seen > 20 ? bad : [`only ${seen} texts were seen`];
        });
        expect(low).toEqual([]);
    });

    it("has all of it on small screens", async () => {
        const { page } = tab;
        await dive(page, BASE);
        await page.locator(".bottom-bar").waitFor();
        for (const [width, height] of [[390, 844], [844, 390], [1024, 768], [1920, 1080]] as const) {
            await page.setViewportSize({ width, height });
            const outside = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>(".hud .plate")].filter((plate) => {
                const box = plate.getBoundingClientRect();
                return box.width > 0 && (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1);
            }).map((plate) => plate.className));
            expect(outside, `${width} x ${height}`).toEqual([]);
        }
    });
});
