import { annotations, restartedAtAnnotation } from "../../../domain/workload/annotations.ts";
import { parseRfc3339 } from "../../../domain/text/rfc3339.ts";
import { parseRequest } from "../../../domain/workload/person-request.ts";
import { requestedVerdict } from "../../../domain/workload/request.ts";
import type { InFlight, Workload } from "../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../api.ts";
import { fromAnalysisStatus } from "../auto-update/analysis-status.ts";
import { reportedProblem } from "../auto-update/conditions.ts";
import type { AutoUpdate } from "../auto-update/object.ts";
import { nameFields, optInConflicts, policyAnnotations } from "../auto-update/policy.ts";
import { readUpdateRecord } from "../auto-update/status.ts";
import { apiVersionOf } from "../objects.ts";
import { readBuiltInPolicy } from "./built-in-policy.ts";
import { type BuiltInKind, type BuiltInSettings, canaryStrategyOf, rolloutOf } from "./built-in-kind.ts";
import type { CanaryObstacle } from "./canary-strategy.ts";
import { observeClaim, readClaim } from "./claim-state.ts";
import { primaryContainer, containerProblems } from "./container.ts";
import { isTrackedByDigest, pinnedContainers, readDigestTracking } from "./digest-tracking.ts";
import { type BuiltInObject, templateOf } from "./pod-template.ts";
import { recordSource } from "./record-source.ts";

/** Reads a workload, joined to its AutoUpdate. */
export async function readBuiltIn<T extends BuiltInObject>(
  original: T,
  kind: BuiltInKind<T>,
  settings: BuiltInSettings,
  api: KubernetesApi,
  autoUpdate: AutoUpdate | null,
): Promise<Workload> {
  const object = configured(original, autoUpdate);
  const { namespace, name, uid, resourceVersion, annotations: from = {} } = object.metadata;
  const image = primaryContainer(object)?.image ?? null;
  const isByTag = !isTrackedByDigest(object.metadata) || from[annotations.autoUpdate] === "true";
  const strategy = canaryStrategyOf(kind);
  const { policy, problems: policyProblems } = readBuiltInPolicy(
    from,
    typeof kind.canary === "string" ? kind.canary : null,
  );
  const { status = {} } = autoUpdate ?? {};
  const request = parseRequest(autoUpdate?.metadata.annotations?.[annotations.request], status.lastRequest?.token);
  const { tracking, problems: digestProblems } = readDigestTracking(
    object,
    status.digests,
    settings.digests.initialDigestPolicy,
  );
  const rollout = rolloutOf(object, kind);
  const claimed = readClaim(object, status.update);
  const inFlight =
    claimed === null || status.update === undefined
      ? null
      : await observeClaim(object, claimed, status.update, kind.resource, api);
  const isCanary = inFlight?.phase === "canary" && inFlight.isApplied !== false;
  const canary = isCanary && strategy !== null ? await strategy.read(object, rollout, api) : null;
  const obstacle = await canaryObstacle(object, kind, policy.canary !== null && inFlight === null, api);
  return {
    ref: { apiVersion: apiVersionOf(kind.resource), kind: kind.resource.kind, namespace, name, uid },
    resourceVersion,
    record: recordSource(autoUpdate, claimed, settings),
    policy,
    problems: nameFields(
      [
        ...optInConflicts(original, autoUpdate),
        ...policyProblems,
        ...(isByTag ? containerProblems(object) : []),
        ...digestProblems,
        ...unsupportedReasons(object, kind, inFlight, obstacle),
      ],
      autoUpdate,
    ),
    source: isByTag ? image : null,
    image,
    requestedImage: null,
    digests: tracking,
    restartedAt: parseRfc3339(templateOf(object).metadata?.annotations?.[restartedAtAnnotation] ?? ""),
    isPinnedByPawl: pinnedContainers(object, status.digests?.pinned).some(
      (one) => one.name === primaryContainer(object)?.name,
    ),
    pull: pullSources(object),
    inFlight,
    updateRecord: readUpdateRecord(status),
    rollout,
    canary,
    isCanaryLeft: obstacle.kind === "left",
    canaryNames: strategy?.names(object) ?? { stable: name, canary: name },
    analysis: fromAnalysisStatus(status.analysis),
    request,
    lastRequest: status.lastRequest ?? null,
    verdict: status.update?.verdict ?? requestedVerdict(request, inFlight),
    lastReported: { held: status.holdReason ?? null, problem: reportedProblem(status) },
  };
}

/** Returns the object with the annotations that say what its policy is. */
export function configured<T extends BuiltInObject>(object: T, autoUpdate: AutoUpdate | null): T {
  return { ...object, metadata: { ...object.metadata, annotations: policyAnnotations(object, autoUpdate) } };
}

function pullSources(object: BuiltInObject): Workload["pull"] {
  const { imagePullSecrets = [], serviceAccountName } = templateOf(object).spec;
  const secrets = imagePullSecrets.flatMap(({ name }) => (name ? [name] : []));
  return { secrets, serviceAccount: serviceAccountName || "default" };
}

async function canaryObstacle<T extends BuiltInObject>(
  object: T,
  kind: BuiltInKind<T>,
  isCanaryRequested: boolean,
  api: KubernetesApi,
): Promise<CanaryObstacle> {
  const strategy = isCanaryRequested ? canaryStrategyOf(kind) : null;
  return strategy === null ? { kind: "none" } : strategy.inspect(object, api);
}

/** During a canary its own partition is expected, so nothing is reported. */
function unsupportedReasons<T extends BuiltInObject>(
  object: T,
  kind: BuiltInKind<T>,
  inFlight: InFlight | null,
  obstacle: CanaryObstacle,
): readonly string[] {
  if (inFlight?.phase === "canary") return [];
  const reason = kind.unsupportedReason(object);
  return [...(reason === null ? [] : [reason]), ...(obstacle.kind === "unsupported" ? [obstacle.reason] : [])];
}
