import { canaryReplicas } from "../../../functions/domain/workload/canary/size.ts";
import { isDeepStrictEqual } from "node:util";
import { emptyUpdateRecord } from "../../../functions/domain/workload/record/update-record.ts";
import { requestedVerdict } from "../../../functions/domain/workload/request/request.ts";
import { withoutDigest } from "../../../functions/domain/image/reference.ts";
import type { TrackedContainer } from "../../../functions/domain/workload/digest/tracking.ts";
import { appendRelease } from "../../../functions/domain/workload/release/release.ts";
import { impliedState, recordedState } from "../../../functions/domain/state/recorded-state.ts";
import { fromEpoch } from "../../../functions/domain/text/rfc3339.ts";
import { appendAudit } from "../../../functions/domain/workload/audit/audit-entry.ts";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import { type InFlight, observe } from "../../../functions/domain/workload/update/in-flight.ts";
import type { Rollout, Workload } from "../../../functions/domain/workload/workload.ts";
import { hashLabelOf, pinnedImage, type Write } from "./split-writes.ts";
import { targetKey } from "../../../functions/domain/workload/target/target.ts";

/** Returns the workload after one write. Its pods match at once, and are ready unless their image is in `broken`. */
export function applyWrite(
  before: Workload,
  { to, change, isCreation }: Write,
  initialImage: string | null,
  broken: ReadonlySet<string>,
): Workload {
  if (isCreation) return { ...before, record: { ...before.record, resourceVersion: "r-1", state: "changed" } };
  if (change.deleteRecord) return withoutRecord(before);
  const changed = withChange(before, change, broken);
  const after = withRestart(withRollout(changed, initialImage, broken), change, broken);
  if (to === "canary") return after;
  const { resourceVersion, record } = before;
  if (to === "workload") return { ...withObservedClaim(after, change), resourceVersion: nextVersion(resourceVersion) };
  return {
    ...after,
    record: { ...record, resourceVersion: nextVersion(record.resourceVersion ?? "r-0"), state: "observed" },
  };
}

/** Returns the next of the versions `7` or `r-7`. */
function nextVersion(version: string): string {
  return version.replace(/\d+$/, (number) => String(Number(number) + 1));
}

const recordFields = [
  "inFlight",
  "updateRecord",
  "request",
  "lastRequest",
  "verdict",
  "canaryProgress",
  "analysis",
  "backOff",
  "lastReported",
  "evaluated",
] as const;

/** Returns a workload after a person has edited it, with new versions. Its AutoUpdate has one only if it differs. */
export function editedWorkload(before: Workload, after: Workload): Workload {
  const { resourceVersion } = before.record;
  const isRecordEdited = recordFields.some((field) => !isDeepStrictEqual(before[field], after[field]));
  const version = resourceVersion !== null && isRecordEdited ? nextVersion(resourceVersion) : resourceVersion;
  const record = { ...after.record, resourceVersion: after.record.resourceVersion && version };
  return { ...after, resourceVersion: nextVersion(before.resourceVersion), record };
}

/** A claim whose target the workload has is applied, whatever its record says. */
function withObservedClaim(workload: Workload, { restart }: Change): Workload {
  const { inFlight, image, releases } = workload;
  if (inFlight?.isApplied !== false || inFlight.phase === "rollback") return workload;
  const isTarget =
    inFlight.phase === "restart"
      ? restart !== undefined
      : inFlight.phase === "release"
        ? releases?.hash === inFlight.release?.hash
        : image === inFlight.target.image;
  return isTarget ? { ...workload, inFlight: { ...inFlight, isApplied: true } } : workload;
}

/** Returns the workload as it is read after its AutoUpdate was deleted. */
export function withoutRecord({ digests, evaluated: _evaluated, ...workload }: Workload): Workload {
  return {
    ...workload,
    record: { resourceVersion: null, state: "missing", isManaged: true, claimedElsewhereUntil: null },
    updateRecord: emptyUpdateRecord,
    backOff: null,
    inFlight: null,
    canaryProgress: null,
    analysis: null,
    verdict: null,
    request: null,
    lastRequest: null,
    lastReported: { held: null, problem: null },
    digests: digests && { ...digests, deployed: {}, external: digests.deployed, previous: [], reverted: null },
  };
}

