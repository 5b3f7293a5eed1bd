// The instruments' layout: whatever the size of screen and instruments, no plate lies on another or beyond the edge, the horizon
// is where the camera has it, the gripper is free to be seen, and fingers can fly.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dive, drawCoarsely, until, type HawserWindow } from "./fly";
import { join } from "node:path";
import { FrameFlag, type Frame } from "../../src/net/frame";
import { Browser, Server, SHOTS, type Tab } from "./support";

let browser: Browser;
let server: Server;
let tab: Tab;

beforeAll(async () => {
    [browser, server] = await Promise.all([Browser.start(), Server.start()]);
    tab = await browser.open(server.address);
    await dive(tab.page, { scene: "first_flight" });
    await drawCoarsely(tab.page);
});
afterAll(async () => {
    await tab?.close();
    await browser?.close();
    await server?.stop();
});

/** [width, height, size of the instruments, a finger has touched the page] */
const SCREENS: readonly [number, number, number, boolean][] = [
    [1280, 720, 1, false], [1920, 1080, 1, false], [1024, 640, 1, false], [1280, 720, 1.5, false], [1024, 640, 1.5, false], [390, 844, 1, true], [844, 390, 1, true],
];

/** Those of them that are narrowest, for pages with a panel beside the picture. */
const NARROW: readonly (typeof SCREENS)[number][] = [[1280, 720, 1, false], [1024, 640, 1.5, false], [390, 844, 1, true], [844, 390, 1, true]];

async function setScreen([width, height, scale, touch]: (typeof SCREENS)[number]): Promise<void> {
    await tab.page.setViewportSize({ width, height });
    await tab.page.evaluate(async ([size, finger, slow]) => {
        const { hawser } = window as unknown as HawserWindow;
        // what a busy machine adds to the status, on every machine
        const hud = hawser.hud as unknown as { update(frame: object | null, ...rest: unknown[]): void; plain?: (frame: object | null, ...rest: unknown[]) => void };
        const plain = (hud.plain ??= hud.update.bind(hud));
        hud.update = (frame, ...rest) => plain(frame && { ...frame, flags: (frame as Frame).flags | (slow as number), factor: 0.5 }, ...rest);
        hawser.settings.display.scale = size as number;
        hawser.changed();
        if (finger) window.dispatchEvent(new PointerEvent("pointerdown", { pointerType: "touch" }));
        // the longest that a tether's instruments become, and as many alerts as there can be
        hawser.setEntanglement({ type: "entanglement", wound: [{ name: "pile 3", number: 1, certain: true, frees: "clockwise" }], wraps: [{ name: "pile 3", wrap_deg: 220 }] });
        hawser.say("test", "alarm", "An alarm with as many words as an alarm may have");
        hawser.say("test 2", "alarm", "Another alarm with as many words as an alarm may have");
        hawser.say("test 3", "alarm", "A third alarm");
        hawser.hud.advise("The tether has far more slack than it needs: haul it in, or it will wind round whatever is near and hold you there.", performance.now() / 1000);
        for (let i = 0; i < 6; ++i) await new Promise(requestAnimationFrame);
    }, [scale, touch, FrameFlag.SLOW] as const);
}

async function setSensors(on: boolean): Promise<void> {
    await tab.page.evaluate(async (wanted) => {
        const { hawser } = window as unknown as HawserWindow;
        hawser.settings.display.sonar = hawser.settings.display.sensors = wanted;
        hawser.changed();
        for (let i = 0; i < 6; ++i) await new Promise(requestAnimationFrame);
    }, on);
}

/** The plate of an arm of seven joints, as the sticks would move one; this vehicle has none. */
async function setArm(on: boolean): Promise<void> {
    await tab.page.evaluate(async (wanted) => {
        const { hawser } = window as unknown as HawserWindow;
        const joints = ["azimuth", "shoulder", "elbow", "forearm roll", "pitch", "yaw", "rotate"].map((name) => ({ name, slides: false, low: -2, high: 2 }));
        hawser.session.scene!.vehicles[0]!.arms = wanted ? [{ name: "rov.manipulator", joints, tool: true, jaw: true }] : [];
        hawser.hud.setArm(wanted ? 0 : -1, "joint");
        for (let i = 0; i < 6; ++i) await new Promise(requestAnimationFrame);
    }, on);
}

