import type { KubeConfig, KubernetesObject, V1Node, V1Pod } from "@kubernetes/client-node";
import { eventually } from "../control-plane/eventually.ts";
import { bootcPath, type BootcNodeObject, type BootcNodePoolObject } from "./objects.ts";
import { type Change, watchKind } from "./watch-kind.ts";

/** A change of an object, with the revision of the store: the same count for all kinds, so changes of two kinds have an order. */
export type Happening = { readonly revision: number; readonly isGone: boolean } & (
  | { readonly kind: "Node"; readonly object: V1Node }
  | { readonly kind: "BootcNode"; readonly object: BootcNodeObject }
  | { readonly kind: "BootcNodePool"; readonly object: BootcNodePoolObject }
  | { readonly kind: "Pod"; readonly object: V1Pod }
);

export interface Recording {
  /** Every change so far, in the order in which they were made. */
  happenings(): readonly Happening[];
  /** Resolves once these objects are recorded as they are here. */
  catchUp(objects: readonly KubernetesObject[]): Promise<void>;
  stop(): void;
}

/** Records what becomes of all Nodes, BootcNodes and BootcNodePools, and of the pods of a namespace. */
export function record(kubeConfig: KubeConfig, namespace: string): Recording {
  const seen = new Map<string, Happening>();
  const watched = (path: string, kind: Happening["kind"]) =>
    watchKind<KubernetesObject>(kubeConfig, path, {}, (change) => {
      seen.set(keyOf(change.object), happeningOf(kind, change));
    });
  const watches = [
    watched("/api/v1/nodes", "Node"),
    watched(`${bootcPath}/bootcnodes`, "BootcNode"),
    watched(`${bootcPath}/bootcnodepools`, "BootcNodePool"),
    watched(`/api/v1/namespaces/${namespace}/pods`, "Pod"),
  ];
  return {
    happenings: () => [...seen.values()].sort((a, b) => a.revision - b.revision),
    async catchUp(objects) {
      await eventually("everything is recorded", async () => objects.every((object) => seen.has(keyOf(object))));
    },
    stop() {
      for (const watch of watches) watch.stop();
    },
  };
}

function happeningOf(kind: Happening["kind"], { type, object }: Change<KubernetesObject>): Happening {
  const revision = Number(object.metadata?.resourceVersion);
  return { kind, object, revision, isGone: type === "DELETED" } as Happening;
}

/** An object that is told again is the same happening. */
function keyOf({ metadata = {} }: KubernetesObject): string {
  return `${metadata.uid} ${metadata.resourceVersion}`;
}
