import { describeAnyTarget } from "../target/describe-target.ts";
import { imageOfTarget } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
import { isSameRecorded, type Release, releasesOf } from "./release.ts";
import { describeProblems } from "../policy/problem.ts";

type Chosen =
  | { readonly kind: "chosen"; readonly release: Release }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Chooses the release to roll back to: the one of this number, or without a number the newest that succeeded and does not run now. That
 * is the second newest that succeeded, unless a person's change has not settled: then the newest.
 */
export function chooseRelease(workload: Workload, argument: string | null): Chosen {
  const { releases, inFlight, policy, problems, isCanaryLeft } = workload;
  if (releases === undefined)
    return refuse(
      "releases are not recorded: the deployment does not enable them, or the kind keeps no revisions of its pod template",
    );
  if (policy.optIn === "no") return refuse("auto-update is disabled");
  if (inFlight !== null) return refuse(`${describeInFlight(inFlight)} is in flight`);
  if (problems.length > 0) return refuse(describeProblems(problems));
  if (isCanaryLeft) return refuse("a canary without a recorded update is removed first");
  if (argument !== null) return chooseNumbered(workload, argument);
  const release = previousRelease(workload);
  return release === undefined ? refuse("no earlier release has succeeded") : { kind: "chosen", release };
}

/** Returns the newest release that succeeded and does not run now. */
export function previousRelease(workload: Workload): Release | undefined {
  return releasesOf(workload).findLast((one) => one.result === "Succeeded" && !isRunning(workload, one));
}

function chooseNumbered(workload: Workload, argument: string): Chosen {
  const list = releasesOf(workload);
  const release = list.find(({ number }) => String(number) === argument);
  if (release === undefined) {
    const numbers = list.map(({ number }) => number).join(", ");
    return refuse(
      `there is no release ${argument}; ${numbers === "" ? "none is recorded" : `recorded are ${numbers}`}`,
    );
  }
  if (release.result !== "Succeeded") return refuse(`release ${argument} has failed`);
  return isRunning(workload, release) ? refuse(`release ${argument} is running`) : { kind: "chosen", release };
}

function isRunning({ releases, digests }: Workload, release: Release): boolean {
  return (
    releases?.hash === release.hash && isSameRecorded({ ...digests?.deployed, ...digests?.pinned }, release.digests)
  );
}

function describeInFlight({ phase, target }: InFlight): string {
  return phase === "rollback" ? `the rollback of ${imageOfTarget(target)}` : describeAnyTarget(target);
}

function refuse(reason: string): Chosen {
  return { kind: "refused", reason };
}
