import { cordonAnnotation } from "../../../domain/node-pool/names.ts";
import type { KubeNode } from "../../../domain/node-pool/types.ts";
import type { NodesForm } from "../../../ports/node-pools.ts";

/** The parts of a Node that Pawl reads; of an outline there is the metadata alone. */
export interface NodeObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly unschedulable?: boolean; readonly providerID?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

export function readNode({ metadata, spec = {}, status = {} }: NodeObject, form: NodesForm): KubeNode {
  const { uid, resourceVersion, labels = {}, annotations = {} } = metadata;
  const conditions = status.conditions ?? [];
  return {
    uid,
    resourceVersion,
    labels,
    unschedulable: spec.unschedulable ?? false,
    ready: form === "outline" || conditions.some(({ type, status: value }) => type === "Ready" && value === "True"),
    cordonedFor: annotations[cordonAnnotation] || null,
    providerId: spec.providerID || null,
  };
}
