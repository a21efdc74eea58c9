import { holdByGate, passGates } from "../../gates/gates.ts";
import { scheduleGate } from "../../gates/schedule.ts";
import { suspendedGate } from "../../gates/suspended.ts";
import { claimBackOff } from "../update/back-off.ts";
import { describeSuperseded, isManagedChange } from "./manual-change.ts";
import { afterProblems } from "../../gates/after.ts";
import { canaryProblems } from "../canary/canary.ts";
import { type Decision, hold } from "./decision.ts";
import { isDigestPinned, tagOf } from "../../image/reference.ts";
import { pinProblems } from "./pin.ts";
import { decideRequest } from "../request/request.ts";
import type { InFlight } from "../update/in-flight.ts";
import { versioningProblems } from "./versioning-problems.ts";
import type { Workload } from "../workload.ts";

/** The registry must be queried before a decision. */
interface Undecided {
  readonly kind: "undecided";
  /** The image whose tags to list; null if only digests or the configuration are tracked. */
  readonly source: string | null;
}

/** Decides what needs no answer of a registry. */
export function decideWithoutTags(workload: Workload, now: Date): Decision | Undecided {
  const { inFlight, policy, problems, source } = workload;
  const requested = workload.record.claimedElsewhereUntil === null ? decideRequest(workload) : null;
  if (requested !== null) return requested;
  if (workload.digests?.isBlockedByFinalizer)
    return hold("being-deleted", "the workload is being deleted and waits for a finalizer");
  if (inFlight !== null) return decideInFlight(workload, inFlight, now);
  if (workload.isCanaryLeft) return hold("canary-left", "a canary without a recorded update is removed first");
  if (policy.optIn === "no") return hold("disabled", "auto-update is disabled");
  const allProblems = [
    ...problems,
    ...canaryProblems(workload),
    ...versioningProblems(workload),
    ...afterProblems(workload),
    ...pinProblems(workload),
  ];
  if (allProblems.length > 0) return { kind: "problem", problems: allProblems };
  if (workload.requestedImage !== null) return decideRequestedImage(workload, workload.requestedImage, now);
  const { digests, config } = workload;
  const isTracked = config !== undefined || (digests !== null && digests.containers.length > 0);
  if (source === null && digests === null && config === undefined)
    return hold("no-published-image", "no other image is published or requested");
  const isTagPinned = source === null || isPinnedByOwner(workload);
  if (isTagPinned && !isTracked) return hold("digest-pinned", `${workload.image} is pinned by digest`);
  const held = holdByGate(workload, null, now, suspendedGate, scheduleGate);
  return held ?? { kind: "undecided", source: isTagPinned ? null : source };
}

/** Reports whether the owner pinned the image by a digest without a tag. Beside a tag, which is its version, it is pinned no more than that. */
export function isPinnedByOwner({ image, isPinnedByPawl }: Pick<Workload, "image" | "isPinnedByPawl">): boolean {
  return image !== null && isDigestPinned(image) && tagOf(image) === "" && !isPinnedByPawl;
}

/** Decides for a workload whose owner names the whole image: no tags to list, no versions to compare. */
function decideRequestedImage(workload: Workload, image: string, now: Date): Decision {
  return passGates(workload, { kind: "update", target: { kind: "image", image } }, now, suspendedGate);
}

/**
 * Adopts an update in flight, or holds if a person changed the workload since: the claim ends, the person's image
 * stays.
 */
function decideInFlight(workload: Workload, inFlight: InFlight, now: Date): Decision {
  const { policy } = workload;
  if (workload.record.claimedElsewhereUntil !== null) return { kind: "adopt", inFlight };
  if (inFlight.execution === null && policy.optIn === "no") return hold("disabled", "auto-update is disabled");
  if (inFlight.execution === null || isManagedChange(workload, inFlight)) {
    const held = isEndedByPerson(workload, inFlight) ? null : claimBackOff(workload, inFlight, now);
    return held ?? { kind: "adopt", inFlight };
  }
  return hold("manual-change", describeSuperseded(workload, inFlight));
}

/** Reports whether a person promotes, aborts or disables an update: that does not wait for a back-off. A rollback that has begun does. */
function isEndedByPerson({ verdict, policy }: Workload, { phase }: InFlight): boolean {
  return phase !== "rollback" && (verdict !== null || policy.optIn === "no");
}
