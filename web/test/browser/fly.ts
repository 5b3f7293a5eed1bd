// What a pilot does, for tests: on any server that speaks the protocol.

import type { Page } from "playwright-core";

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
    seq: number;
    paused: boolean;
}

/** The newest frame's numbers. */
export async function readings(page: Page): Promise<Readings | null> {
    return page.evaluate(() => {
        const app = (window as unknown as { hawser: { frame(): any } }).hawser;
        const frame = app.frame();
        const v = frame?.vehicles[0];
        if (!v) return null;
        const cable = frame.cables[0];
        let contacts = 0;
        for (const byte of cable?.contacts ?? []) for (let bit = byte; bit > 0; bit >>= 1) contacts += bit & 1;
        return { time: frame.time, x: v.position[0], y: v.position[1], depth: v.depth, heading: v.heading, turns: v.turns, tension: v.tension,
            armed: (v.flags & 1) !== 0, mode: v.mode, lights: v.lights, tilt: v.tilt, gain: v.gain, gripper: v.gripper, failed: v.failed,
            out: cable?.length ?? 0, contacts, wrap: cable?.wrap ?? 0, speed: v.speed, seq: frame.seq, paused: (frame.flags & 1) !== 0 };
    });
}

/** Waits until the frames say so; fails with the last readings otherwise. */
export async function until(page: Page, what: string, test: (r: Readings) => boolean, seconds = 30): Promise<Readings> {
    const end = Date.now() + 1000 * seconds;
    let last: Readings | null = null;
    while (Date.now() < end) {
        last = await readings(page);
        if (last && test(last)) return last;
        await page.waitForTimeout(40);
    }
    throw new Error(`not within ${seconds} s: ${what}; ${JSON.stringify(last)}`);
}

/** Starts a dive as the menu would. */
export async function dive(page: Page, options: object): Promise<void> {
    await page.waitForFunction(() => (window as any).hawser?.session.hello);
    await page.evaluate((chosen) => (window as any).hawser.dive(chosen), options);
    await until(page, "the dive begins", (r) => r.time >= 0);
    await page.waitForFunction(() => !(window as any).hawser.menu.open);
}

/** A gamepad that the test moves: window.testPad.axes and .buttons. */
export async function addGamepad(page: Page): Promise<void> {
    await page.evaluate(() => {
        const state = { axes: [0, 0, 0, 0], buttons: new Array<number>(17).fill(0), connected: true };
        (window as any).testPad = state;
        navigator.getGamepads = () => (state.connected ? [{ id: "Test pad (standard)", index: 0, connected: true, mapping: "standard", timestamp: performance.now(),
            axes: state.axes, buttons: state.buttons.map((value) => ({ value, pressed: value > 0.5, touched: value > 0 })) } as unknown as Gamepad] : []);
    });
}

export async function setSticks(page: Page, axes: readonly number[]): Promise<void> {
    await page.evaluate((values) => { (window as any).testPad.axes = values; }, [...axes]);
}

export async function tapButton(page: Page, index: number): Promise<void> {
    await page.evaluate((i) => { (window as any).testPad.buttons[i] = 1; }, index);
    await page.waitForTimeout(250);
    await page.evaluate((i) => { (window as any).testPad.buttons[i] = 0; }, index);
    await page.waitForTimeout(150);
}

/** The short way between two headings, in degrees, positive clockwise. */
export function turnTo(from: number, to: number): number {
    const difference = ((((to - from) * 180) / Math.PI) % 360 + 540) % 360 - 180;
    return difference;
}

/** One side of a box and the corner after it. `steer` holds surge and yaw, -1..1. Returns where the side began and ended. */
export async function flySide(page: Page, side: number, target: number, steer: (surge: number, yaw: number) => Promise<void>): Promise<[Readings, Readings]> {
    const start = (await readings(page))!;
    await steer(1, 0);
    const end = await until(page, "the side is flown", (r) => Math.hypot(r.x - start.x, r.y - start.y) >= side);
    await steer(0, 0);
    // Turn in pulses: the vehicle coasts on.
    for (let i = 0; i < 60; ++i) {
        const off = turnTo((await readings(page))!.heading, target);
        if (Math.abs(off) < 12) break;
        await steer(0, Math.sign(off) * (Math.abs(off) > 45 ? 0.8 : 0.35));
        await page.waitForTimeout(120);
        await steer(0, 0);
        await page.waitForTimeout(60);
    }
    return [start, end];
}
