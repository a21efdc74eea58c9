import type { LastPoll } from "../../../functions/adapters/kubernetes/poll-lease.ts";
import { formatRfc3339, secondsAfter } from "../../../functions/domain/text/rfc3339.ts";
import type { OpenCluster } from "../../connect/cluster.ts";
import { secondsToOverdue } from "../../workloads/last-poll.ts";
import type { Polls } from "../model.ts";
import type { PageClock } from "./workload-feed.ts";

interface PollFeedOptions extends Pick<OpenCluster, "readLastPoll"> {
  readonly clock: PageClock;
  readonly publish: (polls: Polls | null) => void;
  /** Called with the installation that polled last. */
  readonly onInstallation: (installation: string | null) => void;
}

/** Of the clock of the cluster. */
const intervalMs = 10_000;
const minIntervalMs = 1000;

/** Reads when the cluster was polled, again and again, and publishes each change. */
export function openPollFeed({ readLastPoll, clock, publish, onInstallation }: PollFeedOptions) {
  let polls: Polls | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function read(): Promise<void> {
    // Only a note: the page is shown without it.
    const last = await readLastPoll().catch(() => null);
    if (isClosed) return;
    onInstallation(last?.by ?? null);
    const found = last === null ? null : pollsOf(last);
    if (JSON.stringify(found) !== JSON.stringify(polls)) publish(found);
    polls = found;
    timer = setTimeout(() => void read(), Math.max(minIntervalMs, intervalMs * clock.waitScale));
    timer.unref();
  }

  void read();
  return {
    first: () => polls,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

function pollsOf({ at, by, isRunning, rhythm, longestSeconds }: LastPoll): Polls {
  const after = (time: Date, seconds: number) => formatRfc3339(secondsAfter(time, seconds));
  return {
    lastAt: formatRfc3339(at),
    by,
    isRunning,
    nextAt: rhythm === null ? null : after(rhythm.startedAt, rhythm.everySeconds),
    overdueAt: after(at, secondsToOverdue({ rhythm, longestSeconds })),
  };
}
