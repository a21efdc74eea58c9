import type { Ports } from "../../contract/ports.ts";
import type { TaskInput } from "../../contract/workload-update.ts";
import { isHeldElsewhere } from "../../domain/workload/update/claim.ts";
import { isManagedChange } from "../../domain/workload/decision/manual-change.ts";
import { dropRestore, recordRevertFailure } from "../../domain/workload/release/record-restore.ts";
import { isSameTarget } from "../../domain/workload/target/target.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import type { InFlight } from "../../domain/workload/update/in-flight.ts";
import type { Workload } from "../../domain/workload/workload.ts";

/** Reports whether `restore-release` cannot continue a release: its template is deleted, or the deployment disables releases. */
export function isRestoreOver({ inFlight }: Workload, verdict: string): boolean {
  return inFlight?.release !== undefined && (verdict === "unrestorable" || verdict === "disabled");
}

/**
 * Ends a release that cannot be continued, also that of a lost execution: nobody else can. If its template was not written, nothing
 * has happened. Does nothing if another execution holds the claim, or a person has changed the template.
 */
export async function endRestore(
  { cluster, now }: Pick<Ports, "cluster" | "now">,
  workload: Workload,
  { target, execution, adopting, reason }: TaskInput<"RollBack">,
): Promise<void> {
  const { inFlight } = workload;
  if (inFlight === null || isHeldElsewhere(workload) || !isSameTarget(inFlight.target, target)) return;
  if (inFlight.execution !== execution && !adopting) return;
  if (!isManagedChange(workload, inFlight)) return;
  await cluster.change(workload, endingChange(workload, { ...inFlight, execution }, reason, now()));
}

function endingChange(workload: Workload, inFlight: InFlight, reason: string, now: Date): Change {
  const isWritten = inFlight.isApplied !== false;
  // It was reverted, and only its pods are still waited for.
  if (inFlight.phase === "rollback" && isWritten) return { inFlight };
  return inFlight.phase === "rollback" || isWritten
    ? recordRevertFailure(workload, inFlight, reason, now)
    : dropRestore(workload, inFlight, reason);
}
