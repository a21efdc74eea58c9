import type { QueryResult } from "../../../functions/domain/analysis/query-result.ts";
import { noon } from "../../support/workloads.ts";
import { step } from "../steps.ts";

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

export const good: QueryResult = { kind: "value", value: 0.002 };
export const bad: QueryResult = { kind: "value", value: 0.5 };
export const nothing: QueryResult = { kind: "none" };
