import type { Ports } from "../../contract/ports.ts";
import type { StepInput, StepResult } from "../../contract/workload-update.ts";
import { isAsWritten } from "../../domain/image/reference.ts";
import { isCommitFollowed } from "../../domain/workload/git/git-claim.ts";
import { rewriteReason } from "../../domain/workload/update/applied-image.ts";
import { backOffChange, isBackingOff, nextBackOff } from "../../domain/workload/update/back-off.ts";
import type { Change } from "../../domain/workload/update/change.ts";
import type { InFlight } from "../../domain/workload/update/in-flight.ts";
import type { Claim } from "../../domain/workload/update/claim.ts";
import { backOffEvent } from "../../domain/workload/event/events.ts";
import { recordRefusal, resumeRollback } from "../../domain/workload/rollback/rollback.ts";
import { isRestart, type Target } from "../../domain/workload/target/target.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { emitEvent } from "../emit-events.ts";
import { writeRevert } from "./write-revert.ts";

type RefusalPorts = Pick<Ports, "cluster" | "events" | "now">;

/**
 * Records that the cluster refused a change, blames nothing, and releases the claim. A change that was written stays, with its claim:
 * the poll backs off then. So does one whose commit may still come to the workload. It is reverted if a webhook made another image of it.
 */
export async function releaseRefused(
  ports: RefusalPorts,
  workload: Workload | null,
  claim: Claim,
  { target, adopting, reason }: Pick<StepInput, "target" | "adopting"> & { readonly reason: string },
): Promise<StepResult<"refused" | "superseded">> {
  if (workload === null) return { kind: "superseded", reason: "workload not found (deleted or recreated)" };
  const refused = { kind: "refused", reason } as const;
  const now = ports.now();
  if (claim.kind === "lost") {
    // The claim of a lost execution was not taken over. It stays, and the poll backs off.
    if (adopting && workload.inFlight !== null) return refused;
    const isOver = workload.inFlight !== null || workload.policy.optIn === "no" || isImageSet(workload, target);
    if (isOver) return { kind: "superseded", reason: claim.reason };
    if (isBackingOff(workload, target, now)) return refused;
    const change = backOffChange(nextBackOff(workload, target, "Refused", reason, now));
    await ports.cluster.change(workload, change);
    await reportBackOff(ports, workload, change);
    return refused;
  }
  const { inFlight } = claim;
  const refuse = (of: Workload, claimed: InFlight, why: string) => recordRefusal(of, claimed, why, now);
  const isRewritten = rewriteReason(inFlight) !== null;
  const isReleasing = inFlight.phase === "rollback" && (isRewritten || isBackingOff(workload, target, now));
  const isKept = (inFlight.isApplied !== false && !isRewritten) || isCommitFollowed(inFlight);
  if (!isReleasing && (inFlight.phase === "rollback" || isKept)) return refused;
  if (!isReleasing) await reportBackOff(ports, workload, await writeRevert(ports, workload, inFlight, reason, refuse));
  // Repeated: it recorded the refusal, and did not restore the image before it ended.
  else if (isRewritten && inFlight.isApplied === false)
    await writeRevert(ports, workload, inFlight, reason, (of, claimed) => resumeRollback(of, claimed, now));
  const after = await ports.cluster.read(workload.ref);
  if (after?.inFlight?.phase === "rollback") await ports.cluster.change(after, { inFlight: null });
  return refused;
}

/** Reports whether the image of an update is set. A restart sets none. */
function isImageSet({ image }: Workload, target: Target): boolean {
  return !isRestart(target) && isAsWritten(image ?? "", target.image);
}

/** Emits the Event of the series of a back-off that was written. */
async function reportBackOff(ports: RefusalPorts, workload: Workload, change: Change | null): Promise<void> {
  const event = change?.backOff ? backOffEvent(change.backOff) : null;
  if (event !== null) await emitEvent(ports, workload, event);
}
