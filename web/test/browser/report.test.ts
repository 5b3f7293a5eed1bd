// The report page of `hawser report`: what it draws, what it leaves out, and that every label is whole.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
    const lines = ["world.time,load.position.x,load.position.y,load.position.z,load.rate.x,load.rate.y,load.attitude.roll,load.attitude.yaw,load.submerged,wire.element[0].length,wire.element[1].length,wire.tension.use",
        "s,m,m,m,rad/s,rad/s,rad,rad,1,m,m,1"];
    for (let i = 0; i <= ROWS; i++) lines.push(`${0.1 * i},${Math.sin(0.1 * i)},0,${-3000 - 0.001 * i},0,0,${0.01 * i},${1e-17 * (i % 3)},0.75,${1 + 0.01 * i},1,${0.1 * i}`);
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
        // rounding beside the roll
        const attitude = page.locator("article.plot").filter({ has: page.locator("h3", { hasText: /^Attitude/ }) });
        await attitude.scrollIntoViewIfNeeded();
        await expect.poll(() => attitude.locator(".u-legend").innerText()).toContain("roll");
        expect(await attitude.locator(".u-legend").innerText()).not.toContain("yaw");
        expect(quiet).toContain("4 channels zero or empty throughout");
        expect(quiet).toContain("load.position.y");
        expect(quiet).toContain("load.attitude.yaw");
        expect(await page.$eval("details.quiet", (element) => (element as HTMLDetailsElement).open)).toBe(false);
    });

    it("tells what stays the same in words, and puts uses to what they are of", async () => {
        const drawn = await titles();
        expect(drawn).not.toContain("Submerged part");
        const steady = await page.$$eval("details.quiet", (all) => all.map((details) => details.textContent ?? ""));
        expect(steady.some((text) => text.includes("1 channel constant throughout") && text.includes("load.submerged 0.75000"))).toBe(true);
        expect(drawn).toContain("Tension use");
        expect(await page.$$eval("main h2", (all) => all.map((h) => h.textContent))).not.toContain("wire.tension");
    });

    it("draws the figures of the paper when asked only", async () => {
        expect(await titles()).not.toContain("Length of the elements");
        await page.click("details.family > summary");
        await page.waitForSelector("details.family canvas");
        expect(await titles()).toContain("Length of the elements");
    });

    it("has room for the longest label of an axis, the minus sign included", async () => {
        const deep = page.locator("article.plot").filter({ has: page.locator("h3", { hasText: /^Position z/ }) });
        await deep.scrollIntoViewIfNeeded();
        await deep.locator(".uplot").waitFor();
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

describe("the front page", () => {
    const scene = (least: number): string => `hawser: 1
duration: 20
output: {interval: 0.1}
environment: {gravity: 9.81}
bodies: [{name: bob, mass: 1, inertia: [1, 1, 1], position: [6, 0, -8]}]
cables:
  - name: wire
    sections: [{length: 10, elements: 1, diameter: 0.01, mass_per_length: 0.1, EA: 1e5, break: 1000}]
    ends: {a: {on: earth}, b: {on: bob}}
limits: [{of: bob.position.z, min: ${least}}]
`;
    const show = async (least: number, fragment: string): Promise<Tab> => {
        writeFileSync(join(folder, "bob.yaml"), scene(least));
        try {
            execFileSync(PROGRAM, ["run", join(folder, "bob.yaml"), "--out", join(folder, "bob"), "--quiet"], { stdio: "pipe" });
        } catch (error) {
            expect((error as { status: number }).status).toBe(1); // a limit does not hold
        }
        execFileSync(PROGRAM, ["report", join(folder, "bob")]);
        const shown = await browser.open(`file://${join(folder, "bob", "report.html")}${fragment}`);
        await shown.page.waitForSelector("#front");
        return shown;
    };

    it("gives the verdict on limits and on what cables bear", async () => {
        const good = await show(-20, "");
        expect(await good.page.textContent("#front .verdict")).toBe("All 2 limits hold.");
        expect(await good.page.getAttribute("#front .verdict", "class")).toBe("verdict good");
        expect(await good.page.textContent("#front tbody")).toContain("wire: tension over break");
        // Spectra of the tension and of what swings, the values at the start, the scene.
        for (const section of ["#spectra", "#statics", "#ranges", "#scenefile"]) expect(await good.page.$(section)).not.toBeNull();
        // Away from the pointer the legends of range graphs hold the values where the greatest is.
        await good.page.waitForFunction(() => [...document.querySelectorAll("#ranges .u-legend")].every(legend => /\d/.test(legend.textContent ?? "")));
        expect(good.errors).toEqual([]);
        const bad = await show(-5, "");
        expect(await bad.page.textContent("#front .verdict")).toBe("1 of 2 limits does not hold: bob.position.z.");
        expect(await bad.page.getAttribute("#front .verdict", "class")).toBe("verdict bad");
    });

    it("draws everything when it is laid out for paper", async () => {
        const paper = await show(-20, "#print");
        // All that is not folded away: the first nine plots of each object, and the others' tables.
        const drawn = await paper.page.$$eval("article.plot", (all) => all.filter((plot) => !plot.closest("details:not([open])")).map((plot) => plot.querySelector("canvas") !== null));
        expect(drawn.length).toBeGreaterThan(10);
        expect(drawn).not.toContain(false);
        expect(await paper.page.isVisible("#bar")).toBe(false);
        expect(paper.errors).toEqual([]);
    });

    it("has a study's tables in words and digits for people, as wide as the paper", async () => {
        await show(-20, "");
        const study = join(folder, "study");
        mkdirSync(study, { recursive: true });
        const path = "environment.waves.jonswap";
        writeFileSync(join(study, "operability.csv"), `combination,${path}.direction_deg,${path}.tp,hs,low,high,limit,note\n` +
            "0,90,6,3,nan,nan,slack,no bounds: a count\n1,90,9,2.9220953442632935,2.4534721840043194,3,ship.attitude.roll.max,\n2,150,6,4,4,4,,at least the highest height\n3,150,9,4,4,4,,at least the highest height\n");
        writeFileSync(join(study, "weather.csv"), "heading,workable\nworst,0.7161234991423671\n90,0.7161234991423671\n");
        const rows = [...Array(30).keys()].map((i) => `wire.a.tension.most_probable_maximum,gumbel,${i % 2 ? 90 : 150},${6 + i},${1 + i / 3},6,0,6952.702373640658,912.3121651486999,0,0.29419248310728363,10,0.9,11106.41625402948${i},0.9,8652.009225561162,13560.82328249781,6,`);
        writeFileSync(join(study, "extremes.csv"), `of,fit,${path}.direction_deg,${path}.tp,${path}.hs,count,failed,location,scale,shape,distance,repeats,probability,value,confidence,low,high,above,note\n` + rows.join("\n") + "\n");
        execFileSync(PROGRAM, ["report", join(folder, "bob"), "--study", study]);
        const paper = await browser.open(`file://${join(folder, "bob", "report.html")}#print`);
        await paper.page.waitForSelector("#operability");
        const text = await paper.page.innerText("#operability");
        expect(text).not.toMatch(/\d\.\d{6}|environment\.|nan/);
        for (const words of ["allowed Hs, m", "2.922", "2.453", "71.6 %", "In all rows: fit gumbel, runs 6", "11106", "decided by"]) expect(text).toContain(words);
        // 182 mm at 96 dots an inch; what is wider makes the browser print everything smaller
        const wide = await paper.page.$$eval("main *", (all) => Math.max(...all.map((element) => element.getBoundingClientRect().width)));
        expect(wide).toBeLessThan(689);
        // no word is cut letter by letter but long names of channels
        const lines = await paper.page.$$eval("#operability td:not(:first-child)", (all) => Math.max(...all.map((cell) => cell.getBoundingClientRect().height)));
        expect(lines).toBeLessThan(60);
        expect(paper.errors).toEqual([]);
    });
});
