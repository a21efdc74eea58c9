import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/cluster/**", "node_modules/**"],
          pool: "forks",
          // Bundles are run as they are deployed, not as vitest would rewrite them.
          server: { deps: { external: [/pawl-bundles-/] } },
        },
      },
      {
        test: {
          name: "cluster",
          include: ["test/cluster/**/*.test.ts"],
          globalSetup: ["test/cluster/setup.ts"],
          pool: "forks",
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
