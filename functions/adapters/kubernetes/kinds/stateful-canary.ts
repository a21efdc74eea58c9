import { annotations } from "../../../domain/annotations.ts";
import { sameImage } from "../../../domain/image-reference.ts";
import { readPolicy, type ReadPolicy, type WrittenPolicy } from "../../../domain/policy.ts";
import type { InFlight, Rollout, Workload } from "../../../domain/workload.ts";
import { readAnalysis, readAnnounced, readInFlight, readVerdict } from "../annotated.ts";
import type { KubernetesApi } from "../api.ts";
import { apiVersionOf } from "../objects.ts";
import { readAutoUpdateStatus } from "./claw-status.ts";
import type { WorkloadKind } from "./kind.ts";
import { analysisText } from "./stateful-canary-analysis.ts";
import { isBeingDeleted, resource, type StatefulCanary, templateImage, wantedImage } from "./stateful-canary-object.ts";
import { specProblems } from "./stateful-canary-problems.ts";
import { type Role, setNames } from "./stateful-canary-set.ts";
import { findSet, foreignProblem, imageOf } from "./stateful-canary-sets.ts";
import { writeStatefulCanary } from "./stateful-canary-write.ts";
import type { StatefulSet } from "./stateful-set.ts";

/**
 * A StatefulCanary says itself which image it wants, so no registry is asked, and no circuit stands between a person and
 * what he asks for. Two StatefulSets run it; its marks are annotations, its bookkeeping is in its status.
 */
export function statefulCanaryKind(settings: { readonly now: () => Date }): WorkloadKind {
  return {
    resource,
    isStatefulSet: false,
    listedAs: "whole",
    isOptedIn: () => true,
    read: (object, api) => readStatefulCanary(object as StatefulCanary, api),
    write: (object, change, api) => writeStatefulCanary(object as StatefulCanary, change, api, settings.now()),
  };
}

async function readStatefulCanary(object: StatefulCanary, api: KubernetesApi): Promise<Workload> {
  const { namespace, name, uid, resourceVersion, annotations: from = {} } = object.metadata;
  const { policy, problems } = policyOf(object);
  const [stable, canary] = await Promise.all([findSet(object, "stable", api), findSet(object, "canary", api)]);
  const inFlight = readInFlight(from, annotations);
  return {
    ref: { apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name, uid },
    resourceVersion,
    policy,
    problems: [...problems, ...specProblems(object), ...foreign(object, { stable, canary })],
    source: null,
    image: stable === null || stable === "foreign" ? templateImage(object) : imageOf(stable),
    wanted: wantedImage(object),
    digests: null,
    restartedAt: null,
    isPinned: false,
    pull: { secrets: [], serviceAccount: "default" },
    inFlight,
    bookkeeping: readAutoUpdateStatus(object.status?.autoUpdate),
    rollout: stable === null || stable === "foreign" ? null : rolloutOf(stable),
    canary: canary === null || canary === "foreign" ? null : canaryOf(canary, inFlight),
    canaryNames: setNames(object),
    analysis: readAnalysis(from),
    verdict: readVerdict(from),
    announced: readAnnounced(from),
  };
}

const spelled: Partial<Record<keyof WrittenPolicy, string>> = {
  paused: annotations.paused,
  healthTimeout: "spec.healthTimeout",
  canary: "spec.canaryReplicas",
  canaryAnalysis: "spec.analysis",
};

const rules = {
  defaultSchedule: null,
  whyNoCanary: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: 86_400,
  spell: (field: keyof WrittenPolicy) => spelled[field] ?? field,
};

/** Being deleted counts as switched off: what is in flight is taken back. Without canary replicas all follow at once. */
function policyOf(object: StatefulCanary): ReadPolicy {
  const { canaryReplicas, healthTimeout } = object.spec;
  const written: WrittenPolicy = {
    enabled: !isBeingDeleted(object),
    paused: object.metadata.annotations?.[annotations.paused],
    canary: canaryReplicas > 0 ? String(canaryReplicas) : undefined,
    canaryAnalysis: analysisText(object) ?? undefined,
    healthTimeout,
  };
  const { policy, problems } = readPolicy(written, rules);
  return { policy: { ...policy, maxRollbacks: Number.MAX_SAFE_INTEGER }, problems };
}

function foreign(object: StatefulCanary, found: Readonly<Record<Role, unknown>>): readonly string[] {
  const roles: readonly Role[] = ["stable", "canary"];
  return roles.filter((role) => found[role] === "foreign").map((role) => foreignProblem(object, role));
}

function rolloutOf(set: StatefulSet): Rollout {
  const { metadata, spec, status = {} } = set;
  return {
    generation: metadata.generation ?? 1,
    observedGeneration: status.observedGeneration ?? 0,
    image: imageOf(set),
    desiredReplicas: spec.replicas ?? 1,
    updatedReplicas: status.updatedReplicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    oldReplicas: 0,
  };
}

/** Only what was made for the update in flight: a set that an earlier one left behind is not its canary. */
function canaryOf(set: StatefulSet, inFlight: InFlight | null): Rollout | null {
  if (inFlight?.phase !== "canary" || set.spec.replicas === 0) return null;
  return sameImage(imageOf(set) ?? "", inFlight.targetImage) ? rolloutOf(set) : null;
}
