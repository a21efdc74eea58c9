import { parseImageReference, type ImageReference } from "../domain/image-reference.ts";
import { type Decision, decide, decideWithoutTags } from "../domain/poll-decision.ts";
import type { Workload } from "../domain/workload.ts";

/** Decides about one workload, asking its registry only where the tags matter. Throws what the registry throws. */
export async function look(
  workload: Workload,
  listTags: (image: ImageReference) => Promise<readonly string[]>,
  now: Date,
): Promise<Decision> {
  const early = decideWithoutTags(workload, now);
  if (early.kind !== "undecided") return early;
  const source = parseImageReference(early.source);
  if ("kind" in source) return { kind: "problem", problems: [`image "${early.source}": ${source.reason}`] };
  return decide(workload, await listTags(source), now);
}
