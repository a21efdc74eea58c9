import { deploymentCanary } from "../canary/deployment-canary.ts";
import type { BuiltInKind } from "./built-in-kind.ts";
import { type Deployment, countReplicas } from "./deployment-rollout.ts";

export const deployment: BuiltInKind<Deployment> = {
  canary: deploymentCanary,
  resource: { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" },
  observedGeneration: ({ status }) => status?.observedGeneration,
  rollout: countReplicas,
  unsupportedReason: ({ spec }) =>
    spec.paused ? "spec.paused: the Deployment is paused, so an update would not roll out; resume it" : null,
};
