import type { Moment } from "./attempts.ts";
import type { Observed, WorkloadFact } from "./facts.ts";

/** A change of the pod template. */
export interface TemplateChange extends Moment {
  readonly by: "Pawl" | "person";
  readonly before: WorkloadFact;
  readonly after: WorkloadFact;
}

/** Returns the changes of a workload's image, or of its restarts, in order. */
export function templateChanges(facts: readonly Observed[]): readonly TemplateChange[] {
  let before: WorkloadFact | null = null;
  return facts.flatMap(({ at, revision, fact }) => {
    if (fact.kind !== "workload") return [];
    const known = before;
    before = fact;
    if (known === null) return [];
    const isMoved = known.image !== fact.image;
    if (!isMoved && known.restartedAt === fact.restartedAt) return [];
    const isByPawl = isMoved ? fact.isImageByPawl : fact.isRestartByPawl;
    return [{ at, revision, by: isByPawl ? "Pawl" : "person", before: known, after: fact } satisfies TemplateChange];
  });
}

export function isMove({ before, after }: TemplateChange): boolean {
  return before.image !== after.image;
}
