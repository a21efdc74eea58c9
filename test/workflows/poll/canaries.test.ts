import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { runUntilComplete } from "../../handlers/run-workload-update.ts";
import { after, canaryWorkload, noon, updatingWorkload, workload, updateTarget } from "../../support/workloads.ts";

const canary = { unit: "replicas", amount: 1 } as const;
const tags = { "shop/app": ["1.0.0", "1.1.0"] };
const hotfix = "registry.example/shop/app:hotfix";

async function pollAfter(initial: Workload, end: "finish" | "abort" | null) {
  const ports = fakePorts({ workloads: [initial], tags });
  if (end !== null) {
    await ports.executions.start("e-1", {} as never);
    ports.executions[end]("e-1");
  }
  const report = await pollCluster(ports);
  return { ports, report, started: ports.executions.started.filter(({ name }) => name !== "e-1") };
}

test("an update starts with a canary if the policy has one", async () => {
  const { started } = await pollAfter(workload({ policy: { canary } }), null);
  expect(started).toMatchObject([{ input: { target: updateTarget, strategy: "canary", adopting: false } }]);
});

test("an impossible canary is reported as a problem, and nothing starts", async () => {
  const { ports, report } = await pollAfter(workload({ policy: { canary: { ...canary, amount: 9 } } }), null);
  expect(report).toMatchObject({ started: 0, problems: 1 });
  expect(ports.cluster.get().lastReported.problem).toContain("9 canary replicas exceed the 3 desired replicas");
});

describe("an analysis that cannot work is reported as a problem, and nothing starts", () => {
  const metric = { name: "errors", query: "up", threshold: 1 };
  const compared = { name: "compared", query: "up{set='{{args.set}}'}", compare: { maxIncrease: "20%" } };
  const bake = { seconds: 600 };
  test.for([
    { when: "a bake time has one that compares only", policy: { bake }, metrics: [compared], problems: 1 },
    { when: "a canary has one that compares only", policy: { canary }, metrics: [compared], problems: 0 },
    { when: "both do", policy: { canary, bake }, metrics: [compared], problems: 1 },
    { when: "a bake time has another metric", policy: { bake }, metrics: [metric, compared], problems: 0 },
    { when: "a bake time has an invalid one", policy: { bake }, metrics: [], problems: 1 },
    { when: "nothing uses an invalid one", policy: {}, metrics: [], problems: 0 },
  ])("$when: $problems", async ({ policy, metrics, problems }) => {
    const analysis = JSON.stringify({ metrics });
    const { ports, report } = await pollAfter(workload({ policy: { ...policy, analysis } }), null);
    expect(report).toMatchObject({ started: 1 - problems, problems });
    expect(ports.cluster.get().lastReported.problem === null).toBe(problems === 0);
  });
});

describe("an update in flight without a running execution is adopted", () => {
  test.for([
    { when: "a canary whose execution failed", initial: canaryWorkload(), end: "finish", strategy: "canary" },
    { when: "a canary whose execution is unknown", initial: canaryWorkload(), end: null, strategy: "canary" },
    {
      when: "a canary whose execution was stopped manually",
      initial: canaryWorkload(),
      end: "abort",
      strategy: "abort",
    },
    { when: "a rolling update that failed", initial: updatingWorkload(), end: "finish", strategy: "rolling" },
    {
      when: "a rolling update that was stopped manually",
      initial: updatingWorkload(),
      end: "abort",
      strategy: "rolling",
    },
  ] as const)("$when: $strategy", async ({ initial, end, strategy }) => {
    const { started } = await pollAfter(initial, end);
    expect(started).toMatchObject([{ input: { target: updateTarget, strategy, adopting: true } }]);
  });
});

test("a canary after a manual image change is removed by an execution; the manual change stays", async () => {
  const { ports, started } = await pollAfter(canaryWorkload({ image: hotfix }), "finish");
  expect(started).toMatchObject([{ input: { target: updateTarget, strategy: "abort", adopting: true } }]);
  await runUntilComplete(ports);
  expect(ports.cluster.get()).toMatchObject({ image: hotfix, inFlight: null, canary: null });
});

describe("the age of the oldest claim", () => {
  const outcome = { verdict: "pass", value: 0, note: null } as const;
  const analysis = measure(startAnalysis(noon), "errors", outcome, after(29));
  test.for([
    { when: "of a canary starts at its last measurement", initial: canaryWorkload({ analysis }), overdue: 0 },
    { when: "of a canary without measurements starts with the canary", initial: canaryWorkload(), overdue: 1200 },
    { when: "of a promoted update starts with the update", initial: updatingWorkload({ analysis }), overdue: 1200 },
  ])("$when", async ({ initial, overdue }) => {
    const ports = fakePorts({ workloads: [initial], now: after(30) });
    await pollCluster(ports);
    const found = ports.metrics.pending.find(({ name }) => name === "pawl_oldest_claim_overdue_seconds");
    expect(found?.value).toBe(overdue);
  });
});
