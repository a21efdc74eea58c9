import type { KubeObject } from "../objects.ts";
import { read, type Api } from "../rules/api.ts";
import { create } from "../rules/create.ts";
import { patch } from "../rules/update.ts";
import { statefulSets } from "../resources.ts";
import { desiredStatefulSet, runtimeImagePatch, type ClawLike } from "./claw-stateful-set.ts";

/** Plays the operator of k8s4claw: makes the Claw's StatefulSet and keeps the image of its container `runtime`. */
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

/** A set that somebody else made under the Claw's name is not the operator's to change. */
function isOwnedBy(claw: ClawLike, set: KubeObject): boolean {
  return set.metadata.ownerReferences?.some(({ uid }) => uid === claw.metadata.uid) ?? false;
}
