import type { CoreV1Api, V1Pod } from "@kubernetes/client-node";
import type { DrainedPod } from "../../../domain/node-pool/node/drain.ts";
import type { Identified } from "../objects.ts";
import type { RequestOptions } from "../requests.ts";
import { listTypedItems } from "./typed-list.ts";

/** Lists every pod that is bound to a node, in all namespaces. */
export async function listPodsOnNode(
  node: string,
  core: CoreV1Api,
  options: RequestOptions,
): Promise<readonly DrainedPod[]> {
  const request = { fieldSelector: `spec.nodeName=${node}` };
  const list = (paging: object) => core.listPodForAllNamespaces({ ...request, ...paging }, options());
  const found: DrainedPod[] = [];
  for await (const items of listTypedItems<V1Pod & Identified>(list, `list pods of node ${node}`)) {
    found.push(...items.map(readDrainedPod));
  }
  return found;
}

/** Returns the nodes of etcd's static pods, as kubeadm and others label them. */
export async function listEtcdNodes(core: CoreV1Api, options: RequestOptions): Promise<ReadonlySet<string>> {
  const request = { namespace: "kube-system", labelSelector: "component=etcd" };
  const list = (paging: object) => core.listNamespacedPod({ ...request, ...paging }, options());
  const found = new Set<string>();
  for await (const items of listTypedItems<V1Pod & Identified>(list, "list pods of etcd"))
    for (const { spec } of items) if (spec?.nodeName) found.add(spec.nodeName);
  return found;
}

const mirrorAnnotation = "kubernetes.io/config.mirror";

export function readDrainedPod({ metadata, spec, status }: V1Pod): DrainedPod {
  const { name = "", namespace = "", uid = "", annotations = {}, ownerReferences = [] } = metadata ?? {};
  const owner = ownerReferences.find(({ controller }) => controller);
  return {
    namespace,
    name,
    uid,
    controller: owner?.kind ?? null,
    controllerName: owner?.name ?? null,
    isReady: (status?.conditions ?? []).some(({ type, status: value }) => type === "Ready" && value === "True"),
    isMirror: Object.hasOwn(annotations, mirrorAnnotation),
    hasEmptyDir: (spec?.volumes ?? []).some(({ emptyDir }) => emptyDir !== undefined),
    phase: status?.phase ?? "Unknown",
    isBeingDeleted: metadata?.deletionTimestamp !== undefined,
  };
}
