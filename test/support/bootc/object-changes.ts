import type { KubeConfig, KubernetesObject, V1Node, V1Pod } from "@kubernetes/client-node";
import { eventually } from "../control-plane/eventually.ts";
import { bootcPath, type BootcNodeObject, type BootcNodePoolObject } from "./objects.ts";
import { type Change, watchKind } from "./watch-kind.ts";

/** A change of an object. Revisions are those of the whole store, so changes of different kinds are ordered. */
export type ObjectChange = { readonly revision: number; readonly isGone: boolean } & (
  | { readonly kind: "Node"; readonly object: V1Node }
  | { readonly kind: "BootcNode"; readonly object: BootcNodeObject }
  | { readonly kind: "BootcNodePool"; readonly object: BootcNodePoolObject }
  | { readonly kind: "Pod"; readonly object: V1Pod }
);

interface Recording {
  /** Returns all changes so far, in order. */
  changes(): readonly ObjectChange[];
  /** Resolves when these versions of the objects are recorded. */
  catchUp(objects: readonly KubernetesObject[]): Promise<void>;
  stop(): void;
}

/** Records the changes of all Nodes, BootcNodes and BootcNodePools, and of the pods of a namespace. */
export function recordChanges(kubeConfig: KubeConfig, namespace: string): Recording {
  const seen = new Map<string, ObjectChange>();
  const watched = (path: string, kind: ObjectChange["kind"]) =>
    watchKind<KubernetesObject>(kubeConfig, path, {}, (change) => {
      seen.set(keyOf(change.object), toObjectChange(kind, change));
    });
  const watches = [
    watched("/api/v1/nodes", "Node"),
    watched(`${bootcPath}/bootcnodes`, "BootcNode"),
    watched(`${bootcPath}/bootcnodepools`, "BootcNodePool"),
    watched(`/api/v1/namespaces/${namespace}/pods`, "Pod"),
  ];
  return {
    changes: () => [...seen.values()].sort((a, b) => a.revision - b.revision),
    async catchUp(objects) {
      await eventually("everything is recorded", async () => objects.every((object) => seen.has(keyOf(object))));
    },
    stop() {
      for (const watch of watches) watch.stop();
    },
  };
}

function toObjectChange(kind: ObjectChange["kind"], { type, object }: Change<KubernetesObject>): ObjectChange {
  const revision = Number(object.metadata?.resourceVersion);
  return { kind, object, revision, isGone: type === "DELETED" } as ObjectChange;
}

/** Returns the key of an object's version; a version that is received again is the same change. */
function keyOf({ metadata = {} }: KubernetesObject): string {
  return `${metadata.uid} ${metadata.resourceVersion}`;
}
