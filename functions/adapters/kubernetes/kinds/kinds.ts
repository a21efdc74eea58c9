import type { GitScope } from "../../../domain/workload/git/write-to.ts";
import type { PolicyDefaults } from "../../../domain/workload/policy/defaults.ts";
import { createClawKind } from "./claw/claw.ts";
import type { RuntimeImages } from "./claw/claw-image.ts";
import { createBuiltInKind } from "./built-in/built-in.ts";
import { createCronJobKind } from "./built-in/cron-job.ts";
import { daemonSet } from "./built-in/daemon-set.ts";
import { deployment } from "./built-in/deployment.ts";
import type { DigestOptions } from "./digest/digest-tracking.ts";
import type { ClaimHolder, WorkloadKind } from "./kind.ts";
import { createStatefulCanaryKind } from "./stateful-canary/kind.ts";
import { statefulSet } from "./built-in/stateful-set.ts";

/** Creates every kind of workload that Pawl updates, in the order in which a poll lists them. */
export function createWorkloadKinds(settings: {
  readonly mirrors: RuntimeImages;
  readonly digests: DigestOptions;
  readonly releases?: boolean;
  readonly hooks: boolean;
  /** What the deployment says about policies. A Claw and a StatefulCanary have none of it. */
  readonly defaults?: readonly PolicyDefaults[];
  /** The repositories that may name the images of workloads; null if they are not known. */
  readonly git?: readonly GitScope[] | null;
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