/** Pairs that lie on one another, and what is beyond the edge, in words. */
async function faults(page = tab.page): Promise<string[]> {
    return page.evaluate(() => {
        const seen = [...document.querySelectorAll<HTMLElement>(".plate, .alert, .caption:not(.hidden), .touch-stick, .touch-key, .plots, .debrief-panel, .side-panel")]
            .filter((element) => element.checkVisibility({ visibilityProperty: true }));
        const boxes = seen.map((element) => element.getBoundingClientRect());
        const out: string[] = [];
        seen.forEach((element, i) => {
            const a = boxes[i]!;
            if (a.width < 2 || a.height < 2) out.push(`${element.className} has no room`);
            if (a.left < -1 || a.top < -1 || a.right > innerWidth + 1 || a.bottom > innerHeight + 1) out.push(`${element.className} is beyond the edge`);
            for (let j = i + 1; j < seen.length; ++j) {
                if (element.contains(seen[j]!)) continue;
                const b = boxes[j]!;
                const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
                if (wide > 1 && high > 1) out.push(`${element.className} lies on ${seen[j]!.className}`);
            }
        });
        return out;
    });
}

/** What is cut off by the edge of its plate or panel, and sliders too short for a hand, in words. */
async function cut(page: Tab["page"]): Promise<string[]> {
    return page.evaluate(() => {
        const out: string[] = [];
        const seen = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility({ visibilityProperty: true }));
        for (const row of seen(".tether-panel .row, .depth-panel .row")) {
            if (row.getBoundingClientRect().bottom > row.closest(".plate")!.getBoundingClientRect().bottom + 1) out.push(`${row.innerText.replace(/\s+/g, " ")} is cut`);
        }
        for (const panel of seen(".side-panel")) {
            const right = panel.getBoundingClientRect().right;
            for (const part of panel.querySelectorAll<HTMLElement>("input, output, select, button")) {
                const box = part.getBoundingClientRect();
                if (box.right > right) out.push(`${part.closest(".field")?.textContent ?? part.textContent} goes beyond its panel`);
                if (part.matches('input[type="range"]') && box.width < 90) out.push(`${part.closest(".field")!.textContent} has a slider of ${box.width.toFixed(0)} px`);
            }
        }
        return out;
    });
}

