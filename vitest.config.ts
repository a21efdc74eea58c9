import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import type { InlineConfig } from "vitest/node";
import { LongestFirst } from "./test/support/run/longest-first.ts";
import { isSoak } from "./test/support/property-runs.ts";

/** Tests of pure functions. Their coverage is measured. */
const pure = ["domain", "machines", "workflows", "infra/config"].map((folder) => `test/${folder}/**/*.test.ts`);

/** Tests that depend on the state of their process: the runtime keeps its ports. */
const isolated = ["test/runtime/**/*.test.ts"];

/** Tests that synthesize stacks, start many processes or wait for a real clock. */
const checks = [
  ...["*.test.ts", "constructs/**/*.test.ts", "node-pools/**/*.test.ts"].map((files) => `test/infra/${files}`),
  "test/docs/{getting-started,walkthrough}.test.ts",
  "test/cli/{bin,output/hostile-text}.test.ts",
  "test/adapters/frozen-process.test.ts",
];

/** Tests that measure memory: nothing else may take the CPU time that a poll needs to free it. */
const measured = ["test/bench/hostile-hosts/**/*.test.ts"];

/** Tests of the bundle that is deployed, and of the package. */
const bundles = ["test/bundles/**/*.test.ts", "test/infra/{bundles,template}.test.ts", "test/package/**/*.test.ts"];

/** For tests that take less than two seconds on an idle machine. */
const testTimeout = isSoak ? 600_000 : 30_000;
/** The report of `.ci/run` contains messages and no diff: they show what differs. */
const chaiConfig = { truncateThreshold: 1000 };

/** Only ends what hangs: the default of one second is too short on a busy machine. */
const patient = { testTimeout, chaiConfig, expect: { poll: { timeout: 20_000 } } };
/** Of projects with properties. */
const setupFiles = ["test/support/run/seed-properties.ts"];
/** Of projects that synthesize stacks. */
const temporary = "test/support/run/temporary-folder.ts";

/** Tests on a real cluster whose objects have no namespace: one file at a time. */
const nodePools = ["test/cluster/node-pool/**/*.test.ts"];
/** Permissions have no namespace, and a test that deletes a CRD runs alone too. */
const rbac = [
  "test/cluster/rbac/**/*.test.ts",
  "test/cluster/auto-update/auto-update-{crd,roles}.test.ts",
  "test/cluster/component/kubernetes-api.test.ts",
];

/** Dry runs on an API server without controllers. */
const admission = ["test/cluster/admission/**/*.test.ts"];

/** Run by `npm run soak`: the table of `manual-changes.test.ts` covers the single commands. */
const longSequences = isSoak ? [] : ["test/cluster/manual-changes/manual-changes-sequences.test.ts"];

function clusterProject(name: string, files: InlineConfig): UserWorkspaceConfig {
  return {
    test: {
      name,
      ...files,
      globalSetup: ["test/cluster/setup.ts"],
      // Files share a process and the modules that it has loaded.
      isolate: false,
      // Each test starts a process of its own, and there may be only two cores.
      maxConcurrency: 3,
      // Only ends what hangs: on a busy machine some take a minute.
      testTimeout: 600_000,
      hookTimeout: 300_000,
      chaiConfig,
    },
  };
}

export default defineConfig({
  test: {
    // Default: one core less.
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    projects: [
      // Loading modules costs more than most tests: files share a process and the modules that it has loaded.
      { test: { name: "pure", include: pure, isolate: false, setupFiles, ...patient } },
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/cluster/**", "test/browser/**", ...pure, ...isolated, ...checks, ...measured, ...bundles],
          isolate: false,
          setupFiles,
          globalSetup: [temporary],
          ...patient,
        },
      },
      {
        test: {
          name: "checks",
          include: checks,
          exclude: bundles,
          isolate: false,
          globalSetup: [temporary],
          ...patient,
        },
      },
      { test: { name: "measured", include: measured, ...patient } },
      { test: { name: "isolated", include: isolated, ...patient } },
      {
        test: {
          name: "bundles",
          include: bundles,
          globalSetup: [temporary, "test/setup.ts"],
          testTimeout,
          // Run bundles as they are deployed, not as Vitest would rewrite them.
          server: { deps: { external: [/pawl-deployed-/] } },
        },
      },
      // Pages in a real browser: `apt-get install chromium`.
      { test: { name: "browser", include: ["test/browser/**/*.test.ts"], ...patient, testTimeout: 120_000 } },
      // Each of these has a control plane of its own, so that `.ci/run` runs them beside each other.
      clusterProject("cluster", {
        include: ["test/cluster/**/*.test.ts"],
        exclude: [...nodePools, ...rbac, ...admission, ...longSequences],
        // They share no object, and mostly wait.
        maxWorkers: 3,
        sequence: { groupOrder: 1 },
      }),
      clusterProject("cluster-node-pools", { include: nodePools, fileParallelism: false }),
      clusterProject("cluster-rbac", { include: rbac, fileParallelism: false }),
      clusterProject("cluster-admission", { include: admission }),
    ],
    coverage: {
      provider: "v8",
      include: ["functions/domain/**/*.ts"],
      thresholds: { branches: 100, functions: 100, lines: 100, statements: 100 },
    },
  },
});
