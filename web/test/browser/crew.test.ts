// Three pages on one flight: a pilot, an instructor who breaks something and rewinds, a handler who pays out.

import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dive, drawCoarsely, pass, readings, ready, until, type HawserWindow } from "./fly";
import { Browser, seriousViolations, Server, SHOTS, type Tab } from "./support";

let browser: Browser;
let server: Server;
const tabs: Tab[] = [];

beforeAll(async () => {
    [browser, server] = await Promise.all([Browser.start(960, 600), Server.start("train")]);
});
afterAll(async () => {
    for (const tab of tabs) await tab.close();
    await browser?.close();
    await server?.stop();
});

async function open(address: string): Promise<Tab> {
    const tab = await browser.open(address);
    tabs.push(tab);
    await drawCoarsely(tab.page);
    return tab;
}

describe("a crew", () => {
    it("shares one flight: the instructor makes a fault and rewinds, the handler pays out", async () => {
        const pilot = await open(server.address);
        await dive(pilot.page, { surroundings: "round_pool", tether: { type: "fathom", length: 40, out: 8 }, handler: "hold" });
        await pilot.page.keyboard.press("Enter");
        await until(pilot.page, "armed", (r) => r.armed);

        // the handler comes by the pilot's link
        await pilot.page.keyboard.press("Escape");
        await pilot.page.getByRole("tab", { name: "Crew" }).click();
        await pilot.page.locator(".invite-handler").click();
        await expect.poll(() => pilot.page.locator(".link-field").inputValue()).toContain("#join=");
        expect(await seriousViolations(pilot.page)).toEqual([]);
        const handler = await open(await pilot.page.locator(".link-field").inputValue());
        await handler.page.locator(".reel-panel").waitFor();
        await pilot.page.keyboard.press("Escape");
        const out = (await readings(pilot.page))!.out;
        await handler.page.locator(".pay-out").click();
        await until(pilot.page, "tether is paid out", (r) => r.out > out + 0.5);
        await handler.page.getByRole("button", { name: "Hold" }).click();
        await handler.page.getByRole("button", { name: "It is taut" }).click();
        await expect.poll(() => pilot.page.locator(".alerts").innerText()).toContain("Tether handler: It is taut");
        // the tether is not the pilot's now: a sentence says whose it is
        await pilot.page.keyboard.press(".");
        await expect.poll(() => pilot.page.locator(".alerts").innerText()).toContain("the tether handler has the tether");

        // an operator has a station of their own, with levers and what the cables say
        const invited = await pilot.page.evaluate(async () => (await (window as unknown as HawserWindow).hawser.link.request({ type: "invite", role: "winch" })) as { flight: string; secret: string });
        const operator = await open(`${server.address.replace(/\/$/, "")}/#join=${invited.flight}.winch.${invited.secret}`);
        await operator.page.locator(".winch-panel .lever").first().waitFor();
        await expect.poll(() => operator.page.locator(".winch-panel .cable-table").innerText()).toContain("tether");
        await operator.page.getByRole("button", { name: "Lowering" }).click();
        await expect.poll(() => pilot.page.locator(".alerts").innerText()).toContain("Winch operator: Lowering");
        expect(await seriousViolations(operator.page)).toEqual([]);

        // the instructor comes by the server's address and finds the flight in the class
        const teacher = await open(server.instructor);
        await ready(teacher.page);
        expect(new URL(teacher.page.url()).hash).toBe("");
        // its numbers change every second, its buttons stay: a slow click hits what it aimed at
        const [teach, time] = [teacher.page.getByRole("button", { name: "Teach" }), teacher.page.locator(".class-table tbody td.number").first()];
        await teach.waitFor();
        const aimed = await teach.elementHandle();
        const first = await time.innerText();
        await expect.poll(() => time.innerText()).not.toBe(first);
        expect(await aimed!.evaluate((element) => element.isConnected)).toBe(true);
        await teach.click();
        await teacher.page.locator(".instructor-panel").waitFor();
        const before = (await pass(pilot.page, 0.5)).time;
        await teacher.page.locator(".break").click();
        const leak = teacher.page.locator('[data-fault="leak"] input');
        await leak.focus();
        for (let i = 0; i < 3; ++i) await leak.press("ArrowRight");
        await until(pilot.page, "the thruster has failed", (r) => (r.failed & 1) === 1);
        const camera = teacher.page.locator('[data-fault="camera"] input');
        await camera.focus();
        await camera.press("ArrowRight");
        await pilot.page.locator(".blind").waitFor();
        const sight = (): Promise<[number, number]> => pilot.page.evaluate(() => {
            const stage = (window as unknown as HawserWindow).hawser.stage as unknown as { visibility: number; ownVisibility: number };
            return [stage.visibility, stage.ownVisibility];
        });
        await teacher.page.evaluate(() => (window as unknown as HawserWindow).hawser.tell({ type: "visibility", value: 2.5 }));
        await expect.poll(async () => (await sight())[0]).toBe(2.5);
        expect(await seriousViolations(teacher.page)).toEqual([]);
        mkdirSync(SHOTS, { recursive: true });
        await teacher.page.screenshot({ path: `${SHOTS}/instructor.png` });
        // time is the instructor's
        await pilot.page.keyboard.press("Space");
        await expect.poll(() => pilot.page.locator(".alerts").innerText()).toContain("the instructor has the time");
        // as often as it takes: a busy machine needed more than ten seconds for all this
        for (let from = (await readings(teacher.page))!.time; from >= before; from = (await readings(teacher.page))!.time) {
            await teacher.page.locator(".back-10").click();
            await until(teacher.page, "time went back", (r) => r.paused && r.time < from - 0.5);
        }
        await until(pilot.page, "the fault is undone", (r) => r.failed === 0 && r.paused && r.time < before);
        await expect.poll(() => pilot.page.locator(".blind").isVisible()).toBe(false);
        const [seen, own] = await sight();
        expect(seen).toBe(own); // as the water has it
        await teacher.page.locator(".freeze").click();
        await until(pilot.page, "it goes on", (r) => !r.paused);
        // a freeze to ask: nobody but the instructor sees anything until it goes on
        const covered = (tab: Tab): Promise<boolean[]> => tab.page.evaluate(() => [document.querySelector(".cover:not(.hidden)") !== null,
            getComputedStyle(document.querySelector(".stage")!).visibility === "hidden", getComputedStyle(document.querySelector(".hud")!).visibility === "hidden"]);
        await teacher.page.locator(".freeze").click();
        for (const tab of [pilot, handler]) await expect.poll(() => covered(tab)).toEqual([true, true, true]);
        expect(await covered(teacher)).toEqual([false, false, false]);
        await teacher.page.locator(".freeze").click();
        for (const tab of [pilot, handler]) await expect.poll(() => covered(tab)).toEqual([false, false, false]);
        await teacher.page.getByRole("textbox", { name: "Note" }).fill("good recovery");
        await teacher.page.keyboard.press("Enter");
        await teacher.page.locator(".break").click();
        await until(pilot.page, "broken again", (r) => (r.failed & 1) === 1);

        // the end: others are told, and the recording gives the same state again
        const flight = await pilot.page.evaluate(() => (window as unknown as HawserWindow).hawser.session.scene!.flight!);
        await pilot.page.evaluate(() => (window as unknown as HawserWindow).hawser.endSession());
        await expect.poll(() => handler.page.evaluate(() => (window as unknown as HawserWindow).hawser.session.page)).toBe("menu");
        const flights = (): Promise<{ flight: string; status: string; hash: string }[]> => pilot.page.evaluate(async () =>
            ((await (window as unknown as HawserWindow).hawser.link.request({ type: "flights" })) as { flights: { flight: string; status: string; hash: string }[] }).flights);
        await expect.poll(async () => (await flights())[0]?.status).toBe("completed");
        expect(server.replayHash(flight)).toContain((await flights())[0]!.hash);
        for (const tab of tabs) expect(tab.errors).toEqual([]);
    });
});
