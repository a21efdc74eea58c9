import { whyNoCanary } from "./canary-size.ts";
import type { Workload } from "./workload.ts";

/** A canary that cannot be made of the replicas there are. What follows no registry has said so among its problems. */
export function canaryProblems({ policy, rollout, source }: Workload): readonly string[] {
  const reason =
    policy.canary === null || rollout === null || source === null ? null : whyNoCanary(policy.canary, rollout);
  return reason === null ? [] : [`pawl.dev/canary: ${reason}`];
}
