import { versionNameOf } from "../../image/reference.ts";
import { missingCondition } from "../update/readiness.ts";
import type { Digests } from "../digest/tracking.ts";
import type { ConfigUpdate } from "../config/tracking.ts";
import type { Change } from "../update/change.ts";
import type { Workload } from "../workload.ts";
import type { InFlight } from "../update/in-flight.ts";
import {
  compareReleases,
  type NewRelease,
  type Release,
  type ReleaseIdentity,
  type Releases,
  releasesOf,
} from "./release.ts";

/**
 * Returns the release that a settled workload runs and that is not recorded yet, or digests of the newest that were not known; null if there is
 * none. Replicas do not count: a workload that is scaled to 0 has not settled, because nothing shows what it runs.
 */
export function observedRelease(workload: Workload, now: Date): NewRelease | null {
  const { inFlight, rollout, policy, isCanaryLeft } = workload;
  if (inFlight !== null || isCanaryLeft || policy.optIn === "no" || rollout === null) return null;
  if (rollout.desiredReplicas === 0 || missingCondition(rollout, null) !== null) return null;
  const release = currentRelease(workload, now);
  if (release === null) return null;
  const last = lastSucceeded(workload);
  if (last === undefined || compareReleases(last, release) === "different") return { ...release, by: "hand" };
  const isMore = Object.keys(release.digests ?? {}).some((name) => !Object.hasOwn(last.digests ?? {}, name));
  return isMore ? { ...release, completes: last.number } : null;
}

/**
 * Records that an update has succeeded as a release, or that a rollback has failed; nothing if it runs what is recorded. A restart for another
 * digest runs something else, also if it is not known what ran before. `config` is the configuration of its pods, if recorded.
 */
export function recordRelease(
  workload: Workload,
  result: Release["result"],
  now: Date,
  { target, release: restored }: Pick<InFlight, "target" | "release">,
  config: ConfigUpdate = {},
): Pick<Change, "release"> {
  const release = currentRelease(workload, now, config.deployed);
  if (release === null || (restored === undefined && isRecorded(lastSucceeded(workload), release, target))) return {};
  const rolledBackFrom = restored?.from ?? null;
  return { release: { ...release, result, ...(rolledBackFrom === null ? {} : { rolledBackFrom }) } };
}

function isRecorded(last: Release | undefined, release: NewRelease, { kind }: InFlight["target"]): boolean {
  if (last === undefined) return false;
  const difference = compareReleases(last, release);
  return difference === "same" || (difference === "unknown" && kind !== "digest" && kind !== "config");
}

/** Returns the newest release that succeeded. */
export function lastSucceeded(workload: Pick<Workload, "releases">): Release | undefined {
  return releasesOf(workload).findLast(({ result }) => result === "Succeeded");
}

/** Returns what a workload runs that has releases: the digest of a tag, or a pin; and the configuration, by reference. */
export function runningIdentity(
  { digests, config, ...workload }: Pick<Workload, "releases" | "digests" | "config">,
  started = config?.deployed,
): ReleaseIdentity {
  const running = { ...digests?.deployed, ...digests?.pinned, ...started };
  const { hash } = workload.releases as Releases;
  return { hash, ...(Object.keys(running).length === 0 ? {} : { digests: running }) };
}

function currentRelease(workload: Workload, at: Date, started?: Digests): NewRelease | null {
  const { image, releases } = workload;
  if (releases === undefined || image === null) return null;
  const identity = runningIdentity(workload, started);
  return { version: versionNameOf(image), image, ...identity, at, by: "pawl", result: "Succeeded" };
}
