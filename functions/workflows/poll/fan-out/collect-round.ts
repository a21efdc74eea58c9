import pLimit from "p-limit";
import * as v from "valibot";
import {
  type CollectBatchesInput,
  failedBatch,
  type FanOutOutcome,
  type FanOutState,
  polledBatch,
} from "../../../contract/poll-fanout.ts";
import type { Ports } from "../../../contract/ports.ts";
import type { Invocation } from "../../../contract/task.ts";
import { type Batch, type FailedBatch, planNextRound, sizeOf } from "../../../domain/execution/poll-batches.ts";
import { addReports, type FanOutTotals } from "../../../domain/execution/poll-totals.ts";
import { secondsBetween } from "../../../domain/text/rfc3339.ts";
import { releaseLease } from "../hold-lease.ts";
import { recordPollMetrics } from "../metrics.ts";
import type { Warn } from "../report.ts";
import { quarantine } from "./quarantine.ts";
import { chunksOf } from "./work-list-lines.ts";

/** Each unzips a chunk of the work list. */
const concurrentQuarantines = 4;

export type CollectPorts = Pick<Ports, "workList" | "checkRecorder" | "cluster" | "pollLease" | "metrics" | "now">;

/**
 * Adds up what the batches of a round did, and plans the next one for those that failed. After the last round it records the metrics of
 * the whole poll, releases its lease and deletes its work list.
 */
export async function collectRound(
  ports: CollectPorts,
  { results, ...state }: CollectBatchesInput,
  { warn = () => undefined }: Partial<Invocation> = {},
): Promise<FanOutState> {
  const failed = findFailed(state.batches, results);
  reportFailed(ports, failed, warn);
  const polled = results.filter((result) => v.is(polledBatch, result)).map(({ report }) => report);
  const summed = polled.reduce(addReports<FanOutTotals>, state.totals);
  const elapsedSeconds = secondsBetween(new Date(state.listedAt), ports.now());
  const hasEvaluated = summed.evaluated > 0;
  const next = planNextRound(failed, { round: state.round, elapsedSeconds, hasEvaluated, waiting: state.waiting });
  const limit = pLimit(concurrentQuarantines);
  const quarantined = await limit.map(next.killers, (killer) => quarantine(ports, state.poll, killer, warn));
  const recorded = quarantined.filter((isRecorded) => isRecorded).length;
  const unreached = next.abandoned.reduce((total, batch) => total + sizeOf(batch), quarantined.length - recorded);
  const totals = {
    ...summed,
    unreached: summed.unreached + unreached,
    quarantined: summed.quarantined + recorded,
    failedBatches: summed.failedBatches + failed.length,
  };
  const outcome = outcomeOf(next.batches, totals);
  const output = { ...state, round: state.round + 1, batches: next.batches, waiting: next.waiting, totals, outcome };
  // The heartbeat: several rounds may take longer than the interval of polls.
  if (outcome !== "again") await endPoll(ports, output, warn);
  else if (state.isComplete) ports.metrics.record("pawl_polls_total", 1, {});
  return output;
}

/** Returns the batches without a well-formed report. */
function findFailed(batches: readonly Batch[], results: readonly unknown[]): readonly FailedBatch[] {
  const polled = new Set(results.filter((result) => v.is(polledBatch, result)).map(({ batch }) => keyOf(batch)));
  const errors = new Map(
    results.filter((result) => v.is(failedBatch, result)).map(({ batch, error }) => [keyOf(batch), error.Error]),
  );
  return batches
    .filter((batch) => !polled.has(keyOf(batch)))
    .map((batch) => ({ batch, error: errors.get(keyOf(batch)) ?? null }));
}

function reportFailed({ metrics }: CollectPorts, failed: readonly FailedBatch[], warn: Warn): void {
  for (const { batch, error } of failed) {
    warn("batch failed", { ...batch, failure: error });
    metrics.record("pawl_errors_total", 1, { error: error ?? "BatchFailed" });
  }
}

function keyOf({ bucket, from, to }: Batch): string {
  return [bucket, from, to].join(" ");
}

function outcomeOf(next: readonly Batch[], { unreached }: FanOutTotals): FanOutOutcome {
  if (next.length > 0) return "again";
  return unreached > 0 ? "incomplete" : "complete";
}

async function endPoll(
  ports: CollectPorts,
  { poll, startedAt, isComplete, lines, totals }: FanOutState,
  warn: Warn,
): Promise<void> {
  if (totals.unreached > 0) warn("poll incomplete", { workloads: totals.unreached });
  const durationSeconds = isComplete ? secondsBetween(new Date(startedAt), ports.now()) : null;
  recordPollMetrics(ports.metrics, { ...totals, durationSeconds });
  if (isComplete) await releaseLease(ports, poll, warn);
  await ports.workList.delete(chunksOf(poll, lines)).catch((error: Error) => {
    // Its lifecycle rule deletes it.
    warn("work list not deleted", { failure: error.name, reason: error.message });
  });
}
