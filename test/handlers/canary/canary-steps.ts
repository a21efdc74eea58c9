import type { QueryResult } from "../../../functions/domain/analysis/query-result.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import type { FakeOptions } from "../../support/fake-ports.ts";
import { noon } from "../../support/workloads.ts";
import { around, expectSelectable, step } from "../steps.ts";

/** The input of StartCanary in execution e-1. */
export const canaryStep = { ...step, strategy: "canary" } as const;

/** The input of CheckCanary and AnalyzeCanary. */
export const checkStep = { ...canaryStep, executionStartedAt: noon.toISOString() };

/** One metric, measured three times, one minute apart; one failure fails it. */
export const errorRate = `
interval: 1m
count: 3
metrics:
  - name: error-rate
    query: errors
    threshold: 0.01
`;

export const value = (number: number): QueryResult => ({ kind: "value", value: number });
export const good = value(0.002);
export const bad = value(0.5);
export const nothing: QueryResult = { kind: "none" };

/** Analyzes a canary until it has a verdict, on a clock that advances by each wait. */
export async function runToVerdict(initial: Workload, options: FakeOptions) {
  const ports = around(initial, options);
  const kinds: string[] = [];
  for (let checks = 0; checks < 200; checks += 1) {
    const result = await analyzeCanary(ports, checkStep);
    expectSelectable("AnalyzeCanary", result);
    kinds.push(result.kind);
    if (result.kind !== "running") return { ports, kinds, result };
    ports.pass(result.waitSeconds);
  }
  throw new Error("no verdict after 200 checks");
}
