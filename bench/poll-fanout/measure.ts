import type { ApiRequestCounts } from "../poll-memory/api-requests.ts";
import { workloadsPerRepository } from "../poll-memory/cluster.ts";
import { countRequests } from "../poll/registry/counts.ts";
import type { BenchRegistry } from "../poll/registry/start.ts";
import { pollInProcesses } from "./poll.ts";
import type { Measured } from "./table.ts";

export const namespace = "workloads";

export interface PolledCluster {
  readonly kubeconfigPath: string;
  readonly count: () => Promise<ApiRequestCounts>;
}

/** Polls a cluster once. Throws if a workload was not evaluated. */
export async function measurePoll(workloads: number, { kubeconfigPath, count }: PolledCluster, stub: BenchRegistry) {
  const before = await count();
  await stub.takeCounts();
  const startedAt = performance.now();
  const { invocations, end } = await pollInProcesses({
    PAWL_KUBECONFIG: kubeconfigPath,
    PAWL_NAMESPACES: namespace,
    PAWL_INSECURE_REGISTRIES: stub.host,
  });
  const { evaluated, unreached } = end.totals;
  if (evaluated !== workloads || end.outcome !== "complete")
    throw new Error(`unexpected end: ${end.outcome}, evaluated ${evaluated}, unreached ${unreached}`);
  const after = await count();
  return {
    workloads,
    invocations,
    seconds: (performance.now() - startedAt) / 1000,
    registryRequests: countRequests(await stub.takeCounts()),
    // Two pages of tags each.
    neededRequests: Math.ceil(workloads / workloadsPerRepository) * 2,
    apiLists: after.lists - before.lists,
    apiRequests: after.total - before.total,
    writes: after.writes - before.writes,
  } satisfies Measured & { readonly writes: number };
}

/** Throws if a poll of a cluster in which nothing has changed wrote something. */
export function assertUnchanged({ writes }: { readonly writes: number }): void {
  if (writes > 0) throw new Error(`the next poll wrote ${writes} times, and nothing had changed`);
}
