import { expect, test } from "vitest";
import { runPawl } from "./run-pawl.ts";

interface Line {
  readonly kind: string;
  readonly type?: string;
  readonly detail?: { readonly workload: { readonly name: string }; readonly version: string | null };
  readonly workloads?: readonly { readonly workload: string; readonly outcome: string }[];
}

test("the demo tells of a tag that is followed by digest: one push, one restart", { timeout: 120_000 }, async () => {
  const flags = ["--demo", "--exit-when-idle", "--json", "--speed", "150"];
  const { stdout, stderr, status } = await runPawl(["local", ...flags]);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  const told = lines.filter(({ detail }) => detail?.workload.name === "news");
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
