/**
 * A process that calls the API server and a registry once for each line on stdin, and prints the error of each call or "ok".
 * `frozen-process.test.ts` freezes it between two lines, as Lambda does between two invocations.
 */
import { createInterface } from "node:readline";
import { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import { createOciRegistry } from "../../functions/adapters/oci-registry/registry.ts";
import { workload } from "../support/workloads.ts";

const [host = ""] = process.argv.slice(2);
const now = () => new Date();
const kubeConfig = new KubeConfig();
kubeConfig.loadFromClusterAndUser({ name: "peer", server: `http://${host}`, skipTLSVerify: true }, { name: "peer" });
const cluster = createKubernetesCluster({ name: "peer", kubeConfig, namespaces: null, now, warn: () => undefined });
const registry = createOciRegistry({ credentials: async () => null, insecureHosts: [host], now });
const image = { registry: host, repository: "team/app", tag: null, digest: null };
const event = { type: "Normal", reason: "AutoUpdateComplete", message: "is not a read" } as const;

const calls = {
  read: async () => cluster.read(workload().ref),
  write: async () => cluster.emitEvent(workload(), { ...event, key: String(now().getTime()) }),
  registry: async () => registry.listTags(image),
};

async function resultOf(call: () => Promise<unknown>): Promise<string> {
  return call().then(
    () => "ok",
    (error: unknown) => String(error),
  );
}

for await (const line of createInterface({ input: process.stdin })) {
  const names = line.split(" ") as (keyof typeof calls)[];
  const results = await Promise.all(names.map(async (name) => [name, await resultOf(calls[name])]));
  process.stdout.write(`${JSON.stringify(Object.fromEntries(results))}\n`);
}
