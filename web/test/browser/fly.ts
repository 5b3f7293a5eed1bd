// What a pilot does, for tests and for pictures.

import type { Page } from "playwright-core";
import type { App } from "../../src/app";
import type { FlightOptions } from "../../src/net/messages";
import type { ViewKind } from "../../src/scene/views";
import { PATIENCE } from "./support";

/** What the page leaves in its window for tests. */
export interface HawserWindow {
    hawser: App;
    testPad: { axes: number[]; buttons: number[]; connected: boolean };
}

export interface Readings {
    time: number;
    x: number;
    y: number;
    depth: number;
    heading: number;
    turns: number;
    tension: number;
    armed: boolean;
    mode: number;
    lights: number;
    tilt: number;
    gain: number;
    gripper: number;
    failed: number;
    out: number;
    contacts: number;
    wrap: number;
    speed: number;
    paused: boolean;
}

/** The newest frame's numbers. */
export async function readings(page: Page): Promise<Readings | null> {
    return page.evaluate(() => {
        const frame = (window as unknown as HawserWindow).hawser.frame();
        const v = frame?.vehicles[0];
        if (!v) return null;
        const cable = frame.cables[0];
        let contacts = 0;
        for (const byte of cable?.contacts ?? []) for (let bit = byte; bit > 0; bit >>= 1) contacts += bit & 1;
        return { time: frame.time, x: v.position[0]!, y: v.position[1]!, depth: v.depth, heading: v.heading, turns: v.turns, tension: v.tension,
            armed: (v.flags & 1) !== 0, mode: v.mode, lights: v.lights, tilt: v.tilt, gain: v.gain, gripper: v.gripper, failed: v.failed,
            out: cable?.length ?? 0, contacts, wrap: cable?.wrap ?? 0, speed: v.speed, paused: (frame.flags & 1) !== 0 };
    });
}

/** Waits until the frames say so; fails with the last readings otherwise. */
export async function until(page: Page, what: string, test: (r: Readings) => boolean, seconds = PATIENCE / 1000): Promise<Readings> {
    const end = Date.now() + 1000 * seconds;
    let last: Readings | null = null;
    while (Date.now() < end) {
        last = await readings(page);
        if (last && test(last)) return last;
        await page.waitForTimeout(50);
    }
    throw new Error(`not within ${seconds} s: ${what}; ${JSON.stringify(last)}`);
}

/** Waits for so much simulated time: what a slow machine does slowly is given the time it needs. */
export async function pass(page: Page, seconds: number): Promise<Readings> {
    const start = (await readings(page))!.time;
    return until(page, `${seconds} s pass`, (r) => r.time >= start + seconds, PATIENCE / 1000 + 10 * seconds);
}

/** The coarsest picture: where several pages share a processor that draws by itself. */
export async function drawCoarsely(page: Page): Promise<void> {
    await page.waitForFunction(() => (window as unknown as HawserWindow).hawser);
    await page.evaluate(() => {
        const { hawser } = window as unknown as HawserWindow;
        hawser.settings.display.quality = "low";
        hawser.changed();
    });
}

/** The connection stands and the menu is up. */
export async function ready(page: Page): Promise<void> {
    await page.waitForFunction(() => (window as unknown as HawserWindow).hawser?.session.hello);
}

/** Starts a dive as the menu would. */
export async function dive(page: Page, options: FlightOptions): Promise<void> {
    await ready(page);
    await page.evaluate((chosen) => (window as unknown as HawserWindow).hawser.dive(chosen), options);
    await page.waitForFunction(() => {
        const { hawser } = window as unknown as HawserWindow;
        return hawser.session.flying && !hawser.menu.open && hawser.frame() !== null;
    });
}

export async function chooseView(page: Page, view: ViewKind): Promise<void> {
    await page.evaluate((kind) => (window as unknown as HawserWindow).hawser.chooseView(kind), view);
}

/** A gamepad that the test moves: window.testPad.axes and .buttons. */
export async function addGamepad(page: Page): Promise<void> {
    await page.evaluate(() => {
        const state = { axes: [0, 0, 0, 0], buttons: new Array<number>(17).fill(0), connected: true };
        (window as unknown as HawserWindow).testPad = state;
        navigator.getGamepads = () => (state.connected ? [{ id: "Test pad (standard)", index: 0, connected: true, mapping: "standard", timestamp: performance.now(),
            axes: state.axes, buttons: state.buttons.map((value) => ({ value, pressed: value > 0.5, touched: value > 0 })) } as unknown as Gamepad] : []);
    });
    await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.hub.pad !== null);
}

/** Waits for so many turns of the browser, in each of which the page reads its input and draws. */
export async function turns(page: Page, count: number): Promise<void> {
    await page.evaluate(async (most) => {
        for (let i = 0; i < most; ++i) await new Promise(requestAnimationFrame);
    }, count);
}

export async function setSticks(page: Page, axes: readonly number[]): Promise<void> {
    await page.evaluate((values) => { (window as unknown as HawserWindow).testPad.axes = values; }, [...axes]);
}

export async function setButton(page: Page, index: number, value: number): Promise<void> {
    await page.evaluate(async ([button, down]) => {
        (window as unknown as HawserWindow).testPad.buttons[button!] = down!;
        // until the page has looked at it
        for (let i = 0; i < 2; ++i) await new Promise(requestAnimationFrame);
    }, [index, value]);
}

export async function tapButton(page: Page, index: number): Promise<void> {
    await setButton(page, index, 1);
    await setButton(page, index, 0);
}

export interface Waypoint {
    x: number;
    y: number;
    depth: number;
}

/**
 * Flies through points with the test's gamepad, the bow ahead; gives what the frames said at each. `limit`: s of simulated
 * time for each leg.
 */
export async function flyThrough(page: Page, points: readonly Waypoint[], within = 0.4, limit = 60): Promise<Readings[]> {
    const passed: Readings[] = [];
    for (const point of points) {
        const missed = await page.evaluate(({ target, near, most }) => new Promise<string | null>((resolve) => {
            const { hawser, testPad } = window as unknown as HawserWindow;
            const start = hawser.frame()!.time;
            const cut = (value: number): number => Math.min(Math.max(value, -1), 1);
            const tick = (): void => {
                const frame = hawser.frame()!;
                const v = frame.vehicles[0]!;
                const [dx, dy, dz] = [target.x - v.position[0]!, target.y - v.position[1]!, v.depth - target.depth];
                const off = Math.hypot(dx, dy, dz);
                if (off < near || frame.time > start + most) {
                    testPad.axes = [0, 0, 0, 0];
                    resolve(off < near ? null : `${JSON.stringify(target)} was not reached, ${off.toFixed(2)} m are left`);
                    return;
                }
                // what is wanted, less what the vehicle carries on with
                const [ax, ay, az] = [dx - v.velocity[0]!, dy - v.velocity[1]!, dz - v.velocity[2]!];
                const [c, s] = [Math.cos(v.heading), Math.sin(v.heading)];
                const bearing = Math.atan2(-dy, dx) - v.heading;
                const turn = Math.hypot(dx, dy) > 0.3 ? Math.atan2(Math.sin(bearing), Math.cos(bearing)) : 0;
                testPad.axes = [cut(-s * ax - c * ay), cut(-(c * ax - s * ay)), cut(0.8 * turn + 0.4 * v.rate[2]!), cut(-2 * az)];
                setTimeout(tick, 40);
            };
            tick();
        }), { target: point, near: within, most: limit });
        if (missed) throw new Error(`${missed}; ${JSON.stringify(await readings(page))}`);
        passed.push((await readings(page))!);
    }
    return passed;
}
