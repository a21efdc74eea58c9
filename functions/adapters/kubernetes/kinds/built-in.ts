import { annotations, restartedAtAnnotation } from "../../../domain/annotations.ts";
import { parseRfc3339 } from "../../../domain/time.ts";
import type { Change, InFlight, Rollout, Workload } from "../../../domain/workload.ts";
import {
  type AnnotationPatch,
  announcedPatch,
  bookkeepingPatch,
  hasMarks,
  inFlightPatch,
  analysisPatch,
  noLongerInFlightPatch,
  pausedPatch,
  readAnalysis,
  readVerdict,
  readAnnounced,
  readBookkeeping,
  readInFlight,
} from "../annotated.ts";
import type { KubernetesApi } from "../api.ts";
import { apiVersionOf, type Resource } from "../objects.ts";
import { readBuiltInPolicy } from "./built-in-policy.ts";
import type { CanaryMeans } from "./canary-means.ts";
import { containerOf, containerProblems, imagePatch } from "./container.ts";
import { digestAnnotations, finalizerPatch, restartPatch } from "./digest-patch.ts";
import {
  type DigestHabits,
  isFollowedByDigest,
  pinnedContainers,
  readDigestTracking,
  usualHabits,
} from "./digest-tracking.ts";
import type { WorkloadKind } from "./kind.ts";
import { type BuiltInObject, templateOf } from "./pod-template.ts";

/** What one built-in kind has of its own. */
export interface BuiltIn<T extends BuiltInObject> {
  readonly resource: Resource;
  /** The counts of its status, whatever their names are there. */
  readonly rollout: (object: T) => Omit<Rollout, "generation" | "observedGeneration" | "image">;
  readonly observedGeneration: (object: T) => number | undefined;
  /** Why the kind's controller would not roll out a change of the template by itself; null where it would. */
  readonly obstacle: (object: T) => string | null;
  /** How it runs a few replicas ahead of the others, or why it cannot. */
  readonly canary: CanaryMeans<T> | string;
}

/** A Deployment, StatefulSet or DaemonSet: policy, bookkeeping and marks are annotations, and one patch sets the image too. */
export function builtInKind<T extends BuiltInObject>(
  kind: BuiltIn<T>,
  habits: DigestHabits = usualHabits,
): WorkloadKind {
  return {
    resource: kind.resource,
    isStatefulSet: kind.resource.plural === "statefulsets",
    listedAs: "metadata",
    isOptedIn: ({ metadata }) => {
      const value = metadata.annotations?.[annotations.autoUpdate];
      const isByTag = value !== undefined && value !== "false";
      return isByTag || isFollowedByDigest(metadata) || hasMarks(metadata.annotations, annotations);
    },
    read: (object, api) => readBuiltIn(object as T, kind, habits, api),
    write: (object, change, api) => writeBuiltIn(object as T, change, kind, habits, api),
  };
}

/** What stands beside the workload is made after the claim that names it, and is gone before its last mark goes. */
async function writeBuiltIn<T extends BuiltInObject>(
  object: T,
  change: Change,
  kind: BuiltIn<T>,
  habits: DigestHabits,
  api: KubernetesApi,
): Promise<void> {
  const means = meansOf(kind);
  const isMarked = object.metadata.annotations?.[annotations.canaryName] !== undefined;
  if (change.inFlight === null && isMarked) await means?.remove(object, api);
  const own = change.canary === undefined ? {} : (means?.patch(object, change.canary) ?? {});
  const { resourceVersion } = object.metadata;
  const metadata = {
    resourceVersion,
    ...finalizerPatch(object),
    annotations: { ...annotationPatch(change), ...digestAnnotations(change), ...own.annotations },
  };
  const body = {
    metadata,
    spec: { ...imagePatch(object, change), ...restartPatch(object, change, habits), ...own.spec },
  };
  await api.patch(kind.resource, object.metadata, "application/strategic-merge-patch+json", body);
  if (change.canary) await means?.make(object, change.canary, api);
  if (change.canary === null && change.inFlight !== null && isMarked) await means?.remove(object, api);
}

