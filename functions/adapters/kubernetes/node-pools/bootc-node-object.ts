import { parseCommand } from "../../../domain/node-pool/agent/command-record.ts";
import { digestTowards } from "../../../domain/node-pool/agent/digest-towards.ts";
import { slotAnnotations as keys } from "../../../domain/node-pool/names.ts";
import type { Activity, BootcNode, PullSecretRef } from "../../../domain/node-pool/types.ts";
import { parseRfc3339 } from "../../../domain/time.ts";
import type { Annotations } from "../annotated.ts";
import type { ClusterObject } from "../cluster-scoped.ts";
import { bootcNodeResource, poolResource } from "./resources.ts";
import { readSlot } from "./slot-annotations.ts";

export interface WrittenImage {
  readonly image?: string;
  readonly imageDigest?: string;
}

export interface WrittenCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** What a node's agent says of it: bootc-operator's daemon names neither generation. */
export interface WrittenNodeStatus {
  readonly observedGeneration?: number;
  readonly booted?: WrittenImage | null;
  readonly staged?: WrittenImage | null;
  readonly rollback?: WrittenImage | null;
  readonly conditions?: readonly WrittenCondition[];
}

export interface BootcNodeObject extends ClusterObject {
  readonly spec?: {
    readonly desiredImage?: string;
    readonly desiredImageState?: string;
    readonly pullSecretRef?: PullSecretRef;
    readonly pullSecretHash?: string;
  };
  readonly status?: WrittenNodeStatus;
}

export function readBootcNode({ metadata, spec = {}, status = {} }: BootcNodeObject): BootcNode {
  const { uid, resourceVersion, generation = 1, annotations = {} } = metadata;
  return {
    uid,
    resourceVersion,
    owner: ownerOf(metadata),
    desiredImage: spec.desiredImage ?? "",
    desiredImageState: spec.desiredImageState === "Booted" ? "Booted" : "Staged",
    pullSecretRef: spec.pullSecretRef ?? null,
    pullSecretHash: spec.pullSecretHash || null,
    slot: readSlot(annotations),
    ...readRemembered(annotations),
    ...readStatus(status, generation, spec.desiredImage ?? ""),
    generation,
  };
}

function ownerOf({ ownerReferences = [] }: BootcNodeObject["metadata"]): BootcNode["owner"] {
  const isPool = (reference: { readonly apiVersion: string; readonly kind: string }) =>
    reference.kind === poolResource.kind && reference.apiVersion.startsWith(`${bootcNodeResource.group}/`);
  const owner = ownerReferences.find(isPool);
  return owner === undefined ? null : { name: owner.name, uid: owner.uid };
}

function readRemembered(annotations: Annotations): Pick<BootcNode, "askedAt" | "told" | "command"> {
  return {
    askedAt: parseRfc3339(annotations[keys.askedAt] ?? ""),
    told: annotations[keys.told] || null,
    command: parseCommand(annotations[keys.command] ?? ""),
  };
}

type Said = "bootedDigest" | "stagedDigest" | "rollbackDigest" | "isObserved" | "idle" | "error";

function readStatus(status: WrittenNodeStatus, generation: number, desiredImage: string): Pick<BootcNode, Said> {
  const { conditions = [] } = status;
  const idle = conditions.find(({ type }) => type === "Idle");
  const degraded = conditions.find(({ type }) => type === "Degraded");
  const observed = status.observedGeneration ?? idle?.observedGeneration;
  return {
    bootedDigest: digestTowards(status.booted, desiredImage),
    stagedDigest: digestTowards(status.staged, desiredImage),
    rollbackDigest: digestTowards(status.rollback, desiredImage),
    isObserved: observed === undefined || observed >= generation,
    idle: idle === undefined ? null : { activity: activityOf(idle) },
    // An agent that does not say what is wrong says at least that something is.
    error: degraded?.status === "True" ? degraded.message || degraded.reason || "Error" : null,
  };
}

function activityOf({ status, reason }: WrittenCondition): Activity | null {
  const isBusy = status === "False" && (reason === "Staging" || reason === "Staged" || reason === "Rebooting");
  return isBusy ? reason : null;
}
