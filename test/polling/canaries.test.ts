import { describe, expect, test } from "vitest";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import { measure, startAnalysis } from "../../functions/domain/analysis/measure.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { after, canarying, noon, target, updating, workload } from "../support/workloads.ts";

const canary = { unit: "replicas", amount: 1 } as const;
const tags = { "shop/app": ["1.0.0", "1.1.0"] };
const hotfix = "registry.example/shop/app:hotfix";

async function pollAfter(seen: Workload, end: "finish" | "abort" | null) {
  const ports = fakePorts({ workloads: [seen], tags });
  if (end !== null) {
    await ports.executions.start("e-1", {} as never);
    ports.executions[end]("e-1");
  }
  const report = await pollCluster(ports);
  return { ports, report, started: ports.executions.started.filter(({ name }) => name !== "e-1") };
}

test("an update begins with a canary where its owner asks for one", async () => {
  const { started } = await pollAfter(workload({ policy: { canary } }), null);
  expect(started).toMatchObject([{ input: { image: target, strategy: "canary", recovering: false } }]);
});

test("a canary that cannot be made is said, and nothing starts", async () => {
  const { ports, report } = await pollAfter(workload({ policy: { canary: { ...canary, amount: 9 } } }), null);
  expect(report).toMatchObject({ started: 0, problems: 1 });
  expect(ports.cluster.get().announced.problem).toContain("9 canary replicas are more than the 3");
});

describe("what is in flight without a live execution is adopted", () => {
  test.for([
    { what: "a canary whose execution failed", seen: canarying(), end: "finish", strategy: "canary" },
    { what: "a canary whose execution is not known", seen: canarying(), end: null, strategy: "canary" },
    { what: "a canary whose execution a person stopped", seen: canarying(), end: "abort", strategy: "abort" },
    { what: "a rolling update that failed", seen: updating(), end: "finish", strategy: "rolling" },
    { what: "a rolling update that a person stopped", seen: updating(), end: "abort", strategy: "rolling" },
  ] as const)("$what: $strategy", async ({ seen, end, strategy }) => {
    const { started } = await pollAfter(seen, end);
    expect(started).toMatchObject([{ input: { image: target, strategy, recovering: true } }]);
  });
});

test("a canary is left to its execution while that runs", async () => {
  const ports = fakePorts({ workloads: [canarying()], tags });
  await ports.executions.start("e-1", {} as never);
  expect(await pollCluster(ports)).toMatchObject({ inFlight: 1, adopted: 0 });
});

test("a canary that a person has overtaken is taken away; the person's image stays", async () => {
  const { ports } = await pollAfter(canarying({ image: hotfix }), "finish");
  expect(ports.cluster.get()).toMatchObject({ image: hotfix, inFlight: null, canary: null });
});

describe("the age of the oldest claim", () => {
  const outcome = { verdict: "pass", value: 0, note: null } as const;
  const analysis = measure(startAnalysis(noon), "errors", outcome, after(29));
  test.for([
    { what: "of a canary counts from its last measurement", seen: canarying({ analysis }), overdue: 0 },
    { what: "of a canary without one counts from its start", seen: canarying(), overdue: 1200 },
    { what: "of what was promoted counts from its start", seen: updating({ analysis }), overdue: 1200 },
  ])("$what", async ({ seen, overdue }) => {
    const ports = fakePorts({ workloads: [seen], now: after(30) });
    await pollCluster(ports);
    const found = ports.metrics.pending.find(({ name }) => name === "pawl_oldest_claim_overdue_seconds");
    expect(found?.value).toBe(overdue);
  });
});
