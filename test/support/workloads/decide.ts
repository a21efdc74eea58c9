import type { Decision } from "../../../functions/domain/workload/decision/decision.ts";
import { decideWithoutTags } from "../../../functions/domain/workload/decision/decide.ts";
import { decideByTag } from "../../../functions/domain/workload/decision/decide-by-tag.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";

/** Returns the decision of a poll for a workload that is tracked by tag, with all tags of its source. */
export function decide(workload: Workload, tags: readonly string[] | null, now: Date): Decision {
  const early = decideWithoutTags(workload, now);
  return early.kind === "undecided" ? decideByTag(workload, early.source ?? "", tags ?? [], now) : early;
}
