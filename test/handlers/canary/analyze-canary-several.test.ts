import { describe, expect, test } from "vitest";
import { analysisProblem } from "../../../functions/workflows/read-analysis.ts";
import { beginStep } from "../../../functions/domain/workload/canary/progress.ts";
import { parseCanarySteps } from "../../../functions/domain/workload/canary/steps.ts";
import { canaryWorkload, noon, policy } from "../../support/workloads.ts";
import { around } from "../steps.ts";
import { bad, errorRate, good, runToVerdict } from "./canary-steps.ts";

const latency = errorRate
  .replace("interval: 1m", "interval: 5m")
  .replace("error-rate", "latency")
  .replace("errors", "p99");
const analyses = { "error-rate": errorRate, latency, twice: errorRate, broken: "metrics: []" };

function measuredBy(analysis: unknown) {
  const parsed = parseCanarySteps([{ size: 1, analysis }]);
  if (parsed.kind === "invalid") throw new Error("invalid steps");
  const own = { ...policy, canary: { unit: "replicas", amount: 1 } as const, canarySteps: parsed.value };
  return canaryWorkload({ policy: own, canaryProgress: beginStep(own, 1, noon) });
}

describe("a step with several analyses", () => {
  test.for([
    { when: "all of both pass", p99: good, kind: "pass", minutes: 10, taken: 6 },
    { when: "one fails", p99: bad, kind: "fail", minutes: 0, taken: 2 },
  ])("ends when $when: $kind", async ({ p99, kind, minutes, taken }) => {
    const measured = (query: string) => (query === "p99" ? p99 : good);
    const { ports, result } = await runToVerdict(measuredBy(["error-rate", " latency "]), { analyses, measured });
    expect({ kind: result.kind, minutes: (ports.now().getTime() - noon.getTime()) / 60_000 }).toEqual({
      kind,
      minutes,
    });
    expect(ports.cluster.get().analysis?.measurements).toHaveLength(taken);
  });

  test.for([
    { list: ["error-rate", "latency"], problem: null },
    { list: ["error-rate", { metrics: [{ name: "inline", query: "x", threshold: 1 }] }], problem: null },
    { list: [], problem: "the analysis is invalid: use 1 to 10 analyses" },
    { list: Array(11).fill("latency"), problem: "the analysis is invalid: use 1 to 10 analyses" },
    {
      list: ["error-rate", "gone"],
      problem: "the analysis is invalid: ConfigMap shop/gone with the key analysis.yaml not found",
    },
    {
      list: ["error-rate", "broken"],
      problem: expect.stringMatching(/^the analysis is invalid: metrics: has 0 entries/),
    },
    {
      list: ["error-rate", "twice"],
      problem: "the analysis is invalid: metric error-rate is in several of its analyses; rename one",
    },
  ])("$list is checked before the canary starts: $problem", async ({ list, problem }) => {
    const ports = around(measuredBy(list), { analyses });
    const run = { subject: "canary", analysis: JSON.stringify(list), times: [] } as const;
    expect(await analysisProblem(ports, ports.cluster.get(), run)).toEqual(problem);
    // As the annotation of a policy.
    const written = { ...run, analysis: ` [${list.map((one) => JSON.stringify(one)).join(", ")}]` };
    expect(await analysisProblem(ports, ports.cluster.get(), written)).toEqual(problem);
  });
});
