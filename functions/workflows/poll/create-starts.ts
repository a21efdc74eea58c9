import type { Ports } from "../../contract/ports.ts";
import { selectedPollPrefix } from "../../domain/execution/poll-lease.ts";
import { noLimitSettings } from "../../domain/budget/limits.ts";
import { concurrencyOf, isBinding } from "../../domain/gates/limits/limit-settings.ts";
import type { StartFacts } from "../../domain/gates/limits/start-facts.ts";
import { createGrantedStarts } from "./fan-out/grant-starts.ts";
import { holdLease } from "./hold-lease.ts";
import { createStartLimiter, type LimiterOptions } from "./limit-starts.ts";
import type { StartLimiter } from "./start-limiter.ts";
import type { Warn } from "./report.ts";

interface Poll {
  readonly id: string;
  readonly startedAt: Date;
  readonly isComplete: boolean;
  readonly warn: Warn;
}

type StartPorts = Pick<Ports, "executions" | "pollLease" | "metrics" | "now"> & Partial<Pick<Ports, "limits">>;

/**
 * Creates what limits the starts of a poll in this process. A poll of selected workloads takes the Lease while its updates start, and
 * lists the running executions then: no other poll starts anything meanwhile.
 */
export function createStarts(
  ports: StartPorts,
  { id, startedAt, isComplete, warn }: Poll,
  { facts, workloads, executions }: Pick<LimiterOptions, "workloads" | "executions"> & { readonly facts: StartFacts },
): StartLimiter {
  const { limits: settings = noLimitSettings, now } = ports;
  const limits = concurrencyOf(settings, facts.optedIn);
  if (!isBinding(limits, facts)) return createGrantedStarts(null, [], now);
  const common = { limits, facts, workloads, now };
  if (isComplete) return createStartLimiter({ ...common, executions, takeLease: null });
  const takeLease = () => holdLease(ports, { id: `${selectedPollPrefix}${id}`, startedAt }, warn);
  return createStartLimiter({ ...common, executions: ports.executions, takeLease });
}
