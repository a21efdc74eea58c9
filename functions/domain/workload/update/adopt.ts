import { isAsWritten, replaceTag, isSameImage } from "../../image/reference.ts";
import { hasOwnClaim } from "../record/current-version.ts";
import { describeManualChange, describeSuperseded, isManagedChange } from "../decision/manual-change.ts";
import { pinFailure } from "../decision/pin.ts";
import { isSynced } from "../git/decide-sync.ts";
import { claimForGit, isSyncPending, recordSynced } from "../git/git-claim.ts";
import { isPreHookPending } from "../hook/run-hook.ts";
import { promotedCanary } from "../canary/health.ts";
import { beginStep, currentSize } from "../canary/progress.ts";
import { describeTarget } from "../target/describe-target.ts";
import { isRefused, type VerificationOutcome } from "../../signature/outcome.ts";
import type { RuleScope } from "../../signature/rule.ts";
import { writeDigests } from "../digest/written-digests.ts";
import { writtenImage, isSameTarget, type Target } from "../target/target.ts";
import type { InFlight } from "./in-flight.ts";
import type { Workload } from "../workload.ts";
import type { Change } from "./change.ts";
import { rewriteReason } from "./applied-image.ts";
import {
  describeOtherTarget,
  heldElsewhere,
  isHeldElsewhere,
  releaseChange,
  withDigestOf,
  withheldReason,
} from "./claim.ts";

/** How the execution continues that adopts an update, and what it writes for it. */
interface Adoption {
  /** "hook": the update waits for the hook before it. "sync": for the image that git names. "abort": it is rolled back. */
  readonly kind: "adopted" | "canary" | "hook" | "sync" | "abort" | "superseded";
  readonly reason: string;
  readonly change: Change | null;
  /** Whether the pods are deleted that earlier updates left and that block this one. */
  readonly freesPods: boolean;
}

/**
 * Takes over an update in flight without a live execution. If a person set the annotations on a kind that runs its own
 * template, the image is set too; an image that changed under an execution's claim stays.
 */
export function adopt(
  workload: Workload | null,
  execution: string,
  target: Target,
  now: Date,
  isAborted = false,
  verification?: VerificationOutcome,
  scopes: readonly RuleScope[] = [],
): Adoption {
  if (workload === null) return lost("workload not found (deleted or recreated)");
  if (workload.inFlight === null) return lost("the update is no longer in flight");
  const inFlight = withDigestOf(workload.inFlight, target);
  if (isHeldElsewhere(workload)) return lost(heldElsewhere);
  if (!isSameTarget(inFlight.target, target)) return lost(describeOtherTarget(inFlight));
  const unpinned = pinFailure(workload, target, verification);
  if (unpinned !== null) return lost(unpinned);
  const { phase } = inFlight;
  const isManualChange = !isManagedChange(workload, inFlight);
  if (isAborted && hasOwnClaim(workload.record)) {
    if (isManualChange) return withdraw(workload, inFlight);
    if (phase !== "canary") return lost("the manual change was reverted");
  }
  // A canary that its owner stopped is not created any more.
  const canary =
    isAborted || workload.verdict === "abort" || isRefused(verification)
      ? null
      : canaryToCreate(workload, inFlight, now);
  const isSync = phase !== "rollback" && isSyncPending(inFlight);
  const isPending = isSync || (inFlight.isApplied === false && phase !== "rollback");
  const adopted = (change: Change | null) => continueAdopted(inFlight, change, isAborted, isManualChange);
  const isRewritten = rewriteReason(inFlight) !== null;
  if (inFlight.execution === execution && canary === null && !isPending && !isRewritten) return adopted(null);
  // A canary beside a workload that a person has changed is removed, and the workload stays as it is.
  const isWithdrawn = isAborted && phase === "canary";
  if (isManualChange && inFlight.execution !== null && !isWithdrawn)
    return lost(describeManualChange(workload, inFlight));
  // The health timeout counts from the change, which is still to come. Repeated, it keeps its own claim.
  const isOwn = inFlight.execution === execution;
  const startedAt = isPending && !isOwn ? now : inFlight.startedAt;
  const own = { ...inFlight, startedAt, execution, previousImage: inferPreviousImage(workload, inFlight) };
  const withheld = withheldReason(workload, inFlight, verification, scopes);
  if (withheld !== null) return { kind: "abort", reason: withheld, change: { inFlight: own }, freesPods: false };
  // Also in a deployment that commits no more.
  if (isSync && !isAborted && isSynced(inFlight, workload.image)) return adopted(recordSynced(own, now));
  // Only its own claim is taken over: its hook may still fail.
  if ((isPreHookPending(inFlight) || isSync) && !isAborted) return adopted(isOwn ? null : { inFlight: own });
  const chosen =
    isManualChange && phase === "rollout" && !isRefused(verification) ? { image: writtenImage(target) } : {};
  const claimed = isPending ? claimedChange(workload, own) : {};
  return adopted(claimForGit(workload, { ...chosen, ...claimed, ...canary, inFlight: own }, now));
}

