// Starts a browser with the software renderer, and opens the page of a server in it.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";

const FLAGS = ["--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-gpu-sandbox", "--disable-gpu-rasterization", "--ignore-gpu-blocklist", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--autoplay-policy=no-user-gesture-required", "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows", "--hide-scrollbars"];

export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export interface Browser {
    context: BrowserContext;
    open(address: string): Promise<{ page: Page; errors: string[] }>;
    close(): Promise<void>;
}

export async function startBrowser(width = 1280, height = 720): Promise<Browser> {
    if (!existsSync(CHROMIUM)) throw new Error(`There is no browser at ${CHROMIUM}: install Debian's chromium, or set CHROMIUM.`);
    const folder = mkdtempSync(join(tmpdir(), "hawser-browser-"));
    const context = await chromium.launchPersistentContext(folder, {
        executablePath: CHROMIUM,
        headless: true,
        ignoreDefaultArgs: ["--headless", "--headless=old"],
        args: FLAGS,
        viewport: { width, height },
        deviceScaleFactor: 1,
    });
    return {
        context,
        async open(address) {
            const page = await context.newPage();
            const errors: string[] = [];
            page.on("console", (message) => {
                if (message.type() === "error" || message.type() === "warning") errors.push(`${message.type()}: ${message.text()}`);
            });
            page.on("pageerror", (error) => errors.push(`exception: ${error.message}`));
            page.on("requestfailed", (request) => errors.push(`request failed: ${request.url()}`));
            await page.goto(address);
            return { page, errors };
        },
        async close() {
            await context.close();
            rmSync(folder, { recursive: true, force: true });
        },
    };
}

/** Pictures a second that the page draws, measured over some seconds. */
export async function measureRate(page: Page, seconds: number): Promise<number> {
    return page.evaluate(async (duration) => new Promise<number>((resolve) => {
        const start = performance.now();
        let count = 0;
        const tick = (): void => {
            ++count;
            const passed = (performance.now() - start) / 1000;
            if (passed >= duration) resolve(count / passed);
            else requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }), seconds);
}
