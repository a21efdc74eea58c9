import { isPinnedByHand } from "../../functions/domain/poll-decision.ts";
import { formatRfc3339 } from "../../functions/domain/time.ts";
import type { Digests } from "../../functions/domain/tracking.ts";
import type { Workload } from "../../functions/domain/workload.ts";

/** What of a workload is followed, and what is known of the digests behind its tags, as `pawl status --json` prints it. */
export interface Followed {
  readonly follows: readonly ("tag" | "digest")[];
  /** By container, what it was started with last; null where none is followed by digest. */
  readonly digests: Digests | null;
  /** Former digests that are seen again, and since when; they are believed after an hour. */
  readonly returning: { readonly since: string; readonly digests: Digests } | null;
  /** Who holds the image at a digest. */
  readonly pinned: "rollback" | "hand" | null;
}

export function followed(workload: Workload): Followed {
  const { digests, isPinned, source } = workload;
  const byHand = isPinnedByHand(workload);
  const { returning = null } = digests ?? {};
  return {
    follows: [
      ...(source !== null && !byHand ? (["tag"] as const) : []),
      ...(digests !== null && digests.containers.length > 0 ? (["digest"] as const) : []),
    ],
    digests: digests?.last ?? null,
    returning: returning === null ? null : { ...returning, since: formatRfc3339(returning.since) },
    pinned: isPinned ? "rollback" : byHand ? "hand" : null,
  };
}
