import { versionNameOf } from "../../image/reference.ts";
import { missingCondition } from "../update/readiness.ts";
import type { ConfigUpdate } from "../config/tracking.ts";
import type { Change } from "../update/change.ts";
import type { Workload } from "../workload.ts";
import { isSameRecorded, type NewRelease, type Release, releasesOf } from "./release.ts";

/**
 * Returns the release that a settled workload runs and that is not recorded yet; null if there is none. Replicas do not count: a
 * workload that is scaled to 0 has not settled, because nothing shows what it runs.
 */
export function observedRelease(workload: Workload, now: Date): NewRelease | null {
  const { inFlight, rollout, policy, isCanaryLeft } = workload;
  if (inFlight !== null || isCanaryLeft || policy.optIn === "no" || rollout === null) return null;
  if (rollout.desiredReplicas === 0 || missingCondition(rollout, null) !== null) return null;
  const release = currentRelease(workload, now);
  return release === null || isRecorded(workload, release) ? null : { ...release, by: "hand" };
}

/**
 * Records that an update has succeeded as a release, or that one has failed; nothing if its template is recorded. `rolledBackFrom`
 * is undefined for an update, and null for a rollback that replaces no release. `config` is the configuration of its pods, if recorded.
 */
export function recordRelease(
  workload: Workload,
  result: Release["result"],
  now: Date,
  rolledBackFrom?: number | null,
  config: ConfigUpdate = {},
): Pick<Change, "release"> {
  const release = currentRelease(workload, now, config.deployed);
  if (release === null || (rolledBackFrom === undefined && isRecorded(workload, release))) return {};
  return { release: { ...release, result, ...(typeof rolledBackFrom === "number" ? { rolledBackFrom } : {}) } };
}

/** Returns the newest release that succeeded. */
export function lastSucceeded(workload: Pick<Workload, "releases">): Release | undefined {
  return releasesOf(workload).findLast(({ result }) => result === "Succeeded");
}

/** Returns what the workload runs as a release; null where releases are not recorded. */
function currentRelease(
  { releases, image, digests, config }: Workload,
  at: Date,
  started = config?.deployed,
): NewRelease | null {
  if (releases === undefined || image === null) return null;
  // What runs: the digest of a tag, or a pin; and the configuration, by reference.
  const running = { ...digests?.deployed, ...digests?.pinned, ...started };
  return {
    version: versionNameOf(image),
    image,
    hash: releases.hash,
    ...(Object.keys(running).length === 0 ? {} : { digests: running }),
    at,
    by: "pawl",
    result: "Succeeded",
  };
}

/** Reports whether the newest release that succeeded has this template and these digests. After a failure the workload is back on it. */
function isRecorded(workload: Workload, { hash, digests }: NewRelease): boolean {
  const last = lastSucceeded(workload);
  return last?.hash === hash && isSameRecorded(last.digests, digests);
}
