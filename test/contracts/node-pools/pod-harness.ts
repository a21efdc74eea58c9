import { eventually } from "../../support/control-plane/eventually.ts";
import { servedVersion } from "../../support/served-version.ts";
import type { DrainedPod } from "../../../functions/domain/node-pool/node/drain.ts";
import { nodesPath, patch, type PoolHarness } from "./harness.ts";
import type { Metadata } from "./fixtures.ts";

const containers = [{ name: "app", image: "registry.invalid:5000/shop/app:1.0.0" }];

/** Creates a pod that is bound to a node, and returns it once it runs. */
export async function createPod(
  harness: PoolHarness,
  node: string,
  name: string,
  metadata: Metadata = {},
  spec: object = {},
): Promise<DrainedPod> {
  const body = { metadata: { ...metadata, name }, spec: { ...spec, containers, nodeName: harness.uniqueName(node) } };
  // A new namespace rejects pods for some milliseconds, until it has a service account.
  await eventually(`${name} is created`, () => harness.create(podsPath(harness), body));
  return runningPod(harness, node, (pod) => pod.name === name);
}

export async function runningPod(
  harness: PoolHarness,
  node: string,
  matches: (pod: DrainedPod) => boolean,
): Promise<DrainedPod> {
  return eventually(`a pod runs on ${node}`, async () => {
    const pod = (await podsOf(harness, node)).find(matches);
    return pod?.phase === "Running" && pod;
  });
}

/** Creates a DaemonSet with one pod, on the node. */
export async function createDaemonSet(harness: PoolHarness, node: string): Promise<void> {
  const labels = { app: "agent", "example.com/only": harness.namespace };
  await patch(harness, `${nodesPath}/${harness.uniqueName(node)}`, { metadata: { labels } });
  const template = { metadata: { labels }, spec: { containers, nodeSelector: labels } };
  const spec = { selector: { matchLabels: labels }, template };
  const collection = `/apis/apps/v1/namespaces/${harness.namespace}/daemonsets`;
  await harness.create(collection, { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "agent" }, spec });
}

/** Creates a PodDisruptionBudget and waits until it is enforced. */
export async function createBudget(
  harness: PoolHarness,
  name: string,
  app: string,
  minAvailable: number,
): Promise<string> {
  const version = await servedVersion(harness.kubeConfig, "policy", "poddisruptionbudgets");
  const collection = `/apis/policy/${version}/namespaces/${harness.namespace}/poddisruptionbudgets`;
  const spec = { minAvailable, selector: { matchLabels: { app } } };
  await harness.create(collection, { kind: "PodDisruptionBudget", metadata: { name }, spec });
  const path = `${collection}/${name}`;
  await eventually(`${name} counts its pods`, async () => {
    const { status } = (await harness.request("GET", path)).body;
    return Number(status?.["currentHealthy"]) > 0;
  });
  return path;
}

/** Lists the pods of the harness; a DaemonSet of another suite may run a pod on every new Node. */
export async function podsOf(harness: PoolHarness, node: string): Promise<readonly DrainedPod[]> {
  const pods = await harness.pools.listPods(harness.uniqueName(node));
  return pods.filter(({ namespace }) => namespace === harness.namespace);
}

export function podsPath({ namespace }: PoolHarness): string {
  return `/api/v1/namespaces/${namespace}/pods`;
}
