import type { Digests } from "../digest/tracking.ts";

/** What a workload ran: its template is in a revision that its own controller keeps. */
export interface Release {
  readonly number: number;
  /** Of the image of the container that is tracked by tag. */
  readonly version: string;
  readonly image: string;
  /** A hash of the canonical form of its pod template. */
  readonly hash: string;
  /** The digests of the tags by container, of a workload that is tracked by digest, and those of its configuration by reference. */
  readonly digests?: Digests;
  /** The name of the ReplicaSet or ControllerRevision that has its pod template. */
  readonly revision: string;
  readonly at: Date;
  /** "hand": a person, CI or a GitOps tool, as a poll found it. */
  readonly by: "pawl" | "hand";
  readonly result: "Succeeded" | "Failed";
  /** The release that it replaced, if it restored an earlier one. */
  readonly rolledBackFrom?: number;
}

/** A release before it has a number. The adapter knows its revision. `completes` is the number of one whose digests were not all known. */
export type NewRelease = Omit<Release, "number" | "revision"> & { readonly completes?: number };

/** What is compared of releases. */
export type ReleaseIdentity = Pick<Release, "hash" | "digests">;

/** The releases of a workload. */
export interface Releases {
  /** Oldest first. */
  readonly list: readonly Release[];
  /** The hash of its pod template now. */
  readonly hash: string;
}

/** Returns the releases of a workload, oldest first; none where they are not recorded. */
export function releasesOf({ releases }: { readonly releases?: Releases }): readonly Release[] {
  return releases?.list ?? [];
}

/** A release that is being restored. */
export interface ReleaseRestore {
  readonly number: number;
  /** The release that it replaces; null if none has the template that ran. */
  readonly from: number | null;
  /** Of the template to restore, with its pins. */
  readonly hash: string;
  /** Of the template before, and the revision that has it. */
  readonly previousHash: string;
  readonly previousRevision: string;
}

interface SnapshotContainer {
  readonly name: string;
  readonly image?: string;
}

/** A pod template as JSON. */
export interface TemplateSnapshot {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly containers: readonly SnapshotContainer[];
    readonly initContainers?: readonly SnapshotContainer[];
  };
}

/** A pod template that the controller of a workload keeps. */
export interface Snapshot {
  /** The name of its ReplicaSet or ControllerRevision. */
  readonly revision: string;
  /** Its controller gives a revision that runs again a higher number than all others. */
  readonly number: number;
  readonly hash: string;
  /** Of the container that is tracked by tag; null if it has none of that name. */
  readonly image: string | null;
  readonly template: TemplateSnapshot;
}

/** Returns the number of the release that is recorded next. */
export function nextReleaseNumber(list: readonly Pick<Release, "number">[]): number {
  return Math.max(0, ...list.map((one) => one.number)) + 1;
}

/** How many releases are kept if the owner does not say. */
export const defaultKeptReleases = 10;

/**
 * Appends a release with the next number, and removes the oldest, or completes the digests of one. A release whose revision is the last one's only gets its new hash; a
 * rollback that fails again in the same way is no other release, but has its time.
 */
export function appendRelease(
  list: readonly Release[],
  { revision, completes, ...release }: NewRelease & Pick<Release, "revision">,
  keep: number,
): readonly Release[] {
  if (completes !== undefined)
    return list.map((one) =>
      one.number === completes ? { ...one, digests: { ...release.digests, ...one.digests } } : one,
    );
  const last = list.at(-1);
  const { hash, result, at, rolledBackFrom } = release;
  const isSame =
    last?.revision === revision &&
    last.result === result &&
    last.rolledBackFrom === rolledBackFrom &&
    compareReleases({ ...last, hash }, release) === "same";
  if (isSame && result === "Failed") return [...list.slice(0, -1), { ...last, hash, at }];
  // A newer version of Kubernetes may add fields to every template that it returns.
  if (isSame && last.hash !== hash && rolledBackFrom === undefined) return [...list.slice(0, -1), { ...last, hash }];
  const number = nextReleaseNumber(list);
  return keepNewest([...list, { number, ...release, revision }], keep);
}

/** Removes the oldest, but neither what runs nor what it can be rolled back to: the newest two that succeeded. */
function keepNewest(list: readonly Release[], keep: number): readonly Release[] {
  const succeeded = new Set(list.filter(({ result }) => result === "Succeeded").slice(-2));
  const removed = new Set(list.filter((one) => !succeeded.has(one)).slice(0, Math.max(0, list.length - keep)));
  return list.filter((one) => !removed.has(one));
}

/** "unknown": only one of two releases has a digest of a container or of a configuration, and nothing that both have differs. */
export function compareReleases(one: ReleaseIdentity, other: ReleaseIdentity): "same" | "different" | "unknown" {
  const [{ digests: first = {} }, { digests: second = {} }] = [one, other];
  const names = Object.keys({ ...first, ...second });
  const known = names.filter((name) => Object.hasOwn(first, name) && Object.hasOwn(second, name));
  if (one.hash !== other.hash || known.some((name) => first[name] !== second[name])) return "different";
  return known.length === names.length ? "same" : "unknown";
}