async function readBuiltIn<T extends BuiltInObject>(
  object: T,
  kind: BuiltIn<T>,
  habits: DigestHabits,
  api: KubernetesApi,
): Promise<Workload> {
  const { namespace, name, uid, resourceVersion, generation = 1, annotations: from = {} } = object.metadata;
  const image = containerOf(object)?.image ?? null;
  const isByTag = !isFollowedByDigest(object.metadata) || from[annotations.autoUpdate] === "true";
  const { policy, problems: policyProblems } = readBuiltInPolicy(
    from,
    typeof kind.canary === "string" ? kind.canary : null,
  );
  const { tracking, problems: digestProblems } = readDigestTracking(object, habits.firstSight);
  const { bookkeeping, problems: bookkeepingProblems } = readBookkeeping(from);
  const observedGeneration = kind.observedGeneration(object) ?? 0;
  const rollout: Rollout = { ...kind.rollout(object), image, generation, observedGeneration };
  const inFlight = readInFlight(from, annotations);
  const means = meansOf(kind);
  const canary = inFlight?.phase === "canary" && means !== null ? await means.read(object, rollout, api) : null;
  return {
    ref: { apiVersion: apiVersionOf(kind.resource), kind: kind.resource.kind, namespace, name, uid },
    resourceVersion,
    policy,
    problems: [
      ...policyProblems,
      ...bookkeepingProblems,
      ...(isByTag ? containerProblems(object) : []),
      ...digestProblems,
      ...(await obstacles(object, kind, inFlight, policy.canary !== null, api)),
    ],
    source: isByTag ? image : null,
    image,
    wanted: null,
    digests: tracking,
    restartedAt: parseRfc3339(templateOf(object).metadata?.annotations?.[restartedAtAnnotation] ?? ""),
    isPinned: pinnedContainers(object).some((one) => one.name === containerOf(object)?.name),
    pull: pullSources(object),
    inFlight,
    bookkeeping,
    rollout,
    canary,
    canaryNames: means?.names(object) ?? { stable: name, canary: name },
    analysis: readAnalysis(from),
    verdict: readVerdict(from),
    announced: readAnnounced(from),
  };
}

function pullSources(object: BuiltInObject): Workload["pull"] {
  const { imagePullSecrets = [], serviceAccountName } = templateOf(object).spec;
  const secrets = imagePullSecrets.flatMap(({ name }) => (name ? [name] : []));
  return { secrets, serviceAccount: serviceAccountName || "default" };
}

function meansOf<T extends BuiltInObject>({ canary }: BuiltIn<T>): CanaryMeans<T> | null {
  return typeof canary === "string" ? null : canary;
}

/** A canary in flight is itself what the kind would otherwise object to. */
async function obstacles<T extends BuiltInObject>(
  object: T,
  kind: BuiltIn<T>,
  inFlight: InFlight | null,
  isCanaryWanted: boolean,
  api: KubernetesApi,
): Promise<readonly string[]> {
  if (inFlight?.phase === "canary") return [];
  const means = isCanaryWanted && inFlight === null ? meansOf(kind) : null;
  const found = [kind.obstacle(object), (await means?.obstacle(object, api)) ?? null];
  return found.filter((obstacle) => obstacle !== null);
}

/** A built-in kind says what it runs in its own template: the target is taken away with the other marks. */
function annotationPatch({ inFlight, bookkeeping, announced, paused, analysis, verdict }: Change): AnnotationPatch {
  const isOver = inFlight === null || inFlight?.phase === "rollback";
  return {
    ...(inFlight === undefined
      ? {}
      : inFlight === null
        ? { ...noLongerInFlightPatch(annotations), [annotations.canaryName]: null, [annotations.canaryVerdict]: null }
        : inFlightPatch(inFlight, annotations)),
    ...(isOver ? { [annotations.targetImage]: null } : {}),
    ...bookkeepingPatch(bookkeeping ?? {}),
    ...announcedPatch(announced ?? {}),
    ...pausedPatch(paused),
    ...analysisPatch(analysis),
    ...(verdict === undefined ? {} : { [annotations.canaryVerdict]: verdict }),
  };
}
