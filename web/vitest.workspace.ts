import { defineWorkspace } from "vitest/config";

export default defineWorkspace([
    { test: { name: "unit", include: ["test/unit/**/*.test.ts"], environment: "node" } },
    {
        // Run one file at a time (see package.json): the machine may have two cores and the frame rate is measured.
        test: {
            name: "browser",
            include: ["test/browser/**/*.test.ts"],
            environment: "node",
            testTimeout: 300_000,
            hookTimeout: 120_000,
        },
    },
]);
