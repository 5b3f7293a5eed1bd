// All models that the page loads, and the plugin that builds them: `models/NAME.glb`, with `models/list.json`. A file web/models/NAME.glb takes
// the place of the one that is made here; a new one is added.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { boats } from "./boats";
import { writeGlb, type Model } from "./kit";
import { vehicles } from "./rov";
import { structures } from "./structures";

export const MODELS: readonly Model[] = [...vehicles, ...boats, ...structures];

/** Names of files and their bytes. */
export function makeModels(folder: string): Map<string, Uint8Array> {
    const files = new Map<string, Uint8Array>();
    for (const model of MODELS) files.set(`${model.name}.glb`, writeGlb(model));
    for (const file of readdirSync(folder)) if (file.endsWith(".glb")) files.set(basename(file), readFileSync(join(folder, file)));
    files.set("list.json", new TextEncoder().encode(JSON.stringify([...files.keys()].sort())));
    return files;
}

interface Emitter {
    emitFile(file: { type: "asset"; fileName: string; source: Uint8Array }): unknown;
}

export function models(root: string): { name: string; generateBundle(this: Emitter): void; configureServer(server: unknown): void } {
    const folder = join(root, "models");
    return {
        name: "models",
        generateBundle() {
            for (const [name, source] of makeModels(folder)) this.emitFile({ type: "asset", fileName: `models/${name}`, source });
        },
        configureServer(server) {
            const files = makeModels(folder);
            const { middlewares } = server as { middlewares: { use(path: string, handle: (request: { url?: string }, response: { end(bytes: Uint8Array): void }, next: () => void) => void): void } };
            middlewares.use("/models", (request, response, next) => {
                const bytes = files.get((request.url ?? "").slice(1));
                if (bytes) response.end(bytes);
                else next();
            });
        },
    };
}
