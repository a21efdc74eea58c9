import { type CoreV1Api, PatchStrategy, type V1Pod, setHeaderOptions } from "@kubernetes/client-node";

/** An annotation of a pod: "true" means that the kubelet of its node does not answer any more. */
export const nodeLostAnnotation = "test.pawl.dev/node-lost";

/** Creates a Node that is ready, large and without taints. An existing Node is kept. */
export async function registerNode(
  core: CoreV1Api,
  name: string,
  own: Readonly<Record<string, string>> = {},
): Promise<void> {
  const labels = { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", ...own };
  const body = { metadata: { name, labels } };
  await core.createNode({ body }).catch((error: { code?: number }) => {
    if (error.code !== 409) throw error;
  });
  const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
  await core.patchNode({ name, body: { spec: { taints: null } } }, merge); // admission taints every new Node as not ready
  const room = { cpu: "1000", memory: "1000Gi", pods: "100000" };
  const now = new Date();
  const ready = { type: "Ready", status: "True", reason: "Fake", lastHeartbeatTime: now, lastTransitionTime: now };
  await core.patchNodeStatus(
    { name, body: { status: { capacity: room, allocatable: room, conditions: [ready] } } },
    merge,
  );
}

/** Returns the Node for a pod: the one in the affinity that its DaemonSet sets, otherwise one of `nodes` by the pod's name. */
export function selectNode(pod: V1Pod, nodes: readonly string[]): string | undefined {
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const names = terms?.flatMap((term) => term.matchFields ?? []).find(({ key }) => key === "metadata.name")?.values;
  if (names) return names[0];
  const sum = Buffer.from(pod.metadata?.name ?? "").reduce((total, byte) => total + byte, 0);
  return nodes[sum % nodes.length];
}

/** Lists a pod's possible Nodes: schedulable ones that match its nodeSelector, or the kubelet's own if it has no selector. */
export async function listSchedulableNodes(
  core: CoreV1Api,
  pod: V1Pod,
  own: readonly string[],
): Promise<readonly string[]> {
  const selector = Object.entries(pod.spec?.nodeSelector ?? {});
  if (selector.length === 0) return own;
  const { items } = await core.listNode({ labelSelector: selector.map(([key, value]) => `${key}=${value}`).join(",") });
  return items.filter(({ spec }) => !spec?.unschedulable).map(({ metadata }) => metadata?.name ?? "");
}
