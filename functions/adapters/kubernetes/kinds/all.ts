import { clawKind } from "./claw.ts";
import type { RuntimeImages } from "./claw-image.ts";
import { builtInKind } from "./built-in.ts";
import { cronJobKind } from "./cron-job.ts";
import { daemonSet } from "./daemon-set.ts";
import { deployment } from "./deployment.ts";
import type { DigestHabits } from "./digest-tracking.ts";
import type { WorkloadKind } from "./kind.ts";
import { statefulCanaryKind } from "./stateful-canary.ts";
import { statefulSet } from "./stateful-set.ts";

/** Every kind of workload that Pawl updates, in the order in which a poll lists them. */
export function workloadKinds(settings: {
  readonly mirrors: RuntimeImages;
  readonly digests: DigestHabits;
  readonly now: () => Date;
}): readonly WorkloadKind[] {
  const { digests } = settings;
  return [
    builtInKind(deployment, digests),
    builtInKind(statefulSet, digests),
    builtInKind(daemonSet, digests),
    cronJobKind(),
    clawKind(settings),
    statefulCanaryKind(settings),
  ];
}
