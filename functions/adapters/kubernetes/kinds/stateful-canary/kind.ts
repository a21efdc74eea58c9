import { unknownAnnotationProblems } from "../../../../domain/workload/policy/unknown-annotations.ts";
import { sizesOf } from "../../../../domain/workload/canary/progress.ts";
import { canaryUnavailableReason } from "../../../../domain/workload/canary/size.ts";
import { isAsWritten } from "../../../../domain/image/reference.ts";
import { parsePolicy, type ParsedPolicy } from "../../../../domain/workload/policy/policy.ts";
import { readAnnotations } from "../../../../domain/workload/policy/policy-table.ts";
import { compact, lift } from "../../../../domain/workload/policy/raw-policy.ts";
import { requestedVerdict } from "../../../../domain/workload/request/request.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import type { Rollout, Workload } from "../../../../domain/workload/workload.ts";
import { readCanaryHooks } from "../../../../domain/workload/hook/parse-hooks.ts";
import { readVerdict } from "../../annotation-codec.ts";
import type { KubernetesApi } from "../../api.ts";
import { fromBackOffStatus } from "../../auto-update/status/back-off-status.ts";
import { apiVersionOf } from "../../objects.ts";
import { readAutoUpdateStatus } from "../claw/claw-status.ts";
import { readRequests } from "../record/handled-request.ts";
import { ownRecord, type WorkloadKind } from "../kind.ts";
import { readLastReported } from "../record/last-reported.ts";
import { analysisText } from "./analysis.ts";
import { isBeingDeleted, resource, type StatefulCanary, templateImage, pendingImage } from "./object.ts";
import { readAnalysis, readClaim, readProgress } from "./read-claim.ts";
import { specProblems } from "./problems.ts";
import { immutableProblems } from "./immutable.ts";
import { type Role, queryNames } from "./set.ts";
import { findSet, type FoundSet, notOwnedReason, imageOf } from "./sets.ts";
import { reportTypes } from "./status.ts";
import { writeStatefulCanary } from "./write.ts";
import { type StatefulSet, statefulSet } from "../built-in/stateful-set.ts";
import { rolloutOf } from "../built-in/built-in-kind.ts";
import { fieldProblem, type Problem } from "../../../../domain/workload/policy/problem.ts";

/**
 * Creates the kind. A StatefulCanary specifies its image, so that no registry is queried and no circuit can open. Two StatefulSets
 * run it. The update in flight is in annotations, its record in the status.
 */
export function createStatefulCanaryKind(settings: {
  readonly hooks: boolean;
  readonly now: () => Date;
}): WorkloadKind {
  return {
    resource,
    isStatefulSet: true,
    usesAutoUpdate: false,
    listScope: "full",
    isOptedIn: () => true,
    read: (object, api) => readStatefulCanary(object as StatefulCanary, api, settings.hooks),
    async findOwnSet(object, api) {
      const stable = await findSet(object as StatefulCanary, "stable", api);
      return stable === "not-owned" ? null : stable;
    },
    write: ({ object }, change, api) => writeStatefulCanary(object as StatefulCanary, change, api, settings.now()),
  };
}

