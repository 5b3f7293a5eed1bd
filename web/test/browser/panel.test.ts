// A hot stab plugged in with a gamepad and a valve turned with keys, in one flight in the browser: the page, `hawser train` and what its
// recording says afterwards. The hand is a person's: it looks where things are, moves, waits until the vehicle has come to rest, and
// corrects. The world stands while it thinks and goes on by whole times, so that a slow machine does the same as a fast one.

import { afterAll, beforeAll, expect, it } from "vitest";
import { addGamepad, dive, drawCoarsely, readings, setButton, setSticks, tapButton, until, type HawserWindow } from "./fly";
import { Browser, PATIENCE, Server, type Tab } from "./support";

const CHANNELS = ["rov.arm.tool.position.x", "rov.arm.tool.position.y", "rov.arm.tool.position.z", "stab.position.x", "stab.position.y", "stab.position.z",
    "stab.attitude.pitch", "stab.attitude.yaw", "valve.handle.q", "rov.arm.left.q", "rov.position.x"] as const;
type Seen = Record<(typeof CHANNELS)[number], number>;
type Place = readonly [number, number, number];

const TIP_SPEED = 0.25; // m/s at full rate
const TURN_SPEED = 0.5; // rad/s
const LONGEST = 0.9; // s
const REST = 2; // s in which the vehicle comes to rest
// scenes/valve_panel.yaml: half of the stab's length, the holes' mouths, the parking place and the receptacle, the valve's handle
const [STAB_HALF, MOUTH, HEIGHT, PARKED, PLUGGED] = [0.17, 4.25, -99.8, 0.1, -0.2];
const HANDLE: Place = [4.14, -0.45, -100.1];

let browser: Browser;
let server: Server;
let tab: Tab;
let plot = 0;

beforeAll(async () => {
    [browser, server] = await Promise.all([Browser.start(640, 360), Server.start()]);
    tab = await browser.open(server.address);
});
afterAll(async () => {
    await browser?.close();
    await server?.stop();
});

async function look(): Promise<Seen> {
    const values = await tab.page.evaluate((number) => [...((window as unknown as HawserWindow).hawser.frame()!.channels.get(number) ?? [])], plot);
    expect(values).toHaveLength(CHANNELS.length);
    return Object.fromEntries(CHANNELS.map((name, i) => [name, values[i]!])) as Seen;
}

const tip = (seen: Seen): Place => [seen["rov.arm.tool.position.x"], seen["rov.arm.tool.position.y"], seen["rov.arm.tool.position.z"]];
const stab = (seen: Seen): Place => [seen["stab.position.x"], seen["stab.position.y"], seen["stab.position.z"]];

/** So much simulated time, in whole steps. */
async function pass(seconds: number): Promise<void> {
    const whole = Math.ceil(60 * seconds - 1e-6) / 60;
    const end = (await readings(tab.page))!.time + whole;
    await tab.page.evaluate((time) => (window as unknown as HawserWindow).hawser.tell({ type: "step", seconds: time }), whole);
    await until(tab.page, "the step is taken", (r) => r.time > end - 0.001);
}

const lastRates = (): { tool: number[]; jaw: number } => {
    const { tool = [0, 0, 0, 0, 0, 0], jaw = 0 } = (tab.sent("manipulate").at(-1) ?? {}) as { tool?: number[]; jaw?: number };
    return { tool, jaw };
};

/** Waits until the page has told the server of what the hands do now. */
async function told(what: string, test: (rates: { tool: number[]; jaw: number }) => boolean): Promise<number[]> {
    await expect.poll(() => test(lastRates()), { message: `${what}: ${JSON.stringify(lastRates())}`, timeout: PATIENCE }).toBe(true);
    return lastRates().tool;
}

/** The same while hands hold something: the server stops what it has not heard of for a second, and the page says it again now and then. */
async function passHeld(seconds: number): Promise<void> {
    for (let left = seconds; left > 1e-6; left -= LONGEST) {
        const before = tab.sent("manipulate").length;
        if (left < seconds) await expect.poll(() => tab.sent("manipulate").length, { timeout: PATIENCE }).toBeGreaterThan(before);
        await pass(Math.min(left, LONGEST));
    }
}

async function rest(): Promise<void> {
    await told("hands off", ({ tool, jaw }) => jaw === 0 && tool.every((rate) => rate === 0));
    await pass(REST);
}

// --- the gamepad

