import type { Digests } from "../digest/tracking.ts";

/** What a workload ran: its template is in a revision that its own controller keeps. */
export interface Release {
  readonly number: number;
  /** Of the image of the container that is tracked by tag. */
  readonly version: string;
  readonly image: string;
  /** A hash of the canonical form of its pod template. */
  readonly hash: string;
  /** The digests of the tags, of a workload that is tracked by digest. */
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

/** A release before it has a number. The adapter knows its revision. */
export type NewRelease = Omit<Release, "number" | "revision">;

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
export interface ReleaseTarget {
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
  readonly template: TemplateSnapshot;
}

/** How many releases are kept if the owner does not say. */
export const defaultKeptReleases = 10;

/** Appends a release with the next number, and keeps the newest. A release whose revision is the last one's only gets its hash. */
export function appendRelease(
  list: readonly Release[],
  { revision, ...release }: NewRelease & Pick<Release, "revision">,
  keep: number,
): readonly Release[] {
  const last = list.at(-1);
  const isSame =
    last?.revision === revision && last.result === release.result && isSameRecorded(last.digests, release.digests);
  // A newer version of Kubernetes may add fields to every template that it returns.
  if (isSame) return [...list.slice(0, -1), { ...last, hash: release.hash }];
  const number = Math.max(0, ...list.map((one) => one.number)) + 1;
  return [...list, { number, ...release, revision }].slice(-keep);
}

/** Reports whether two releases have the same digests; those of a container that only one of them has do not differ. */
export function isSameRecorded(one: Digests = {}, other: Digests = {}): boolean {
  return Object.entries(one).every(([name, digest]) => (other[name] ?? digest) === digest);
}
