import { expect, test } from "vitest";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import type { QueryResult } from "../../../functions/domain/analysis/query-result.ts";
import { beginStep } from "../../../functions/domain/workload/canary/progress.ts";
import { parseCanarySteps } from "../../../functions/domain/workload/canary/steps.ts";
import { canaryInFlight, canaryPods, canaryWorkload, noon, policy } from "../../support/workloads.ts";
import { around, expectSelectable } from "../steps.ts";
import { bad, checkStep, errorRate, good, nothing } from "./canary-steps.ts";

const parsed = parseCanarySteps([{ size: 1 }, { size: 2, analysis: "latency" }]);
if (parsed.kind === "invalid") throw new Error("invalid steps");
const one = { unit: "replicas", amount: 1 } as const;
const stepped = { ...policy, canary: one, canarySteps: parsed.value, analysis: "error-rate" };
const analyses = {
  "error-rate": errorRate,
  compared:
    "interval: 1m\nmetrics:\n  - name: p99\n    query: 'p99{pod=~\"{{args.pods}}\"}'\n    compare: {maxIncrease: 20%}\n",
  latency: errorRate.replace("error-rate", "latency").replace("errors", "p99"),
};
const grown = { ...canaryPods, desiredReplicas: 2, updatedReplicas: 2, readyReplicas: 2, template: "t-1" };
const growing = { ...grown, readyReplicas: 1 };

interface Row {
  readonly analysis?: string | null;
  readonly step?: number;
  readonly errors: (minute: number) => QueryResult;
  /** When all replicas are ready. */
  readonly readyAt: number;
}

/** Runs the checks as the machine does until the canary has a verdict, or its replicas are ready and its step is measured. */
async function runGrowth({ analysis = "error-rate", step = 2, errors, readyAt }: Row) {
  const own = { ...stepped, analysis };
  const canaryProgress = beginStep(own, step, noon);
  const inFlight = { ...canaryInFlight, observation: { kind: "observed", at: noon, template: "t-1/2" } } as const;
  const initial = canaryWorkload({ policy: own, canary: growing, canaryProgress, inFlight });
  const minute = () => (ports.now().getTime() - noon.getTime()) / 60_000;
  const asked = new Set<string>();
  const ports = around(initial, {
    analyses,
    measured: (query) => {
      asked.add(query);
      return query === "errors" ? errors(minute()) : good;
    },
  });
  for (;;) {
    if (minute() >= readyAt) ports.cluster.put({ ...ports.cluster.get(), canary: grown });
    let result: { readonly kind: string; readonly reason: string; readonly waitSeconds: number } = await checkCanary(
      ports,
      checkStep,
    );
    expectSelectable("CheckCanary", result);
    if (result.kind === "measure" || result.kind === "ready") {
      result = await analyzeCanary(ports, checkStep);
      expectSelectable("AnalyzeCanary", result);
    }
    const { analysis: run, canaryProgress: progress } = ports.cluster.get();
    const { kind, reason } = result;
    if (kind !== "progressing") return { kind, reason, minute: minute(), run, progress, asked: [...asked] };
    ports.pass(result.waitSeconds);
  }
}

test.for([
  {
    when: "a metric of the policy fails",
    errors: (minute: number) => (minute < 3 ? good : bad),
    readyAt: 8,
    is: { kind: "fail", minute: 3 },
  },
  { when: "all is well", errors: () => good, readyAt: 8, is: { kind: "running", minute: 8 } },
  {
    when: "there is no data, which decides nothing",
    errors: () => nothing,
    readyAt: 8,
    is: { kind: "running" },
  },
  { when: "it never gets ready", errors: () => good, readyAt: 99, is: { kind: "expired" } },
])("while a canary grows to its second step, the analysis of the policy measures it: $when", async (row) => {
  const run = await runGrowth(row);
  expect(run).toMatchObject(row.is);
  expect(run.asked).toContain("errors");
});

test("what was measured while it grew is not of its step", async () => {
  const { run, progress, minute } = await runGrowth({ errors: () => good, readyAt: 8 });
  expect([...(run?.counts ?? [])].map(([name, { passes }]) => [name, passes])).toEqual([["latency", 1]]);
  expect(run?.startedAt).toEqual(new Date(noon.getTime() + minute * 60_000));
  expect(progress?.waitsFor).toBe("Analysis");
});

test.for([
  { when: "at its first step, at which nothing of it serves yet", step: 1 },
  { when: "without an analysis of the policy", analysis: null },
  {
    when: "if the analysis of the policy only compares: pods that have just started are not comparable",
    analysis: "compared",
  },
])("nothing measures a canary while it becomes ready $when", async (row) => {
  expect((await runGrowth({ errors: () => bad, readyAt: 99, ...row })).asked).toEqual([]);
});
