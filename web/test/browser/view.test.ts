// `hawser view`: scenes that run and results that are replayed, in the same page.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HawserWindow } from "./fly";
import { Browser, CHROMIUM, PROGRAM, Server, type Tab } from "./support";

let browser: Browser;

beforeAll(async () => {
    browser = await Browser.start();
});
afterAll(async () => {
    await browser?.close();
});

async function look(what: string, test: (tab: Tab) => Promise<void>): Promise<void> {
    const server = await Server.start("view", what);
    const tab = await browser.open(server.address);
    try {
        await tab.page.locator(".uplot").first().waitFor();
        await test(tab);
        expect(tab.errors).toEqual([]);
    } finally {
        await tab.close();
        await server.stop();
    }
}

describe("the viewer", () => {
    it("runs a mechanism, with plots and contact arrows", async () => {
        await look("../scenes/palfinger_crane.yaml", async ({ page }) => {
            await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.frame()!.time > 1);
            const shown = await page.evaluate(() => {
                const { session, stage } = (window as unknown as HawserWindow).hawser;
                return { kind: session.kind, view: stage.views.kind, arrows: stage.options.contacts };
            });
            expect(shown).toEqual({ kind: "scene", view: "free", arrows: true });
            await page.waitForFunction(() => (window as any).hawser.plots.series.time.length > 20);
            await page.getByRole("button", { name: "Pause" }).click();
            await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.session.state?.paused);
        });
    });

    it("keeps what drifts away in its first picture", async () => {
        await look("../scenes/flagship.yaml", async ({ page }) => {
            await page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "pause", paused: true }));
            await page.waitForFunction(() => (((window as unknown as HawserWindow).hawser.frame()!.flags & 1) !== 0));
            await page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "step", seconds: 10 }));
            await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.frame()!.time > 9.9);
            const boat = (): Promise<[number, number]> => page.evaluate(() => {
                const { hawser } = window as unknown as HawserWindow;
                const { views: { camera }, covered } = hawser.stage;
                const seen = camera.position.clone().fromArray(hawser.frame()!.poses).project(camera);
                // of the half of what plots leave free
                const free = innerWidth - covered;
                return [Math.abs(((seen.x + 1) * innerWidth) / free - 1), Math.abs(seen.y)];
            });
            // wind and current take it away at 1 m/s
            await expect.poll(async () => (await boat()).every((off) => off < 0.6)).toBe(true);
        });
    });

    it("shows with arrows what a walker's feet carry", async () => {
        await look("../scenes/frame_walker.yaml", async ({ page }) => {
            await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.frame()!.time > 1);
            // paused, so that the frame that came last is the one that is drawn
            await page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "pause", paused: true }));
            await page.waitForFunction(() => (((window as unknown as HawserWindow).hawser.frame()!.flags & 1) !== 0));
            await page.waitForFunction(() => (window as any).hawser.stage.arrows.mesh.count === (window as any).hawser.frame().contacts.length);
            const shown = await page.evaluate(() => {
                const { hawser } = window as any;
                return { feet: hawser.frame().contacts.map((c: { force: Float32Array }) => c.force[2]), arrows: hawser.stage.arrows.mesh.count };
            });
            // eight legs stand; together they carry what the walker weighs in water, some 2.4 kN
            expect(shown.feet.length).toBeGreaterThanOrEqual(4);
            expect(shown.arrows).toBe(shown.feet.length);
            expect(shown.feet.reduce((sum: number, force: number) => sum + force, 0)).toBeGreaterThan(1000);
        });
    });

    it("replays results", async () => {
        const folder = mkdtempSync(join(tmpdir(), "hawser-results-"));
        execFileSync(PROGRAM, ["run", "../scenes/sinking_sphere.yaml", "--out", folder]);
        await look(folder, async ({ page }) => {
            await page.waitForFunction(() => (window as unknown as HawserWindow).hawser.session.kind === "replay");
            const end = await page.evaluate(() => (window as unknown as HawserWindow).hawser.session.state!.end!);
            expect(end).toBeGreaterThan(0);
            await page.getByLabel("Time", { exact: true }).fill(String(end / 2));
            await page.waitForFunction((t) => Math.abs((window as unknown as HawserWindow).hawser.frame()!.time - t) < 0.2 * t, end / 2);
        });
        // the same view in a report, drawn by a browser that the program starts itself
        execFileSync(PROGRAM, ["report", folder, "--views", "1"], { env: { ...process.env, HAWSER_BROWSER: CHROMIUM }, timeout: 200_000 });
        const report = await browser.open(`file://${join(folder, "report.html")}`);
        await report.page.locator("figure img[alt='at 1 s']").waitFor();
        const seen = await report.page.evaluate(() => {
            const picture = document.querySelector("figure img") as HTMLImageElement;
            const canvas = Object.assign(document.createElement("canvas"), { width: picture.naturalWidth, height: picture.naturalHeight });
            const context = canvas.getContext("2d")!;
            context.drawImage(picture, 0, 0);
            const greens = context.getImageData(0, 0, canvas.width, canvas.height).data.filter((_value, i) => i % 4 === 1);
            return { width: canvas.width, darkest: greens.reduce((a, b) => Math.min(a, b)), brightest: greens.reduce((a, b) => Math.max(a, b)) };
        });
        expect(seen.width).toBe(1280);
        expect(seen.brightest - seen.darkest).toBeGreaterThan(40); // of 255: a sphere before water, not an empty picture
        await report.close();
        rmSync(folder, { recursive: true });
    });
});