describe("the instruments", () => {
    it.each(SCREENS)("lie beside one another at %i by %i, size %f", async (...screen) => {
        await setScreen(screen);
        expect(await faults()).toEqual([]);
        // and they are there: the heading, the depth, the lesson
        for (const plate of [".heading-plate", ".depth-panel", ".lesson-panel", ".tether-panel"]) expect(await tab.page.locator(plate).isVisible(), plate).toBe(true);
        // the same with a sonar and the readings of sensors
        await setSensors(true);
        expect(await faults()).toEqual([]);
        // on a telephone held sideways the sticks take the place of both
        const lying = screen[3] && screen[1] < 480;
        if (!lying) expect(await tab.page.locator(".sonar-panel").isVisible()).toBe(true);
        // and with an arm in hand beside them
        await setArm(true);
        expect(await faults()).toEqual([]);
        await setSensors(false);
        expect(await faults()).toEqual([]);
        if (!lying) expect(await tab.page.locator(".arm-panel").isVisible()).toBe(true);
        await setArm(false);
    });

    it("grow on a large screen", async () => {
        const width = async (): Promise<number> => (await tab.page.locator(".tether-panel").boundingBox())!.width;
        await setScreen(SCREENS[0]!);
        const small = await width();
        await setScreen(SCREENS[1]!);
        expect(await width()).toBeGreaterThan(1.25 * small);
    });

    it("leave the gripper free, and their horizon follows the camera", async () => {
        await setScreen(SCREENS[0]!);
        // The closed jaws end 100 px to either side of the middle at the picture's lower edge.
        const covered = await tab.page.evaluate(() => [-100, -50, 0, 50, 100].map((x) => document.elementsFromPoint(innerWidth / 2 + x, innerHeight - 25)
            .filter((element) => element.closest(".plate")).length));
        expect(covered).toEqual([0, 0, 0, 0, 0]);
        // a sonar leaves it free too, and shows what is there
        await setSensors(true);
        await tab.page.waitForFunction(() => (window as unknown as HawserWindow).hawser.hud.sonar.count >= 2);
        const lower = await tab.page.evaluate(() => document.querySelector(".sonar-panel")!.getBoundingClientRect().right - innerWidth / 2);
        expect(lower).toBeLessThan(-100);
        expect(await tab.page.evaluate(() => (window as unknown as HawserWindow).hawser.hud.sonar.image!.beams)).toBe(256);
        await tab.page.screenshot({ path: join(SHOTS, "sonar.png") });
        await setSensors(false);
        const height = (): Promise<number> => tab.page.evaluate(() => Number(/translate\(0 (\S+)\)/.exec(document.querySelector(".horizon")!.getAttribute("transform")!)![1]));
        expect(Math.abs(await height())).toBeLessThan(20);
        await tab.page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "command", name: "camera_tilt_deg", value: -15 }));
        await until(tab.page, "the camera looks down", (r) => r.tilt < -0.26);
        // standing still, so that the instrument and the camera show the same moment
        const pause = async (paused: boolean): Promise<void> => {
            await tab.page.evaluate((wanted) => (window as unknown as HawserWindow).hawser.tell({ type: "pause", paused: wanted }), paused);
            await until(tab.page, paused ? "paused" : "going on", (r) => r.paused === paused);
        };
        await pause(true);
        // Looking down, one sees the horizon above the middle, where the lens has it: three.js projects a point of it there.
        const [projected, horizon] = await tab.page.evaluate(async () => {
            // both are drawn; instruments ten times a second
            for (let i = 0, start = performance.now(); i < 10 || performance.now() < start + 500; ++i) await new Promise(requestAnimationFrame);
            const { camera } = (window as unknown as HawserWindow).hawser.stage.views;
            const ahead = camera.getWorldDirection(camera.position.clone()).setZ(0).normalize();
            return [(-camera.position.clone().addScaledVector(ahead, 1000).project(camera).y * innerHeight) / 2,
                Number(/translate\(0 (\S+)\)/.exec(document.querySelector(".horizon")!.getAttribute("transform")!)![1])] as const;
        });
        expect(projected).toBeLessThan(-50);
        expect(horizon).toBeGreaterThan(projected - 12); // 12 px: a degree of pitch between two frames
        expect(horizon).toBeLessThan(projected + 12);
        await pause(false);
        await tab.page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "command", name: "camera_center" }));
    });

    it("have sticks for fingers that fly the vehicle", async () => {
        await setScreen([390, 844, 1, true]);
        const { page } = tab;
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "command", name: "mode", value: "manual" }));
        const finger = (selector: string, type: string, up: number): Promise<void> => page.evaluate(([what, event, share]) => {
            const target = document.querySelector(what as string)!;
            const box = target.getBoundingClientRect();
            (target as HTMLElement).setPointerCapture = () => {};
            target.dispatchEvent(new PointerEvent(event as string, { pointerType: "touch", pointerId: 5, bubbles: true, cancelable: true,
                clientX: box.left + box.width / 2, clientY: box.top + (box.height * (1 - (share as number))) / 2 }));
        }, [selector, type, up] as const);
        await finger(".touch-key", "pointerdown", 0);
        await finger(".touch-key", "pointerup", 0);
        await until(page, "armed by a finger", (r) => r.armed);
        await finger(".touch-stick", "pointerdown", 0.9);
        await until(page, "the vehicle goes", (r) => r.speed > 0.1);
        expect(await page.evaluate(() => (window as unknown as HawserWindow).hawser.hub.axes[0])).toBe(1);
        await finger(".touch-stick", "pointerup", 0.9);
        await expect.poll(() => page.evaluate(() => (window as unknown as HawserWindow).hawser.hub.axes[0])).toBe(0);
        expect(tab.errors).toEqual([]);
    });
});

