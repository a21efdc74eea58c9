import type { KubernetesObject, Resource } from "../objects.ts";
import type { AutoUpdateStatus } from "./status/status-fields.ts";

export const resource: Resource = { group: "pawl.dev", version: "v1alpha1", plural: "autoupdates", kind: "AutoUpdate" };

/** Set on an AutoUpdate that Pawl created for annotations. */
export const managedByLabel = { "app.kubernetes.io/managed-by": "pawl" } as const;

/** Where an update of a built-in workload is configured and recorded. */
export interface AutoUpdate extends KubernetesObject {
  readonly spec: AutoUpdateSpec;
  readonly status?: AutoUpdateStatus;
}

export interface AutoUpdateSpec {
  readonly targetRef: TargetRef;
  /** No new update starts; one in flight continues. */
  readonly suspend?: boolean;
  /** Present, even if empty: its author owns the object, and the annotations of the workload must not opt in. */
  readonly policy?: AutoUpdatePolicy;
}

export interface TargetRef {
  /** Group and kind identify the target; the version does not. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** The fields of the policy table at their paths. Every one is optional: the defaults are those of the annotations. */
export type AutoUpdatePolicy = Readonly<Record<string, unknown>>;

export function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}

/** Identifies the target of an AutoUpdate in all namespaces, whatever the version of its API. */
export function autoUpdateKey(namespace: string, { apiVersion, kind, name }: TargetRef): string {
  return [groupOf(apiVersion), kind, namespace, name].join("/");
}

/**
 * Reports whether an AutoUpdate that Pawl created belongs to an earlier object of this name, and was not garbage collected yet: what it
 * records is not about this object.
 */
export function isStale(autoUpdate: AutoUpdate, { metadata: { uid } }: KubernetesObject): boolean {
  const { ownerReferences = [] } = autoUpdate.metadata;
  return (
    isManagedByPawl(autoUpdate) && ownerReferences.length > 0 && !ownerReferences.some((owner) => owner.uid === uid)
  );
}

export function isManagedByPawl({ metadata, spec }: AutoUpdate): boolean {
  return spec.policy === undefined && metadata.labels?.["app.kubernetes.io/managed-by"] === "pawl";
}
