import { annotations, clawAnnotations } from "../../../domain/annotations.ts";
import { readPolicy, type WrittenPolicy } from "../../../domain/policy.ts";
import type { Change, Rollout, Workload } from "../../../domain/workload.ts";
import {
  type AnnotationPatch,
  announcedPatch,
  hasMarks,
  inFlightPatch,
  noLongerInFlightPatch,
  pausedPatch,
  readAnnounced,
  readInFlight,
} from "../annotated.ts";
import type { KubernetesApi } from "../api.ts";
import { type ObjectCondition, withConditions } from "../conditions.ts";
import { apiVersionOf, type KubernetesObject, type ObjectMeta } from "../objects.ts";
import { imageForRuntime, type RuntimeImages } from "./claw-image.ts";
import { autoUpdateStatusPatch, type AutoUpdateStatus, readAutoUpdateStatus } from "./claw-status.ts";
import type { WorkloadKind } from "./kind.ts";
import { builtInKind } from "./built-in.ts";
import { type StatefulSet, statefulSet } from "./stateful-set.ts";

interface Claw extends KubernetesObject {
  readonly spec: {
    readonly runtime?: string;
    readonly autoUpdate?: {
      readonly enabled?: boolean;
      readonly schedule?: string;
      readonly versionConstraint?: string;
      readonly healthTimeout?: string;
      readonly maxRollbacks?: number;
    };
  };
  readonly status?: { readonly autoUpdate?: AutoUpdateStatus; readonly conditions?: readonly ObjectCondition[] };
}

const resource = { group: "claw.prismer.ai", version: "v1alpha1", plural: "claws", kind: "Claw" };

/** The container of a Claw's StatefulSet whose image follows `claw.prismer.ai/target-image`. */
const runtimeContainer = "runtime";

/** The defaults and bounds of k8s4claw's own CRD and webhook. */
const rules = {
  defaultSchedule: "0 3 * * *",
  whyNoCanary: "a Claw runs one replica: there is nothing to run ahead of the rest",
  minHealthTimeoutSeconds: 120,
  maxHealthTimeoutSeconds: 1800,
  spell: (field: keyof WrittenPolicy) =>
    field === "paused" || field === "canary" ? annotations[field] : `spec.autoUpdate.${field}`,
};

/** A Claw is told what to run by an annotation; its own operator rolls it out. Bookkeeping stands in its status. */
export function clawKind(settings: { readonly mirrors: RuntimeImages; readonly now: () => Date }): WorkloadKind {
  return {
    resource,
    isStatefulSet: true,
    listedAs: "whole",
    isOptedIn: (object) =>
      (object as Claw).spec.autoUpdate?.enabled === true || hasMarks(object.metadata.annotations, clawAnnotations),
    read: (object, api) => readClaw(object as Claw, settings.mirrors, api),
    write: (object, change, api) => writeClaw(object as Claw, change, api, settings.now()),
  };
}

async function readClaw(claw: Claw, mirrors: RuntimeImages, api: KubernetesApi): Promise<Workload> {
  const { namespace, name, uid, resourceVersion, annotations: from = {} } = claw.metadata;
  const { policy, problems } = readPolicy(writtenPolicy(claw), rules);
  return {
    ref: { apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name, uid },
    resourceVersion,
    policy,
    problems,
    source: imageForRuntime(claw.spec.runtime ?? "", mirrors),
    image: from[clawAnnotations.targetImage] || null,
    wanted: null,
    digests: null,
    restartedAt: null,
    isPinned: false,
    pull: { secrets: [], serviceAccount: "default" },
    inFlight: readInFlight(from, clawAnnotations),
    bookkeeping: readAutoUpdateStatus(claw.status?.autoUpdate),
    rollout: await readRollout(namespace, name, api),
    canary: null,
    canaryNames: { stable: name, canary: name },
    analysis: null,
    verdict: null,
    announced: readAnnounced(from),
  };
}

function writtenPolicy({ spec, metadata }: Claw): WrittenPolicy {
  const written = spec.autoUpdate ?? {};
  return {
    enabled: written.enabled === true,
    paused: metadata.annotations?.[annotations.paused],
    canary: metadata.annotations?.[annotations.canary],
    versionConstraint: written.versionConstraint,
    schedule: written.schedule,
    healthTimeout: written.healthTimeout,
    maxRollbacks: written.maxRollbacks === undefined ? undefined : String(written.maxRollbacks),
  };
}

async function readRollout(namespace: string, name: string, api: KubernetesApi): Promise<Rollout | null> {
  const found = await api.get<StatefulSet>(statefulSet.resource, namespace, name);
  if (found === null) return null;
  const { rollout } = await builtInKind(statefulSet).read(found, api);
  const runtime = found.spec.template.spec.containers.find((container) => container.name === runtimeContainer);
  return rollout === null ? null : { ...rollout, image: runtime?.image ?? null };
}

/**
 * A Claw's metadata and status are two writes, so the order decides what an interruption leaves behind: a claim before
 * its bookkeeping, and bookkeeping before the marks of the update are taken away. Either way the step can be repeated.
 */
async function writeClaw(claw: Claw, change: Change, api: KubernetesApi, now: Date): Promise<void> {
  if (change.inFlight === null || change.inFlight?.phase === "rollback") {
    const after = await writeStatus(claw, change, api, now);
    await writeMetadata(after, change, api);
  } else {
    const after = await writeMetadata(claw.metadata, change, api);
    await writeStatus({ ...claw, metadata: after }, change, api, now);
  }
}

async function writeMetadata(target: ObjectMeta, change: Change, api: KubernetesApi): Promise<ObjectMeta> {
  const patch = annotationPatch(change);
  if (Object.keys(patch).length === 0) return target;
  const body = { metadata: { resourceVersion: target.resourceVersion, annotations: patch } };
  const { metadata } = await api.patch<Claw>(resource, target, "application/merge-patch+json", body);
  return metadata;
}

async function writeStatus(claw: Claw, change: Change, api: KubernetesApi, now: Date): Promise<ObjectMeta> {
  const { metadata } = claw;
  const { bookkeeping, conditions } = change;
  if (bookkeeping === undefined && conditions === undefined) return metadata;
  const status = {
    ...(bookkeeping === undefined ? {} : { autoUpdate: autoUpdateStatusPatch(bookkeeping) }),
    ...(conditions === undefined
      ? {}
      : { conditions: withConditions(claw.status?.conditions ?? [], conditions, metadata.generation ?? 1, now) }),
  };
  const body = { metadata: { resourceVersion: metadata.resourceVersion }, status };
  const after = await api.patch<Claw>(resource, metadata, "application/merge-patch+json", body, "status");
  return after.metadata;
}

function annotationPatch({ image, inFlight, announced, paused }: Change): AnnotationPatch {
  return {
    ...(inFlight === undefined
      ? {}
      : inFlight === null
        ? noLongerInFlightPatch(clawAnnotations)
        : inFlightPatch(inFlight, clawAnnotations)),
    ...(image === undefined ? {} : { [clawAnnotations.targetImage]: image }),
    ...announcedPatch(announced ?? {}),
    ...pausedPatch(paused),
  };
}
