import { maxWorkloadsInMemory } from "../../functions/workflows/poll/poll-cluster.ts";
import { functionSpecs } from "../../infra/constructs/functions/function-specs.ts";
import type { ControlPlane } from "../../test/support/control-plane.ts";
import { countRequests } from "../poll/registry/counts.ts";
import type { BenchRegistry } from "../poll/registry/start.ts";
import { countApiRequests } from "./api-requests.ts";
import { fillHistories } from "./auto-updates.ts";
import { createWorkloads } from "./workloads.ts";
import { pollAsLambda } from "./lambda.ts";
import { formatTable, type Row, formatSlopes } from "./table.ts";
import { tagsPerRepository, withCluster, workloadsPerRepository } from "./cluster.ts";

// Runs the deployed poll in a process with the heap of its Lambda function, with a real API server, etcd and a stub registry.

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [2500, 5000, 10_000];

await withCluster(Math.max(...sizes), async (plane, registry) => {
  const rows: Row[] = [];
  for (const workloads of sizes) {
    const namespace = `workloads-${workloads}`;
    console.error(`creating ${workloads} Deployments`);
    await createWorkloads(plane.kubeconfig, {
      namespace,
      workloads,
      workloadsPerRepository,
      host: registry.host,
      tags: tagsPerRepository,
    });
    rows.push(await measure({ workloads, poll: "first" }, namespace, plane, registry));
    console.error(`filling the history of ${workloads} AutoUpdates`);
    const filled = await fillHistories(plane.kubeconfig, namespace, `${registry.host}/bench/app`);
    if (filled !== workloads) throw new Error(`the first poll created ${filled} of ${workloads} AutoUpdates`);
    const next = await measure({ workloads, poll: "next" }, namespace, plane, registry);
    if (next.apiWrites > 0) throw new Error(`the next poll wrote ${next.apiWrites} times, and nothing had changed`);
    rows.push(next);
  }
  console.log(
    `${workloadsPerRepository} workloads per repository, ${tagsPerRepository} tags in 2 pages, 10 ms latency:\n`,
  );
  console.log(`${formatTable(rows)}\n\n${formatSlopes(rows, 100_000, maxWorkloadsInMemory)}`);
});

async function measure(
  run: Pick<Row, "workloads" | "poll">,
  namespace: string,
  { kubeconfig, kubeconfigPath }: ControlPlane,
  stub: BenchRegistry,
): Promise<Row> {
  const before = await countApiRequests(kubeconfig);
  await stub.takeCounts();
  const environment = {
    PAWL_KUBECONFIG: kubeconfigPath,
    PAWL_NAMESPACES: namespace,
    PAWL_INSECURE_REGISTRIES: stub.host,
    POWERTOOLS_LOG_LEVEL: "SILENT",
  };
  const invocation = await pollAsLambda(environment, functionSpecs.poll);
  // All workloads are up to date, so every other count is 0.
  const { evaluated, started, adopted, inFlight, held, problems, failures, deferred, unreached } = invocation.report;
  const others = { started, adopted, inFlight, held, problems, failures, deferred, unreached };
  if (evaluated !== run.workloads || Object.values(others).some((count) => count > 0)) {
    throw new Error(`unexpected poll report: ${JSON.stringify({ evaluated, ...others })}`);
  }
  const registryRequests = countRequests(await stub.takeCounts());
  const after = await countApiRequests(kubeconfig);
  const [apiRequests, apiWrites] = [after.total - before.total, after.writes - before.writes];
  return { ...run, ...invocation, registryRequests, apiRequests, apiWrites };
}
