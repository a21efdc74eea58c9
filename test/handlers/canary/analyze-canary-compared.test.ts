import { describe, expect, test } from "vitest";
import { beginStep } from "../../../functions/domain/workload/canary/progress.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { canaryPods, canaryWorkload, completeRollout, noon, policy } from "../../support/workloads.ts";
import { checkStep, nothing, runToVerdict, value } from "./canary-steps.ts";
import { around } from "../steps.ts";

const workload = canaryWorkload({ policy: { analysis: "error-rate" } });
const analyses = {
  "error-rate": `
interval: 1m
count: 2
metrics:
  - name: error-rate
    query: "{{args.set}}"
    compare: { maxIncrease: 20% }
`,
};

test.for([
  { when: "no worse", canary: value(0.012), stable: value(0.01), kind: "pass", reason: "2 passed" },
  {
    when: "worse",
    canary: value(0.013),
    stable: value(0.01),
    kind: "fail",
    reason: "over 20% above the baseline 0.01",
  },
  { when: "without errors, as the stable pods", canary: value(0), stable: value(0), kind: "pass", reason: "2 passed" },
  {
    when: "beside a baseline of 0",
    canary: value(0.01),
    stable: value(0),
    kind: "withdraw",
    reason: "the baseline is 0",
  },
  { when: "without a baseline", canary: value(9), stable: nothing, kind: "withdraw", reason: "no data for 15m0s" },
  { when: "without traffic", canary: nothing, stable: value(9), kind: "withdraw", reason: "no data for 15m0s" },
])("a canary that is $when: $kind", async ({ canary, stable, kind, reason }) => {
  const measured = (query: string) => (query === "app" ? stable : canary);
  const { result } = await runToVerdict(workload, { analyses, measured });
  expect(result).toMatchObject({ kind, reason: expect.stringContaining(reason) });
});

describe("with a baseline of its age", () => {
  const one = { unit: "replicas", amount: 1 } as const;
  const compared = { ...policy, canary: one, analysis: "error-rate", baseline: "sameAge" } as const;
  const names = { stable: "app", canary: "app-canary", baseline: "app-baseline" };
  const measured = (query: string) => (query === "app" ? value(0.001) : value(0.01));

  /** A canary beside a baseline with a number of replicas. */
  function beside(baseline?: { readonly desiredReplicas: number; readonly readyReplicas: number }) {
    const canary = { ...canaryPods, addedTo: completeRollout.desiredReplicas, ...(baseline && { baseline }) };
    const canaryProgress = beginStep(compared, 1, noon);
    const parts = { policy: compared, canary, canaryProgress, canaryNames: names };
    return around(canaryWorkload(parts), { analyses, measured });
  }

  test("it is compared with that, and not with the stable pods", async () => {
    const ports = beside({ desiredReplicas: 1, readyReplicas: 1 });
    const first = await analyzeCanary(ports, checkStep);
    expect(first).toMatchObject({ kind: "running", waitSeconds: 60 });
    ports.pass(60);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", reason: "error-rate = 0.01: pass" });
    expect(ports.cluster.get().analysis?.measurements).toMatchObject([{ value: 0.01, baseline: 0.01 }]);
  });
});
