import { formatDuration } from "../../functions/domain/text/duration.ts";
import { secondsBetween } from "../../functions/domain/text/rfc3339.ts";
import type { OpenCluster } from "../connect/cluster.ts";

/** Three of the usual intervals. */
const overdueSeconds = 900;

/** Returns when Pawl polled the cluster last, in one sentence; null if there is no Lease, or no right to read it. */
export async function describeLastPoll({ readLastPoll }: OpenCluster, now: Date): Promise<string | null> {
  // It is a note beside the answer, which must not fail for it.
  const last = await readLastPoll().catch(() => null);
  if (last === null) return null;
  const by = last.by === null ? "" : ` by ${last.by}, which still polls`;
  const seconds = Math.max(0, Math.round(secondsBetween(last.at, now)));
  const late = seconds > overdueSeconds && last.by === null ? '; if that is late, "pawl doctor" says why' : "";
  return `the last poll was ${formatDuration(seconds)} ago${by}${late}`;
}
