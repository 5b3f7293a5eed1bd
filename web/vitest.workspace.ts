import { defineWorkspace } from "vitest/config";

export default defineWorkspace([
    { test: { name: "unit", include: ["test/unit/**/*.test.ts"], environment: "node" } },
    {
        // Run one file at a time (see package.json): the machine may have two cores and the frame rate is measured.
        test: {
            name: "browser",
            include: ["test/browser/**/*.test.ts"],
            environment: "node",
            // Nothing is decided by these: they end what hangs, on a machine that may be busy with other things.
            testTimeout: 1_200_000,
            hookTimeout: 600_000,
            expect: { poll: { timeout: 240_000, interval: 50 } },
        },
    },
]);
