import { randomSuffix } from "../encode-name.ts";
import { timestamp, type Fields, type KubeObject } from "../objects.ts";
import {
  isReady,
  podFromTemplate,
  revisionOf,
  resolveScaledValue,
  templateHash,
  omitZeros,
  type Plan,
  type WorkloadObject,
} from "./workload.ts";

interface PodGroups {
  readonly desired: number;
  readonly updated: readonly KubeObject[];
  readonly old: readonly KubeObject[];
}

/**
 * Plans a rolling update within maxSurge and maxUnavailable. If new pods never become ready, old pods remain. Terminating pods
 * are ignored.
 */
export function planDeployment(
  deployment: WorkloadObject,
  replicaSet: WorkloadObject,
  all: readonly KubeObject[],
  now: Date,
): Plan {
  const pods = all.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const revision = templateHash(deployment.spec.template);
  const groups: PodGroups = {
    desired: deployment.spec.replicas ?? 1,
    updated: pods.filter((pod) => revisionOf(pod) === revision),
    old: pods.filter((pod) => revisionOf(pod) !== revision),
  };
  const { add, remove } = deployment.spec["paused"] === true ? planPaused(groups) : planStep(deployment, groups);
  const { metadata, spec } = replicaSet;
  const create = Array.from({ length: add }, () =>
    podFromTemplate(replicaSet, spec.template, revision, `${metadata.name}-${randomSuffix()}`),
  );
  return { status: statusOf(deployment, groups, now), remove, create };
}

interface Step {
  readonly add: number;
  readonly remove: readonly KubeObject[];
}

function planStep(deployment: WorkloadObject, standing: PodGroups): Step {
  const strategy = deployment.spec["strategy"] as { type: string; rollingUpdate?: Fields };
  if (strategy.type === "Recreate") return planRecreate(standing);
  const { desired } = standing;
  const surge = resolveScaledValue(strategy.rollingUpdate?.["maxSurge"], desired, Math.ceil);
  const maxUnavailable = resolveScaledValue(strategy.rollingUpdate?.["maxUnavailable"], desired, Math.floor);
  return planRollingUpdate(standing, surge, surge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable);
}

function planRollingUpdate({ desired, updated, old }: PodGroups, surge: number, unavailable: number): Step {
  const room = desired + surge - updated.length - old.length;
  const add = Math.max(0, Math.min(desired - updated.length, room));
  const surplus = Math.max(0, updated.length - desired);
  const [unready, ready] = [old.filter((pod) => !isReady(pod)), old.filter(isReady)];
  const spare = [...ready, ...updated.filter(isReady)].length - (desired - unavailable);
  const shrink = [...unready, ...ready.slice(0, Math.max(0, spare))];
  return { add, remove: [...shrink, ...unreadyFirst(updated).slice(0, surplus)] };
}

function planRecreate({ desired, updated, old }: PodGroups): Step {
  if (old.length > 0) return { add: 0, remove: old };
  const surplus = Math.max(0, updated.length - desired);
  return { add: Math.max(0, desired - updated.length), remove: unreadyFirst(updated).slice(0, surplus) };
}

/** Plans a paused Deployment: it only scales down and does not roll out. */
function planPaused({ desired, updated, old }: PodGroups): Step {
  const all = unreadyFirst([...old, ...updated]);
  return { add: 0, remove: all.slice(0, Math.max(0, all.length - desired)) };
}

function unreadyFirst(pods: readonly KubeObject[]): readonly KubeObject[] {
  return pods.toSorted((a, b) => Number(isReady(a)) - Number(isReady(b)));
}

function statusOf(deployment: WorkloadObject, { desired, updated, old }: PodGroups, now: Date): Fields {
  const all = [...updated, ...old];
  const ready = all.filter(isReady).length;
  const isComplete = updated.length === desired && old.length === 0 && ready === desired;
  const numbers = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: all.length,
    updatedReplicas: updated.length,
    readyReplicas: ready,
    availableReplicas: ready,
    unavailableReplicas: Math.max(0, Math.max(desired, all.length) - ready),
  };
  const conditions = [
    condition(
      "Available",
      ready >= desired,
      ready >= desired ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
    ),
    condition("Progressing", true, isComplete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated"),
  ];
  return { ...omitZeros(numbers), conditions: conditions.map((one) => withTransitionTimes(one, deployment, now)) };
}

function condition(type: string, isTrue: boolean, reason: string): Fields {
  return { type, status: isTrue ? "True" : "False", reason };
}

/** Returns the previous condition if status and reason are the same, otherwise the new one with current times. */
function withTransitionTimes(current: Fields, { status }: WorkloadObject, now: Date): Fields {
  const before = ((status?.["conditions"] ?? []) as Fields[]).find(({ type }) => type === current["type"]);
  if (before && before["status"] === current["status"] && before["reason"] === current["reason"]) return before;
  return { ...current, lastUpdateTime: timestamp(now), lastTransitionTime: timestamp(now) };
}