/** Returns a stored workload as the port reads it: a canary only while one is recorded, or promoted, and one that is left over. */
export function viewOf(stored: Workload): Workload {
  const { inFlight, request } = stored;
  const verdict = stored.verdict ?? requestedVerdict(request, inFlight);
  if (stored.ref.kind !== "Deployment" || stored.canary === null) return { ...stored, verdict };
  const isRecorded = inFlight?.phase === "rollout" || (inFlight?.phase === "canary" && inFlight.isApplied !== false);
  return {
    ...stored,
    verdict,
    canary: isRecorded ? stored.canary : null,
    isCanaryLeft: inFlight === null,
  };
}

function withChange(workload: Workload, change: Change, broken: ReadonlySet<string>): Workload {
  const { inFlight, updateRecord, lastReported, canary, analysis, backOff, verdict } = change;
  const isCanaryOver = inFlight !== undefined && inFlight?.phase !== "canary";
  const image = changedImage(workload, change);
  const { digests } = workload;
  const after = {
    ...workload,
    ...(image === undefined ? {} : { image }),
    ...(inFlight === undefined ? {} : { inFlight: recordedInFlight(workload, inFlight) }),
    ...(inFlight === undefined ? { inFlight: notedInFlight(workload.inFlight, change) } : {}),
    ...releasesAfter(workload, change),
    ...(canary === undefined ? {} : { canary: canary && canaryRollout(workload, canary, broken) }),
    ...(canary === null ? { isCanaryLeft: false } : {}),
    ...(change.canaryProgress === undefined ? {} : { canaryProgress: change.canaryProgress }),
    ...(isCanaryOver ? { canaryProgress: null } : {}),
    ...(analysis === undefined ? {} : { analysis }),
    ...(backOff === undefined ? {} : { backOff }),
    ...(change.gates === undefined ? {} : { gates: change.gates }),
    ...(change.queuedSince === undefined ? {} : { queuedSince: change.queuedSince }),
    ...(change.candidates === undefined ? {} : { candidates: change.candidates }),
    ...(change.audit === undefined ? {} : { audit: appendAudit(workload.audit ?? [], change.audit) }),
    ...(change.auditedApprovals === undefined ? {} : { auditedApprovals: change.auditedApprovals }),
    ...(change.answer === undefined ? {} : { request: null, lastRequest: change.answer }),
    ...(inFlight === null ? { verdict: null } : verdict === undefined ? {} : { verdict }),
    ...(change.restart === undefined ? {} : { restartedAt: change.restart }),
    digests: change.removeFinalizer
      ? digests && { ...digests, isBlockedByFinalizer: false }
      : changeDigests(workload, change, image),
    ...(workload.config === undefined || change.config === undefined
      ? {}
      : { config: { ...workload.config, ...change.config } }),
    updateRecord: { ...workload.updateRecord, ...updateRecord },
    lastReported: { ...workload.lastReported, ...lastReported },
  };
  return { ...after, ...evaluatedAfter(workload, after, change) };
}

/** A check notes what it saw, and whether the execution sleeps. */
function notedInFlight(before: InFlight | null, change: Change): InFlight | null {
  const { observation, parked, health, failing, slow } = change;
  const isSlow = slow === undefined ? {} : { isSlow: slow };
  const seen = before && ({ ...before, ...(health === undefined ? {} : { health }), ...isSlow } as InFlight);
  const observed = seen !== null && observation !== undefined ? observe(seen, observation) : seen;
  const noted = observed === null || failing === undefined ? observed : withFailing(observed, failing);
  if (noted === null || noted.phase === "rollback" || parked === undefined) return noted;
  const { parked: _before, ...update } = noted;
  return parked === null ? update : { ...update, parked };
}

function withFailing(inFlight: InFlight, failing: string | null): InFlight {
  if (inFlight.phase === "rollback") return inFlight;
  const { failing: _before, ...update } = inFlight;
  return failing === null ? update : { ...update, failing };
}

/** The state is written with the rest of a record, once an evaluation was. */
function evaluatedAfter(before: Workload, after: Workload, { evaluated }: Change): Pick<Workload, "evaluated"> {
  if (evaluated === undefined && before.evaluated === undefined) return {};
  const isEnded = before.inFlight !== null && after.inFlight === null;
  const last = isEnded ? { evaluated: impliedState(after) } : {};
  return { evaluated: recordedState({ ...after, ...last }, fromEpoch(0), evaluated) };
}

