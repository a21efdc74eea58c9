import type { NewRelease, Release, Releases, Snapshot } from "../../../../functions/domain/workload/release/release.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import { completeRollout, image, noon, workload, type WorkloadParts } from "../../../support/workloads.ts";

/** Returns a release that a person's change made, with the number in its hash and revision. */
export function release(number: number, parts: Partial<Release> = {}): Release {
  const version = `1.${number}.0`;
  return {
    number,
    version,
    image: `registry.example/shop/app:${version}`,
    hash: `hash-${number}`,
    revision: `app-${number}`,
    at: noon,
    by: "hand",
    result: "Succeeded",
    ...parts,
  };
}

export function newRelease(parts: Partial<NewRelease> = {}): NewRelease {
  const { number: _number, revision: _revision, ...rest } = release(9);
  return { ...rest, ...parts };
}

export function snapshot(number: number, parts: Partial<Snapshot> = {}): Snapshot {
  const hash = `hash-${number}`;
  const template = {
    metadata: { labels: { hash } },
    spec: { containers: [{ name: "app", image: release(number).image }] },
  };
  return { revision: `app-${number}`, number, hash, image: release(number).image, template, ...parts };
}

/** Returns a settled workload that runs the template of this hash. */
export function released(list: readonly Release[], hash: string, parts: WorkloadParts = {}) {
  const releases: Releases = { list, hash };
  return workload({ rollout: { ...completeRollout, image }, releases, ...parts });
}

/** A person's request to restore the first of two releases, and the claim of the execution that does. */
export const request = { verb: "rollback", argument: "1", token: "t-1" };
export const claim = {
  target: { kind: "release", image: release(1).image, number: 1 },
  startedAt: noon,
  execution: "e-1",
  previousImage: null,
  digests: null,
  phase: "release",
  isApplied: true,
  release: { number: 1, from: 2, hash: "hash-1", previousHash: "hash-2", previousRevision: "app-2" },
} as const satisfies InFlight;
