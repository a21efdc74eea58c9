import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import type { LabelSelector } from "../../../../domain/text/label-selector.ts";
import { matchPartition } from "../../../../domain/workload/canary/pod-names.ts";
import { partitionFor } from "../../../../domain/workload/canary/size.ts";
import type { Rollout } from "../../../../domain/workload/workload.ts";
import type { KubernetesApi } from "../../api.ts";
import { formatLabelSelector } from "../../label-selector.ts";
import { isReady, revisionLabel } from "../../pods/pod.ts";
import type { BuiltInKind } from "./built-in-kind.ts";
import { type CanaryStrategy, inspectOwnReplicas, ownReplicas } from "../canary/canary-strategy.ts";
import { imagePatch, primaryContainer } from "../pod-template/container.ts";
import { type BuiltInObject, minReadyOf, type WithPodTemplate } from "../pod-template/pod-template.ts";
import { readRevisionTemplate } from "../pod-template/revisions.ts";

export interface StatefulSet extends BuiltInObject {
  readonly spec: WithPodTemplate & {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector: LabelSelector;
    readonly ordinals?: { readonly start?: number };
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    /** Ready for `minReadySeconds`. Before Kubernetes 1.22, which does not know that setting, absent; in 1.22 absent if it is 0. */
    readonly availableReplicas?: number;
  };
}

const noPartition = "spec.updateStrategy.type OnDelete has no partition for a canary; use RollingUpdate";

/**
 * Runs a canary in the StatefulSet itself: with a partition only the highest ordinals are updated, and their volumes are kept.
 * Removing the partition updates the others.
 */
const partitionCanary: CanaryStrategy<StatefulSet> = {
  ...ownReplicas,
  async read(object, { rollout }, api) {
    const partition = partitionOf(object);
    // Its owner has updated all replicas.
    if (partition === 0) return null;
    const canary = { ...canaryRollout(rollout, partition), ...(isOwnPartition(object) ? { partition } : {}) };
    // While another replica is unavailable, the counts do not tell whose it is.
    const isClear = canary.updatedReplicas === 0 || rollout.readyReplicas >= rollout.desiredReplicas;
    if (!isClear) return { ...canary, readyReplicas: await countAvailable(object, api) };
    return { ...canary, readyReplicas: Math.max(canary.readyReplicas, canary.updatedReplicas) };
  },
  async inspect(object, policy) {
    if (isOwnPartition(object)) return { kind: "left" };
    const { replicas = 1, updateStrategy } = object.spec;
    return inspectOwnReplicas(policy, replicas, updateStrategy?.type === "OnDelete" ? noPartition : null);
  },
  mayBeLeft: isOwnPartition,
  names(object) {
    const { status, spec, metadata } = object;
    const replicas = { replicas: spec.replicas ?? 1, start: spec.ordinals?.start ?? 0, partition: partitionOf(object) };
    return {
      stable: status?.currentRevision ?? metadata.name,
      canary: status?.updateRevision ?? metadata.name,
      ...matchPartition(metadata.name, replicas),
      canarySelector: [formatLabelSelector(spec.selector), `${revisionLabel}=${status?.updateRevision ?? ""}`].join(
        ",",
      ),
    };
  },
  patch(object, canary) {
    const current = partitionOf(object);
    const marked = object.metadata.annotations?.[annotations.canaryPartition];
    if (canary === null) {
      return {
        ...(current === 0 ? {} : { spec: withPartition(0) }),
        ...(marked === undefined ? {} : { annotations: { [annotations.canaryPartition]: null } }),
      };
    }
    const partition = partitionFor(canary.size, object.spec.replicas ?? 1);
    return {
      spec: { ...imagePatch(object, canary), ...(current === partition ? {} : withPartition(partition)) },
      ...(marked === String(partition) ? {} : { annotations: { [annotations.canaryPartition]: String(partition) } }),
    };
  },
  async imageBefore(object, api) {
    const revision = object.status?.currentRevision;
    const name = primaryContainer(object)?.name;
    if (revision === undefined || name === undefined) return null;
    const template = await readRevisionTemplate(object, revision, statefulSet.resource, api);
    const { containers = [], initContainers = [] } = template?.spec ?? {};
    return [...containers, ...initContainers].find((one) => one.name === name)?.image ?? null;
  },
};

/** Reports whether the partition is that of a canary, and not one that a person set. */
export function isOwnPartition(object: StatefulSet): boolean {
  const partition = partitionOf(object);
  return partition !== 0 && object.metadata.annotations?.[annotations.canaryPartition] === String(partition);
}

export function partitionOf({ spec }: StatefulSet): number {
  return spec.updateStrategy?.rollingUpdate?.partition ?? 0;
}

function withPartition(partition: number): object {
  return { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } } };
}

/** Returns the rollout of the ordinals from the partition up. */
function canaryRollout(rollout: Rollout, partition: number): Rollout {
  const below = Math.min(partition, rollout.desiredReplicas);
  return {
    ...rollout,
    desiredReplicas: rollout.desiredReplicas - below,
    readyReplicas: Math.max(0, rollout.readyReplicas - below),
    oldReplicas: 0,
  };
}

/** Returns how many replicas are available. An API server that keeps `minReadySeconds` counts them. */
function countAvailableReplicas({ spec, status = {} }: StatefulSet): number {
  const { readyReplicas = 0, availableReplicas } = status;
  return availableReplicas ?? (spec.minReadySeconds ? 0 : readyReplicas);
}

/** Counts the available pods of the update revision. Those that are ready and not yet available may be any of them. */
async function countAvailable(object: StatefulSet, api: KubernetesApi): Promise<number> {
  const { metadata, spec, status = {} } = object;
  const { updateRevision = "", readyReplicas = 0 } = status;
  const pods = await api.listPods(metadata.namespace, formatLabelSelector(spec.selector));
  const ready = pods.filter((pod) => {
    const { labels = {}, deletionTimestamp } = pod.metadata;
    return labels[revisionLabel] === updateRevision && deletionTimestamp === undefined && isReady(pod);
  });
  return Math.max(0, ready.length - (readyReplicas - countAvailableReplicas(object)));
}

export const statefulSet: BuiltInKind<StatefulSet> = {
  canary: partitionCanary,
  resource: { group: "apps", version: "v1", plural: "statefulsets", kind: "StatefulSet" },
  observedGeneration: ({ status }) => status?.observedGeneration,
  rollout: (object) => ({
    desiredReplicas: object.spec.replicas ?? 1,
    updatedReplicas: object.status?.updatedReplicas ?? 0,
    readyReplicas: countAvailableReplicas(object),
    oldReplicas: Math.max(0, (object.status?.replicas ?? 0) - (object.status?.updatedReplicas ?? 0)),
    ...minReadyOf(object.spec),
    ...(object.spec.updateStrategy?.type === "OnDelete" ? ({ isOnDelete: true } as const) : {}),
  }),
  unsupportedReason(object, isCanary) {
    if (isCanary && object.spec.updateStrategy?.type === "OnDelete") return noPartition;
    const partition = partitionOf(object);
    return partition === 0 || isCanary || isOwnPartition(object)
      ? null
      : `spec.updateStrategy.rollingUpdate.partition ${partition}: pods below it would keep the old image; set it to 0`;
  },
};
