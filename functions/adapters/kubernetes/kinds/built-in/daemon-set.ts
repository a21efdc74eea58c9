import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import type { LabelSelector } from "../../../../domain/text/label-selector.ts";
import { matchPods } from "../../../../domain/workload/canary/pod-names.ts";
import {
  canaryReplicas,
  describeSize,
  parseCanarySize,
  partitionFor,
} from "../../../../domain/workload/canary/size.ts";
import type { KubernetesApi } from "../../api.ts";
import { formatLabelSelector } from "../../label-selector.ts";
import { isReady, type Pod, revisionLabel } from "../../pods/pod.ts";
import type { BuiltInKind } from "./built-in-kind.ts";
import { type CanaryStrategy, inspectOwnReplicas } from "../canary/canary-strategy.ts";
import { imagePatch, primaryContainer } from "../pod-template/container.ts";
import { type BuiltInObject, minReadyOf, type WithPodTemplate } from "../pod-template/pod-template.ts";
import { readLatestHash, readSnapshots } from "../pod-template/revisions.ts";

interface DaemonSet extends BuiltInObject {
  readonly spec: WithPodTemplate & {
    readonly minReadySeconds?: number;
    readonly selector: LabelSelector;
    readonly updateStrategy?: { readonly type?: string };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly desiredNumberScheduled?: number;
    readonly currentNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberReady?: number;
    /** Ready for `minReadySeconds`. */
    readonly numberAvailable?: number;
  };
}

const resource = { group: "apps", version: "v1", plural: "daemonsets", kind: "DaemonSet" };

/**
 * Runs a canary in the DaemonSet itself: its template is that of the target, and with the update strategy OnDelete only the pods that Pawl
 * evicts are replaced. An annotation has the size, so that a canary whose record was deleted is found.
 */
const nodeCanary: CanaryStrategy<DaemonSet> = {
  async read(object, { rollout: { podsPer: _podsPer, ...rollout } }, api) {
    const size = parseCanarySize(object.metadata.annotations?.[annotations.canaryPartition] ?? "");
    if ("kind" in size) return null;
    // Before its controller has observed the template, the latest revision is the one before.
    const isObserved = rollout.observedGeneration >= rollout.generation;
    const { updated } = isObserved ? await readPods(object, api) : { updated: [] };
    const { numberReady = 0 } = object.status ?? {};
    const { desiredReplicas, readyReplicas } = rollout;
    // Those that are ready and not yet available may be any of them.
    const available = updated.filter(isReady).length - Math.max(0, numberReady - readyReplicas);
    return {
      ...rollout,
      // A pod of a new node runs the target too.
      desiredReplicas: Math.max(updated.length, Math.min(canaryReplicas(size, desiredReplicas), desiredReplicas - 1)),
      updatedReplicas: updated.length,
      readyReplicas: Math.max(0, available),
      oldReplicas: 0,
      partition: partitionFor(size, desiredReplicas),
    };
  },
  async inspect(object, policy) {
    if (nodeCanary.isMarked(object.metadata)) return { kind: "left" };
    return inspectOwnReplicas(policy, object.status?.desiredNumberScheduled ?? 0, strategyReason(object));
  },
  mayBeLeft: ({ metadata }) => nodeCanary.isMarked(metadata),
  isMarked: ({ annotations: from = {} }) => from[annotations.canaryPartition] !== undefined,
  ownerName: () => null,
  async names(object, _policy, api) {
    const { name } = object.metadata;
    const selector = formatLabelSelector(object.spec.selector);
    if (api === null) return { stable: name, canary: name, ...matchPods(name, null), canarySelector: selector };
    const { revision, updated, old } = await readPods(object, api);
    return {
      stable: old[0]?.metadata.labels?.[revisionLabel] ?? name,
      canary: revision ?? name,
      ...matchPods(name, { stable: old.map(nameOf), canary: updated.map(nameOf) }),
      canarySelector: [selector, `${revisionLabel}=${revision ?? ""}`].join(","),
    };
  },
  patch(object, canary) {
    const marked = object.metadata.annotations?.[annotations.canaryPartition];
    const size = canary === null ? null : describeSize(canary.size);
    return {
      ...(canary === null ? {} : { spec: imagePatch(object, canary) }),
      ...((marked ?? null) === size ? {} : { annotations: { [annotations.canaryPartition]: size } }),
    };
  },
  async imageBefore(object, api) {
    const image = primaryContainer(object)?.image ?? null;
    // A person has set another one since.
    if (object.metadata.annotations?.[annotations.targetImage] !== image) return null;
    const snapshots = await readSnapshots(object, resource, api);
    return snapshots.find((one) => one.image !== image)?.image ?? null;
  },
  autoscaler: async () => null,
  async create() {},
  async delete() {},
};

/** Lists the pods of a DaemonSet: those of the revision of its template, and the others. Of an unknown revision there are none. */
async function readPods({ metadata, spec }: DaemonSet, api: KubernetesApi) {
  const [revision, pods] = await Promise.all([
    readLatestHash({ metadata, spec }, resource, api),
    api.listPods(metadata.namespace, formatLabelSelector(spec.selector)),
  ]);
  const own = pods.filter(
    ({ metadata: { ownerReferences = [], deletionTimestamp } }) =>
      deletionTimestamp === undefined && ownerReferences.some(({ uid }) => uid === metadata.uid),
  );
  const isUpdated = (pod: Pod) => revision !== null && pod.metadata.labels?.[revisionLabel] === revision;
  return { revision, updated: own.filter(isUpdated), old: own.filter((pod) => !isUpdated(pod)) };
}

function nameOf({ metadata }: Pod): string {
  return metadata.name;
}

/** Returns why the pods of a canary cannot be chosen; null if they can. */
function strategyReason({ spec }: DaemonSet): string | null {
  const { type = "RollingUpdate" } = spec.updateStrategy ?? {};
  return type === "OnDelete"
    ? null
    : `spec.updateStrategy.type ${type} replaces all pods of a DaemonSet, and leaves none for a canary to be compared with; use OnDelete`;
}

export const daemonSet: BuiltInKind<DaemonSet> = {
  canary: nodeCanary,
  resource,
  observedGeneration: ({ status }) => status?.observedGeneration,
  rollout: ({ spec, status = {} }) => ({
    desiredReplicas: status.desiredNumberScheduled ?? 0,
    updatedReplicas: status.updatedNumberScheduled ?? 0,
    readyReplicas: status.numberAvailable ?? 0,
    oldReplicas: Math.max(0, (status.currentNumberScheduled ?? 0) - (status.updatedNumberScheduled ?? 0)),
    podsPer: "node",
    ...minReadyOf(spec),
    ...(spec.updateStrategy?.type === "OnDelete" ? ({ isOnDelete: true } as const) : {}),
  }),
  unsupportedReason: (object, isCanary) => (isCanary ? strategyReason(object) : null),
};
