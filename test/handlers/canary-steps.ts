import type { Reading } from "../../functions/domain/analysis/reading.ts";
import { noon } from "../support/workloads.ts";
import { step } from "./steps.ts";

/** What StartCanary is given by execution e-1. */
export const canaryStep = { ...step, strategy: "canary" } as const;

/** What CheckCanary and AnalyzeCanary are given. */
export const look = { ...canaryStep, executionStartedAt: noon.toISOString() };

/** One metric, measured three times, a minute apart; one failure is too many. */
export const errorRate = `
interval: 1m
count: 3
metrics:
  - name: error-rate
    query: errors
    threshold: 0.01
`;

export const good: Reading = { kind: "value", value: 0.002 };
export const bad: Reading = { kind: "value", value: 0.5 };
export const nothing: Reading = { kind: "none" };
