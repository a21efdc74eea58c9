import { defineConfig } from "vitest/config";

/** Where nothing but functions without a state of their own is tested: files may share a process, and what it has loaded. */
const pure = ["domain", "machines", "polling", "rolling"].map((folder) => `test/${folder}/**/*.test.ts`);

/** Of tests that take less than two: what else the machine does is not their failure. */
const testTimeout = 30_000;

export default defineConfig({
  test: {
    // By default one core is left to whoever watches.
    maxWorkers: "100%",
    projects: [
      { test: { name: "pure", include: pure, isolate: false, testTimeout } },
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/cluster/**", ...pure],
          globalSetup: ["test/setup.ts"],
          testTimeout,
          // Bundles are run as they are deployed, not as vitest would rewrite them.
          server: { deps: { external: [/pawl-bundles-/] } },
        },
      },
      {
        test: {
          name: "cluster",
          include: ["test/cluster/**/*.test.ts"],
          globalSetup: ["test/cluster/setup.ts"],
          fileParallelism: false,
          // Each starts a process of its own, and there may be only two cores.
          maxConcurrency: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
    coverage: {
      provider: "v8",
      include: ["functions/domain/**/*.ts"],
      thresholds: { branches: 100, functions: 100, lines: 100, statements: 100 },
    },
  },
});
