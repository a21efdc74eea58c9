import { expect, test } from "vitest";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import type { QueryResult } from "../../../functions/domain/analysis/query-result.ts";
import { parseCanarySteps } from "../../../functions/domain/workload/canary/steps.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { canaryWorkload, policy } from "../../support/workloads.ts";
import { around } from "../steps.ts";
import { canaryStep, checkStep, nothing, runToVerdict, value } from "./canary-steps.ts";

const workload = canaryWorkload({ policy: { analysis: "error-rate" } });

const analyses = {
  "error-rate": `
warmUp: 0s
interval: 1m
count: 4
metrics:
  - name: error-rate
    compare: { numerator: "errors {{args.set}}", denominator: "requests {{args.set}}", maxIncrease: 20% }
`,
};

/** Returns the run of a canary, with what its measurements left in the record. */
async function compare(series: Readonly<Record<string, QueryResult>>) {
  const { ports, result } = await runToVerdict(workload, { analyses, measured: (query) => series[query] ?? nothing });
  return { result, comparison: ports.cluster.get().analysis?.counts.get("error-rate")?.comparison };
}

test.for([
  {
    when: "as good",
    errors: [9, 100],
    requests: [1000, 9000],
    kind: "pass",
    reason: "no difference in 4 measurements",
  },
  {
    when: "worse",
    errors: [40, 100],
    requests: [1000, 9000],
    kind: "fail",
    reason: "0.04: above 0.0133, 0.0111 and +20%",
  },
  {
    when: "hit by an outage as the stable pods",
    errors: [300, 3100],
    requests: [1000, 10_000],
    kind: "pass",
    reason: "",
  },
  {
    when: "without requests",
    errors: [0, 100],
    requests: [0, 9000],
    kind: "withdraw",
    reason: "the canary has no requests",
  },
  {
    when: "beside pods without requests",
    errors: [9, 0],
    requests: [1000, 0],
    kind: "withdraw",
    reason: "the stable pods have no requests",
  },
  {
    when: "measured by too few requests",
    errors: [20, 0],
    requests: [20, 9000],
    kind: "withdraw",
    reason: "80 of 100 samples",
  },
])("a canary that is $when: $kind", async ({ errors: [a, b], requests: [n, m], kind, reason }) => {
  const series = {
    "errors app-canary": value(a!),
    "errors app": value(b!),
    "requests app-canary": value(n!),
    "requests app": value(m!),
  };
  expect((await compare(series)).result).toMatchObject({ kind, reason: expect.stringContaining(reason) });
});

test("sums the counts of a run in its record, each interval once", async () => {
  const series = {
    "errors app-canary": value(9),
    "errors app": value(100),
    "requests app-canary": value(1000),
    "requests app": value(9000),
  };
  expect((await compare(series)).comparison).toMatchObject({
    intervals: 4,
    canary: { numerator: 36, denominator: 4000 },
    stable: { numerator: 400, denominator: 36_000 },
  });
});

test("keeps the evidence of its tests in each step, also if another execution resumes it", async () => {
  const steps = parseCanarySteps([
    { size: 1, analysis: "error-rate" },
    { size: 2, analysis: "error-rate" },
  ]);
  if (steps.kind === "invalid") throw new Error("the steps of this test");
  const stepped = { ...policy, canary: { unit: "replicas", amount: 1 } as const, canarySteps: steps.value };
  const ports = around(canaryWorkload({ policy: stepped }), {
    analyses,
    measured: (query) => value(query.startsWith("errors") ? 10 : 1000),
  });
  const evidence = () => ports.cluster.get().analysis?.counts.get("error-rate")?.comparison;
  const seen: (number | undefined)[] = [];
  for (const [index, execution] of ["e-1", "e-1", "e-2", "e-2", "e-2", "e-2", "e-2", "e-2"].entries()) {
    if (index === 2) await adoptUpdate(ports, { ...canaryStep, execution, adopting: true });
    const begun = index === 4 ? (await startCanary(ports, { ...canaryStep, execution })).step : null;
    expect(begun).toBe(index === 4 ? "2/2 (2 replicas)" : null);
    const result = await analyzeCanary(ports, { ...checkStep, execution });
    seen.push(evidence()?.intervals);
    ports.pass(result.waitSeconds);
  }
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(evidence()).toMatchObject({ canary: { numerator: 80, denominator: 8000 } });
});
