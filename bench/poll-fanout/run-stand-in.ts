import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { functionSpecs } from "../../infra/constructs/functions/function-specs.ts";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { fillHistories } from "../poll-memory/auto-updates.ts";
import { tagsPerRepository, workloadsPerRepository } from "../poll-memory/cluster.ts";
import { pollAsLambda } from "../poll-memory/lambda.ts";
import { createWorkloads } from "../poll-memory/workloads.ts";
import { startRegistry } from "../poll/registry/start.ts";
import { assertUnchanged, measurePoll, namespace } from "./measure.ts";
import { startMultipliedApi } from "./multiplied-api.ts";
import { formatReport, type Measured } from "./table.ts";

// Polls a cluster of any size, without a real API server: one Deployment and its AutoUpdate, with a full history, are served many times.

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [20_000, 100_000];
const images = Math.ceil(Math.max(...sizes) / workloadsPerRepository);
const registry = await startRegistry({ images, tags: tagsPerRepository, latencyMilliseconds: 10, pageSize: 100 });
const cluster = await startEmbeddedCluster({ now: () => new Date() });
const folder = mkdtempSync(join(tmpdir(), "pawl-bench-"));
try {
  await createWorkloads(cluster.kubeconfig, {
    namespace,
    workloads: 1,
    workloadsPerRepository,
    host: registry.host,
    tags: tagsPerRepository,
  });
  // Until its pods are ready.
  await wait(10_000);
  const kubeconfigPath = join(folder, "kubeconfig");
  writeFileSync(kubeconfigPath, cluster.kubeconfig);
  const environment = { PAWL_KUBECONFIG: kubeconfigPath, PAWL_NAMESPACES: namespace };
  await pollAsLambda({ ...environment, PAWL_INSECURE_REGISTRIES: registry.host }, functionSpecs.poll);
  await fillHistories(cluster.kubeconfig, namespace, `${registry.host}/bench/app`);
  const measured: Measured[] = [];
  for (const workloads of sizes) {
    const api = await startMultipliedApi(cluster.url, workloads);
    writeFileSync(kubeconfigPath, cluster.kubeconfig.replaceAll(cluster.url, api.url));
    const next = await measurePoll(workloads, { kubeconfigPath, count: async () => api.counts() }, registry);
    await api.close();
    assertUnchanged(next);
    measured.push(next);
    console.log(formatReport(measured));
  }
} finally {
  rmSync(folder, { recursive: true });
  registry.close();
  await cluster.close();
}