/** Returns the releases after a change of the template, or after one was recorded. Its revision has its hash as its name. */
function releasesAfter({ releases, policy }: Workload, { template, release }: Change): Pick<Workload, "releases"> {
  if (releases === undefined) return {};
  const { list } = releases;
  return {
    releases: {
      hash: template === undefined ? releases.hash : hashLabelOf(template),
      list:
        release === undefined
          ? list
          : appendRelease(list, { ...release, revision: release.hash }, policy.keptReleases ?? 10),
    },
  };
}

/** Applies the recorded digests. Tracked containers that run the image get the new one. */
function changeDigests(
  { digests, image: before }: Workload,
  { digests: { deployed, previous, reverted, ran, manifests } = {} }: Change,
  image: string | null | undefined,
): Workload["digests"] {
  if (digests === null) return null;
  const moves = (container: TrackedContainer) => Boolean(image) && container.image === withoutDigest(before ?? "");
  return {
    ...digests,
    containers: digests.containers.map((container) =>
      moves(container) ? { ...container, image: withoutDigest(image ?? "") } : container,
    ),
    ...(deployed === undefined ? {} : { deployed: deployed ?? {} }),
    ...(previous === undefined ? {} : { previous }),
    ...(reverted === undefined ? {} : { reverted }),
    ...(ran === undefined ? {} : { ran }),
    ...(manifests === undefined ? {} : { manifests }),
  };
}

/** Recreates the pods of the same tag. Those of a digest in `broken` are not ready until the previous digest is pinned. */
function withRestart(workload: Workload, { restart, pins }: Change, broken: ReadonlySet<string>): Workload {
  const { inFlight, rollout } = workload;
  if (rollout === null || (restart === undefined && pins === undefined)) return workload;
  const isBroken = pins === undefined && inFlight !== null && broken.has(targetKey(inFlight.target));
  const generation = rollout.generation + 1;
  const readyReplicas = isBroken ? 0 : rollout.desiredReplicas;
  const image = pinnedImage(workload, pins ?? {});
  return {
    ...workload,
    image,
    source: workload.source && image,
    isPinnedByPawl: image !== withoutDigest(image ?? ""),
    rollout: { ...rollout, image, readyReplicas, generation, observedGeneration: generation },
  };
}

/** Returns the new image. A StatefulSet is its own canary: its template has the target from the start. */
function changedImage({ ref }: Workload, { image, canary, template }: Change): string | null | undefined {
  if (template !== undefined) return template.spec.containers[0]?.image ?? null;
  return ref.kind === "StatefulSet" && canary ? canary.image : image;
}

/** A Claw keeps only the execution and the target of an update that is rolled back. A claim that is written is not parked any more. */
function recordedInFlight({ ref }: Workload, inFlight: InFlight | null): InFlight | null {
  if (ref.kind === "Claw" && inFlight?.phase === "rollback")
    return { ...inFlight, startedAt: "malformed", previousImage: null };
  return inFlight && notedInFlight(inFlight, { parked: null });
}

function canaryRollout(
  { rollout }: Workload,
  { image, size }: NonNullable<Change["canary"]>,
  broken: ReadonlySet<string>,
): Rollout {
  const replicas = canaryReplicas(size, rollout?.desiredReplicas ?? 1);
  return {
    generation: 1,
    observedGeneration: 1,
    image,
    desiredReplicas: replicas,
    updatedReplicas: replicas,
    readyReplicas: broken.has(image) ? 0 : replicas,
    oldReplicas: 0,
  };
}

function withRollout(workload: Workload, initialImage: string | null, broken: ReadonlySet<string>): Workload {
  const { rollout } = workload;
  const image = workload.image ?? initialImage;
  if (rollout === null || rollout.image === image) return workload;
  const readyReplicas = broken.has(image ?? "") ? 0 : rollout.desiredReplicas;
  const generation = rollout.generation + 1;
  // A built-in kind tracks the repository of its own container, a Claw that of its runtime.
  const source = workload.ref.kind === "Claw" ? workload.source : image;
  return {
    ...workload,
    source,
    rollout: { ...rollout, image, readyReplicas, generation, observedGeneration: generation },
  };
}
