import type { UpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { isSameImage } from "../../../functions/domain/image/reference.ts";
import { isMove, type TemplateChange, templateChanges } from "../record/images.ts";
import type { Observed } from "../record/facts.ts";
import type { Story } from "./violation.ts";

/** Returns what Pawl wrote to a workload without a claim on it, or over what a person chose. */
export function checkWrites({ facts }: Story): readonly string[] {
  const scaled = facts.some(({ fact }) => fact.kind === "workload" && fact.isScaledByPawl);
  const moves = templateChanges(facts).filter((change) => isMove(change) && change.by === "Pawl");
  return [
    ...(scaled ? ["Pawl set the number of replicas"] : []),
    ...moves.flatMap((move) => checkMove(move, updateAt(facts, move.revision))),
  ];
}

/** Returns the update in flight as it was stored before a revision. */
function updateAt(facts: readonly Observed[], revision: number): UpdateStatus | undefined {
  const last = facts.findLast((observed) => observed.revision < revision && observed.fact.kind === "record");
  return last?.fact.kind === "record" ? last.fact.status.update : undefined;
}

function checkMove({ before, after, revision }: TemplateChange, update: UpdateStatus | undefined): readonly string[] {
  const what = `Pawl set ${after.image} instead of ${before.image} (revision ${revision})`;
  if (update === undefined) return [`${what} without a claim`];
  const { target, previousImage = "", replacedImage = previousImage, phase, strategy, parked } = update;
  if (strategy === "Restart") return [];
  // A parked update is reverted before a newer one begins. One that takes the place of another finds the image of that one.
  const isReverted = phase === "RollingBack" || (parked !== undefined && isSameImage(after.image, previousImage));
  const [from, to] = isReverted ? [target.image, previousImage] : [replacedImage, target.image];
  if (!isSameImage(after.image, to)) return [`${what}, and the claim was to set ${to}`];
  return isSameImage(before.image, from) ? [] : [`${what}, and the claim was on ${from}: a manual change was lost`];
}
