import { circuitGate } from "../../gates/circuit.ts";
import { holdByGate } from "../../gates/gates.ts";
import { compareDigests, currentDigests, type DigestComparison, type ObservedDigests } from "./compare-digests.ts";
import { isSameDigests } from "./digests.ts";
import { isSameImage, withoutDigest } from "../../image/reference.ts";
import { maxManifests } from "../decision/pin.ts";
import { type Decision, type DigestUpdate, type Hold, hold, isUpToDate } from "../decision/decision.ts";
import type { Digests, DigestTracking, Manifests, TrackedContainer } from "./tracking.ts";
import { type Target, versionOfTarget } from "../target/target.ts";
import type { Workload } from "../workload.ts";

/** Returns the tracked containers with the images that they will run: those that an update moves, at their new tag. */
export function plannedContainers(workload: Workload, byTag: Decision | null): readonly TrackedContainer[] {
  const containers = workload.digests?.containers ?? [];
  if (byTag?.kind !== "update") return containers;
  const { image } = byTag.target;
  const moving = withoutDigest(workload.image ?? "");
  return containers.map((one) =>
    !one.excludedFromTagUpdates && isSameImage(one.image, moving) ? { ...one, image } : one,
  );
}

/**
 * Decides for a workload that is tracked by digest; `byTag` is the decision by its tags, null if it is not tracked by
 * tag. The highest tag is applied first, together with its digests.
 */
export function decideByDigest(workload: Workload, byTag: Decision | null, seen: ObservedDigests, now: Date): Decision {
  const tracking = workload.digests;
  if (tracking === null) return byTag ?? hold("disabled", "no container is tracked");
  const digests = currentDigests(seen);
  const manifests = knownManifests(tracking, seen);
  if (byTag?.kind === "update") return { ...byTag, digests, ...manifests };
  if (byTag !== null && byTag.kind !== "hold") return byTag;
  const verdict = compareDigests(tracking, seen, now);
  const decision =
    verdict.kind === "changed"
      ? decideRestart(
          workload,
          byTag,
          { targets: changedTargets(tracking, verdict.changed, digests), digests, ...manifests },
          now,
        )
      : byTag === null || (verdict.kind === "reverted" && isUpToDate(byTag))
        ? { ...byTag, ...holdUnchanged(verdict) }
        : byTag;
  return decision.kind === "hold" ? { ...decision, ...digestUpdate(tracking, verdict, digests) } : decision;
}

function holdUnchanged({ kind }: DigestComparison): Hold {
  return kind === "reverted"
    ? hold("reverted-digest", "a tag moved back to a previously deployed digest; waiting 1 h before applying")
    : hold("same-digest", "all tags still resolve to the deployed digests");
}

/** Returns what to record. Previous digests are confirmed only if every poll observed them. */
function digestUpdate(
  { reverted }: DigestTracking,
  verdict: DigestComparison,
  digests: Digests,
): { readonly digests?: DigestUpdate } {
  if (verdict.kind === "adopted") return { digests: { deployed: digests, reverted: null } };
  if (verdict.kind !== "reverted") return reverted === null ? {} : { digests: { reverted: null } };
  const isKnown = reverted !== null && isSameDigests(reverted.digests, verdict.digests);
  return isKnown ? {} : { digests: { reverted: verdict.digests } };
}

interface Changed {
  readonly targets: readonly Target[];
  readonly digests: Digests;
  readonly manifests?: Manifests;
}

/**
 * Decides a restart; a hold by tag takes precedence. A failed digest is not applied together with another one either.
 */
function decideRestart(workload: Workload, byTag: Hold | null, { targets, ...changed }: Changed, now: Date): Decision {
  const target = targets[0] as Target;
  const { failedVersions } = workload.updateRecord;
  const held = holdByGate(workload, target, now, circuitGate);
  if (held !== null) return byTag?.reason === held.reason ? byTag : held;
  const failed = targets.map(versionOfTarget).find((one) => failedVersions.includes(one));
  if (failed === undefined) return { kind: "update", target, ...changed };
  const isOnlyFailed = byTag === null || isUpToDate(byTag);
  return isOnlyFailed ? { ...byTag, ...hold("newer-failed", `${failed} has failed before`) } : byTag;
}

/** Returns the digests that the pods of changed containers may report. */
function knownManifests(
  { deployed }: DigestTracking,
  { tagDigests }: ObservedDigests,
): { readonly manifests?: Manifests } {
  const entries = Object.entries(tagDigests).filter(
    ([name, all]) => all[0] !== deployed[name] && all.length <= maxManifests,
  );
  return entries.length === 0 ? {} : { manifests: Object.fromEntries(entries) };
}

/** Returns what the changed containers will run. */
function changedTargets(
  { containers }: DigestTracking,
  changed: readonly string[],
  digests: Digests,
): readonly Target[] {
  const moved = containers.filter(({ name }) => changed.includes(name));
  return moved.map(({ name, image }) => ({ kind: "digest", image, digest: digests[name] as string }));
}
