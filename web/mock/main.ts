// npm run mock [port] [train|view]: the built page with the mock server behind it.

import { MockServer } from "./server";

const port = Number(process.argv[2] ?? 8080);
const mode = process.argv[3] === "view" ? "view" : "train";
const server = new MockServer({ port, root: "dist", mode, preset: mode === "view" ? { kind: "scene", title: "crane" } : null });
console.log(`Mock server: ${await server.listen()}`);
