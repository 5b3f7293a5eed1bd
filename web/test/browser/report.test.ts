// The report page of `hawser report`: what it draws, what it leaves out, and that every label is whole.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { Browser, PROGRAM, type Tab } from "./support";

let browser: Browser;
let folder: string;
let tab: Tab;
let page: Page;

// A load far below, drifting a little: x and z differ by a factor of a thousand, y and the rates stay zero.
const ROWS = 50;
const table = (): string => {
    const lines = ["world.time,load.position.x,load.position.y,load.position.z,load.rate.x,load.rate.y,wire.element[0].length,wire.element[1].length",
        "s,m,m,m,rad/s,rad/s,m,m"];
    for (let i = 0; i <= ROWS; i++) lines.push(`${0.1 * i},${Math.sin(0.1 * i)},0,${-3000 - 0.001 * i},0,0,${1 + 0.01 * i},1`);
    return lines.join("\n") + "\n";
};

beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hawser-report-"));
    writeFileSync(join(folder, "run.csv"), table());
    execFileSync(PROGRAM, ["report", join(folder, "run.csv"), "-o", join(folder, "run.html")]);
    browser = await Browser.start();
    tab = await browser.open(`file://${join(folder, "run.html")}`);
    page = tab.page;
    await page.waitForSelector(".plot canvas");
});
afterAll(async () => {
    const errors = tab?.errors ?? [];
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
    expect(errors).toEqual([]);
});

const titles = (): Promise<string[]> => page.$$eval("section:not(#paths) article.plot h3", (all) => all.map((h) => h.firstChild?.textContent ?? ""));

describe("plots", () => {
    it("gives x and z plots of their own and none to what stays zero", async () => {
        const drawn = await titles();
        expect(drawn).toContain("Position x");
        expect(drawn).toContain("Position z");
        expect(drawn).not.toContain("Position y");
        expect(drawn.filter((title) => title.startsWith("Turn rate"))).toEqual([]);
        const quiet = await page.textContent("details.quiet");
        expect(quiet).toContain("3 channels zero or empty throughout");
        expect(quiet).toContain("load.position.y");
        expect(await page.$eval("details.quiet", (element) => (element as HTMLDetailsElement).open)).toBe(false);
    });

    it("draws the figures of the paper when asked only", async () => {
        expect(await titles()).not.toContain("Length of the elements");
        await page.click("details.family > summary");
        await page.waitForSelector("details.family canvas");
        expect(await titles()).toContain("Length of the elements");
    });

    it("has room for the longest label of an axis, the minus sign included", async () => {
        const rooms = await page.evaluate(() => {
            const measure = document.createElement("canvas").getContext("2d")!;
            measure.font = "12px system-ui, sans-serif";
            return [...document.querySelectorAll(".uplot")].map((plot) => {
                const over = plot.querySelector<HTMLElement>(".u-over")!;
                return { left: over.offsetLeft, needed: measure.measureText("−3000.05").width };
            });
        });
        expect(rooms.length).toBeGreaterThan(1);
        // ticks of 5 px and a gap of 5 px beside the text; the plot of z has labels of this length, for which 56 px were too few
        expect(rooms.some((room) => room.left >= room.needed + 10)).toBe(true);
    });

    it("shows values in legends without a pointer", async () => {
        const values = await page.$$eval(".u-legend .u-value", (all) => all.map((cell) => cell.textContent ?? ""));
        expect(values.length).toBeGreaterThan(1);
        for (const value of values) expect(value).not.toMatch(/^(--|–|)$/);
    });
});
