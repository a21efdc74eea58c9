import type { CoreV1Api, V1Pod } from "@kubernetes/client-node";
import type { DrainedPod } from "../../../domain/node-pool/drain.ts";
import type { Identified } from "../objects.ts";
import { pageSize } from "../pages.ts";
import type { Options } from "../requests.ts";
import { typedItems } from "./typed-list.ts";

/** Every pod that is bound to a node, of every namespace. */
export async function listPodsOf(node: string, core: CoreV1Api, options: Options): Promise<readonly DrainedPod[]> {
  const request = { fieldSelector: `spec.nodeName=${node}`, limit: pageSize };
  const list = (paging: object) => core.listPodForAllNamespaces({ ...request, ...paging }, options());
  const found: DrainedPod[] = [];
  for await (const items of typedItems<V1Pod & Identified>(list, `list pods of node ${node}`)) {
    found.push(...items.map(readDrainedPod));
  }
  return found;
}

const mirrorAnnotation = "kubernetes.io/config.mirror";

export function readDrainedPod({ metadata, status }: V1Pod): DrainedPod {
  const { name = "", namespace = "", uid = "", annotations = {}, ownerReferences = [] } = metadata ?? {};
  return {
    namespace,
    name,
    uid,
    controller: ownerReferences.find(({ controller }) => controller)?.kind ?? null,
    isMirror: Object.hasOwn(annotations, mirrorAnnotation),
    phase: status?.phase ?? "Unknown",
    isBeingDeleted: metadata?.deletionTimestamp !== undefined,
  };
}