async function readStatefulCanary(
  object: StatefulCanary,
  api: KubernetesApi,
  hooksEnabled: boolean,
): Promise<Workload> {
  const { namespace, name, uid, resourceVersion, annotations: from = {} } = object.metadata;
  const { policy, rawPolicy, problems } = policyOf(object);
  const [stable, canary] = await Promise.all([findSet(object, "stable", api), findSet(object, "canary", api)]);
  const inFlight = readClaim(object, stable);
  const requests = readRequests(from, uid, object.status?.conditions);
  return {
    ref: { apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name, uid },
    resourceVersion,
    record: ownRecord,
    policy,
    rawPolicy,
    problems: [
      ...unknownAnnotationProblems(from),
      ...problems,
      ...specProblems(object, hooksEnabled),
      ...setProblems(object, { stable, canary }),
    ],
    source: null,
    image: stable === null || stable === "not-owned" ? templateImage(object) : imageOf(stable),
    requestedImage: pendingImage(object),
    digests: null,
    restartedAt: null,
    isPinnedByPawl: false,
    pull: { secrets: [], serviceAccount: "default" },
    inFlight,
    updateRecord: readAutoUpdateStatus(object.status?.autoUpdate),
    backOff: fromBackOffStatus(object.status?.backOff),
    rollout: stable === null || stable === "not-owned" ? null : rolloutOf(stable, statefulSet),
    canary: canary === null || canary === "not-owned" ? null : canaryOf(canary, object, inFlight),
    failsWithoutPods: false,
    isCanaryLeft: false,
    canaryNames: queryNames(object),
    canaryProgress: readProgress(object, inFlight),
    analysis: readAnalysis(object, inFlight),
    ...requests,
    verdict: readVerdict(from) ?? requestedVerdict(requests.request, inFlight),
    lastReported: readLastReported(reportTypes, object.status?.conditions),
  };
}

const rules = {
  defaultSchedule: null,
  defaultToleranceSeconds: 3600,
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: 86_400,
};

/** Deletion disables updates, which reverts the one in flight. Without canary replicas all replicas are updated at once. */
function policyOf(object: StatefulCanary): ParsedPolicy & Pick<Workload, "rawPolicy"> {
  const { canaryReplicas = 0, steps, totalReplicas, healthTimeout, bakeTime } = object.spec;
  const { paused, notify, maxRestarts } = readAnnotations(object.metadata.annotations ?? {});
  const hasSize = canaryReplicas > 0 && steps === undefined;
  const written = compact({
    paused,
    notify,
    maxRestarts,
    canary: hasSize ? lift(canaryReplicas, "spec.canaryReplicas") : null,
    canarySteps: lift(steps, "spec.steps", true),
    analysis: lift(analysisText(object), "spec.analysis"),
    healthTimeout: lift(healthTimeout, "spec.healthTimeout"),
    bakeTime: lift(bakeTime, "spec.bakeTime"),
  });
  const { policy, problems } = parsePolicy(written, isBeingDeleted(object) ? "no" : "yes", rules);
  const hookProblems: Problem[] = [];
  const hooks = readCanaryHooks(object.spec.hooks, hookProblems);
  const sizes = sizesOf(policy.canarySteps).map((size) =>
    canaryUnavailableReason(size, { desiredReplicas: totalReplicas }),
  );
  const tooLarge = sizes.flatMap((reason) =>
    reason === null ? [] : [fieldProblem("spec.steps", "NotSupported", reason)],
  );
  return {
    rawPolicy: compact({ ...written, hooks: lift(object.spec.hooks, "spec.hooks", true) }),
    policy: {
      ...policy,
      hooks,
      maxRollbacks: Number.MAX_SAFE_INTEGER,
      bake: bakeTime === undefined ? null : policy.bake,
    },
    problems: [...problems, ...hookProblems, ...tooLarge],
  };
}

function setProblems(object: StatefulCanary, found: Readonly<Record<Role, FoundSet>>): readonly Problem[] {
  const roles: readonly Role[] = ["stable", "canary"];
  const problems = roles
    .filter((role) => found[role] === "not-owned")
    .map((role): Problem => {
      return { field: null, code: "NotSupported", text: notOwnedReason(object, role) };
    });
  return [...problems, ...(found.stable === "not-owned" ? [] : immutableProblems(object, found.stable))];
}

/** Returns the canary of the update in flight; null if the set remains from an earlier update. */
function canaryOf(set: StatefulSet, { spec }: StatefulCanary, inFlight: InFlight | null): Rollout | null {
  if (inFlight?.phase !== "canary" || set.spec.replicas === 0) return null;
  if (!isAsWritten(imageOf(set) ?? "", inFlight.target.image)) return null;
  return { ...rolloutOf(set, statefulSet), sharedReplicas: spec.totalReplicas };
}
