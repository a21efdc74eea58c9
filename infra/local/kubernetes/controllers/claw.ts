import type { KubeObject } from "../objects.ts";
import { read, type Api } from "../verbs/context.ts";
import { create } from "../verbs/create.ts";
import { patch } from "../verbs/update.ts";
import { statefulSets } from "../resources.ts";
import { desiredStatefulSet, runtimeImagePatch, type ClawLike } from "./claw-stateful-set.ts";

/** Simulates the k8s4claw operator: creates the Claw's StatefulSet and updates the image of its container `runtime`. */
export function reconcileClaw(api: Api, object: KubeObject): void {
  const claw = object as unknown as ClawLike;
  const desired = desiredStatefulSet(claw);
  if (!desired || object.metadata.deletionTimestamp !== undefined) return;
  const { namespace, name } = claw.metadata;
  if (!api.store.get(statefulSets, namespace, name)) {
    create(api, statefulSets, namespace, desired);
    return;
  }
  const [container] = desired.spec.template.spec.containers;
  if (!container || !isOwnedBy(claw, read(api, { resource: statefulSets, namespace, name }))) return;
  const body = runtimeImagePatch(container.image);
  patch(api, { resource: statefulSets, namespace, name }, "object", body, "application/strategic-merge-patch+json");
}

/** Reports whether the Claw owns the StatefulSet; the operator changes no other. */
function isOwnedBy(claw: ClawLike, set: KubeObject): boolean {
  return set.metadata.ownerReferences?.some(({ uid }) => uid === claw.metadata.uid) ?? false;
}
