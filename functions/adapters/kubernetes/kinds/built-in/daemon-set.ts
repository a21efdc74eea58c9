import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import type { LabelSelector } from "../../../../domain/text/label-selector.ts";
import { matchPods } from "../../../../domain/workload/canary/pod-names.ts";
import { canaryReplicas, partitionFor } from "../../../../domain/workload/canary/size.ts";
import type { KubernetesApi } from "../../api.ts";
import { formatLabelSelector } from "../../label-selector.ts";
import { isReady, type Pod, revisionLabel } from "../../pods/pod.ts";
import type { BuiltInKind } from "./built-in-kind.ts";
import { type CanaryStrategy, inspectOwnReplicas, ownReplicas } from "../canary/canary-strategy.ts";
import { formatMark, isPodSuperseded, readMark } from "../canary/node-mark.ts";
import { imagePatch, primaryContainer } from "../pod-template/container.ts";
import { type BuiltInObject, minReadyOf, type WithPodTemplate } from "../pod-template/pod-template.ts";
import { readHashes } from "../pod-template/revisions.ts";

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
 * evicts are replaced. Its mark has the size and the image before it, so that a canary whose record was deleted is found, and its pods are.
 */
const nodeCanary: CanaryStrategy<DaemonSet> = {
  ...ownReplicas,
  async read(object, { rollout: { podsPer: _podsPer, ...rollout } }, api) {
    const mark = readMark(object.metadata);
    if (mark === null) return null;
    const { size } = mark;
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
  patch(object, canary, { inFlight, image }) {
    const { [annotations.canaryPartition]: marked = null } = object.metadata.annotations ?? {};
    // A rollback replaces its pods. If no update does, a cleanup follows, which restores the image first.
    const isEnded = inFlight === null || inFlight?.phase === "rollback";
    const isLeft = canary === null && (isEnded || (inFlight === undefined && image !== undefined));
    const running = primaryContainer(object)?.image ?? "";
    const mark = isLeft ? marked : canary && formatMark(object.metadata, canary.size, running, canary.image);
    return {
      ...(canary === null ? {} : { spec: imagePatch(object, canary) }),
      ...(marked === mark ? {} : { annotations: { [annotations.canaryPartition]: mark } }),
    };
  },
  async imageBefore(object) {
    const { before = null } = readMark(object.metadata) ?? {};
    const image = primaryContainer(object)?.image ?? null;
    // A person has set another one since, or it is restored.
    return object.metadata.annotations?.[annotations.targetImage] === image && before !== image ? before : null;
  },
};

/** Lists the pods of a DaemonSet: those of the revision of its template, and of the one before. Of an unknown revision there are none. */
async function readPods({ metadata, spec }: DaemonSet, api: KubernetesApi) {
  const [revisions, pods] = await Promise.all([
    readHashes({ metadata, spec }, resource, api),
    api.listPods(metadata.namespace, formatLabelSelector(spec.selector)),
  ]);
  const own = pods.filter(
    ({ metadata: { ownerReferences = [], deletionTimestamp } }) =>
      deletionTimestamp === undefined && ownerReferences.some(({ uid }) => uid === metadata.uid),
  );
  const revision = revisions[0]?.hash ?? null;
  const isUpdated = (pod: Pod) => revision !== null && pod.metadata.labels?.[revisionLabel] === revision;
  const isOld = (pod: Pod) => !isUpdated(pod) && !isPodSuperseded(pod, metadata, revisions);
  return { revision, updated: own.filter(isUpdated), old: own.filter(isOld) };
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
