/**
 * Scheduler and kubelet of a cluster without machines: binds every pod, says that it runs, and deletes it when asked. It keeps
 * the NODEs, and is the kubelet of those that tests make besides.
 * Usage: fake-kubelet.ts KUBECONFIG START_MILLISECONDS NODE...
 */
import { setTimeout as pause } from "node:timers/promises";
import { CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions, type V1Pod } from "@kubernetes/client-node";
import { follow } from "./follow.ts";
import { nodeFor, nodesThatTake, registerNode } from "./kubelet/nodes.ts";
import { nodeImages } from "./kubelet/node-images.ts";
import { isReported, runningStatus } from "./kubelet/pod-status.ts";
import { pull } from "./kubelet/pull.ts";
import { queueByKey } from "./kubelet/queue.ts";

const [kubeconfigPath = "", startMilliseconds = "", ...nodes] = process.argv.slice(2);
const kubeConfig = new KubeConfig();
kubeConfig.loadFromFile(kubeconfigPath);
const core = kubeConfig.makeApiClient(CoreV1Api);
const enqueue = queueByKey();
const runsOf = nodeImages(pull);
let addresses = 0;

for (const node of nodes) await registerNode(core, node);
await follow(kubeConfig, "/api/v1/pods", () => core.listPodForAllNamespaces(), keep);

function keep(pod: V1Pod): void {
  enqueue(pod.metadata?.uid ?? "", () => step(pod).catch((error: unknown) => report(pod, error)));
}

/** One step towards what the pod should be. The change that it makes comes back as the next version of the pod. */
async function step(pod: V1Pod): Promise<void> {
  const { name = "", namespace = "", uid = "", deletionTimestamp } = pod.metadata ?? {};
  if (deletionTimestamp) {
    await core.deleteNamespacedPod({ name, namespace, body: { gracePeriodSeconds: 0, preconditions: { uid } } });
  } else if (!pod.spec?.nodeName) {
    const target = { apiVersion: "v1", kind: "Node", name: nodeFor(pod, await nodesThatTake(core, pod, nodes)) ?? "" };
    if (!target.name) return later(pod);
    await core.createNamespacedPodBinding({ name, namespace, body: { metadata: { name, uid }, target } });
  } else {
    const runs = await runsOf(pod);
    if (isReported(pod, runs)) return;
    await pause(Number(startMilliseconds));
    const status = runningStatus(pod, runs, pod.status?.podIP ?? nextAddress(), new Date());
    const strategicMerge = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
    await core.patchNamespacedPodStatus({ name, namespace, body: { metadata: { uid }, status } }, strategicMerge);
  }
}

/** No Node takes it now. */
function later({ metadata: { name = "", namespace = "" } = {} }: V1Pod): void {
  setTimeout(() => void core.readNamespacedPod({ name, namespace }).then(keep, () => {}), 300);
}

function nextAddress(): string {
  addresses += 1;
  return `10.1.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** A pod that is gone or has been replaced is nothing to speak of; the rest is for the log. */
function report(pod: V1Pod, error: unknown): void {
  const { code } = error as { code?: number };
  if (code !== 404 && code !== 409) process.stderr.write(`${pod.metadata?.name}: ${String(error)}\n`);
}
