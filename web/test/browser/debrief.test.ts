// The debrief: after a lesson, from the list of flights, at the moment where it began, flown again from there, and as a file that
// opens from disk without a server. Its score is the program's to the last digit.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { HawserWindow } from "./fly";
import { Browser, PROGRAM, seriousViolations, Server, SHOTS, type Tab } from "./support";

const SHORT = `hawser: 1
include: rectangular_pool
name: short
vehicles: [{name: rov, model: bluerov2_heavy, position: [-9, 0, -1.5]}]
lesson:
  title: Short
  why: To be over soon.
  par: 2
  limit: 2
  objectives: [{name: far, text: "Far away", zone: {position: [5, 0, -1.5], radius: 0.5}}]
  weights: {task: 0.7, turns: 0.3}
`;

let browser: Browser;
let server: Server;
let tab: Tab;
const folder = mkdtempSync(join(tmpdir(), "hawser-debrief-"));

const score = (flight: string): { score: number } => JSON.parse(execFileSync(PROGRAM, ["score", flight, "--flights", server.flights, "--json"], { encoding: "utf8" })) as { score: number };
const now = (): Promise<number> => tab.page.evaluate(() => (window as unknown as { hawser: { frame(): { time: number } | null } }).hawser.frame()?.time ?? -1);
const shown = (): Promise<string | null> => tab.page.locator(".debrief-verdict").getAttribute("data-score");
const state = (): Promise<string | undefined> => tab.page.evaluate(() => document.documentElement.dataset["state"]);

beforeAll(async () => {
    writeFileSync(join(folder, "short.yaml"), SHORT);
    [browser, server] = await Promise.all([Browser.start(), Server.start("train", join(folder, "short.yaml"))]);
    execFileSync(PROGRAM, ["fly", resolve("../lessons/leg_inspection.yaml"), "--pilot", resolve("../lessons/pilots/leg_inspection.novice.yaml"), "--flights", server.flights]);
    tab = await browser.open(server.address);
    mkdirSync(SHOTS, { recursive: true });
});
afterEach(() => {
    expect(tab.errors).toEqual([]);
});
afterAll(async () => {
    await tab?.close();
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
});

describe("the debrief", () => {
    it("opens after a lesson with the score of the program", async () => {
        await tab.page.locator(".lesson-verdict").getByRole("button", { name: "Debrief" }).click();
        const digits = await shown();
        expect(await state()).toBe("replay");
        const { flight } = tab.sent("debrief")[0] as unknown as { flight: string };
        expect(digits).toBe(String(score(flight).score));
        expect(await tab.page.locator(".debrief-panel .tips li").count()).toBeGreaterThan(0);
    });

    it("goes to where the trouble began, and the flight goes on from there with its lesson", async () => {
        const { page } = tab;
        await page.keyboard.press("Escape");
        await page.getByRole("tab", { name: "Flights" }).or(page.getByRole("button", { name: "Flights" })).first().click();
        const entry = page.locator(".flights li", { hasText: "Leg inspection" }).first();
        const flight = (await entry.getAttribute("data-flight"))!;
        await entry.getByRole("button", { name: "Debrief" }).click();
        await expect.poll(() => page.locator(".debrief-panel h2").innerText()).toBe("Leg inspection");
        expect(await shown()).toBe(String(score(flight).score));
        const cause = page.locator(".debrief-cause");
        expect(await cause.innerText()).toContain("pile");
        const time = Number(await cause.getAttribute("data-time"));
        // what the pilot saw then: a picture that shows something
        const picture = cause.locator("img");
        await picture.waitFor();
        const [width, spread] = await picture.evaluate(async (image: HTMLImageElement) => {
            await image.decode();
            const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
            const context = canvas.getContext("2d")!;
            context.drawImage(image, 0, 0);
            const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
            let [low, high] = [255, 0];
            for (let i = 1; i < data.length; i += 4) [low, high] = [Math.min(low, data[i]!), Math.max(high, data[i]!)];
            return [image.naturalWidth, high - low];
        });
        expect(width).toBe(480);
        expect(spread).toBeGreaterThan(40); // of 255, in green: neither black nor plain water
        await page.locator(".see-cause").click();
        let first = 0;
        await expect.poll(async () => (first = await now())).toBeGreaterThan(time - 5.2);
        expect(first).toBeLessThan(time + 20);
        await page.screenshot({ path: `${SHOTS}/debrief.png` });
        // the file
        const link = page.locator(".debrief-panel a", { hasText: "Save as a file" });
        const saved = page.waitForEvent("download");
        await link.click();
        const file = join(folder, "debrief.html");
        await (await saved).saveAs(file);
        const alone = await browser.open(`file://${file}`);
        expect(Number(await alone.page.locator(".verdict").getAttribute("data-score"))).toBe(score(flight).score);
        expect(await alone.page.locator("svg.plan").count()).toBe(1);
        expect(await alone.page.locator(".cause img").count()).toBe(1);
        expect(alone.errors).toEqual([]);
        await alone.page.screenshot({ path: `${SHOTS}/debrief_file.png`, fullPage: true });
        await alone.close();
        // flown again
        await page.locator(".fly-cause").click();
        await expect.poll(state).toBe("lesson");
        await expect.poll(now).toBeGreaterThan(time - 5.2);
        await expect.poll(() => page.locator(".objectives li.done").count()).toBeGreaterThan(1);
        // and from after it: the panel says what the tether is round, and which way frees it
        await page.evaluate((id) => (window as unknown as { hawser: { openDebrief(flight: string): void } }).hawser.openDebrief(id), flight);
        await expect.poll(state).toBe("replay");
        await page.locator(".moments li", { hasText: "pile: 0 to +1" }).getByRole("button").click();
        await expect.poll(now).toBeGreaterThan(time - 0.2);
        await page.locator(".timeline .branch").click();
        await expect.poll(state).toBe("lesson");
        await expect.poll(() => page.locator(".tangles li").allInnerTexts()).toEqual([expect.stringMatching(/^pile \+1.*free it clockwise/)]);
        await page.screenshot({ path: `${SHOTS}/tangle.png` });
        // both futures side by side: the flight goes on for a while, and then stands beside the one it came from
        const branch = await page.evaluate(() => (window as unknown as { hawser: { session: { scene: { flight: string } } } }).hawser.session.scene.flight);
        await page.evaluate(() => (window as unknown as { hawser: { control: { debrief(): void } } }).hawser.control.debrief());
        await expect.poll(() => page.locator(".debrief-panel .beside").count()).toBe(1);
        await page.locator(".debrief-panel .beside").click();
        await expect.poll(() => page.locator(".futures").getAttribute("data-parted")).not.toBeNull();
        const parted = Number(await page.locator(".futures").getAttribute("data-parted"));
        expect(parted).toBeGreaterThan(time - 0.5); // alike up to where it was branched
        expect(branch).not.toBe(flight);
        // the tether is drawn in both
        const yellow = await page.locator(".futures canvas").evaluateAll((canvases) => canvases.map((canvas) => {
            const { data } = (canvas as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, (canvas as HTMLCanvasElement).width, (canvas as HTMLCanvasElement).height);
            let count = 0;
            for (let i = 0; i < data.length; i += 4) if (data[i]! > 230 && data[i + 1]! > 150 && data[i + 2]! < 120) ++count;
            return count;
        }));
        expect(yellow).toHaveLength(4);
        for (const count of yellow) expect(count).toBeGreaterThan(30);
        await page.screenshot({ path: `${SHOTS}/futures.png` });
        await page.locator(".futures").getByRole("button", { name: "Close", exact: true }).click();
    });
});

