import { annotations, restartedAtAnnotation } from "../../../domain/workload/annotations.ts";
import { parseRfc3339 } from "../../../domain/text/rfc3339.ts";
import type { Change, InFlight, Rollout, Workload } from "../../../domain/workload/workload.ts";
import {
  type AnnotationPatch,
  lastReportedPatch,
  updateRecordPatch,
  hasUpdateAnnotations,
  inFlightPatch,
  analysisPatch,
  clearInFlightPatch,
  pausedPatch,
  readAnalysis,
  readVerdict,
  readLastReported,
  readUpdateRecord,
  readInFlight,
} from "../annotation-codec.ts";
import type { KubernetesApi } from "../api.ts";
import { apiVersionOf, type Resource } from "../objects.ts";
import { readBuiltInPolicy } from "./built-in-policy.ts";
import type { CanaryStrategy } from "./canary-strategy.ts";
import { primaryContainer, containerProblems, imagePatch } from "./container.ts";
import { digestAnnotationsPatch, finalizerPatch, restartPatch } from "./digest-patch.ts";
import {
  type DigestOptions,
  isTrackedByDigest,
  pinnedContainers,
  readDigestTracking,
  defaultDigestOptions,
} from "./digest-tracking.ts";
import type { WorkloadKind } from "./kind.ts";
import { type BuiltInObject, templateOf } from "./pod-template.ts";

/** The part of a built-in kind that differs from the others. */
export interface BuiltInKind<T extends BuiltInObject> {
  readonly resource: Resource;
  /** Returns the replica counts of its status. */
  readonly rollout: (object: T) => Omit<Rollout, "generation" | "observedGeneration" | "image">;
  readonly observedGeneration: (object: T) => number | undefined;
  /** Returns why the kind's controller would not roll out a changed template; null if it would. */
  readonly unsupportedReason: (object: T) => string | null;
  /** How it runs a canary, or why it cannot. */
  readonly canary: CanaryStrategy<T> | string;
}

/** Creates a kind whose policy and update state are annotations, which one patch writes together with the image. */
export function createBuiltInKind<T extends BuiltInObject>(
  kind: BuiltInKind<T>,
  digestOptions: DigestOptions = defaultDigestOptions,
): WorkloadKind {
  return {
    resource: kind.resource,
    isStatefulSet: kind.resource.plural === "statefulsets",
    listScope: "metadata",
    isOptedIn: ({ metadata }) => {
      const value = metadata.annotations?.[annotations.autoUpdate];
      const isByTag = value !== undefined && value !== "false";
      return isByTag || isTrackedByDigest(metadata) || hasUpdateAnnotations(metadata.annotations, annotations);
    },
    read: (object, api) => readBuiltIn(object as T, kind, digestOptions, api),
    write: (object, change, api) => writeBuiltIn(object as T, change, kind, digestOptions, api),
  };
}

/** Creates a canary after the claim that names it, and deletes it before the last update annotation is removed. */
async function writeBuiltIn<T extends BuiltInObject>(
  object: T,
  change: Change,
  kind: BuiltInKind<T>,
  digestOptions: DigestOptions,
  api: KubernetesApi,
): Promise<void> {
  const strategy = canaryStrategyOf(kind);
  const hasCanary = object.metadata.annotations?.[annotations.canaryName] !== undefined;
  if (change.inFlight === null && hasCanary) await strategy?.delete(object, api);
  const canaryPatch = change.canary === undefined ? {} : (strategy?.patch(object, change.canary) ?? {});
  const { resourceVersion } = object.metadata;
  const metadata = {
    resourceVersion,
    ...finalizerPatch(object),
    annotations: { ...annotationPatch(change), ...digestAnnotationsPatch(change), ...canaryPatch.annotations },
  };
  const body = {
    metadata,
    spec: { ...imagePatch(object, change), ...restartPatch(object, change, digestOptions), ...canaryPatch.spec },
  };
  await api.patch(kind.resource, object.metadata, "application/strategic-merge-patch+json", body);
  if (change.canary) await strategy?.create(object, change.canary, api);
  if (change.canary === null && change.inFlight !== null && hasCanary) await strategy?.delete(object, api);
}