/** Rates along x, y and z, or with shift about y and z, as the sticks give them. Returns those that the page has made of them. */
async function sticks(rates: Place, shift: boolean): Promise<number[]> {
    const [x, y, z] = rates;
    if (shift) await setButton(tab.page, 0, 1);
    await setSticks(tab.page, shift ? [0, 0, -z, y] : [-y, -x, 0, -z]);
    const at = shift ? 3 : 0;
    let before = "";
    return told(`sticks at ${rates.join(", ")}`, ({ tool }) => {
        const same = JSON.stringify(tool) === before;
        before = JSON.stringify(tool);
        return same && rates.every((rate, i) => Math.abs(rate) < 0.15 || Math.sign(tool[at + i]!) === Math.sign(rate));
    });
}

async function letGo(): Promise<void> {
    await setSticks(tab.page, [0, 0, 0, 0]);
    await setButton(tab.page, 0, 0);
    await rest();
}

/** All axes at once, the sticks as far over as the way that is left asks for, up to `most`. */
async function moveBySticks(to: Place, most: number, within: number): Promise<void> {
    for (let round = 0; round < 24; ++round) {
        const here = tip(await look());
        const left = to.map((value, i) => value - here[i]!);
        const way = Math.max(...left.map(Math.abs));
        if (way < within) return;
        const made = await sticks(left.map((value) => (most * value) / way) as unknown as Place, false);
        const along = left.findIndex((value) => Math.abs(value) === way);
        const seconds = Math.min(LONGEST, Math.max(0.05, way / (TIP_SPEED * Math.abs(made[along]!))));
        await pass(seconds);
        await letGo();
    }
    throw new Error(`the tip is at ${tip(await look()).join(", ")} instead of ${to.join(", ")}`);
}

/** The hand turned until what it holds points straight ahead. */
async function straighten(): Promise<void> {
    for (let round = 0; round < 12; ++round) {
        const seen = await look();
        const off = [-seen["stab.attitude.pitch"], -seen["stab.attitude.yaw"]] as const;
        const way = Math.max(...off.map(Math.abs));
        if (way < 0.01) return;
        const made = await sticks([0, (0.4 * off[0]) / way, (0.4 * off[1]) / way], true);
        const along = Math.abs(off[0]) === way ? 4 : 5;
        await pass(Math.min(0.5, Math.max(0.05, way / (TURN_SPEED * Math.abs(made[along]!)))));
        await letGo();
    }
    throw new Error(`the stab points ${JSON.stringify(await look())}`);
}

/** Shift and a trigger: 7 opens, 6 closes. */
async function jawByButton(button: 6 | 7): Promise<void> {
    await setButton(tab.page, 0, 1);
    await setButton(tab.page, button, 1);
    await told("the jaw moves", ({ jaw }) => jaw === (button === 7 ? 1 : -1));
    await passHeld(3 * LONGEST);
    await setButton(tab.page, button, 0);
    await letGo();
}

// --- the keys

async function moveByKeys(to: Place, within: number): Promise<void> {
    const keys = [["KeyW", "KeyS"], ["KeyA", "KeyD"], ["KeyR", "KeyF"]] as const;
    for (let round = 0; round < 12; ++round) {
        let there = true;
        for (let axis = 0; axis < 3; ++axis) {
            const left = to[axis]! - tip(await look())[axis]!;
            if (Math.abs(left) < within) continue;
            there = false;
            await press([keys[axis]![left > 0 ? 0 : 1]], Math.min(LONGEST, Math.max(0.05, 0.05 * Math.floor((20 * Math.abs(left)) / TIP_SPEED))),
                ({ tool }) => tool[axis] === (left > 0 ? 1 : -1));
        }
        if (there) return;
    }
    throw new Error(`the tip is at ${tip(await look()).join(", ")} instead of ${to.join(", ")}`);
}

/** Keys held for so long, once the page has told of them. */
async function press(keys: readonly string[], seconds: number, test: (rates: { tool: number[]; jaw: number }) => boolean): Promise<void> {
    for (const key of keys) await tab.page.keyboard.down(key);
    await told(`${keys.join(" and ")} held`, test);
    await passHeld(seconds);
    for (const key of [...keys].reverse()) await tab.page.keyboard.up(key);
    await rest();
}

// --- the work

/** Where the tip must be for the middle of the stab to be at a place. */
async function tipFor(x: number, y: number, z: number): Promise<Place> {
    const seen = await look(), [hand, held] = [tip(seen), stab(seen)];
    return [x + hand[0] - held[0], y + hand[1] - held[1], z + hand[2] - held[2]];
}

