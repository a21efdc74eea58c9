import type { FanOutState } from "../../../contract/poll-fanout.ts";
import type { Ports } from "../../../contract/ports.ts";
import { firstBatches } from "../../../domain/execution/poll-batches.ts";
import { addReports, emptyReport } from "../../../domain/execution/poll-totals.ts";
import { formatRfc3339 } from "../../../domain/text/rfc3339.ts";
import type { PollCounters } from "../report.ts";
import type { Selection } from "../select-workloads.ts";
import { reportOf } from "./run-batch.ts";

interface WrittenPoll {
  readonly id: string;
  readonly startedAt: Date;
  readonly isComplete: boolean;
}

/** Returns the first state of the machine that polls a work list. */
export function firstState({ cluster }: Pick<Ports, "cluster">, poll: WrittenPoll): FanOutState {
  const startedAt = formatRfc3339(poll.startedAt);
  return {
    cluster: cluster.name,
    poll: poll.id,
    startedAt,
    listedAt: startedAt,
    outcome: "list",
    isComplete: poll.isComplete,
    round: 1,
    batches: [],
    waiting: [],
    totals: { ...emptyReport, quarantined: 0, failedBatches: 0 },
    lines: [],
    starts: null,
  };
}

/** Returns the state after a part of the list, or all of it: then its batches follow. */
export function stateAfterList(
  state: FanOutState,
  lines: readonly number[],
  { quarantined, isInterrupted }: Pick<Selection, "quarantined" | "isInterrupted">,
  counters: PollCounters,
  now: Date,
): FanOutState {
  const summed = addReports(state.totals, reportOf(counters, 0));
  return {
    ...state,
    listedAt: formatRfc3339(now),
    outcome: isInterrupted ? "list" : "again",
    batches: isInterrupted ? [] : firstBatches(lines),
    totals: { ...summed, quarantined: summed.quarantined + quarantined },
    lines,
  };
}
