import type { BuiltInKind } from "./built-in-kind.ts";
import { type BuiltInObject, minReadyOf, type WithPodTemplate } from "../pod-template/pod-template.ts";

interface DaemonSet extends BuiltInObject {
  readonly spec: WithPodTemplate & {
    readonly minReadySeconds?: number;
    readonly updateStrategy?: { readonly type?: string };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly desiredNumberScheduled?: number;
    readonly currentNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    /** Ready for `minReadySeconds`. */
    readonly numberAvailable?: number;
  };
}

export const daemonSet: BuiltInKind<DaemonSet> = {
  canary: "a DaemonSet runs one pod on each node: it has no replicas for a canary",
  resource: { group: "apps", version: "v1", plural: "daemonsets", kind: "DaemonSet" },
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
  unsupportedReason: () => null,
};
