import { cordonAnnotation, managedLabel, slotAnnotations as keys } from "../../../domain/node-pool/names.ts";
import type { NodeStep } from "../../../domain/node-pool/step.ts";
import type { NodePool } from "../../../domain/node-pool/types.ts";
import { formatRfc3339 } from "../../../domain/time.ts";
import type { NodeWrite } from "../../../ports/node-pools.ts";
import type { AnnotationPatch } from "../annotated.ts";
import { apiVersionOf } from "../objects.ts";
import { poolResource } from "./resources.ts";
import { freedSlot, takenSlot } from "./slot-annotations.ts";

type NodeKind = "label" | "unlabel" | "cordon" | "uncordon" | "leave-cordoned";
/** The steps that are a merge patch of the Node. */
export type NodePatchStep = Extract<NodeWrite, { readonly kind: NodeKind }>;
/** The steps that are a merge patch of the BootcNode. */
export type BootcNodePatchStep = Exclude<NodeWrite, { readonly kind: NodeKind | "create" | "delete" }>;
export type CreateStep = Extract<NodeStep, { readonly kind: "create" }>;

/** `metadata` and `spec` of a merge patch; null takes a field away. */
interface Patch {
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: AnnotationPatch;
  readonly spec?: object;
}

/** The cordon and its mark come and go in one patch. */
const nodePatches: Readonly<Record<NodeKind, (pool: NodePool) => Patch>> = {
  label: () => ({ labels: { [managedLabel]: "" } }),
  unlabel: () => ({ labels: { [managedLabel]: null } }),
  cordon: ({ name }) => ({ annotations: { [cordonAnnotation]: name }, spec: { unschedulable: true } }),
  uncordon: () => ({ annotations: { [cordonAnnotation]: null }, spec: { unschedulable: null } }),
  "leave-cordoned": () => ({ annotations: { [cordonAnnotation]: null } }),
};

export function isNodeStep(step: NodeWrite): step is NodePatchStep {
  return Object.hasOwn(nodePatches, step.kind);
}

export function nodePatch({ kind }: NodePatchStep, pool: NodePool): Patch {
  return nodePatches[kind](pool);
}

type Writers<Step extends { readonly kind: string }> = {
  readonly [Kind in Step["kind"]]: (step: Extract<Step, { readonly kind: Kind }>, now: Date) => Patch;
};

const bootcNodePatches: Writers<BootcNodePatchStep> = {
  ask: ({ asks: { image: desiredImage, ...secret }, state, isNewImage }, now) => ({
    spec: { desiredImage, desiredImageState: state, ...secret },
    ...(isNewImage ? { annotations: { [keys.askedAt]: formatRfc3339(now), [keys.approvedAt]: null } } : {}),
  }),
  revoke: () => ({ spec: { desiredImageState: "Staged" }, annotations: { [keys.approvedAt]: null } }),
  "take-slot": ({ wasCordoned, nodeUid }, now) => ({ annotations: takenSlot(wasCordoned, nodeUid, now) }),
  "remember-cordon": ({ wasCordoned }) => ({ annotations: { [keys.wasCordoned]: String(wasCordoned) } }),
  "restart-drain": (_, now) => ({ annotations: { [keys.drainSince]: formatRfc3339(now) } }),
  approve: (_, now) => ({
    spec: { desiredImageState: "Booted" },
    annotations: { [keys.approvedAt]: formatRfc3339(now) },
  }),
  "free-slot": () => ({ annotations: freedSlot }),
};

export function bootcNodePatch(step: BootcNodePatchStep, now: Date): Patch {
  return (bootcNodePatches[step.kind] as (step: BootcNodePatchStep, now: Date) => Patch)(step, now);
}

/**
 * A BootcNode that its pool owns. It does not block the deletion of its owner: that needs the right to update the owner's
 * finalizers, and Pawl's own finalizer holds the pool anyway.
 */
export function newBootcNode(name: string, { asks }: CreateStep, pool: NodePool, now: Date): object {
  const { image: desiredImage, pullSecretRef, pullSecretHash } = asks;
  const owner = { apiVersion: apiVersionOf(poolResource), kind: poolResource.kind, name: pool.name, uid: pool.uid };
  return {
    metadata: {
      name,
      annotations: { [keys.askedAt]: formatRfc3339(now) },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: false }],
    },
    spec: {
      desiredImage,
      desiredImageState: "Staged",
      ...(pullSecretRef === null ? {} : { pullSecretRef }),
      ...(pullSecretHash === null ? {} : { pullSecretHash }),
    },
  };
}

/** On the `resourceVersion` at which the object was read: another's write since then is a `Conflict`. */
export function onVersion(resourceVersion: string, { spec, ...metadata }: Patch): object {
  return { metadata: { resourceVersion, ...metadata }, ...(spec === undefined ? {} : { spec }) };
}
