import { deploymentCanary } from "./deployment-canary.ts";
import type { BuiltIn } from "./built-in.ts";
import { type Deployment, rolloutOf } from "./deployment-rollout.ts";

export const deployment: BuiltIn<Deployment> = {
  canary: deploymentCanary,
  resource: { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" },
  observedGeneration: ({ status }) => status?.observedGeneration,
  rollout: rolloutOf,
  obstacle: ({ spec }) =>
    spec.paused ? "spec.paused: the Deployment is paused, so nothing would roll out: resume it" : null,
};
