/**
 * Scheduler and kubelet of a cluster without machines: binds every pod, reports it as running, and removes it when it is
 * deleted. It creates the NODEs, and is the kubelet of Nodes that tests create too.
 * Usage: fake-kubelet.ts KUBECONFIG START_MILLISECONDS NODE...
 */
import { setTimeout as pause } from "node:timers/promises";
import {
  CoreV1Api,
  KubeConfig,
  PatchStrategy,
  setHeaderOptions,
  type V1Pod,
  type V1PodStatus,
} from "@kubernetes/client-node";
import { startInformer } from "./start-informer.ts";
import { listSchedulableNodes, nodeLostAnnotation, registerNode, selectNode } from "./kubelet/nodes.ts";
import { isAtStage, lifeStatus, pullFailureStatus } from "./kubelet/life-status.ts";
import { type Life, stageOf } from "./kubelet/life.ts";
import { createNodeImages, type PulledImages } from "./kubelet/node-images.ts";
import { isBroken, isReported, runningStatus } from "./kubelet/pod-status.ts";
import { nodeSpeed, nodeTime } from "./kubelet/pod-clock.ts";
import { pull } from "./kubelet/pull.ts";
import { createKeyedQueue } from "./kubelet/queue.ts";
import { readTroubles, showsTrouble, troubleOf, troubleStatus } from "./kubelet/trouble.ts";

const [kubeconfigPath = "", startMilliseconds = "", ...nodes] = process.argv.slice(2);
const kubeConfig = new KubeConfig();
kubeConfig.loadFromFile(kubeconfigPath);
const core = kubeConfig.makeApiClient(CoreV1Api);
const enqueue = createKeyedQueue();
const pullImages = createNodeImages(pull);
/** The pods that are read again soon. */
const retried = new Set<string>();
let addresses = 0;

for (const node of nodes) await registerNode(core, node);
await startInformer(kubeConfig, "/api/v1/pods", () => core.listPodForAllNamespaces(), enqueuePod);
setInterval(() => void troubleRunning().catch(() => undefined), 1000);

/** Finds the pods that run, and are in trouble now. */
async function troubleRunning(): Promise<void> {
  const list = readTroubles(kubeconfigPath);
  for (const namespace of list.keys()) {
    const { items } = await core.listNamespacedPod({ namespace });
    items.filter((pod) => pod.spec?.nodeName && troubleOf(pod, list, new Date()) !== null).forEach(enqueuePod);
  }
}

function enqueuePod(pod: V1Pod): void {
  enqueue(pod.metadata?.uid ?? "", () => step(pod).catch((error: unknown) => handleError(pod, error)));
}

/** Does the next step for a pod. Its change triggers the following step. */
async function step(pod: V1Pod): Promise<void> {
  const { name = "", namespace = "", uid = "", deletionTimestamp, annotations } = pod.metadata ?? {};
  if (annotations?.[nodeLostAnnotation] === "true") return;
  if (pod.status?.phase === "Failed" && !deletionTimestamp) return;
  if (deletionTimestamp) {
    await core.deleteNamespacedPod({ name, namespace, body: { gracePeriodSeconds: 0, preconditions: { uid } } });
  } else if (!pod.spec?.nodeName) {
    const target = {
      apiVersion: "v1",
      kind: "Node",
      name: selectNode(pod, await listSchedulableNodes(core, pod, nodes)) ?? "",
    };
    if (!target.name) {
      await reportUnschedulable(pod);
      return retryLater(pod);
    }
    await core.createNamespacedPodBinding({ name, namespace, body: { metadata: { name, uid }, target } });
  } else {
    await run(pod);
  }
}