describe("a pilot's profile", () => {
    it("survives a restart of server and page, with the run that was flown under its name", async () => {
        const book = join(folder, "book");
        mkdirSync(book);
        const first = await Server.start("train", join(folder, "short.yaml"), "--flights", book);
        const flown = await browser.open(first.address);
        // The preset begins at once, before anybody has a name: the run that counts is the next one.
        await flown.page.locator(".lesson-panel header").waitFor();
        await flown.page.keyboard.press("Escape");
        await flown.page.getByRole("tab", { name: "Logbook" }).or(flown.page.getByRole("button", { name: "Logbook" })).first().click();
        await flown.page.getByLabel("Name").fill("Ann, \"the\" pilot");
        await flown.page.getByLabel("Name").press("Enter");
        await flown.page.keyboard.press("Escape");
        const verdict = flown.page.locator(".lesson-verdict");
        await verdict.waitFor();
        // the verdict may be back before anybody has seen that it was gone: it is that of another flight
        const flight = (): Promise<string | undefined> => flown.page.evaluate(() => (window as unknown as HawserWindow).hawser.session.scene?.flight);
        const former = await flight();
        await verdict.getByRole("button", { name: "Fly again" }).click();
        await expect.poll(flight).not.toBe(former);
        await verdict.waitFor();
        const storage = await flown.page.context().storageState();
        expect(flown.errors).toEqual([]);
        await flown.close();
        await first.stop();
        const second = await Server.start("train", join(folder, "short.yaml"), "--flights", book);
        // what the browser keeps for the page, whose port may be another program's by now
        for (const kept of storage.origins) kept.origin = new URL(second.address).origin;
        const back = await browser.open(second.address, storage);
        await back.page.locator(".lesson-panel header").waitFor();
        await back.page.keyboard.press("Escape");
        await back.page.getByRole("tab", { name: "Logbook" }).or(back.page.getByRole("button", { name: "Logbook" })).first().click();
        const rows = back.page.locator(".logbook tr");
        await expect.poll(() => rows.count()).toBeGreaterThan(0);
        expect(await rows.first().innerText()).toContain("Short");
        const [record] = await Promise.all([back.page.waitForEvent("download"), back.page.getByRole("link", { name: "Training record" }).click()]);
        expect(record.suggestedFilename()).toBe("training-record-Ann-the-pilot.html");
        const saved = join(folder, "record.html");
        await record.saveAs(saved);
        expect(readFileSync(saved, "utf8")).toContain("Pilot <b>Ann, &quot;the&quot; pilot</b>");
        // what is only read can be scrolled by keys
        await back.page.getByRole("tab", { name: "Help" }).click();
        expect(await back.page.locator(".menu .page").getAttribute("tabindex")).toBe("0");
        expect(await seriousViolations(back.page)).toEqual([]);
        const text = execFileSync(PROGRAM, ["logbook", "Ann, \"the\" pilot", "--flights", book], { encoding: "utf8" });
        expect(text).toContain("Short");
        expect(back.errors).toEqual([]);
        await back.close();
        await second.stop();
    });
});

