import { secondsBetween } from "../domain/time.ts";
import type { Workload } from "../domain/workload.ts";
import type { PollRest } from "../ports/polls.ts";
import type { Ports } from "../task.ts";
import { handOn } from "./hand-on.ts";
import { measurePoll } from "./measure.ts";
import { type PartOutcome, pollPart } from "./poll-part.ts";
import { pollPools } from "./pools/poll-pools.ts";
import { noPools } from "./pools/report.ts";
import type { PollReport } from "./report.ts";
import { restAfter, wholePoll } from "./rest.ts";
import { startTally, type Warn } from "./tally.ts";
import { allTheTime } from "./time-is-up.ts";
import { countOf } from "./undone.ts";

export interface PollOptions {
  /** Of which workloads; of all of them where it is left out. Such a poll is one part, and says nothing of the whole. */
  readonly wanted?: (workload: Workload) => boolean;
  /** What the part before this one left; left out, a new poll begins. */
  readonly rest?: PollRest;
  /** Aborted when nothing more is to be begun; what has not been decided is handed on then. */
  readonly outOfTime?: AbortSignal;
  /** Told of every workload that could not be decided, and of what was not reached. */
  readonly warn?: Warn;
  /** How many workloads are held in memory at once. */
  readonly mostWorkloads?: number;
}

/** With so many the function uses about half of its 512 MB (`bench/poll-memory`); each holds what its owner wrote. */
export const mostInMemory = 12_000;

/**
 * Looks at every workload and every node pool once and starts an execution for each that has something newer; what is too much for one
 * invocation is handed on. One that cannot be decided is reported and keeps no other from its turn; it is looked at again
 * by the next poll. Throws what listing throws, and `ListTooSlow`: nothing was done then.
 */
export async function pollCluster(ports: Ports, options: PollOptions = {}): Promise<PollReport> {
  const { rest = wholePoll(ports.now()), warn = () => undefined, wanted = () => true } = options;
  const { outOfTime = allTheTime(), mostWorkloads = mostInMemory } = options;
  const isOfAll = options.wanted === undefined;
  const tally = startTally(warn);
  const ofPools = ports.looksAtNodePools && isOfAll && rest.part === 1 ? pollPools(ports, warn, outOfTime) : noPools;
  const end = await pollPart(ports, tally, { rest, wanted, outOfTime, mostWorkloads }).catch((error: unknown) => {
    ports.metrics.record("pawl_poll_errors_total", 1, {});
    throw error;
  });
  const next = isOfAll ? restAfter(rest, end) : null;
  const pools = await ofPools;
  const isLast = next === null || !(await handOn(ports, next, warn));
  const left = whatIsLeft(end, isLast ? null : next, warn);
  measurePoll(ports.metrics, {
    tally,
    gauges: isOfAll && rest.part === 1 ? end.gauges : null,
    durationSeconds: isOfAll && isLast ? secondsBetween(new Date(rest.startedAt), ports.now()) : null,
    unreached: left.unreached,
  });
  return { ...tally.counts(), ...left, part: rest.part, pools };
}

/** What the next part is to do, and what is given up until the next poll. */
function whatIsLeft({ left, undone }: PartOutcome, next: PollRest | null, warn: Warn) {
  const all = left + countOf(undone);
  const unreached = next === null ? all : countOf(undone, (host) => next.behind[host] === undefined);
  if (unreached > 0) warn("not reached", { workloads: unreached, registries: [...undone.keys()] });
  return { handedOn: all - unreached, unreached };
}
