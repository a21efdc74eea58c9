import { changedFrom, sameDigests } from "./digests.ts";
import { secondsBetween } from "./time.ts";
import type { ContainerDigest, Digests, DigestTracking } from "./tracking.ts";

/** What a look at the registries, and where it was needed at the pods, has shown of a workload's followed containers. */
export interface SeenDigests {
  /** By container: the digest behind its tag first, then those of the manifests of its index where they were asked for. */
  readonly behindTags: Readonly<Record<string, readonly string[]>>;
  /** What each pod says that it runs; null where that was not asked. */
  readonly running: readonly ContainerDigest[] | null;
}

export type DigestVerdict =
  | { readonly kind: "same" }
  /** The workload is to be restarted; `changed` names a container at least: all of them where one is no longer followed. */
  | { readonly kind: "moved"; readonly changed: readonly string[] }
  /** There is nothing to restart for, and what was seen is to be remembered. */
  | { readonly kind: "baseline" }
  /** Tags went back to what the workload has run before: believed once it has stood for a while. */
  | { readonly kind: "returning"; readonly digests: Digests };

/**
 * How long a tag has to show a former digest, at every look, before it is believed: where the replicas of a registry
 * disagree, or a tag is moved to and fro, the workload would be restarted at every look.
 */
export const returningSeconds = 3600;

/** The digest behind each tag now. */
export function currentDigests({ behindTags }: SeenDigests): Digests {
  return Object.fromEntries(Object.entries(behindTags).flatMap(([name, [digest]]) => (digest ? [[name, digest]] : [])));
}

/**
 * A different digest, a container that is new, and one that is no longer followed all count as a change (the rule of
 * kubernetes-image-updater). Where none is followed any more there is nothing to restart for.
 */
export function assessDigests(tracking: DigestTracking, seen: SeenDigests, now: Date): DigestVerdict {
  const current = currentDigests(seen);
  const names = Object.keys(current);
  if (names.length === 0 || sameDigests(tracking.last, current)) return { kind: "same" };
  const changed = changedFrom(tracking.last, current);
  const unknown = changed.filter((name) => !runsAlready(name, tracking, seen));
  const isOnlyBaseline = tracking.firstSight === "baseline" && unknown.length === 0;
  if (isOnlyBaseline) return { kind: "baseline" };
  const returning = unknown.filter((name) => tracking.former.some((before) => before[name] === current[name]));
  if (unknown.length > 0 && returning.length === unknown.length) {
    const digests = Object.fromEntries(returning.map((name) => [name, current[name] as string]));
    if (!hasStood(digests, tracking, now)) return { kind: "returning", digests };
  }
  return { kind: "moved", changed: unknown.length > 0 ? unknown : names };
}

/** Of a container of which nothing is recorded: whether every pod runs the image behind the tag, or one of its index. */
function runsAlready(
  name: string,
  { last, firstSight }: DigestTracking,
  { behindTags, running }: SeenDigests,
): boolean {
  if (firstSight !== "baseline" || last[name] !== undefined || running === null) return false;
  return running.every(({ container, digest }) => container !== name || behindTags[name]?.includes(digest));
}

function hasStood(digests: Digests, { returning }: DigestTracking, now: Date): boolean {
  if (returning === null || !sameDigests(returning.digests, digests)) return false;
  return secondsBetween(returning.since, now) >= returningSeconds;
}
