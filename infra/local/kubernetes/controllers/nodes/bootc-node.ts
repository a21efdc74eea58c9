import { managedLabel } from "../../../../../functions/domain/node-pool/pool/annotations.ts";
import { timestamp, type KubeObject } from "../../objects.ts";
import { nodes, type Resource } from "../../resources.ts";
import { refOf, type Api } from "../../verbs/context.ts";
import { patch } from "../../verbs/update.ts";
import {
  type BootcActivity,
  type BootcImages,
  type BootcRequest,
  type BootcStatus,
  bootcStatus,
} from "./bootc-agent-machine.ts";

/** Returns the spec of a node's BootcNode; null if the node is not managed or has no BootcNode. */
export function readRequest(api: Api, name: string): BootcRequest | null {
  const labels = api.store.get(nodes, "", name)?.metadata.labels ?? {};
  const found = findBootcNode(api, name);
  return found && Object.hasOwn(labels, managedLabel) ? (found.object["spec"] as BootcRequest) : null;
}

/** Writes the images and the activity into the status of a node's BootcNode. */
export function writeBootcNodeStatus(api: Api, name: string, images: BootcImages, activity: BootcActivity): void {
  const found = findBootcNode(api, name);
  if (!found) return;
  const { resource, object } = found;
  const before = object["status"] as BootcStatus | undefined;
  const status = bootcStatus(images, activity, null, { before, now: timestamp(api.now()) });
  patch(api, refOf(resource, object), "status", { status }, "application/merge-patch+json");
}

function findBootcNode(api: Api, name: string): { readonly resource: Resource; readonly object: KubeObject } | null {
  const resource = api.resourceRegistry.findKind("node.bootc.dev/v1alpha1", "BootcNode");
  const object = resource && api.store.get(resource, "", name);
  return object ? { resource, object } : null;
}
