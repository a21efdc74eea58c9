import { canaryReplicas } from "../../../domain/canary-size.ts";
import type { Rollout } from "../../../domain/workload.ts";
import type { CanaryMeans } from "./canary-means.ts";
import { imagePatch } from "./container.ts";
import type { StatefulSet } from "./stateful-set.ts";

/**
 * A StatefulSet is its own canary: with a partition only its highest ordinals follow the template. Volumes stay where they
 * are, and without the partition the rest follows.
 */
export const partitionCanary: CanaryMeans<StatefulSet> = {
  async read({ spec }, rollout) {
    return partOf(rollout, spec.updateStrategy?.rollingUpdate?.partition ?? 0);
  },
  obstacle: async () => null,
  names: ({ status, metadata: { name } }) => ({
    stable: status?.currentRevision ?? name,
    canary: status?.updateRevision ?? name,
  }),
  patch(object, canary) {
    if (canary === null) return { spec: withPartition(0) };
    const desired = object.spec.replicas ?? 1;
    const partition = desired - canaryReplicas(canary.size, desired);
    return { spec: { ...imagePatch(object, canary), ...withPartition(partition) } };
  },
  async make() {},
  async remove() {},
};

function withPartition(partition: number): object {
  return { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } } };
}

/** The ordinals from the partition up: what of the whole is not theirs is taken off. */
function partOf(rollout: Rollout, partition: number): Rollout {
  const below = Math.min(partition, rollout.desiredReplicas);
  return {
    ...rollout,
    desiredReplicas: rollout.desiredReplicas - below,
    readyReplicas: Math.max(0, rollout.readyReplicas - below),
  };
}
