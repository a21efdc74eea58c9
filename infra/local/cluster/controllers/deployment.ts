import { randomUUID } from "node:crypto";
import { timestamp, type Fields, type KubeObject } from "../objects.ts";
import {
  isReady,
  podOf,
  revisionOf,
  share,
  templateHash,
  withoutZeros,
  type Plan,
  type WorkloadObject,
} from "./workload.ts";

interface Standing {
  readonly desired: number;
  readonly fresh: readonly KubeObject[];
  readonly old: readonly KubeObject[];
}

/**
 * Replaces pods as far as maxSurge and maxUnavailable let it; a new pod that is never ready keeps the old ones standing. A pod
 * that is being evicted is none of its own any more.
 */
export function planDeployment(deployment: WorkloadObject, all: readonly KubeObject[], now: Date): Plan {
  const pods = all.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const revision = templateHash(deployment.spec.template);
  const standing: Standing = {
    desired: deployment.spec.replicas ?? 1,
    fresh: pods.filter((pod) => revisionOf(pod) === revision),
    old: pods.filter((pod) => revisionOf(pod) !== revision),
  };
  const { add, remove } = deployment.spec["paused"] === true ? paused(standing) : step(deployment, standing);
  const name = `${deployment.metadata.name}-${revision}`;
  const create = Array.from({ length: add }, () =>
    podOf(deployment, deployment.spec.template, revision, `${name}-${randomUUID().slice(0, 5)}`),
  );
  return { status: statusOf(deployment, standing, now), remove, create };
}

interface Step {
  readonly add: number;
  readonly remove: readonly KubeObject[];
}

function step(deployment: WorkloadObject, standing: Standing): Step {
  const strategy = deployment.spec["strategy"] as { type: string; rollingUpdate?: Fields };
  if (strategy.type === "Recreate") return recreate(standing);
  const { desired } = standing;
  const surge = share(strategy.rollingUpdate?.["maxSurge"], desired, Math.ceil);
  const asked = share(strategy.rollingUpdate?.["maxUnavailable"], desired, Math.floor);
  return roll(standing, surge, surge === 0 && asked === 0 ? 1 : asked);
}

function roll({ desired, fresh, old }: Standing, surge: number, unavailable: number): Step {
  const room = desired + surge - fresh.length - old.length;
  const add = Math.max(0, Math.min(desired - fresh.length, room));
  const surplus = Math.max(0, fresh.length - desired);
  const [unready, ready] = [old.filter((pod) => !isReady(pod)), old.filter(isReady)];
  const spare = [...ready, ...fresh.filter(isReady)].length - (desired - unavailable);
  const shrink = [...unready, ...ready.slice(0, Math.max(0, spare))];
  return { add, remove: [...shrink, ...unreadyFirst(fresh).slice(0, surplus)] };
}

function recreate({ desired, fresh, old }: Standing): Step {
  if (old.length > 0) return { add: 0, remove: old };
  const surplus = Math.max(0, fresh.length - desired);
  return { add: Math.max(0, desired - fresh.length), remove: unreadyFirst(fresh).slice(0, surplus) };
}

/** Only scales down: what an operator paused stays at the templates that it runs. */
function paused({ desired, fresh, old }: Standing): Step {
  const all = unreadyFirst([...old, ...fresh]);
  return { add: 0, remove: all.slice(0, Math.max(0, all.length - desired)) };
}

function unreadyFirst(pods: readonly KubeObject[]): readonly KubeObject[] {
  return pods.toSorted((a, b) => Number(isReady(a)) - Number(isReady(b)));
}

function statusOf(deployment: WorkloadObject, { desired, fresh, old }: Standing, now: Date): Fields {
  const all = [...fresh, ...old];
  const ready = all.filter(isReady).length;
  const done = fresh.length === desired && old.length === 0 && ready === desired;
  const numbers = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: all.length,
    updatedReplicas: fresh.length,
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
    condition("Progressing", true, done ? "NewReplicaSetAvailable" : "ReplicaSetUpdated"),
  ];
  return { ...withoutZeros(numbers), conditions: conditions.map((one) => stamped(one, deployment, now)) };
}

function condition(type: string, holds: boolean, reason: string): Fields {
  return { type, status: holds ? "True" : "False", reason };
}

/** A condition that says what it said before keeps its times. */
function stamped(said: Fields, { status }: WorkloadObject, now: Date): Fields {
  const before = ((status?.["conditions"] ?? []) as Fields[]).find(({ type }) => type === said["type"]);
  if (before && before["status"] === said["status"] && before["reason"] === said["reason"]) return before;
  return { ...said, lastUpdateTime: timestamp(now), lastTransitionTime: timestamp(now) };
}
