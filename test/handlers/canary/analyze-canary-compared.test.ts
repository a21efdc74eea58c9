import { expect, test } from "vitest";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import type { QueryResult } from "../../../functions/domain/analysis/query-result.ts";
import { canaryWorkload } from "../../support/workloads.ts";
import { checkStep, nothing } from "./canary-steps.ts";
import { around, expectSelectable } from "../steps.ts";

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

const value = (number: number): QueryResult => ({ kind: "value", value: number });

/** Runs the step until it returns a verdict. */
async function runToVerdict(sets: Readonly<Record<string, QueryResult>>) {
  const ports = around(workload, { analyses, measured: (query) => sets[query] ?? nothing });
  for (;;) {
    const result = await analyzeCanary(ports, checkStep);
    expectSelectable("AnalyzeCanary", result);
    if (result.kind !== "running") return result;
    ports.pass(result.waitSeconds);
  }
}

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
  const result = await runToVerdict({ app: stable, "app-canary": canary });
  expect(result).toMatchObject({ kind, reason: expect.stringContaining(reason) });
});