describe("a study", () => {
    it("has two recordings rated without a word which is which", async () => {
        // the same flight with two tether models, as docs/lessons.md says: flown, and its inputs flown again
        const flights = join(folder, "pair");
        const fly = (...args: string[]): string => {
            const text = execFileSync(PROGRAM, ["fly", resolve("../lessons/leg_inspection.yaml"), "--flights", flights, "--json", ...args], { encoding: "utf8" });
            return (JSON.parse(text) as { flight: string }).flight;
        };
        const first = fly("--pilot", resolve("../lessons/pilots/leg_inspection.novice.yaml"));
        const second = fly("--pilot", join(flights, first), "--set", "cables.tether.model=wrap");
        const file = join(folder, "study.yaml");
        writeFileSync(file, `hawser_protocol: 1\ntitle: Realism\ngroups: [all]\nsteps: [{phase: rating, pair: p}]\npairs:\n  - {name: p, first: {flight: ${first}, model: dynamic}, second: {flight: ${second}, model: wrap}}\n`);
        const study = await Server.start("train", "--flights", flights, "--protocol", file);
        const rater = await browser.open(study.address);
        const { page } = rater;
        await page.getByLabel("Name or code").fill("Cy");
        await page.getByLabel("Name or code").press("Enter");
        await page.locator(".begin-step").click();
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset["state"])).toBe("replay");
        expect(await page.locator(".keep-rating").isDisabled()).toBe(true);
        // both are shown with their tethers, and these are not the same
        const nodes = (): Promise<string> => page.evaluate(() => {
            const { hawser } = window as unknown as HawserWindow;
            const cable = hawser.frame()?.cables[0];
            return cable && cable.count > 1 ? [...cable.nodes.slice(0, 3 * cable.count)].map((x) => x.toFixed(2)).join() : "";
        });
        // the first one is shown by itself; what is told before the other one is there would be told to the first
        const isThere = (): Promise<boolean> => page.evaluate(() => {
            const { session } = (window as unknown as HawserWindow).hawser;
            return session.kind === "replay" && !session.starting && session.scene !== (window as unknown as { seen?: unknown }).seen;
        });
        const seek = async (time: number): Promise<void> => {
            await page.evaluate((to) => (window as unknown as HawserWindow).hawser.tell({ type: "seek", time: to }), time);
            await expect.poll(() => page.evaluate((to) => Math.abs(((window as unknown as HawserWindow).hawser.frame()?.time ?? -1) - to) < 0.5, time)).toBe(true);
        };
        const shown: string[] = [];
        for (const clip of [0, 1]) {
            if (clip === 1) {
                await page.evaluate(() => ((window as unknown as { seen?: unknown }).seen = (window as unknown as HawserWindow).hawser.session.scene) && undefined);
                await page.locator(".clip-1").click();
            }
            await expect.poll(isThere).toBe(true);
            await page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "pause", paused: true }));
            // by way of another moment, at which the clip before has not stood
            await seek(5);
            await seek(20);
            await expect.poll(nodes).not.toBe("");
            shown.push(await nodes());
        }
        expect(shown[0]).not.toBe(shown[1]);
        for (const clip of ["The first", "The second"]) {
            await page.getByLabel(clip, { exact: true }).focus();
            await page.keyboard.press(clip === "The first" ? "ArrowLeft" : "ArrowRight");
        }
        await page.getByLabel("More real").selectOption("1");
        expect(await page.locator(".rating-panel").innerText()).not.toMatch(/dynamic|wrap/i);
        await page.locator(".keep-rating").click();
        await page.locator(".study-over").waitFor();
        expect(rater.errors).toEqual([]);
        await rater.close();
        const csv = join(folder, "ratings.csv");
        execFileSync(PROGRAM, ["logbook", "--flights", flights, "--ratings", csv, "--anonymous", "salt"]);
        const rows = readFileSync(csv, "utf8").trim().split("\n");
        expect(rows).toHaveLength(2);
        expect(rows[1]).toMatch(/^"\d{4}-\d\d-\d\d","P\d\d","all","p","(dynamic|wrap)","(dynamic|wrap)",3,5,"(dynamic|wrap)","",/);
        await study.stop();
    });
});
