import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";
import { models } from "./models/index";

// The licences of what the page carries travel with it.
function licences(): Plugin {
    const packages = ["three", "uplot", "@fontsource/b612"];
    return {
        name: "licences",
        generateBundle() {
            const text = packages.map((name) => {
                const folder = `node_modules/${name}`;
                const version = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")).version;
                return `${name} ${version}\n\n${readFileSync(`${folder}/LICENSE`, "utf8").trim()}\n`;
            });
            this.emitFile({ type: "asset", fileName: "licenses.txt", source: text.join("\n----\n\n") });
        },
    };
}

// Few files with fixed names: the server carries them inside the program and lists them by name.
export default defineConfig({
    base: "./",
    plugins: [licences(), models(__dirname)],
    build: {
        target: "es2022",
        assetsInlineLimit: 0, // the server's content security policy allows no data: addresses
        modulePreload: false,
        chunkSizeWarningLimit: 1200,
        rollupOptions: {
            output: {
                entryFileNames: "app.js",
                assetFileNames: (asset) => (asset.names?.some((name) => name.endsWith(".css")) || asset.name?.endsWith(".css")
                    ? "app.css" : "[name][extname]"),
                inlineDynamicImports: true,
            },
        },
    },
    server: { proxy: { "/ws": { target: "ws://127.0.0.1:8420", ws: true }, "/flights": "http://127.0.0.1:8420" } },
});
