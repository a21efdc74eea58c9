import { type BuiltInObject, minReadyOf, type WithPodTemplate } from "../pod-template/pod-template.ts";

export interface Deployment extends BuiltInObject {
  readonly spec: WithPodTemplate & {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly paused?: boolean;
    readonly strategy?: { readonly type?: string };
    readonly selector: { readonly matchLabels?: object };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    /** Ready for `minReadySeconds`. */
    readonly availableReplicas?: number;
    /** Since Kubernetes 1.35. */
    readonly terminatingReplicas?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

/** Returns the replica counts of a Deployment. */
export function countReplicas({ spec, status = {} }: Deployment) {
  const { terminatingReplicas = 0 } = status;
  const { message } =
    status.conditions?.find(({ type, status: value }) => type === "ReplicaFailure" && value === "True") ?? {};
  return {
    ...(message === undefined ? {} : { createFailure: message }),
    ...(spec.paused ? ({ isPaused: true } as const) : {}),
    ...minReadyOf(spec),
    desiredReplicas: spec.replicas ?? 1,
    updatedReplicas: status.updatedReplicas ?? 0,
    readyReplicas: status.availableReplicas ?? 0,
    oldReplicas: (status.replicas ?? 0) - (status.updatedReplicas ?? 0),
    ...(terminatingReplicas === 0 ? {} : { terminatingReplicas }),
  };
}
