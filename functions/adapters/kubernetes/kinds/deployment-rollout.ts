import type { BuiltInObject, TemplateOfPods } from "./pod-template.ts";

export interface Deployment extends BuiltInObject {
  readonly spec: TemplateOfPods & {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly selector: { readonly matchLabels?: object };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
  };
}

/** The counts of a Deployment's status. */
export function rolloutOf({ spec, status = {} }: Deployment) {
  return {
    desiredReplicas: spec.replicas ?? 1,
    updatedReplicas: status.updatedReplicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    oldReplicas: (status.replicas ?? 0) - (status.updatedReplicas ?? 0),
  };
}
