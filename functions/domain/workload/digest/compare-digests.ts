import { secondsBetween } from "../../text/rfc3339.ts";
import type { Workload } from "../workload.ts";
import { changedContainers, isSameDigests } from "./digests.ts";
import type { ContainerDigest, Digests, DigestTracking } from "./tracking.ts";

/** What one poll observed of the tracked containers, in the registries and, if needed, in the pods. */
export interface ObservedDigests {
  /** By container: the digest of its tag first, then those of the manifests of its index if they were queried. */
  readonly tagDigests: Readonly<Record<string, readonly string[]>>;
  /** The digests that the pods report; null if they were not queried. */
  readonly running: readonly ContainerDigest[] | null;
}

export type DigestComparison =
  | { readonly kind: "same" }
  /** Restart the workload; `changed` names at least one container: all of them if one is no longer tracked. */
  | { readonly kind: "changed"; readonly changed: readonly string[] }
  /** No restart is needed, and the observed digests become the deployed ones. */
  | { readonly kind: "adopted" }
  /** Tags moved back to digests that the workload ran before, which is confirmed after `revertConfirmationSeconds`. */
  | { readonly kind: "reverted"; readonly digests: Digests };

/**
 * How long a tag must resolve to a previous digest, at every poll, before it is applied. Without it, a registry with
 * inconsistent replicas, or a tag that moves back and forth, would restart the workload at every poll.
 */
const revertConfirmationSeconds = 3600;

/** Returns the digest that each tag resolves to. */
export function currentDigests({ tagDigests }: ObservedDigests): Digests {
  return Object.fromEntries(Object.entries(tagDigests).flatMap(([name, [digest]]) => (digest ? [[name, digest]] : [])));
}

/**
 * Compares the observed digests with the deployed ones. A different digest, a new container and a container that is no
 * longer tracked each count as a change (the rule of kubernetes-image-updater). If none is tracked any more, no
 * restart is needed.
 */
export function compareDigests(tracking: DigestTracking, seen: ObservedDigests, now: Date): DigestComparison {
  const current = currentDigests(seen);
  const names = Object.keys(current);
  if (names.length === 0 || isSameDigests(tracking.deployed, current)) return { kind: "same" };
  const known = ofTags(knownDigests(tracking, current), seen);
  if (isSameDigests(known, current)) return { kind: "adopted" };
  const changed = changedContainers(known, current);
  const unknown = changed.filter((name) => !runsTagDigest(name, { ...tracking, deployed: known }, seen));
  const isAdopted = tracking.initialDigestPolicy === "adopt" && unknown.length === 0;
  if (isAdopted) return { kind: "adopted" };
  const reverted = unknown.filter((name) => tracking.previous.some((before) => before[name] === current[name]));
  if (unknown.length > 0 && reverted.length === unknown.length) {
    const digests = Object.fromEntries(reverted.map((name) => [name, current[name] as string]));
    if (!isConfirmed(digests, tracking, now)) return { kind: "reverted", digests };
  }
  return { kind: "changed", changed: unknown.length > 0 ? unknown : names };
}

/** Returns known digests with that of the index in place of a manifest that it lists: pods report the one or the other. */
function ofTags(known: Digests, { tagDigests }: ObservedDigests): Digests {
  const isListed = (name: string, digest: string) => tagDigests[name]?.includes(digest);
  const entries = Object.entries(known).map(([name, digest]) => [
    name,
    isListed(name, digest) ? tagDigests[name]?.[0] : digest,
  ]);
  return Object.fromEntries(entries);
}

/** Returns the deployed digests; what kubernetes-image-updater recorded counts if nothing else is, or if the tag is there. */
function knownDigests({ deployed, external = {} }: DigestTracking, current: Digests): Digests {
  if (Object.keys(deployed).length === 0 || isSameDigests(external, current)) return external;
  const matching = Object.entries(external).filter(([name, digest]) => digest === current[name]);
  return { ...deployed, ...Object.fromEntries(matching) };
}

/**
 * Reports whether every pod runs the image of the tag, or one of its index, in a container without a recorded digest.
 */
function runsTagDigest(
  name: string,
  { deployed, initialDigestPolicy }: DigestTracking,
  { tagDigests, running }: ObservedDigests,
): boolean {
  if (initialDigestPolicy !== "adopt" || deployed[name] !== undefined || running === null) return false;
  return running.every(({ container, digest }) => container !== name || tagDigests[name]?.includes(digest));
}

function isConfirmed(digests: Digests, { reverted }: DigestTracking, now: Date): boolean {
  if (reverted === null || !isSameDigests(reverted.digests, digests)) return false;
  return secondsBetween(reverted.since, now) >= revertConfirmationSeconds;
}

/**
 * Returns why a restart is incomplete: a recreated pod runs a previous digest, because its node had that image
 * already. null if none does, or if no previous digest is known.
 */
export function staleDigestReason({ digests }: Workload, running: readonly ContainerDigest[]): string | null {
  const { previous = [], deployed = {}, ran = {}, manifests = {} } = digests ?? {};
  // Not only the newest: a node that kept an old image keeps it at every push.
  const isPrevious = ({ container, digest }: ContainerDigest) =>
    previous.some((before) => before[container] === digest);
  // A pod that ran a manifest of the index before, and still does, although the new index has none like it.
  const isUnmoved = ({ container, digest }: ContainerDigest) =>
    digest === ran[container] && manifests[container]?.includes(digest) === false;
  const stale = running.find((one) => one.digest !== deployed[one.container] && (isPrevious(one) || isUnmoved(one)));
  if (stale === undefined) return null;
  return `a new pod still runs ${stale.digest} in container ${stale.container}; set its imagePullPolicy to Always`;
}
