import { namespaceExceeded } from "./budget-exceeded.ts";
import { type BudgetResource, defaultNamespaceLimits, type NamespaceLimits } from "./limits.ts";

/** How long work of a namespace that is above its limit waits for others, before it is refused. */
const maxDeferralMs = 60_000;

/** Runs work when it is its turn. Throws what the work throws, and `BudgetExceeded`. */
export interface FairQueue {
  /** What is urgent comes before other work of its namespace. */
  run<Result>(namespace: string, work: () => Promise<Result>, isUrgent?: boolean): Promise<Result>;
  /** Adds to what a namespace has used of a resource; of the first one by default. */
  spend(namespace: string, amount: number, resource?: BudgetResource): void;
  /** How many run at a time. */
  concurrency: number;
}

export interface FairQueueOptions {
  readonly concurrency: number;
  /** What a namespace may use of them while others wait is limited; of none by default. */
  readonly resources?: readonly BudgetResource[];
  readonly limitsOf?: (namespace: string) => NamespaceLimits;
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
  readonly used: Map<BudgetResource | undefined, number>;
  readonly limits: NamespaceLimits;
}

/**
 * Creates a queue in which namespaces take turns: the next is one of those below their limit, with the least that runs, and of these with
 * the least that it has used. Nothing is refused and nobody waits while places are free, so that a large namespace alone gets all.
 * What is above its limit waits until no other does, for a minute at most.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { resources = [], limitsOf = () => defaultNamespaceLimits, clock } = options;
  const [main] = resources;
  const tenants = new Map<string, Tenant>();
  const queued = new Set<string>();
  let [running, concurrency] = [0, options.concurrency];

  function tenantOf(namespace: string): Tenant {
    const tenant = tenants.get(namespace) ?? { waiting: [], running: 0, used: new Map(), limits: limitsOf(namespace) };
    tenants.set(namespace, tenant);
    return tenant;
  }

  /** Connections are what runs, with what would be started next. */
  function usageOf({ running: open, used }: Tenant, resource: BudgetResource | undefined): number {
    return resource === "connections" ? open + 1 : (used.get(resource) ?? 0);
  }

  function exceededBy(tenant: Tenant): BudgetResource | undefined {
    return resources.find((resource) => usageOf(tenant, resource) > tenant.limits[resource]);
  }

  const isOver = (namespace: string) => exceededBy(tenantOf(namespace)) !== undefined;

  function isBefore(one: string, other: string | null): boolean {
    if (other === null) return true;
    const [a, b] = [tenantOf(one), tenantOf(other)];
    return (
      (Number(isOver(one)) - Number(isOver(other)) || a.running - b.running || usageOf(a, main) - usageOf(b, main)) < 0
    );
  }

  /** Refuses what has waited too long while another namespace was served. */
  function refuseDeferred(served: string): void {
    for (const namespace of queued) {
      const tenant = tenantOf(namespace);
      const resource = exceededBy(tenant);
      if (namespace === served || resource === undefined) continue;
      const { waiting, limits } = tenant;
      while (waiting[0] !== undefined && clock() - waiting[0].since > maxDeferralMs)
        waiting.shift()?.refuse(namespaceExceeded(namespace, resource, usageOf(tenant, resource), limits[resource]));
      if (waiting.length === 0) queued.delete(namespace);
    }
  }

  function startNext(): void {
    while (running < concurrency && queued.size > 0) {
      let next: string | null = null;
      for (const namespace of queued) if (isBefore(namespace, next)) next = namespace;
      const namespace = next as string;
      const tenant = tenantOf(namespace);
      const isDeferred = isOver(namespace);
      const first = tenant.waiting.shift();
      // Again at the end, so that equal ones take turns.
      queued.delete(namespace);
      if (tenant.waiting.length > 0) queued.add(namespace);
      tenant.running += 1;
      running += 1;
      first?.start();
      if (!isDeferred) refuseDeferred(namespace);
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
    spend(namespace, amount, resource = main) {
      const { used } = tenantOf(namespace);
      used.set(resource, (used.get(resource) ?? 0) + amount);
    },
    get concurrency() {
      return concurrency;
    },
    set concurrency(value) {
      concurrency = value;
      startNext();
    },
  };
}