describe("a page with a panel beside the picture", () => {
    /** At every size; `seen`: what must be there. */
    async function measure(page: Tab["page"], seen: string): Promise<void> {
        await page.locator(seen).first().waitFor();
        for (const [width, height, scale] of NARROW) {
            await page.setViewportSize({ width, height });
            await page.evaluate(async (size) => {
                const { hawser } = window as unknown as HawserWindow;
                hawser.settings.display.scale = size;
                hawser.changed();
                hawser.say("test", "alarm", "An alarm with as many words as an alarm may have");
                for (let i = 0; i < 5; ++i) await new Promise(requestAnimationFrame);
            }, scale);
            expect(await faults(page), `${seen}, ${width} by ${height}, size ${scale}`).toEqual([]);
            expect(await page.locator(seen).first().isVisible()).toBe(true);
            expect(await cut(page), `${seen}, ${width} by ${height}, size ${scale}`).toEqual([]);
            // the picture's middle is that of the room that is left
            const [off, below] = await page.evaluate(async () => {
                const { views } = (window as unknown as HawserWindow).hawser.stage;
                for (let i = 0; i < 3; ++i) await new Promise(requestAnimationFrame);
                // what the eye looks at, and the middle of the instruments
                const ahead = views.camera.getWorldDirection(views.camera.position.clone()).add(views.camera.position).project(views.camera);
                const { left, right, top, bottom } = document.querySelector(".hud")!.getBoundingClientRect();
                return [((ahead.x + 1) * innerWidth - left - right) / 2, ((1 - ahead.y) * innerHeight - top - bottom) / 2];
            });
            expect(Math.abs(off!)).toBeLessThan(2);
            expect(Math.abs(below!)).toBeLessThan(2);
        }
    }

    it("has room for instructor, operator, handler and observer", async () => {
        await setScreen(SCREENS[0]!);
        const teacher = await browser.open(server.instructor);
        await drawCoarsely(teacher.page);
        await teacher.page.getByRole("button", { name: "Teach" }).click();
        await measure(teacher.page, ".instructor-panel");
        // the thrusters are not the instructor's to arm
        expect(await teacher.page.locator(".arm-hint:not(.advice)").isVisible()).toBe(false);
        await teacher.close();
        for (const [role, seen] of [["winch", ".winch-panel"], ["handler", ".reel-panel"], ["observer", ".plot-button"]] as const) {
            const invited = await tab.page.evaluate((wanted) => (window as unknown as HawserWindow).hawser.link.request<{ flight: string; secret: string }>({ type: "invite", role: wanted }), role);
            const other = await browser.open(`${server.address.replace(/\/$/, "")}/#join=${invited.flight}.${role}.${invited.secret}`);
            await drawCoarsely(other.page);
            await measure(other.page, seen);
            expect(other.errors).toEqual([]);
            await other.close();
        }
    });

    it("has room for a replay, its plots and a debrief", async () => {
        const { page } = tab;
        const flight = await page.evaluate(() => (window as unknown as HawserWindow).hawser.session.scene!.flight!);
        await page.evaluate(() => (window as unknown as HawserWindow).hawser.endSession());
        const replaying = (): Promise<unknown> => page.waitForFunction(() => (window as unknown as HawserWindow).hawser.session.replaying && (window as unknown as HawserWindow).hawser.frame());
        await expect.poll(() => page.evaluate(async (id) => (await (window as unknown as HawserWindow).hawser.link.request<{ flights: { flight: string; status: string }[] }>({ type: "flights" }))
            .flights.find((entry) => entry.flight === id)?.status, flight)).toBe("completed");
        await page.evaluate((id) => (window as unknown as HawserWindow).hawser.openReplay(id), flight);
        await replaying();
        await measure(page, ".timeline");
        // a finger finds a moment on a telephone, too
        await page.setViewportSize({ width: 390, height: 844 });
        await expect.poll(async () => (await page.locator(".timeline .track").boundingBox())?.width ?? 0).toBeGreaterThan(300);
        await setScreen(SCREENS[0]!);
        await page.getByRole("button", { name: "Plots" }).click();
        await measure(page, ".plots");
        await page.evaluate((id) => (window as unknown as HawserWindow).hawser.openDebrief(id), flight);
        await replaying();
        await page.locator(".debrief-panel h2").waitFor();
        await measure(page, ".debrief-panel");
        expect(tab.errors).toEqual([]);
    });
});
