import type { CoreV1Api, V1Pod } from "@kubernetes/client-node";
import type { DrainedPod } from "../../../domain/node-pool/drain.ts";
import type { Identified, ListPage } from "../objects.ts";
import { pages, pageSize } from "../pages.ts";
import type { Options } from "../requests.ts";

/** Every pod that is bound to a node, of every namespace. */
export async function listPodsOf(node: string, core: CoreV1Api, options: Options): Promise<readonly DrainedPod[]> {
  const page = (token: string | undefined) => {
    const paging = { limit: pageSize, ...(token === undefined ? {} : { _continue: token }) };
    const request = { fieldSelector: `spec.nodeName=${node}`, ...paging };
    return core.listPodForAllNamespaces(request, options()) as Promise<unknown> as Promise<ListPage<PodObject>>;
  };
  const found: DrainedPod[] = [];
  for await (const { items } of pages(page, () => "whole", `list pods of node ${node}`)) {
    found.push(...items.map(readDrainedPod));
  }
  return found;
}

type PodObject = V1Pod & Identified;

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
