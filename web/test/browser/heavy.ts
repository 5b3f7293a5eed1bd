// The heaviest picture there is: the complex area, before its jacket, lamps on, with 150 m of tether out.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { addGamepad, chooseView, dive, readings, setSticks, tapButton, until, type HawserWindow } from "./fly";
import { Server } from "./support";

const SCENE = "../scenes/trainer/complex_area.yaml";

/** A server whose dives begin before the jacket, the tether's other end so far off that all of it can be out. */
export async function startHeavyServer(): Promise<Server> {
    const folder = mkdtempSync(join(tmpdir(), "hawser-heavy-"));
    try {
        const file = join(folder, "complex_area.yaml");
        writeFileSync(file, readFileSync(SCENE, "utf8").replace(/^ {2}heading_deg: .*\n/m, "").replace(/^ {2}spawn: .*$/m,
            "  spawn: [17.6, -7.4, -12.4]\n  heading_deg: 340")
            .replace(/^ {2}launch_on: .*$/m, "  launch_on: pier").replace(/^ {2}launch_at: .*$/m, "  launch_at: [-89, 8.6, 1.5]"));
        return await Server.start("train", file);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** Dives, arms and turns on the spot, slowly, with the lamps on; gives the m of tether that are out. */
export async function flyHeavily(page: Page): Promise<number> {
    await dive(page, { vehicle: "bluerov2_heavy", visibility: 16, handler: "hold", tether: { type: "fathom", length: 150, out: 150 } });
    await chooseView(page, "pilot");
    await addGamepad(page);
    await page.evaluate(() => {
        const { hawser } = window as unknown as HawserWindow;
        hawser.tell({ type: "command", name: "mode", value: "hold" });
        hawser.tell({ type: "command", name: "lights", value: 0.8 });
    });
    await tapButton(page, 9);
    await until(page, "armed, lamps on", (r) => r.armed && r.lights > 0.7);
    await setSticks(page, [0, 0, 0.2, 0]);
    return (await readings(page))!.out;
}
