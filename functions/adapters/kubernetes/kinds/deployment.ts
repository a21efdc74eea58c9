import { builtInKind, type BuiltInObject } from "./built-in.ts";

interface Deployment extends BuiltInObject {
  readonly spec: BuiltInObject["spec"] & { readonly replicas?: number; readonly paused?: boolean };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
  };
}

export const deploymentKind = builtInKind<Deployment>({
  resource: { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" },
  observedGeneration: ({ status }) => status?.observedGeneration,
  rollout: ({ spec, status = {} }) => ({
    desiredReplicas: spec.replicas ?? 1,
    updatedReplicas: status.updatedReplicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    oldReplicas: (status.replicas ?? 0) - (status.updatedReplicas ?? 0),
  }),
  obstacle: ({ spec }) =>
    spec.paused ? "spec.paused: the Deployment is paused, so nothing would roll out: resume it" : null,
});
