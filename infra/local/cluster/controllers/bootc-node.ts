import { managedLabel } from "../../../../functions/domain/node-pool/names.ts";
import { isFields, timestamp, type KubeObject } from "../objects.ts";
import { nodes, type Resource } from "../resources.ts";
import { placeOf, type Api } from "../rules/api.ts";
import { patch } from "../rules/update.ts";
import { bootcStatus, type Activity, type Images } from "./bootc-status.ts";

/** What a node is asked for; null where it is not managed, or has no BootcNode. */
export function askedOf(api: Api, name: string): { readonly image: string; readonly mayReboot: boolean } | null {
  const labels = api.store.get(nodes, "", name)?.metadata.labels ?? {};
  const found = find(api, name);
  if (!found || !Object.hasOwn(labels, managedLabel)) return null;
  const { desiredImage, desiredImageState } = found.object["spec"] as Spec;
  return { image: desiredImage, mayReboot: desiredImageState === "Booted" };
}

interface Spec {
  readonly desiredImage: string;
  readonly desiredImageState: "Staged" | "Booted";
}

/** Writes what the node has and does into the status of its BootcNode. */
export function report(api: Api, name: string, images: Images, activity: Activity): void {
  const found = find(api, name);
  if (!found) return;
  const { resource, object } = found;
  const before = isFields(object["status"]) ? object["status"] : {};
  const status = bootcStatus(images, activity, before, timestamp(api.now()));
  patch(api, placeOf(resource, object), "status", { status }, "application/merge-patch+json");
}

function find(api: Api, name: string): { readonly resource: Resource; readonly object: KubeObject } | null {
  const resource = api.catalogue.findKind("node.bootc.dev/v1alpha1", "BootcNode");
  const object = resource && api.store.get(resource, "", name);
  return object ? { resource, object } : null;
}
