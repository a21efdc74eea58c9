import { BudgetExceeded } from "./budget-exceeded.ts";

/** How long work of a namespace that is above its limit waits for others, before it is refused. */
const maxDeferralMs = 60_000;

/** Runs work when it is its turn. Throws what the work throws, and `BudgetExceeded`. */
export interface FairQueue {
  /** What is urgent comes before other work of its namespace. */
  run<Result>(namespace: string, work: () => Promise<Result>, isUrgent?: boolean): Promise<Result>;
  /** Adds to what a namespace has used. */
  spend(namespace: string, amount: number): void;
  /** How many run at a time. */
  concurrency: number;
}

export interface FairQueueOptions {
  readonly concurrency: number;
  /** What a namespace may use while others wait; nothing is limited without it. */
  readonly limitOf?: (namespace: string) => number;
  /** Names what is used, in messages. */
  readonly resource?: string;
  /** In milliseconds, from any time. */
  readonly clock: () => number;
}

interface Waiting {
  readonly since: number;
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

interface Tenant {
  readonly waiting: Waiting[];
  running: number;
  used: number;
}

/**
 * Creates a queue in which namespaces take turns: the next is one of those below their limit, with the least that runs, and of these with
 * the least that it has used. Nothing is refused and nobody waits while places are free, so that a large namespace alone gets all.
 * What is above its limit waits until no other does, for a minute at most.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { limitOf = () => Number.POSITIVE_INFINITY, resource = "", clock } = options;
  const tenants = new Map<string, Tenant>();
  const queued = new Set<string>();
  let [running, concurrency] = [0, options.concurrency];

  function tenantOf(namespace: string): Tenant {
    const tenant = tenants.get(namespace) ?? { waiting: [], running: 0, used: 0 };
    tenants.set(namespace, tenant);
    return tenant;
  }

  const isOver = (namespace: string) => tenantOf(namespace).used > limitOf(namespace);

  function isBefore(one: string, other: string | null): boolean {
    if (other === null) return true;
    const [a, b] = [tenantOf(one), tenantOf(other)];
    return (Number(isOver(one)) - Number(isOver(other)) || a.running - b.running || a.used - b.used) < 0;
  }

  /** Refuses what has waited too long while another namespace was served. */
  function refuseDeferred(served: string): void {
    for (const namespace of queued) {
      if (namespace === served || !isOver(namespace)) continue;
      const { waiting, used } = tenantOf(namespace);
      while (waiting[0] !== undefined && clock() - waiting[0].since > maxDeferralMs)
        waiting.shift()?.refuse(exceeded(namespace, used));
      if (waiting.length === 0) queued.delete(namespace);
    }
  }

  function exceeded(namespace: string, used: number): BudgetExceeded {
    const [spent, limit] = [used, limitOf(namespace)].map((amount) => Math.round(amount).toLocaleString("en-US"));
    return new BudgetExceeded(
      `namespace ${namespace} used ${spent} ${resource} of ${limit}, and other namespaces waited; the next poll tries again`,
    );
  }

  function startNext(): void {
    while (running < concurrency && queued.size > 0) {
      let next: string | null = null;
      for (const namespace of queued) if (isBefore(namespace, next)) next = namespace;
      const namespace = next as string;
      const tenant = tenantOf(namespace);
      const first = tenant.waiting.shift();
      // Again at the end, so that equal ones take turns.
      queued.delete(namespace);
      if (tenant.waiting.length > 0) queued.add(namespace);
      tenant.running += 1;
      running += 1;
      first?.start();
      if (!isOver(namespace)) refuseDeferred(namespace);
    }
  }

  return {
    async run(namespace, work, isUrgent = false) {
      const tenant = tenantOf(namespace);
      if (running < concurrency && queued.size === 0) {
        tenant.running += 1;
        running += 1;
      } else {
        await new Promise<void>((start, refuse) => {
          tenant.waiting[isUrgent ? "unshift" : "push"]({ since: clock(), start, refuse });
          queued.add(namespace);
          startNext();
        });
      }
      try {
        return await work();
      } finally {
        tenant.running -= 1;
        running -= 1;
        startNext();
      }
    },
    spend: (namespace, amount) => void (tenantOf(namespace).used += amount),
    get concurrency() {
      return concurrency;
    },
    set concurrency(value) {
      concurrency = value;
      startNext();
    },
  };
}
