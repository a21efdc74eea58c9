import { clawAnnotations } from "../../../../domain/workload/policy/annotations.ts";
import { unknownAnnotationProblems } from "../../../../domain/workload/policy/unknown-annotations.ts";
import { parsePolicy } from "../../../../domain/workload/policy/policy.ts";
import { readAnnotations } from "../../../../domain/workload/policy/policy-table.ts";
import { compact, lift, type RawPolicy } from "../../../../domain/workload/policy/raw-policy.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import type { Rollout, Workload } from "../../../../domain/workload/workload.ts";
import {
  type AnnotationPatch,
  hasUpdateAnnotations,
  inFlightPatch,
  clearInFlightPatch,
  pausedPatch,
  readInFlight,
} from "../../annotation-codec.ts";
import type { KubernetesApi } from "../../api.ts";
import { type ObjectCondition, setConditions } from "../../conditions.ts";
import { apiVersionOf, type KubernetesObject, type ObjectMeta } from "../../objects.ts";
import { imageForRuntime, type RuntimeImages } from "./claw-image.ts";
import { autoUpdateStatusPatch, type ClawUpdateStatus, readAutoUpdateStatus } from "./claw-status.ts";
import { backOffConditions, readBackOffCondition } from "./back-off-condition.ts";
import { requestedVerdict } from "../../../../domain/workload/request/request.ts";
import { answerConditions, readRequests } from "../record/handled-request.ts";
import { ownRecord, type WorkloadKind } from "../kind.ts";
import { readLastReported, reportConditions } from "../record/last-reported.ts";
import { rolloutOf } from "../built-in/built-in-kind.ts";
import { type StatefulSet, statefulSet } from "../built-in/stateful-set.ts";

interface Claw extends KubernetesObject {
  /** Absent if it was created without one: the CRD allows that. */
  readonly spec?: {
    readonly runtime?: string;
    readonly autoUpdate?: {
      readonly enabled?: boolean;
      readonly schedule?: string;
      readonly versionConstraint?: string;
      readonly healthTimeout?: string;
      readonly maxRollbacks?: number;
    };
  };
  readonly status?: { readonly autoUpdate?: ClawUpdateStatus; readonly conditions?: readonly ObjectCondition[] };
}

const resource = { group: "claw.prismer.ai", version: "v1alpha1", plural: "claws", kind: "Claw" };

/** The container of a Claw's StatefulSet whose image follows `claw.prismer.ai/target-image`. */
const runtimeContainer = "runtime";

const reportTypes = { held: "AutoUpdateHeld", valid: "AutoUpdateValid", isValidShown: false } as const;

/** The defaults and bounds of k8s4claw's own CRD and webhook. */
const rules = {
  defaultSchedule: "0 3 * * *",
  defaultToleranceSeconds: null,
  canaryUnavailableReason: "a Claw runs one replica: it has no replicas for a canary",
  minHealthTimeoutSeconds: 120,
  maxHealthTimeoutSeconds: 1800,
  allowsZeroRollbacks: true,
  defaultOnFailure: "tryOlder",
  // Its operator compares whole tags.
  versioning: "semver",
} as const;

/** Creates the kind: Pawl sets an annotation with the target image, and the operator of k8s4claw rolls it out. Records are in its status. */
export function createClawKind(settings: { readonly mirrors: RuntimeImages; readonly now: () => Date }): WorkloadKind {
  return {
    resource,
    isStatefulSet: true,
    usesAutoUpdate: false,
    listScope: "full",
    isOptedIn: (object) =>
      (object as Claw).spec?.autoUpdate?.enabled === true ||
      hasUpdateAnnotations(object.metadata.annotations, clawAnnotations),
    read: (object, api) => readClaw(object, settings.mirrors, api),
    async findOwnSet({ metadata: { namespace, name, uid } }, api) {
      const found = await api.get<StatefulSet>(statefulSet.resource, namespace, name);
      return found?.metadata.ownerReferences?.some((owner) => owner.uid === uid) ? found : null;
    },
    write: ({ object }, change, api) => writeClaw(object, change, api, settings.now()),
  };
}

