import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { maxWorkloadsInMemory } from "../../functions/workflows/poll/poll-cluster.ts";
import { bundle } from "../../infra/constructs/bundling.ts";
import { functionSpecs } from "../../infra/constructs/function-specs.ts";
import { type ControlPlane, startControlPlane } from "../../test/support/control-plane.ts";
import { countRequests } from "../poll/registry/counts.ts";
import { type BenchRegistry, startRegistry } from "../poll/registry/start.ts";
import { countApiRequests } from "./api-requests.ts";
import { createWorkloads } from "./workloads.ts";
import { pollAsLambda } from "./lambda.ts";
import { formatTable, type Row, formatSlopes } from "./table.ts";

// Runs the deployed poll in a process with the heap of its Lambda function, with a real API server, etcd and a stub registry.

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [2500, 5000, 10_000];
const workloadsPerRepository = 10;
const tags = 200;
const images = Math.ceil(Math.max(...sizes) / workloadsPerRepository);

const folder = await mkdtemp(join(tmpdir(), "pawl-poll-memory-"));
const registry = await startRegistry({ images, tags, latencyMilliseconds: 10, pageSize: 100 });
const plane = await startControlPlane({ controllers: false });
try {
  bundle("poll", folder);
  const rows: Row[] = [];
  for (const workloads of sizes) {
    const namespace = `workloads-${workloads}`;
    console.error(`creating ${workloads} Deployments`);
    await createWorkloads(plane.kubeconfig, {
      namespace,
      workloads,
      workloadsPerRepository,
      host: registry.host,
      tags,
    });
    for (const poll of ["first", "next"] as const)
      rows.push(await measure({ workloads, poll }, namespace, plane, registry));
  }
  console.log(`${workloadsPerRepository} workloads per repository, ${tags} tags in 2 pages, 10 ms latency:\n`);
  console.log(`${formatTable(rows)}\n\n${formatSlopes(rows, 100_000, maxWorkloadsInMemory)}`);
} finally {
  registry.close();
  await plane.stop();
  await rm(folder, { recursive: true, force: true });
}

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
  const invocation = await pollAsLambda(folder, environment, functionSpecs.poll);
  const { evaluated, held, failures, deferred } = invocation.report;
  if (evaluated !== run.workloads || held !== evaluated) {
    throw new Error(
      `unexpected poll report: evaluated ${evaluated}, held ${held}, failed ${failures}, deferred ${deferred}`,
    );
  }
  const registryRequests = countRequests(await stub.takeCounts());
  return { ...run, ...invocation, registryRequests, apiRequests: (await countApiRequests(kubeconfig)) - before };
}
