import { countApiRequests } from "../poll-memory/api-requests.ts";
import { fillHistories } from "../poll-memory/auto-updates.ts";
import { createWorkloads } from "../poll-memory/workloads.ts";
import { assertUnchanged, measurePoll, namespace } from "./measure.ts";
import { formatReport, type Measured } from "./table.ts";
import { tagsPerRepository, withCluster, workloadsPerRepository } from "../poll-memory/cluster.ts";

// Polls more workloads than one invocation holds, with a real API server and the deployed bundle. Each invocation is a process of its own,
// two at a time, as a stand-in for the concurrent invocations of AWS.

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [13_000, 20_000];

await withCluster(Math.max(...sizes), async (plane, registry) => {
  const { kubeconfigPath } = plane;
  const polled = { kubeconfigPath, count: () => countApiRequests(plane.kubeconfig) };
  const measured: Measured[] = [];
  for (const [index, workloads] of sizes.entries()) {
    const first = sizes[index - 1] ?? 0;
    console.error(`creating Deployments ${first} to ${workloads}`);
    const options = { namespace, workloads, workloadsPerRepository, host: registry.host, tags: tagsPerRepository };
    await createWorkloads(plane.kubeconfig, options, first);
    console.error("the first poll, which creates their AutoUpdates");
    // On a busy machine some of its writes fail, and are repeated.
    for (let writes = 1; writes > 0;) ({ writes } = await measurePoll(workloads, polled, registry));
    console.error("filling their histories");
    await fillHistories(plane.kubeconfig, namespace, `${registry.host}/bench/app`);
    console.error("the next poll");
    const next = await measurePoll(workloads, polled, registry);
    assertUnchanged(next);
    measured.push(next);
    console.log(formatReport(measured));
  }
});
