import { createClawKind } from "./claw.ts";
import type { RuntimeImages } from "./claw-image.ts";
import { createBuiltInKind } from "./built-in.ts";
import { createCronJobKind } from "./cron-job.ts";
import { daemonSet } from "./daemon-set.ts";
import { deployment } from "./deployment.ts";
import type { DigestOptions } from "./digest-tracking.ts";
import type { ClaimHolder, WorkloadKind } from "./kind.ts";
import { createStatefulCanaryKind } from "./stateful-canary/kind.ts";
import { statefulSet } from "./stateful-set.ts";

/** Creates every kind of workload that Pawl updates, in the order in which a poll lists them. */
export function createWorkloadKinds(settings: {
  readonly mirrors: RuntimeImages;
  readonly digests: DigestOptions;
  readonly releases?: boolean;
  readonly hooksEnabled: boolean;
  readonly holder: ClaimHolder;
  readonly now: () => Date;
}): readonly WorkloadKind[] {
  return [
    createBuiltInKind(deployment, settings),
    createBuiltInKind(statefulSet, settings),
    createBuiltInKind(daemonSet, settings),
    createCronJobKind(settings),
    createClawKind(settings),
    createStatefulCanaryKind(settings),
  ];
}
