import { type CheckRecord, recordCheck } from "./check-record.ts";
import { updateAvailable } from "./news.ts";
import type { Decision } from "./decision.ts";
import type { Workload } from "./workload.ts";

/**
 * What a poll writes and tells of what it decided. An update is only told of, once: what there is to write of it is
 * written by the step that applies it.
 */
export function consequencesOf(
  workload: Workload,
  decision: Exclude<Decision, { readonly kind: "adopt" }>,
  now: Date,
): CheckRecord {
  if (decision.kind !== "update") return recordCheck(workload, decision, now);
  const isKnown = workload.bookkeeping.availableVersion === decision.version;
  return { change: null, news: isKnown ? [] : [updateAvailable(workload, decision.version, decision.image)] };
}

/** Whether there is nothing to write and nothing to tell. */
export function isNothing({ change, news }: CheckRecord): boolean {
  return change === null && news.length === 0;
}
