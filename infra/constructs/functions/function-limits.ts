import { divideRates } from "../../../functions/domain/budget/aws-rates.ts";
import type { LimitsConfig } from "../../config/schema.ts";
import type { Capability } from "./function-spec.ts";
import type { HandlerName } from "./function-specs.ts";

/** `MaxConcurrency` of the machine `poll-fanout`. */
const concurrentBatches = 16;

const requesting = ["executions", "pool-executions", "events"] as const satisfies readonly Capability[];

/** Returns what a function needs of the limits. Batches of a poll run at a time, and share the rates. */
export function limitsFor(
  handler: HandlerName,
  capabilities: readonly Capability[],
  limits: LimitsConfig,
): LimitsConfig {
  if (handler === "poll-batch") return { ...limits, aws: divideRates(limits.aws, concurrentBatches) };
  if (capabilities.includes("polls")) return limits;
  return limits.aws && requesting.some((one) => capabilities.includes(one)) ? { aws: limits.aws } : {};
}
