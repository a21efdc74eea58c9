import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { CanaryProgress } from "../../../../domain/workload/canary/canary-step.ts";
import type { CanaryStatus } from "./status-fields.ts";

const waits = [
  "Replicas",
  "Analysis",
  "Time",
  "Promotion",
  "NextStep",
] as const satisfies readonly CanaryProgress["waitsFor"][];

/** Returns the progress of a canary as a status has it. */
export function toCanaryStatus({ since, until, ...progress }: CanaryProgress): CanaryStatus {
  return { ...progress, since: formatRfc3339(since), ...(until === null ? {} : { until: formatRfc3339(until) }) };
}

/** Reads the progress of a canary; null if there is none, and if a field has no valid value. */
export function fromCanaryStatus(status: CanaryStatus | undefined): CanaryProgress | null {
  const since = parseRfc3339(status?.since ?? "");
  const waitsFor = waits.find((one) => one === status?.waitsFor);
  if (status === undefined || since === null || waitsFor === undefined) return null;
  return { ...status, waitsFor, since, until: parseRfc3339(status.until ?? "") };
}
