import type { Ports } from "../../contract/ports.ts";
import { withAddition } from "../../domain/health/evidence.ts";
import { versionNameOf } from "../../domain/image/reference.ts";
import { revertByGit } from "../../domain/workload/git/git-claim.ts";
import { isRestart } from "../../domain/workload/target/target.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import type { InFlight } from "../../domain/workload/update/in-flight.ts";
import { withoutPrevious } from "../../domain/workload/update/verified-change.ts";
import type { Workload } from "../../domain/workload/workload.ts";

/** Returns the change that reverts an update for this reason; null if it is written already. */
type PlanRevert = (workload: Workload, inFlight: InFlight, reason: string) => Change | null;

/**
 * Writes the revert of an update, and returns it. If an enforced rule does not allow what ran before, nothing is restored: the update ends without a verdict, its
 * reason says so, and a verified version may replace the image that failed. Waiting for an image that nobody can verify would be harder than that.
 */
export async function writeRevert(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  workload: Workload,
  inFlight: InFlight,
  reason: string,
  plan: PlanRevert,
): Promise<Change | null> {
  async function write(planned: Change | null): Promise<Change | null> {
    const change = planned && revertByGit(inFlight, planned, now());
    if (change !== null) await cluster.change(workload, change);
    return change;
  }

  try {
    return await write(plan(workload, inFlight, reason));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ImageNotVerified") throw error;
    const why = `${previousName(inFlight)} is not restored: it is not verified, and no revision of the workload has it`;
    const unknown = withoutPrevious(workload, withReason(inFlight, why));
    const { image: _image, ...kept } = plan(unknown.workload, unknown.inFlight, withAddition(reason, why)) ?? {};
    return write(kept);
  }
}

function previousName({ target, previousImage }: InFlight): string {
  return isRestart(target) || previousImage === null ? "the previous digest" : versionNameOf(previousImage);
}

/** A rollback that was interrupted has its reason in its claim. */
function withReason(inFlight: InFlight, addition: string): InFlight {
  if (inFlight.phase !== "rollback" || inFlight.suspect === undefined) return inFlight;
  const { suspect } = inFlight;
  return { ...inFlight, suspect: { ...suspect, reason: withAddition(suspect.reason, addition) } };
}