async function readBuiltIn<T extends BuiltInObject>(
  object: T,
  kind: BuiltInKind<T>,
  digestOptions: DigestOptions,
  api: KubernetesApi,
): Promise<Workload> {
  const { namespace, name, uid, resourceVersion, generation = 1, annotations: from = {} } = object.metadata;
  const image = primaryContainer(object)?.image ?? null;
  const isByTag = !isTrackedByDigest(object.metadata) || from[annotations.autoUpdate] === "true";
  const { policy, problems: policyProblems } = readBuiltInPolicy(
    from,
    typeof kind.canary === "string" ? kind.canary : null,
  );
  const { tracking, problems: digestProblems } = readDigestTracking(object, digestOptions.initialDigestPolicy);
  const { updateRecord, problems: recordProblems } = readUpdateRecord(from);
  const observedGeneration = kind.observedGeneration(object) ?? 0;
  const rollout: Rollout = { ...kind.rollout(object), image, generation, observedGeneration };
  const inFlight = readInFlight(from, annotations);
  const strategy = canaryStrategyOf(kind);
  const canary = inFlight?.phase === "canary" && strategy !== null ? await strategy.read(object, rollout, api) : null;
  return {
    ref: { apiVersion: apiVersionOf(kind.resource), kind: kind.resource.kind, namespace, name, uid },
    resourceVersion,
    policy,
    problems: [
      ...policyProblems,
      ...recordProblems,
      ...(isByTag ? containerProblems(object) : []),
      ...digestProblems,
      ...(await unsupportedReasons(object, kind, inFlight, policy.canary !== null, api)),
    ],
    source: isByTag ? image : null,
    image,
    requestedImage: null,
    digests: tracking,
    restartedAt: parseRfc3339(templateOf(object).metadata?.annotations?.[restartedAtAnnotation] ?? ""),
    isPinnedByPawl: pinnedContainers(object).some((one) => one.name === primaryContainer(object)?.name),
    pull: pullSources(object),
    inFlight,
    updateRecord,
    rollout,
    canary,
    canaryNames: strategy?.names(object) ?? { stable: name, canary: name },
    analysis: readAnalysis(from),
    verdict: readVerdict(from),
    lastReported: readLastReported(from),
  };
}

function pullSources(object: BuiltInObject): Workload["pull"] {
  const { imagePullSecrets = [], serviceAccountName } = templateOf(object).spec;
  const secrets = imagePullSecrets.flatMap(({ name }) => (name ? [name] : []));
  return { secrets, serviceAccount: serviceAccountName || "default" };
}

function canaryStrategyOf<T extends BuiltInObject>({ canary }: BuiltInKind<T>): CanaryStrategy<T> | null {
  return typeof canary === "string" ? null : canary;
}

/** During a canary its own partition is expected, so nothing is reported. */
async function unsupportedReasons<T extends BuiltInObject>(
  object: T,
  kind: BuiltInKind<T>,
  inFlight: InFlight | null,
  isCanaryRequested: boolean,
  api: KubernetesApi,
): Promise<readonly string[]> {
  if (inFlight?.phase === "canary") return [];
  const strategy = isCanaryRequested && inFlight === null ? canaryStrategyOf(kind) : null;
  const found = [kind.unsupportedReason(object), (await strategy?.unsupportedReason(object, api)) ?? null];
  return found.filter((reason) => reason !== null);
}

/** A built-in kind has its image in its template, so the target annotation is removed with the others. */
function annotationPatch({ inFlight, updateRecord, lastReported, paused, analysis, verdict }: Change): AnnotationPatch {
  const isOver = inFlight === null || inFlight?.phase === "rollback";
  return {
    ...(inFlight === undefined
      ? {}
      : inFlight === null
        ? { ...clearInFlightPatch(annotations), [annotations.canaryName]: null, [annotations.canaryVerdict]: null }
        : inFlightPatch(inFlight, annotations)),
    ...(isOver ? { [annotations.targetImage]: null } : {}),
    ...updateRecordPatch(updateRecord ?? {}),
    ...lastReportedPatch(lastReported ?? {}),
    ...pausedPatch(paused),
    ...analysisPatch(analysis),
    ...(verdict === undefined ? {} : { [annotations.canaryVerdict]: verdict }),
  };
}
