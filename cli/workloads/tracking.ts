import { isPinnedByOwner } from "../../functions/domain/workload/decision/decide.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import type { Digests } from "../../functions/domain/workload/digest/tracking.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";

/** What is tracked of a workload, and the digests of its tags, as `pawl status --json` prints it. */
export interface Tracking {
  readonly tracks: readonly ("tag" | "digest" | "config")[];
  /** The deployed digest of each container; null if none is tracked by digest. */
  readonly digests: Digests | null;
  /** Previously deployed digests that a tag moved back to, and since when; they are applied after an hour. */
  readonly reverted: { readonly since: string; readonly digests: Digests } | null;
  /** Who pinned the image to a digest. */
  readonly pinned: "rollback" | "manual" | null;
}

export function trackingOf(workload: Workload): Tracking {
  const { config, digests, isPinnedByPawl, source } = workload;
  const isManual = isPinnedByOwner(workload);
  const { reverted = null } = digests ?? {};
  return {
    tracks: [
      ...(source !== null && !isManual ? (["tag"] as const) : []),
      ...(digests !== null && digests.containers.length > 0 ? (["digest"] as const) : []),
      ...(config === undefined ? [] : (["config"] as const)),
    ],
    digests: digests?.deployed ?? null,
    reverted: reverted === null ? null : { ...reverted, since: formatRfc3339(reverted.since) },
    pinned: isPinnedByPawl ? "rollback" : isManual ? "manual" : null,
  };
}
