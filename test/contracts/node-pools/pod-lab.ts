import { eventually } from "../../support/control-plane/eventually.ts";
import type { DrainedPod } from "../../../functions/domain/node-pool/drain.ts";
import { nodesPath, patch, type PoolBench } from "./bench.ts";
import type { Metadata } from "./fixtures.ts";

const containers = [{ name: "app", image: "registry.invalid:5000/shop/app:1.0.0" }];

/** Makes a pod that is bound to a node at once, and gives it when it is Ready. */
export async function makePod(
  bench: PoolBench,
  node: string,
  name: string,
  metadata: Metadata = {},
): Promise<DrainedPod> {
  const body = { metadata: { ...metadata, name }, spec: { containers, nodeName: bench.named(node) } };
  // A new namespace has no service account for some milliseconds, and takes no pods.
  await eventually(`${name} is made`, () => bench.make(podsPath(bench), body));
  return runningPod(bench, node, (pod) => pod.name === name);
}

export async function runningPod(
  bench: PoolBench,
  node: string,
  isMeant: (pod: DrainedPod) => boolean,
): Promise<DrainedPod> {
  return eventually(`a pod runs on ${node}`, async () => {
    const pod = (await podsOf(bench, node)).find(isMeant);
    return pod?.phase === "Running" && pod;
  });
}

/** A DaemonSet of which one pod runs on the node. */
export async function makeDaemonSet(bench: PoolBench, node: string): Promise<void> {
  const labels = { app: "agent", "example.com/only": bench.namespace };
  await patch(bench, `${nodesPath}/${bench.named(node)}`, { metadata: { labels } });
  const template = { metadata: { labels }, spec: { containers, nodeSelector: labels } };
  const spec = { selector: { matchLabels: labels }, template };
  const collection = `/apis/apps/v1/namespaces/${bench.namespace}/daemonsets`;
  await bench.make(collection, { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "agent" }, spec });
}

/** A PodDisruptionBudget, in force when this resolves. */
export async function makeBudget(bench: PoolBench, name: string, app: string, minAvailable: number): Promise<string> {
  const collection = `/apis/${bench.budgets}/namespaces/${bench.namespace}/poddisruptionbudgets`;
  const spec = { minAvailable, selector: { matchLabels: { app } } };
  await bench.make(collection, { apiVersion: bench.budgets, kind: "PodDisruptionBudget", metadata: { name }, spec });
  const path = `${collection}/${name}`;
  await eventually(`${name} counts its pods`, async () => {
    const { status } = (await bench.request("GET", path)).body;
    return Number(status?.["currentHealthy"]) > 0;
  });
  return path;
}

/** A DaemonSet that another suite has left puts a pod on every new Node. */
export async function podsOf(bench: PoolBench, node: string): Promise<readonly DrainedPod[]> {
  const pods = await bench.pools.pods(bench.named(node));
  return pods.filter(({ namespace }) => namespace === bench.namespace);
}

export function podsPath({ namespace }: PoolBench): string {
  return `/api/v1/namespaces/${namespace}/pods`;
}