function continueAdopted(
  inFlight: InFlight,
  change: Change | null,
  isAborted: boolean,
  isManualChange: boolean,
): Adoption {
  // Recorded, because another execution may have to finish the rollback. A person who changed the image may change it back.
  const aborted = isManualChange ? change : change && { ...change, verdict: "abort" as const };
  if (isAborted)
    return { kind: "abort", reason: "the execution of the canary was stopped", change: aborted, freesPods: false };
  const reason = `adopted the ${describeTarget(inFlight.target)}`;
  if (isPreHookPending(inFlight))
    return { kind: "hook", reason: `${reason}, which waits for its hook`, change, freesPods: false };
  if (isSyncPending(change?.inFlight ?? inFlight))
    return { kind: "sync", reason: `${reason}, which waits for git`, change, freesPods: false };
  const { phase } = inFlight;
  return { kind: phase === "canary" ? "canary" : "adopted", reason, change, freesPods: phase !== "rollback" };
}

/** The claim is on the workload itself, so it need not be taken first. */
function withdraw(workload: Workload, inFlight: InFlight): Adoption {
  const held = describeSuperseded(workload, inFlight);
  const change = { ...releaseChange(workload, inFlight), lastReported: { held } };
  return { kind: "superseded", reason: held, change, freesPods: false };
}

/** Returns the change that was claimed, and not written before its execution ended. */
function claimedChange(workload: Workload, own: InFlight): Change {
  const { phase, target, startedAt } = own;
  const { digests } = workload;
  if (phase === "canary" || startedAt === "malformed") return {};
  // Its record is written; kubernetes-image-updater reads it on the workload.
  const known = digests === null ? {} : { digests: { deployed: digests.deployed } };
  return phase === "restart"
    ? { restart: startedAt, ...known, ...writeDigests(workload, own) }
    : { image: writtenImage(target), ...promotedCanary(workload), ...known };
}

/**
 * Returns the canary to create: its execution was stopped before it created one of this image. If its owner has changed the pod
 * template since, it begins again: none of its steps has tested this one.
 */
function canaryToCreate(workload: Workload, { phase, target }: InFlight, now: Date): Change | null {
  const { canary, policy, rollout } = workload;
  // If a person edited the target, the canary runs another image, which proves nothing about this one.
  const exists = canary !== null && (canary.image === null || isAsWritten(canary.image, writtenImage(target)));
  const canaryProgress = rollout?.isTemplateEdited ? beginStep(policy, 1, now) : workload.canaryProgress;
  const size = currentSize({ policy, canaryProgress });
  if (phase !== "canary" || exists || size === null) return null;
  const again = rollout?.isTemplateEdited ? { canaryProgress, analysis: null } : {};
  return { canary: { image: writtenImage(target), size }, ...again };
}

/** Infers the previous image from the best evidence: annotations that a person set do not record it. */
function inferPreviousImage(workload: Workload, inFlight: InFlight): string | null {
  if (inFlight.execution !== null) return inFlight.previousImage;
  const { image } = inFlight.target;
  const running = workload.rollout?.image ?? null;
  if (running !== null && !isSameImage(running, image)) return running;
  const { currentVersion } = workload.updateRecord;
  if (currentVersion === null) return null;
  const recorded = replaceTag(image, currentVersion);
  return isSameImage(recorded, image) ? null : recorded;
}

function lost(reason: string): Adoption {
  return { kind: "superseded", reason, change: null, freesPods: false };
}
