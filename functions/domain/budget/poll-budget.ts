import { BudgetExceeded } from "./budget-exceeded.ts";
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
  /** Creates a queue in which namespaces take turns. One with resources is limited by what each has used of them. */
  createQueue(concurrency: number, ...resources: readonly BudgetResource[]): FairQueue;
  /** Runs synchronous work of a workload when it is its namespace's turn, and measures it. It reports the steps of its expressions. */
  decide<Result>(workload: Payer, work: (onSteps: (steps: number) => void) => Result): Promise<Result>;
  /** Runs work that causes one of something, unless its namespace has caused all it may. Throws `BudgetExceeded` then. */
  cause<Result>(
    namespace: string,
    resource: "records" | "executions",
    work: () => Promise<Result>,
    isCaused: (result: Result) => boolean,
  ): Promise<Result>;
  /** The workloads that cost most, the most expensive first. */
  mostExpensive(): readonly WorkloadCost[];
}

export interface PollBudgetOptions {
  readonly settings?: LimitSettings;
  /** In milliseconds. */
  readonly clock: () => number;
  /** The CPU time that was used, in milliseconds: on a busy machine, work that took long may have waited for others. */
  readonly cpuClock: () => number;
  /** Lets everything else run; it is called when work, together, took long. */
  readonly pause: () => Promise<unknown>;
}

const maxListed = 10;

/** Work that takes less, together, is not worth a pause. */
const minPauseMs = 5;

export function createPollBudget({
  settings = noLimitSettings,
  clock,
  cpuClock,
  pause,
}: PollBudgetOptions): PollBudget {
  let expensive: readonly WorkloadCost[] = [];
  let sincePause = 0;
  const createQueue = (concurrency: number, ...resources: readonly BudgetResource[]) =>
    createFairQueue({ concurrency, clock, resources, limitsOf: (namespace) => limitsOf(settings, namespace) });
  const cpu = createQueue(1, "cpuMilliseconds", "expressionSteps");
  const caused = new Map<string, { count: number }>();

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
          return work((steps) => cpu.spend(workload.namespace, steps, "expressionSteps"));
        } finally {
          const milliseconds = cpuClock() - usedBefore;
          count(workload, milliseconds);
          sincePause += milliseconds;
          if (sincePause > minPauseMs) {
            sincePause = 0;
            await pause();
          }
        }
      }),
    async cause(namespace, resource, work, isCaused) {
      const key = `${resource} ${namespace}`;
      const total = caused.get(key) ?? { count: 0 };
      caused.set(key, total);
      const max = limitsOf(settings, namespace)[resource];
      if (total.count >= max)
        throw new BudgetExceeded(
          `namespace ${namespace} has caused ${max.toLocaleString("en-US")} ${resourceNames[resource]}, which is the limit of one poll; the next poll continues`,
        );
      total.count += 1;
      const result = await work();
      if (!isCaused(result)) total.count -= 1;
      return result;
    },
    mostExpensive: () => expensive,
  };
}
