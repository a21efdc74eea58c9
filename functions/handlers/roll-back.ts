import type { Task } from "../contract/task.ts";
import { isSyncPending } from "../domain/workload/git/git-claim.ts";
import { checkClaim } from "../domain/workload/update/claim.ts";
import { lambda } from "../runtime/lambda.ts";
import { endRestore, isRestoreOver } from "../workflows/workload-update/end-restore.ts";
import { releaseRefused } from "../workflows/workload-update/release-refused.ts";
import { reportRevert, revertUpdate, withdrawCanary } from "../workflows/workload-update/revert-update.ts";

/**
 * Restores the previous image and counts the failure of the version. Verdicts "withdraw" and "not-started": neither
 * counts nor blames it. After a refusal of the cluster (verdict "refused") it only releases a claim whose change was not written.
 */
export const rollBack: Task<"RollBack"> = async (ports, input) => {
  const { workload: ref, target } = input;
  const workload = await ports.cluster.read(ref);
  const claim = checkClaim(workload, input.execution, target);
  // Without its function, nothing more is written to git.
  const isCut = input.verdict === "disabled" && claim.kind === "held" && isSyncPending(claim.inFlight);
  const verdict = isCut ? "refused" : input.verdict;
  if (verdict === "refused") return releaseRefused(ports, workload, claim, input);
  if (workload !== null && isRestoreOver(workload, verdict)) await endRestore(ports, workload, input);
  else if (claim.kind === "held") await revertUpdate(ports, claim, input);
  else await withdrawCanary(ports, workload, input.execution);
  return reportRevert(ports, await ports.cluster.read(ref), claim, input);
};

export const handler = lambda({ rollBack });