/** Reports a pod as running, or what is wrong with it, until that is over. */
async function run(pod: V1Pod): Promise<void> {
  const images = await pullImages(pod);
  const life = [...images.values()].find((one) => one.life !== undefined)?.life;
  if (life !== undefined) return live(pod, images, life);
  const trouble = isBroken(pod, images) ? null : troubleOf(pod, readTroubles(kubeconfigPath), new Date());
  if (trouble === null ? isReported(pod, images) : showsTrouble(pod, trouble)) {
    if (trouble !== null) retryLater(pod);
    return;
  }
  if (trouble === null) await pause(Number(startMilliseconds));
  const now = nodeTime(pod);
  const running = runningStatus(pod, images, pod.status?.podIP ?? nextAddress(), now, trouble === null);
  const status = trouble === null ? running : troubleStatus(pod, trouble, running, now);
  await report(pod, status);
}

const startedAt = new Map<string, number>();
const pulledBy = new Map<string, Set<string>>();
const scheduled = new Set<string>();

/** Reports where a pod is in the life that its image has, and comes back when that changes. */
async function live(pod: V1Pod, images: PulledImages, life: Life): Promise<void> {
  const { uid = "" } = pod.metadata ?? {};
  const pulled = getOrCreate(
    pulledBy,
    [...images.values()].map(({ imageId }) => imageId).join(),
    () => new Set<string>(),
  );
  if (pulled.has(uid) || pulled.size < life.pulls) pulled.add(uid);
  const address = pod.status?.podIP ?? nextAddress();
  if (!pulled.has(uid)) {
    if (pod.status?.containerStatuses === undefined)
      await report(pod, pullFailureStatus(pod, images, address, nodeTime(pod)));
    return;
  }
  const isKnown = startedAt.has(uid);
  const now = nodeTime(pod);
  const seconds = (now.getTime() - getOrCreate(startedAt, uid, () => now.getTime())) / 1000;
  const stage = stageOf(life, seconds);
  if (!isAtStage(pod, stage)) await report(pod, lifeStatus(pod, images, stage, address, now));
  else if (isKnown && scheduled.has(uid)) return;
  if (stage.leftSeconds === Infinity) return;
  scheduled.add(uid);
  retryAfter(pod, (stage.leftSeconds * 1000) / nodeSpeed(pod) + 20, () => scheduled.delete(uid));
}

function getOrCreate<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const found = map.get(key) ?? create();
  map.set(key, found);
  return found;
}

async function report({ metadata = {} }: V1Pod, status: V1PodStatus): Promise<void> {
  const { name = "", namespace = "", uid } = metadata;
  const strategicMerge = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
  await core.patchNamespacedPodStatus({ name, namespace, body: { metadata: { uid }, status } }, strategicMerge);
}

/** Sets the condition that the scheduler sets. The API server removes it when the pod is bound. */
async function reportUnschedulable({ metadata = {}, status }: V1Pod): Promise<void> {
  const { name = "", namespace = "", uid } = metadata;
  if (status?.conditions?.some(({ type }) => type === "PodScheduled")) return;
  const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }];
  const strategicMerge = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
  await core.patchNamespacedPodStatus(
    { name, namespace, body: { metadata: { uid }, status: { conditions } } },
    strategicMerge,
  );
}

/** Retries a pod for which no Node is schedulable, or whose step failed, until it does not exist any more. */
function retryLater(pod: V1Pod): void {
  const { uid = "" } = pod.metadata ?? {};
  if (retried.has(uid)) return;
  retried.add(uid);
  retryAfter(pod, 300, () => retried.delete(uid));
}

function retryAfter(pod: V1Pod, milliseconds: number, before: () => void): void {
  const { name = "", namespace = "" } = pod.metadata ?? {};
  setTimeout(() => {
    before();
    const read = core.readNamespacedPod({ name, namespace });
    void read.then(enqueuePod, (error: unknown) => handleError(pod, error));
  }, milliseconds);
}

function nextAddress(): string {
  addresses += 1;
  return `10.1.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Logs an error and retries, unless the pod was deleted or replaced: an informer does not repeat an object that has not changed. */
function handleError(pod: V1Pod, error: unknown): void {
  const { code } = error as { code?: number };
  if (code === 404 || code === 409) return;
  process.stderr.write(`${pod.metadata?.name}: ${String(error)}\n`);
  retryLater(pod);
}
