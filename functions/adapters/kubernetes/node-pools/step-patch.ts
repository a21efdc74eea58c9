import {
  cordonAnnotation,
  managedLabel,
  protectionMark,
  bootcNodeAnnotations as keys,
} from "../../../domain/node-pool/pool/annotations.ts";
import { formatAnalysisState } from "../../../domain/analysis/state.ts";
import type { KubeNode } from "../../../domain/node-pool/node/bootc-node.ts";
import { formatGivenBack } from "../../../domain/node-pool/node/given-back.ts";
import { formatProtection } from "../../../domain/node-pool/node/protection.ts";
import type { NodeStep } from "../../../domain/node-pool/step/step.ts";
import type { NodePool } from "../../../domain/node-pool/pool/node-pool.ts";
import { formatRfc3339 } from "../../../domain/text/rfc3339.ts";
import type { NodeWrite } from "../../../ports/node-pools.ts";
import type { AnnotationPatch } from "../annotation-codec.ts";
import { apiVersionOf } from "../objects.ts";
import { poolResource } from "./resources.ts";
import { releasedSlotPatch, acquiredSlotPatch } from "./slot-annotations.ts";

type NodeStepKind = "label" | "unlabel" | "cordon" | "uncordon" | "leave-cordoned" | "protect" | "unprotect";
/** The steps that are a merge patch of the Node. */
export type NodePatchStep = Extract<NodeWrite, { readonly kind: NodeStepKind }>;
/** The steps that are a merge patch of the BootcNode. */
export type BootcNodePatchStep = Exclude<NodeWrite, { readonly kind: NodeStepKind | "create" | "delete" }>;
export type CreateStep = Extract<NodeStep, { readonly kind: "create" }>;

/** `metadata` and `spec` of a merge patch; null removes a field. */
interface Patch {
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: AnnotationPatch;
  readonly spec?: object;
}

/** One patch changes the cordon and its mark, and one the protection and its mark. */
const nodePatches: Readonly<Record<NodeStepKind, (pool: NodePool, node: KubeNode) => Patch>> = {
  label: () => ({ labels: { [managedLabel]: "" } }),
  unlabel: () => ({ labels: { [managedLabel]: null } }),
  cordon: ({ name }) => ({ annotations: { [cordonAnnotation]: name }, spec: { unschedulable: true } }),
  uncordon: () => ({ annotations: { [cordonAnnotation]: null }, spec: { unschedulable: null } }),
  "leave-cordoned": () => ({ annotations: { [cordonAnnotation]: null } }),
  protect: ({ name: pool }, { missingProtection: annotations }) => ({
    annotations: { ...valueOfEach(annotations, "true"), [protectionMark]: formatProtection({ pool, annotations }) },
  }),
  unprotect: (_, { protection }) => ({
    annotations: { ...valueOfEach(protection?.annotations ?? [], null), [protectionMark]: null },
  }),
};

function valueOfEach(names: readonly string[], value: "true" | null): AnnotationPatch {
  return Object.fromEntries(names.map((name) => [name, value]));
}

export function isNodePatchStep(step: NodeWrite): step is NodePatchStep {
  return Object.hasOwn(nodePatches, step.kind);
}

export function nodePatch({ kind }: NodePatchStep, pool: NodePool, node: KubeNode): Patch {
  return nodePatches[kind](pool, node);
}

type Writers<Step extends { readonly kind: string }> = {
  readonly [Kind in Step["kind"]]: (step: Extract<Step, { readonly kind: Kind }>, now: Date) => Patch;
};

/** Removes what earlier drains for an image have recorded. */
const noDrainPatch: AnnotationPatch = { [keys.drainBlockedBy]: null, [keys.drainGivenBack]: null };

const bootcNodePatches: Writers<BootcNodePatchStep> = {
  "request-image": ({ desired: { image: desiredImage, ...secret }, state, isNewImage }, now) => ({
    spec: { desiredImage, desiredImageState: state, ...secret },
    ...(isNewImage
      ? { annotations: { ...noDrainPatch, [keys.requestedAt]: formatRfc3339(now), [keys.approvedAt]: null } }
      : {}),
  }),
  revoke: () => ({ spec: { desiredImageState: "Staged" }, annotations: { [keys.approvedAt]: null } }),
  "acquire-slot": (slot, now) => ({ annotations: acquiredSlotPatch(slot, now) }),
  "record-cordon": ({ wasCordoned }) => ({ annotations: { [keys.wasCordoned]: String(wasCordoned) } }),
  "restart-drain": (_, now) => ({ annotations: { [keys.drainStartedAt]: formatRfc3339(now) } }),
  "record-block": ({ reason }) => ({ annotations: { [keys.drainBlockedBy]: reason } }),
  approve: ({ readyDaemonSets }, now) => ({
    spec: { desiredImageState: "Booted" },
    annotations: {
      ...noDrainPatch,
      [keys.approvedAt]: formatRfc3339(now),
      [keys.readyDaemonSets]: readyDaemonSets.length === 0 ? null : readyDaemonSets.join(" "),
    },
  }),
  "record-boot": (_, now) => ({ annotations: { [keys.bootedAt]: formatRfc3339(now) } }),
  "record-analysis": ({ state }) => ({ annotations: { [keys.analysis]: formatAnalysisState(state) } }),
  "release-slot": ({ givenBack: count }, now) => ({
    annotations: {
      ...releasedSlotPatch,
      ...(count === undefined ? {} : { [keys.drainGivenBack]: formatGivenBack({ count, at: now }) }),
    },
  }),
};

export function bootcNodePatch(step: BootcNodePatchStep, now: Date): Patch {
  return (bootcNodePatches[step.kind] as (step: BootcNodePatchStep, now: Date) => Patch)(step, now);
}

/**
 * Creates a BootcNode that its pool owns. It does not block the deletion of its owner: that would need the right to
 * update the owner's finalizers, and Pawl's own finalizer keeps the pool anyway.
 */
export function createBootcNodeBody(name: string, { desired }: CreateStep, pool: NodePool, now: Date): object {
  const { image: desiredImage, pullSecretRef, pullSecretHash } = desired;
  const owner = { apiVersion: apiVersionOf(poolResource), kind: poolResource.kind, name: pool.name, uid: pool.uid };
  return {
    metadata: {
      name,
      annotations: { [keys.requestedAt]: formatRfc3339(now) },
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

/** Adds the `resourceVersion` at which the object was read: a later write of another client is a `Conflict`. */
export function withResourceVersion(resourceVersion: string, { spec, ...metadata }: Patch): object {
  return { metadata: { resourceVersion, ...metadata }, ...(spec === undefined ? {} : { spec }) };
}
