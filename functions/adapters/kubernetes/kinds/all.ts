import { clawKind } from "./claw.ts";
import type { RuntimeImages } from "./claw-image.ts";
import { daemonSetKind } from "./daemon-set.ts";
import { deploymentKind } from "./deployment.ts";
import type { WorkloadKind } from "./kind.ts";
import { statefulCanaryKind } from "./stateful-canary.ts";
import { statefulSetKind } from "./stateful-set.ts";

/** Every kind of workload that Pawl updates, in the order in which a poll lists them. */
export function workloadKinds(settings: {
  readonly mirrors: RuntimeImages;
  readonly now: () => Date;
}): readonly WorkloadKind[] {
  return [deploymentKind, statefulSetKind, daemonSetKind, clawKind(settings), statefulCanaryKind(settings)];
}
