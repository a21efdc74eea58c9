import { beforeAll, expect, test } from "vitest";
import { runPawl } from "./run-pawl.ts";

interface Line {
  readonly kind: string;
  readonly type?: string;
  readonly detail?: Detail;
  readonly workloads?: readonly { readonly workload: string; readonly outcome: string }[];
}

interface Detail {
  readonly workload?: { readonly name: string };
  readonly version?: string | null;
  readonly nodePool?: { readonly name: string };
  readonly reason: string | null;
}

let lines: readonly Line[];

beforeAll(async () => {
  const flags = ["--demo", "--exit-when-idle", "--json", "--speed", "150"];
  const { stdout, stderr, status } = await runPawl(["local", ...flags]);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}, 120_000);

test("the demo tells of a tag that is followed by digest: one push, one restart", () => {
  const told = lines.filter(({ detail }) => detail?.workload?.name === "news");
  const restarted = expect.stringMatching(/^prod@sha256:[0-9a-f]{64}$/);
  expect(told.map(({ type, detail }) => [type, detail?.version])).toEqual([
    ["Update Available", restarted],
    ["Update Started", restarted],
    ["Update Succeeded", restarted],
  ]);
  const { workloads = [] } = lines.find(({ kind }) => kind === "outcome") ?? {};
  expect(workloads).toHaveLength(8);
  expect(workloads.find(({ workload }) => workload === "shop/news")?.outcome).toMatch(/^restarted for prod@sha256:/);
});

test("the demo rolls a new OS image out to a node pool, while pods of the workloads make way", () => {
  const told = lines.filter(({ detail }) => detail?.nodePool?.name === "workers");
  // The bus delivers at least once: a poll and the rollout may both have seen the end.
  expect(new Set(told.map(({ type }) => type))).toEqual(
    new Set(["Node Pool Rollout Started", "Node Pool Rollout Completed"]),
  );
  expect(told.at(-1)?.detail?.reason).toMatch(
    /^Rolled out 127\.0\.0\.1:\d+\/os\/myos@sha256:[0-9a-f]{12}: 3 of 3 nodes/,
  );
});
