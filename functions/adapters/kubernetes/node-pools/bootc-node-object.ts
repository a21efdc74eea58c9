import { parseAnalysisState } from "../../../domain/analysis/state.ts";
import { parseCommand } from "../../../domain/node-pool/agent/command-annotation.ts";
import { parseGivenBack } from "../../../domain/node-pool/node/given-back.ts";
import { matchDigest } from "../../../domain/node-pool/agent/match-digest.ts";
import { bootcNodeAnnotations as keys } from "../../../domain/node-pool/pool/annotations.ts";
import type { Activity, BootcNode } from "../../../domain/node-pool/node/bootc-node.ts";
import type { PullSecretRef } from "../../../domain/node-pool/pool/node-pool.ts";
import { parseRfc3339 } from "../../../domain/text/rfc3339.ts";
import type { Annotations } from "../annotation-codec.ts";
import type { ClusterObject } from "../cluster-scoped.ts";
import { bootcNodeResource, poolResource } from "./resources.ts";
import { readSlot } from "./slot-annotations.ts";

export interface RawImage {
  readonly image?: string;
  readonly imageDigest?: string;
}

export interface RawCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** The status that a node's agent reports: bootc-operator's daemon reports no generation. */
export interface RawNodeStatus {
  readonly observedGeneration?: number;
  readonly booted?: RawImage | null;
  readonly staged?: RawImage | null;
  readonly rollback?: RawImage | null;
  readonly conditions?: readonly RawCondition[];
}

export interface BootcNodeObject extends ClusterObject {
  readonly spec?: {
    readonly desiredImage?: string;
    readonly desiredImageState?: string;
    readonly pullSecretRef?: PullSecretRef;
    readonly pullSecretHash?: string;
  };
  readonly status?: RawNodeStatus;
}

export function readBootcNode({ metadata, spec = {}, status = {} }: BootcNodeObject): BootcNode {
  const { uid, resourceVersion, generation = 1, annotations = {} } = metadata;
  return {
    uid,
    resourceVersion,
    owner: readOwner(metadata),
    desiredImage: spec.desiredImage ?? "",
    desiredImageState: spec.desiredImageState === "Booted" ? "Booted" : "Staged",
    pullSecretRef: spec.pullSecretRef ?? null,
    pullSecretHash: spec.pullSecretHash || null,
    slot: readSlot(annotations),
    ...readAnnotations(annotations),
    ...readStatus(status, generation, spec.desiredImage ?? ""),
    generation,
  };
}

function readOwner({ ownerReferences = [] }: BootcNodeObject["metadata"]): BootcNode["owner"] {
  const isPool = (reference: { readonly apiVersion: string; readonly kind: string }) =>
    reference.kind === poolResource.kind && reference.apiVersion.startsWith(`${bootcNodeResource.group}/`);
  const owner = ownerReferences.find(isPool);
  return owner === undefined ? null : { name: owner.name, uid: owner.uid };
}

type AnnotationFields = "requestedAt" | "emittedEvents" | "command" | "drainBlockedBy" | "givenBack" | "analysis";

function readAnnotations(annotations: Annotations): Pick<BootcNode, AnnotationFields> {
  return {
    requestedAt: parseRfc3339(annotations[keys.requestedAt] ?? ""),
    emittedEvents: annotations[keys.emittedEvents] || null,
    drainBlockedBy: annotations[keys.drainBlockedBy] || null,
    givenBack: parseGivenBack(annotations[keys.drainGivenBack] ?? ""),
    analysis: parseAnalysisState(annotations[keys.analysis] ?? ""),
    command: parseCommand(annotations[keys.command] ?? ""),
  };
}

type StatusFields = "bootedDigest" | "stagedDigest" | "rollbackDigest" | "isObserved" | "idle" | "error";

function readStatus(status: RawNodeStatus, generation: number, desiredImage: string): Pick<BootcNode, StatusFields> {
  const { conditions = [] } = status;
  const idle = conditions.find(({ type }) => type === "Idle");
  const degraded = conditions.find(({ type }) => type === "Degraded");
  const observed = status.observedGeneration ?? idle?.observedGeneration;
  return {
    bootedDigest: matchDigest(status.booted, desiredImage),
    stagedDigest: matchDigest(status.staged, desiredImage),
    rollbackDigest: matchDigest(status.rollback, desiredImage),
    isObserved: observed === undefined || observed >= generation,
    idle: idle === undefined ? null : { activity: readActivity(idle) },
    // An agent that reports no message still reports that it is degraded.
    error: degraded?.status === "True" ? degraded.message || degraded.reason || "Error" : null,
  };
}

function readActivity({ status, reason }: RawCondition): Activity | null {
  const isBusy = status === "False" && (reason === "Staging" || reason === "Staged" || reason === "Rebooting");
  return isBusy ? reason : null;
}
