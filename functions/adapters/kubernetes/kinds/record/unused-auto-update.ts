import { emptyUpdateRecord } from "../../../../domain/workload/record/update-record.ts";
import { parsePolicy } from "../../../../domain/workload/policy/policy.ts";
import type { Workload } from "../../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../../api.ts";
import { reportedProblem } from "../../auto-update/conditions.ts";
import { autoUpdateName } from "../../../../domain/workload/record/auto-update-name.ts";
import { type AutoUpdate, groupOf, isManagedByPawl, resource } from "../../auto-update/object.ts";
import { setSuspend } from "../../auto-update/pause.ts";
import { writeStatus } from "../../auto-update/write.ts";
import { apiVersionOf, type KubernetesObject } from "../../objects.ts";
import { ownRecord, type WorkloadKind } from "../kind.ts";

const never = {
  holder: "",
  expiresAt: new Date(0),
  targetUID: "",
  targetGeneration: 0,
  hasCanary: false,
  isStale: false,
};

/**
 * An AutoUpdate that updates nothing: its name is not the one for its target, its target does not exist, or has another kind. It is
 * read like a workload with a problem, so that the problem is reported in its own status.
 */
export function createUnusedAutoUpdateKind(
  kinds: readonly WorkloadKind[],
  { now }: { readonly now: () => Date },
): WorkloadKind {
  return {
    resource,
    isStatefulSet: false,
    usesAutoUpdate: false,
    listScope: "full",
    isOptedIn: () => true,
    read: async (object, api) => {
      const autoUpdate = object as AutoUpdate;
      return readUnused(autoUpdate, reportedReason(autoUpdate) ?? (await unusedReason(autoUpdate, kinds, api)));
    },
    async write({ object, workload }, change, api) {
      if (change.paused !== undefined) return setSuspend(object as AutoUpdate, change.paused, api);
      if (change.lastReported === undefined && workload.record.state === "observed") return;
      await writeStatus(object as AutoUpdate, change, never, api, now());
    },
  };
}

/** Returns the reason that was reported for its spec. Once its target exists, that takes it, so it is not read here any more. */
export function reportedReason({ metadata, status = {} }: AutoUpdate): string | null {
  return status.observedGeneration === (metadata.generation ?? 1) ? reportedProblem(status) : null;
}

/** Returns why an AutoUpdate updates nothing; null if its target exists. Throws `Forbidden` if the target must not be read. */
async function unusedReason(
  { metadata, spec }: AutoUpdate,
  kinds: readonly WorkloadKind[],
  api: KubernetesApi,
): Promise<string | null> {
  const { targetRef } = spec;
  const supported = kinds.filter(({ usesAutoUpdate }) => usesAutoUpdate);
  const kind = supported.find(
    (one) => one.resource.kind === targetRef.kind && one.resource.group === groupOf(targetRef.apiVersion),
  );
  if (kind === undefined) {
    const names = supported.map((one) => `${one.resource.group} ${one.resource.kind}`).join(", ");
    return `spec.targetRef: ${targetRef.apiVersion} ${targetRef.kind} is not updated through an AutoUpdate; use one of ${names}`;
  }
  const name = autoUpdateName(targetRef);
  if (metadata.name !== name) {
    return `the AutoUpdate of ${targetRef.kind} ${targetRef.name} must be named ${name}; create it under that name and delete ${metadata.name}`;
  }
  const versions = kind.olderVersion === undefined ? [kind] : [kind, kind.olderVersion];
  for (const { resource: target } of versions) {
    if ((await api.get<KubernetesObject>(target, metadata.namespace, targetRef.name)) !== null) return null;
  }
  return `spec.targetRef: ${targetRef.kind} ${metadata.namespace}/${targetRef.name} does not exist; create it, or delete this AutoUpdate`;
}

function readUnused(autoUpdate: AutoUpdate, reason: string | null): Workload {
  const { metadata, spec, status = {} } = autoUpdate;
  const { namespace, name, uid, resourceVersion, generation = 1 } = metadata;
  const { policy } = parsePolicy({}, "yes", rules);
  return {
    ref: { apiVersion: apiVersionOf(resource), kind: resource.kind, namespace, name, uid },
    resourceVersion,
    record: {
      ...ownRecord,
      state: status.observedGeneration === generation ? "observed" : "changed",
      isManaged: isManagedByPawl(autoUpdate),
    },
    policy: { ...policy, paused: spec.suspend ?? false },
    rawPolicy: {},
    problems: reason === null ? [] : [{ field: "spec.targetRef", code: "NotFound", text: reason }],
    source: null,
    image: null,
    requestedImage: null,
    digests: null,
    restartedAt: null,
    isPinnedByPawl: false,
    pull: { secrets: [], serviceAccount: "default" },
    inFlight: null,
    updateRecord: emptyUpdateRecord,
    backOff: null,
    rollout: null,
    failsWithoutPods: false,
    canary: null,
    isCanaryLeft: false,
    canaryProgress: null,
    canaryNames: { stable: name, canary: name },
    analysis: null,
    request: null,
    lastRequest: null,
    verdict: null,
    lastReported: { held: status.holdReason ?? null, problem: reportedProblem(status) },
  };
}

const rules = {
  defaultSchedule: null,
  defaultToleranceSeconds: 3600,
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: 86_400,
};
