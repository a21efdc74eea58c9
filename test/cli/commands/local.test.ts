import { beforeAll, expect, test } from "vitest";
import { spawnPawl } from "../run-pawl.ts";

interface Line {
  readonly kind: string;
  readonly type?: string;
  readonly detail?: Detail;
  readonly workloads?: readonly { readonly workload: string; readonly result: string }[];
}

interface Detail {
  readonly workload?: { readonly name: string };
  readonly version?: string | null;
  readonly nodePool?: { readonly name: string };
  readonly reason: string | null;
}

let lines: readonly Line[];

beforeAll(async () => {
  const flags = ["--demo", "--exit-when-idle", "--json", "--clock-speed", "150"];
  const { stdout, stderr, status } = await spawnPawl(["local", ...flags]);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}, 120_000);

test("the demo restarts a workload once for a push to a tag that is tracked by digest", () => {
  const events = lines.filter(({ detail }) => detail?.workload?.name === "news");
  const restarted = expect.stringMatching(/^prod@sha256:[0-9a-f]{64}$/);
  expect(events.map(({ type, detail }) => [type, detail?.version])).toEqual([
    ["Update Available", restarted],
    ["Update Started", restarted],
    ["Update Succeeded", restarted],
  ]);
  const { workloads = [] } = lines.find(({ kind }) => kind === "result") ?? {};
  expect(workloads).toHaveLength(8);
  expect(workloads.find(({ workload }) => workload === "shop/news")?.result).toMatch(/^restarted for prod@sha256:/);
});

test("the demo rolls a new OS image out to a node pool, while pods of the workloads are evicted", () => {
  const events = lines.filter(({ detail }) => detail?.nodePool?.name === "workers");
  // The bus delivers at least once: a poll and the rollout may both have observed the end. Five minutes of the demo, after which a
  // drain is slow, are two seconds, in which a busy machine may not have drained the node.
  const types = new Set(events.map(({ type }) => type).filter((type) => type !== "Node Drain Slow"));
  expect(types).toEqual(new Set(["Node Pool Rollout Started", "Node Pool Rollout Completed"]));
  expect(events.at(-1)?.detail?.reason).toMatch(
    /^Rolled out 127\.0\.0\.1:\d+\/os\/myos@sha256:[0-9a-f]{12}: 3 of 3 nodes/,
  );
});
