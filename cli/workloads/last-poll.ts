import { secondsBetween } from "../../functions/domain/text/rfc3339.ts";
import type { LastPoll } from "../../functions/adapters/kubernetes/poll-lease.ts";
import type { OpenCluster } from "../connect/cluster.ts";
import { formatAge } from "../output/format-age.ts";

/** Three of the usual intervals. */
const overdueSeconds = 900;

interface DescribedPoll {
  /** "last poll 2m ago by pawl-production, next in 3m". */
  readonly text: string;
  readonly isOverdue: boolean;
}

/** A poll begins so much later than its schedule says, and takes so long. */
const graceSeconds = 600;

/** Returns after how many seconds the next poll is overdue: by its schedule if that is known. Jitter, and another poll in between, do not make it so. */
export function secondsToOverdue({ rhythm, longestSeconds }: Pick<LastPoll, "rhythm" | "longestSeconds">): number {
  const longest = longestSeconds === null ? 2 * (rhythm?.everySeconds ?? 0) : longestSeconds + graceSeconds;
  return Math.max(overdueSeconds, longest);
}

/** Describes the last poll. */
export function describePoll({ at, by, isRunning, rhythm, longestSeconds }: LastPoll, now: Date): DescribedPoll {
  const seconds = Math.max(0, Math.round(secondsBetween(at, now)));
  const who = by === null ? "" : ` by ${by}`;
  const ago = `last poll ${formatAge(seconds)} ago${who}`;
  const every = rhythm?.everySeconds ?? 0;
  if (seconds > secondsToOverdue({ rhythm, longestSeconds })) {
    const due = rhythm === null ? "" : `, after one every ${formatAge(every)}`;
    return { text: `${ago}${due}: overdue`, isOverdue: true };
  }
  if (isRunning) return { text: `${ago}, which still polls`, isOverdue: false };
  const left = rhythm === null ? 0 : every - Math.round(secondsBetween(rhythm.startedAt, now));
  return { text: left > 0 ? `${ago}, next in ${formatAge(left)}` : ago, isOverdue: false };
}

/** Returns when Pawl polled the cluster last, in one sentence; null if there is no Lease, or no right to read it. */
export async function describeLastPoll({ readLastPoll }: OpenCluster, now: Date): Promise<string | null> {
  // It is a note beside the answer, which must not fail for it.
  const last = await readLastPoll().catch(() => null);
  if (last === null) return null;
  const { text, isOverdue } = describePoll(last, now);
  return isOverdue ? `${text}; "pawl doctor" says why` : text;
}
