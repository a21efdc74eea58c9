import type { KubeObjectInput, Fields, KubeObject } from "../objects.ts";
import type { Revisions } from "./revisions.ts";
import { isReady, podFromTemplate, revisionOf, omitZeros, type Plan, type WorkloadObject } from "./workload.ts";

/**
 * Plans one pass of Kubernetes' updateStatefulSet (1.20): creates pods from ordinal 0, scales down and rolls out from the
 * highest, one pod at a time. With OrderedReady an unready pod blocks everything, a rollback too, until it is deleted manually.
 */
export function planStatefulSet(set: WorkloadObject, pods: readonly KubeObject[], revisions: Revisions): Plan {
  const status = statusOf(set, pods, revisions);
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const current = currentRevisionOf(set) ?? revisions.update;
  const podAt = (ordinal: number): KubeObjectInput => {
    const revision = ordinal < partitionOf(set) ? current : revisions.update;
    return podFromTemplate(set, revisions.templateOf(revision), revision, `${set.metadata.name}-${ordinal}`);
  };
  const filled = fillUp(set, byOrdinal, podAt);
  if (filled !== "complete") return { status, remove: [], create: filled };
  const surplus = pods
    .filter((pod) => ordinalOf(pod) >= desiredOf(set))
    .toSorted((a, b) => ordinalOf(b) - ordinalOf(a));
  const condemned = isOrdered(set) ? surplus.slice(0, 1) : surplus;
  if (condemned.length > 0 && isOrdered(set)) return { status, remove: condemned, create: [] };
  return { status, remove: [...condemned, ...nextToReplace(set, byOrdinal, revisions.update)], create: [] };
}

/** Returns the pods to create now; "complete" if there is nothing to create or to wait for. */
function fillUp(
  set: WorkloadObject,
  byOrdinal: ReadonlyMap<number, KubeObject>,
  podAt: (ordinal: number) => KubeObjectInput,
): readonly KubeObjectInput[] | "complete" {
  const missing: KubeObjectInput[] = [];
  for (let ordinal = 0; ordinal < desiredOf(set); ordinal += 1) {
    const pod = byOrdinal.get(ordinal);
    if (!pod) missing.push(podAt(ordinal));
    if (isOrdered(set) && !(pod && isReady(pod))) return missing;
  }
  return missing.length > 0 ? missing : "complete";
}

function nextToReplace(
  set: WorkloadObject,
  byOrdinal: ReadonlyMap<number, KubeObject>,
  update: string,
): readonly KubeObject[] {
  if (strategyOf(set).type === "OnDelete") return [];
  for (let ordinal = desiredOf(set) - 1; ordinal >= partitionOf(set); ordinal -= 1) {
    const pod = byOrdinal.get(ordinal);
    if (!pod) return [];
    if (revisionOf(pod) !== update) return [pod];
    if (!isReady(pod)) return [];
  }
  return [];
}

function statusOf(set: WorkloadObject, pods: readonly KubeObject[], { update }: Revisions): Fields {
  const before = currentRevisionOf(set) ?? update;
  const ready = pods.filter(isReady).length;
  const updated = pods.filter((pod) => revisionOf(pod) === update).length;
  const isComplete = strategyOf(set).type === "RollingUpdate" && updated === pods.length && ready === pods.length;
  const current = isComplete ? update : before;
  return {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    ...omitZeros({
      readyReplicas: ready,
      currentReplicas: pods.filter((pod) => revisionOf(pod) === current).length,
      updatedReplicas: updated,
      // As since Kubernetes 1.22, without the time.
      ...(set.spec["minReadySeconds"] ? { availableReplicas: ready } : {}),
    }),
    currentRevision: current,
    updateRevision: update,
    collisionCount: 0,
  };
}

function strategyOf(set: WorkloadObject): {
  readonly type: string;
  readonly rollingUpdate?: { readonly partition?: number };
} {
  return set.spec["updateStrategy"] as { type: string; rollingUpdate?: { partition?: number } };
}

function partitionOf(set: WorkloadObject): number {
  return strategyOf(set).rollingUpdate?.partition ?? 0;
}

function currentRevisionOf(set: WorkloadObject): string | undefined {
  return set.status?.["currentRevision"] as string | undefined;
}

function isOrdered(set: WorkloadObject): boolean {
  return set.spec["podManagementPolicy"] !== "Parallel";
}

function desiredOf(set: WorkloadObject): number {
  return set.spec.replicas ?? 1;
}

function ordinalOf(pod: KubeObject): number {
  return Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? -1);
}
