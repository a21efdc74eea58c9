import type { Executions } from "../../ports/executions.ts";
import { setImmediate, setTimeout } from "node:timers/promises";
import { maxChecks } from "../../ports/check-recorder.ts";
import { collectOutcomes, createHaltGate } from "../../domain/gates/halt.ts";
import type { UpdateInput } from "../../contract/workload-update.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { deadlinePassed } from "./deadline.ts";
import { openBudget } from "./evaluate/create-evaluator.ts";
import type { StartLimiter } from "./start-limiter.ts";
import { takeTurns } from "./take-turns.ts";
import { limitPerRegistry } from "./limit-registry-requests.ts";
import type { PlacedWorkload } from "./place-workload.ts";
import {
  createWorkloadProcessor,
  createWriteQueue,
  type ProcessPorts,
  type WorkloadResult,
} from "./process-workload.ts";
import { createPolledExecutions } from "./polled-executions.ts";
import type { PollCounters } from "./report.ts";

/** What was not decided before the deadline. */
export interface Unfinished {
  readonly unreached: number;
  /** Their registries. */
  readonly registries: readonly string[];
}

/** Processes workloads until they are done or the deadline passes, and removes them from the list, so that each can be released. */
export async function processWorkloads(
  ports: ProcessPorts,
  counters: PollCounters,
  workloads: PlacedWorkload[],
  signal: AbortSignal,
  createStarts: (executions: Executions<UpdateInput>) => StartLimiter,
): Promise<Unfinished> {
  const budget = openBudget(ports.limits);
  const writes = createWriteQueue(budget, signal);
  const registry = limitPerRegistry(ports.registry, budget, signal);
  const executions = createPolledExecutions(ports.executions, counters.onDelay);
  // All workloads of a repository are in one batch.
  const haltGate = createHaltGate(collectOutcomes(workloads.map(({ workload }) => workload)), ports.limits);
  const starts = createStarts(executions);
  const process = createWorkloadProcessor(
    { ...ports, registry, executions },
    { writes, budget, signal, haltGate, starts },
  );
  const pending = await runUntilDeadline(workloads, {
    process: (workload) => starts.track(workload, () => process(workload)),
    onResult: (result) => counters.add(result),
    signal,
    drain: () => writes.drain(),
  });
  await recordUndecided(ports, starts, pending);
  await starts.end();
  counters.addCosts(budget.mostExpensive());
  return { unreached: pending.length, registries: [...new Set(pending.map(({ host }) => host))] };
}

/** How long that may take after the deadline. */
const maxRecordMs = 5000;

/** Records of those that the poll did not decide that they take no place in the next. The next poll finds what is not recorded. */
async function recordUndecided(
  { checkRecorder }: ProcessPorts,
  starts: StartLimiter,
  undecided: readonly PlacedWorkload[],
): Promise<void> {
  const records: Promise<unknown>[] = [];
  for (const { workload } of undecided) {
    const held = records.length < maxChecks ? starts.fail(workload, "NotDecided") : null;
    if (held !== null) records.push(checkRecorder.record(workload, held));
  }
  await Promise.race([Promise.allSettled(records), setTimeout(maxRecordMs, undefined, { ref: false })]);
}

interface ProcessOptions {
  /** Never throws; null if the deadline passed before anything was done about the workload. */
  readonly process: (workload: Workload) => Promise<WorkloadResult | null>;
  readonly onResult: (result: WorkloadResult) => void;
  readonly signal: AbortSignal;
  /** Resolves if the work that was started before the deadline has ended or timed out. */
  readonly drain: () => Promise<unknown>;
}

/** How many workloads of one registry are processed at a time, shared by all namespaces: each takes more memory than one that waits. */
const maxConcurrentPerRegistry = 2000;

/** Of these, for one namespace among many: more than its registry is asked for at a time. */
const minConcurrent = 128;

/** Registries that are asked for one namespace at a time: as many names as are resolved at a time. Others wait for no registry of it. */
const maxHostsPerNamespace = 128;

/**
 * Processes the workloads of all registries concurrently, and returns those that were not decided before the deadline. Later results
 * are ignored. Processed workloads are released.
 */
async function runUntilDeadline(
  workloads: PlacedWorkload[],
  { process, onResult, signal, drain }: ProcessOptions,
): Promise<readonly PlacedWorkload[]> {
  const pending = new Set(workloads);

  async function processOne(placed: PlacedWorkload): Promise<void> {
    const result = await process(placed.workload);
    if (result !== null && pending.delete(placed)) onResult(result);
  }

  async function processQueue(queue: PlacedWorkload[]): Promise<void> {
    for (let next = queue.pop(); next !== undefined && !signal.aborted; next = queue.pop()) await processOne(next);
  }

  // The last is processed first.
  const ordered = takeTurns(workloads.splice(0)).toReversed();
  const { urgent = [], others = [] } = Object.groupBy(ordered, (placed) => (isUrgent(placed) ? "urgent" : "others"));
  const namespaces = Map.groupBy(others, ({ workload: { ref } }) => ref.namespace);
  const concurrent = Math.max(minConcurrent, Math.floor(maxConcurrentPerRegistry / namespaces.size));

  async function processHosts(queues: PlacedWorkload[][]): Promise<void> {
    for (let queue = queues.pop(); queue !== undefined && !signal.aborted; queue = queues.pop())
      await runWorkers(queue.length, concurrent, processQueue, queue);
  }

  const workers = [...namespaces.values()].map((ofNamespace) => {
    const queues = [...Map.groupBy(ofNamespace, ({ host }) => host).values()];
    return runWorkers(queues.length, maxHostsPerNamespace, processHosts, queues);
  });
  await Promise.race([Promise.all([...urgent.map(processOne), ...workers]), deadlinePassed(signal)]);
  if (signal.aborted) await drain();
  // Lets the results that are ready by now arrive.
  await setImmediate();
  const unfinished = [...pending];
  pending.clear();
  return unfinished;
}

/** Runs a worker for each element of its work, and at most `max`. */
async function runWorkers<Work>(count: number, max: number, run: (work: Work) => Promise<void>, work: Work) {
  await Promise.all(Array.from({ length: Math.min(count, max) }, () => run(work)));
}

/** Reports whether a workload must not wait for others of its registry, which may stall. */
function isUrgent({ workload: { inFlight, request } }: PlacedWorkload): boolean {
  return inFlight !== null || request !== null;
}
