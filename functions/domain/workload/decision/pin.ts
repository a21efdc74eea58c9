import { hasCandidateGates } from "../../gates/candidate.ts";
import { hasOwnClaim } from "../record/current-version.ts";
import { isDigestPinned, tagOf } from "../../image/reference.ts";
import { type ImageTarget } from "../target/target.ts";
import type { Workload } from "../workload.ts";
import type { Decision } from "./decision.ts";

/**
 * Returns the target of a decision whose tag has to be resolved to a digest, which is written with it; null if there is none. A reference
 * keeps its form unless its owner wants another one. What an owner names by the whole image stays so, and a Claw has only tags.
 */
export function targetToPin(workload: Workload, decision: Decision): ImageTarget | null {
  if (decision.kind !== "update" || decision.target.kind !== "image") return null;
  if (hasOwnClaim(workload.record) || workload.requestedImage !== null) return null;
  return isWrittenWithDigest(workload) ? decision.target : null;
}

function isWrittenWithDigest({ policy, image, isPinnedByPawl }: Workload): boolean {
  const { pin } = policy;
  if (hasCandidateGates(policy)) return true;
  if (pin !== undefined) return pin === "digest";
  // A rollback of a restart pinned it; the next version ends that.
  return image !== null && isDigestPinned(image) && tagOf(image) !== "" && !isPinnedByPawl;
}
