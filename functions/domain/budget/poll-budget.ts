import { createFairQueue, type FairQueue } from "./fair-queue.ts";
import { type BudgetResource, type LimitSettings, limitsOf, noLimitSettings, resourceNames } from "./limits.ts";

interface Payer {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What one workload has cost. */
export interface WorkloadCost {
  readonly workload: Payer;
  readonly cpuMilliseconds: number;
}

/** What one poll may cost, for each namespace. */
export interface PollBudget {
  /** Creates a queue in which namespaces take turns. One with a resource is limited by what each has used of it. */
  createQueue(concurrency: number, resource?: BudgetResource): FairQueue;
  /** Runs synchronous work of a workload when it is its namespace's turn, and measures it. */
  decide<Result>(workload: Payer, work: () => Result): Promise<Result>;
  /** The workloads that cost most, the most expensive first. */
  mostExpensive(): readonly WorkloadCost[];
}

export interface PollBudgetOptions {
  readonly settings?: LimitSettings;
  /** In milliseconds. */
  readonly clock: () => number;
  /** The CPU time that was used, in milliseconds: on a busy machine, work that took long may have waited for others. */
  readonly cpuClock: () => number;
  /** Lets everything else run; it is called after work that took long. */
  readonly pause: () => Promise<unknown>;
}

const maxListed = 10;

/** Work below this is not worth a pause. */
const minPauseMs = 5;

export function createPollBudget({
  settings = noLimitSettings,
  clock,
  cpuClock,
  pause,
}: PollBudgetOptions): PollBudget {
  let expensive: readonly WorkloadCost[] = [];
  const createQueue = (concurrency: number, resource?: BudgetResource) =>
    createFairQueue({
      concurrency,
      clock,
      ...(resource === undefined
        ? {}
        : { limitOf: (namespace) => limitsOf(settings, namespace)[resource], resource: resourceNames[resource] }),
    });
  const cpu = createQueue(1, "cpuMilliseconds");

  function count({ kind, namespace, name }: Payer, cpuMilliseconds: number): void {
    cpu.spend(namespace, cpuMilliseconds);
    if (expensive.filter((one) => one.cpuMilliseconds >= cpuMilliseconds).length >= maxListed) return;
    const cost = { workload: { kind, namespace, name }, cpuMilliseconds };
    expensive = [...expensive, cost].toSorted((a, b) => b.cpuMilliseconds - a.cpuMilliseconds).slice(0, maxListed);
  }

  return {
    createQueue,
    decide: (workload, work) =>
      cpu.run(workload.namespace, async () => {
        const usedBefore = cpuClock();
        try {
          return work();
        } finally {
          const milliseconds = cpuClock() - usedBefore;
          count(workload, milliseconds);
          if (milliseconds > minPauseMs) await pause();
        }
      }),
    mostExpensive: () => expensive,
  };
}