async function plugTheStab(): Promise<void> {
    const end = (await look())["stab.position.x"] - STAB_HALF;
    await moveBySticks([end - 0.12, PARKED, HEIGHT], 0.6, 0.02);
    await moveBySticks([end - 0.04, PARKED, HEIGHT], 0.3, 0.01);
    await moveBySticks([end + 0.06, PARKED, HEIGHT], 0.3, 0.015);
    await jawByButton(6);
    expect((await look())["rov.arm.left.q"]).toBeCloseTo(0.02, 2); // half of the stab's 40 mm
    await moveBySticks(await tipFor(MOUTH - STAB_HALF - 0.1, PARKED, HEIGHT), 0.3, 0.015);
    await moveBySticks(await tipFor(MOUTH - STAB_HALF - 0.1, PLUGGED, HEIGHT), 0.4, 0.02);
    await straighten();
    await moveBySticks(await tipFor(MOUTH - STAB_HALF - 0.03, PLUGGED, HEIGHT), 0.3, 0.006);
    await moveBySticks(await tipFor(MOUTH - STAB_HALF + 0.07, PLUGGED, HEIGHT), 0.3, 0.012);
    await jawByButton(7);
    const here = tip(await look());
    await moveBySticks([here[0] - 0.3, here[1], here[2]], 0.4, 0.03);
    const seen = await look();
    expect(seen["stab.position.x"] + STAB_HALF - MOUTH, "m inside, let go").toBeGreaterThan(0.04);
    expect(Math.abs(seen["stab.position.y"] - PLUGGED)).toBeLessThan(0.01);
    expect(Math.abs(seen["stab.position.z"] - HEIGHT)).toBeLessThan(0.01);
}

async function turnTheValve(): Promise<void> {
    expect(Math.abs((await look())["valve.handle.q"])).toBeLessThan(1e-3);
    await moveByKeys([HANDLE[0] - 0.34, HANDLE[1], HANDLE[2]], 0.03);
    await moveByKeys([HANDLE[0] - 0.14, HANDLE[1], HANDLE[2]], 0.02);
    await moveByKeys(HANDLE, 0.02);
    await press(["KeyK"], 3 * LONGEST, ({ jaw }) => jaw === -1);
    expect((await look())["rov.arm.left.q"]).toBeCloseTo(0.015, 2); // half of the handle's 30 mm
    await press(["ShiftLeft", "KeyD"], 7 * LONGEST, ({ tool }) => tool[3] === 1);
    expect(Math.abs((await look())["valve.handle.q"] - Math.PI / 2)).toBeLessThan(0.05); // at its stop
    await press(["KeyL"], 3 * LONGEST, ({ jaw }) => jaw === 1);
    await moveByKeys([HANDLE[0] - 0.34, HANDLE[1], HANDLE[2]], 0.03);
    expect(Math.abs((await look())["valve.handle.q"] - Math.PI / 2)).toBeLessThan(0.05);
}

it("plugs the hot stab with the gamepad and turns the valve with keys, in one flight", async () => {
    const { page } = tab;
    await dive(page, { scene: "valve_panel", record: true });
    await drawCoarsely(page);
    await addGamepad(page);
    const flight = await page.evaluate(() => (window as unknown as HawserWindow).hawser.session.scene!.flight!);
    await page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "pause", paused: true }));
    await until(page, "it stands", (r) => r.paused);
    plot = await page.evaluate(async (channels) => (await (window as unknown as HawserWindow).hawser.link.request<{ number: number }>({ type: "plot", channels })).number, [...CHANNELS]);
    await pass(8);
    // nearer to the panel: in station keeping the stick moves the place that is held
    await setSticks(page, [0, -0.6, 0, 0]);
    await expect.poll(() => ((tab.sent("pilot").at(-1)?.["axes"] ?? []) as number[])[0]).toBeGreaterThan(0);
    for (let i = 0; i < 30 && (await look())["rov.position.x"] < 1.1; ++i) await pass(0.4);
    await setSticks(page, [0, 0, 0, 0]);
    await expect.poll(() => ((tab.sent("pilot").at(-1)?.["axes"] ?? []) as number[])[0]).toBe(0);
    await pass(6);
    expect((await look())["rov.position.x"]).toBeGreaterThan(1.1);
    // shift and the left bumper: the first arm
    await setButton(page, 0, 1);
    await tapButton(page, 4);
    await setButton(page, 0, 0);
    await page.locator(".arm-panel").waitFor();
    await plugTheStab();
    await turnTheValve();
    // recorded to the bit
    await page.evaluate(() => (window as unknown as HawserWindow).hawser.endSession());
    const hash = (): Promise<string | undefined> => page.evaluate(async (id) => (await (window as unknown as HawserWindow).hawser.link.request<{ flights: { flight: string; hash?: string }[] }>({ type: "flights" }))
        .flights.find((entry) => entry.flight === id)?.hash, flight);
    await expect.poll(hash).toBeTruthy();
    expect(server.replayHash(flight)).toBe(await hash());
    expect(tab.errors).toEqual([]);
});
