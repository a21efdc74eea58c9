import type { Decision } from "../../functions/domain/decision.ts";
import { decideWithoutTags } from "../../functions/domain/poll-decision.ts";
import { decideByTag } from "../../functions/domain/tag-decision.ts";
import type { Workload } from "../../functions/domain/workload.ts";

/** What a poll does about a workload that is followed by tag, with these as all tags of its source. */
export function decide(workload: Workload, tags: readonly string[] | null, now: Date): Decision {
  const early = decideWithoutTags(workload, now);
  return early.kind === "undecided" ? decideByTag(workload, early.source ?? "", tags ?? []) : early;
}
