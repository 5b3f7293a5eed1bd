// `hawser view`: scenes that run and results that are replayed, in the same page.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HawserWindow } from "./fly";
import { Browser, PROGRAM, Server, type Tab } from "./support";

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
        rmSync(folder, { recursive: true });
    });
});
