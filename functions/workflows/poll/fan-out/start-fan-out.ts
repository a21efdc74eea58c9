import type { FanOutState } from "../../../contract/poll-fanout.ts";
import type { Ports } from "../../../contract/ports.ts";
import { firstBatches } from "../../../domain/execution/poll-batches.ts";
import { formatRfc3339 } from "../../../domain/text/rfc3339.ts";
import type { PollCounters } from "../report.ts";
import { reportOf } from "./run-batch.ts";

interface WrittenPoll {
  readonly id: string;
  readonly startedAt: Date;
  readonly isComplete: boolean;
  /** The size of each bucket of its work list. */
  readonly lines: readonly number[];
  readonly quarantined: number;
  readonly starts: FanOutState["starts"];
}

/** Starts the machine that polls a work list. Returns the number of workloads in it. Throws what `Executions` throws. */
export async function startFanOut(
  { cluster, fanOutExecutions }: Pick<Ports, "cluster" | "fanOutExecutions">,
  { id, startedAt, isComplete, lines, quarantined, starts }: WrittenPoll,
  counters: PollCounters,
): Promise<number> {
  const state: FanOutState = {
    cluster: cluster.name,
    poll: id,
    startedAt: formatRfc3339(startedAt),
    isComplete,
    round: 1,
    batches: firstBatches(lines),
    waiting: [],
    totals: { ...reportOf(counters, 0), quarantined, failedBatches: 0 },
    lines,
    starts,
  };
  await fanOutExecutions.start(id, state);
  return lines.reduce((total, count) => total + count, 0);
}
