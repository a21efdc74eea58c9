import type { ControlPlane } from "../../test/support/control-plane.ts";
import { countApiRequests } from "../poll-memory/api-requests.ts";
import { fillHistories } from "../poll-memory/auto-updates.ts";
import { createWorkloads } from "../poll-memory/workloads.ts";
import { countRequests } from "../poll/registry/counts.ts";
import type { BenchRegistry } from "../poll/registry/start.ts";
import { pollInProcesses } from "./poll.ts";
import { formatReport, type Measured } from "./table.ts";
import { tagsPerRepository, withCluster, workloadsPerRepository } from "../poll-memory/cluster.ts";

// Polls more workloads than one invocation holds, with a real API server and the deployed bundle. Each invocation is a process of its own,
// two at a time, as a stand-in for the concurrent invocations of AWS.

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [13_000, 20_000];
const namespace = "workloads";

await withCluster(Math.max(...sizes), async (plane, registry) => {
  const measured: Measured[] = [];
  for (const [index, workloads] of sizes.entries()) {
    const first = sizes[index - 1] ?? 0;
    console.error(`creating Deployments ${first} to ${workloads}`);
    const options = { namespace, workloads, workloadsPerRepository, host: registry.host, tags: tagsPerRepository };
    await createWorkloads(plane.kubeconfig, options, first);
    console.error("the first poll, which creates their AutoUpdates");
    // On a busy machine some of its writes fail, and are repeated.
    for (let writes = 1; writes > 0;) ({ writes } = await measure(workloads, plane, registry));
    console.error("filling their histories");
    await fillHistories(plane.kubeconfig, namespace, `${registry.host}/bench/app`);
    console.error("the next poll");
    const next = await measure(workloads, plane, registry);
    if (next.writes > 0) throw new Error(`the next poll wrote ${next.writes} times, and nothing had changed`);
    measured.push(next);
  }
  console.log(formatReport(measured));
});

async function measure(workloads: number, { kubeconfig, kubeconfigPath }: ControlPlane, stub: BenchRegistry) {
  const before = await countApiRequests(kubeconfig);
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
  const after = await countApiRequests(kubeconfig);
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
