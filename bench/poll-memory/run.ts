import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mostInMemory } from "../../functions/polling/poll-cluster.ts";
import { bundle } from "../../infra/constructs/bundling.ts";
import { functionSpecs } from "../../infra/constructs/functions.ts";
import { type ControlPlane, startControlPlane } from "../../test/support/control-plane.ts";
import { totalOf } from "../poll/registry/counts.ts";
import { type BenchRegistry, startRegistry } from "../poll/registry/start.ts";
import { apiRequests } from "./api-requests.ts";
import { createCrowd } from "./crowd.ts";
import { pollAsLambda } from "./lambda.ts";
import { asTable, type Row, slopes } from "./table.ts";

// The poll as it is deployed, in a process with the heap of its Lambda, on a real API server with etcd and a stub registry.

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
    const namespace = `crowd-${workloads}`;
    console.error(`creating ${workloads} Deployments`);
    await createCrowd(plane.kubeconfig, { namespace, workloads, workloadsPerRepository, host: registry.host, tags });
    for (const poll of ["first", "next"] as const)
      rows.push(await measure({ workloads, poll }, namespace, plane, registry));
  }
  console.log(`${workloadsPerRepository} workloads a repository, ${tags} tags in 2 pages, 10 ms before each answer:\n`);
  console.log(`${asTable(rows)}\n\n${slopes(rows, 100_000, mostInMemory)}`);
} finally {
  registry.close();
  await plane.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(
  what: Pick<Row, "workloads" | "poll">,
  namespace: string,
  { kubeconfig, kubeconfigPath }: ControlPlane,
  stub: BenchRegistry,
): Promise<Row> {
  const before = await apiRequests(kubeconfig);
  await stub.counts();
  const environment = {
    PAWL_KUBECONFIG: kubeconfigPath,
    PAWL_NAMESPACES: namespace,
    PAWL_INSECURE_REGISTRIES: stub.host,
    POWERTOOLS_LOG_LEVEL: "SILENT",
  };
  const polled = await pollAsLambda(folder, environment, functionSpecs.poll);
  const { looked, held, failures, handedOn } = polled.report;
  if (looked !== what.workloads || held !== looked) {
    throw new Error(`looked at ${looked}, held ${held}, failed ${failures}, handed on ${handedOn}`);
  }
  const registryRequests = totalOf(await stub.counts());
  return { ...what, ...polled, registryRequests, apiRequests: (await apiRequests(kubeconfig)) - before };
}