async function readClaw(claw: Claw, mirrors: RuntimeImages, api: KubernetesApi): Promise<Workload> {
  const { namespace, name, uid, resourceVersion, annotations: from = {} } = claw.metadata;
  const rawPolicy = readRawPolicy(claw);
  const { policy, problems } = parsePolicy(rawPolicy, "autoUpdate" in rawPolicy ? "yes" : "no", rules);
  const inFlight = readInFlight(from, clawAnnotations);
  const requests = readRequests(from, claw.metadata.uid, claw.status?.conditions);
  return {
    ref: { apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name, uid },
    resourceVersion,
    record: ownRecord,
    policy,
    rawPolicy,
    problems: [...unknownAnnotationProblems(from), ...problems],
    source: imageForRuntime(claw.spec?.runtime ?? "", mirrors),
    image: from[clawAnnotations.targetImage] || null,
    requestedImage: null,
    digests: null,
    restartedAt: null,
    isPinnedByPawl: false,
    pull: { secrets: [], serviceAccount: "default" },
    inFlight,
    updateRecord: readAutoUpdateStatus(claw.status?.autoUpdate),
    backOff: readBackOffCondition(claw.status?.conditions),
    rollout: await readRollout(namespace, name, api),
    failsWithoutPods: true,
    canary: null,
    isCanaryLeft: false,
    canaryProgress: null,
    canaryNames: { stable: name, canary: name },
    analysis: null,
    ...requests,
    verdict: requestedVerdict(requests.request, inFlight),
    lastReported: readLastReported(reportTypes, claw.status?.conditions),
  };
}

const ownFields = ["schedule", "versionConstraint", "healthTimeout", "maxRollbacks"] as const;

function readRawPolicy({ spec: { autoUpdate = {} } = {}, metadata }: Claw): RawPolicy {
  const place = "spec.autoUpdate";
  const { paused, canary, notify, pin } = readAnnotations(metadata.annotations ?? {});
  const own = Object.fromEntries(ownFields.map((field) => [field, lift(autoUpdate[field], `${place}.${field}`)]));
  return compact({ autoUpdate: lift(autoUpdate.enabled, `${place}.enabled`), paused, canary, notify, pin, ...own });
}

async function readRollout(namespace: string, name: string, api: KubernetesApi): Promise<Rollout | null> {
  const found = await api.get<StatefulSet>(statefulSet.resource, namespace, name);
  if (found === null) return null;
  const runtime = found.spec.template.spec.containers.find((container) => container.name === runtimeContainer);
  return { ...rolloutOf(found, statefulSet), image: runtime?.image ?? null };
}

/**
 * Metadata and status are two writes. A claim is written before the status, and the status before the update annotations are
 * removed, so that an interrupted step can be retried.
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
  const { updateRecord } = change;
  const present = claw.status?.conditions ?? [];
  const reported = [...reportConditions(reportTypes, change, present), ...backOffConditions(change, present)];
  const conditions = [...(change.conditions ?? []), ...reported, ...answerConditions(change, present)];
  if (updateRecord === undefined && conditions.length === 0) return metadata;
  const status = {
    ...(updateRecord === undefined ? {} : { autoUpdate: autoUpdateStatusPatch(updateRecord) }),
    ...(conditions.length === 0
      ? {}
      : { conditions: setConditions(present, conditions, metadata.generation ?? 1, now) }),
  };
  const body = { metadata: { resourceVersion: metadata.resourceVersion }, status };
  const after = await api.patch<Claw>(resource, metadata, "application/merge-patch+json", body, "status");
  return after.metadata;
}

function annotationPatch({ image, inFlight, paused }: Change): AnnotationPatch {
  return {
    ...(inFlight === undefined
      ? {}
      : inFlight === null
        ? clearInFlightPatch(clawAnnotations)
        : inFlightPatch(inFlight, clawAnnotations)),
    ...(image === undefined ? {} : { [clawAnnotations.targetImage]: image }),
    ...pausedPatch(paused),
  };
}
