import type { ClusterConfig } from "../../config/schema.ts";
import type { FunctionSpec } from "./function-spec.ts";
import { functionSpecs, type HandlerName } from "./function-specs.ts";

type Reservation = Pick<ClusterConfig, "writerReservedConcurrency">;

/** The least that an event source of SQS may have. */
export const queueConcurrency = 2;

/** Limits polls to one of the schedule and those of pushes at a time, and writers to protect the API server. The machine's waits limit readers. */
export function reservedConcurrencyFor(
  handler: HandlerName,
  { writerReservedConcurrency }: Reservation,
): number | null {
  const { group }: FunctionSpec = functionSpecs[handler];
  if (writerReservedConcurrency === null) return null;
  if (handler === "poll") return 1 + queueConcurrency;
  return group === null || group === "pawl:pollers" ? null : writerReservedConcurrency;
}

/** Returns the reserved concurrency of all functions of a cluster. */
export function reservedConcurrencyOf(cluster: Reservation, handlers: readonly HandlerName[]): number {
  return handlers.reduce((sum, handler) => sum + (reservedConcurrencyFor(handler, cluster) ?? 0), 0);
}
