import { describeAnyTarget } from "../target/describe-target.ts";
import { imageOfTarget } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
import { runningIdentity } from "./mint-release.ts";
import { compareReleases, type Release, releasesOf } from "./release.ts";
import { describeProblems } from "../policy/problem.ts";

type Chosen =
  | { readonly kind: "chosen"; readonly release: Release }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Chooses the release to roll back to: the one of this number, or without a number the newest that succeeded before the one that runs. If a
 * person's change has not settled, none runs: then the newest. One that would restore nothing is refused: the configuration is not restored.
 */
export function chooseRelease(workload: Workload, argument: string | null): Chosen {
  const { releases, inFlight, policy, problems, isCanaryLeft } = workload;
  if (releases === undefined)
    return refuse(
      "releases are not recorded: the deployment does not enable them, or the kind keeps no revisions of its pod template",
    );
  if (policy.writeTo !== undefined)
    return refuse("git names the image of this workload; revert the commit, or use pawl push with the version");
  if (policy.optIn === "no") return refuse("auto-update is disabled; set pawl.dev/auto-update=true");
  if (inFlight !== null) return refuse(`${describeInFlight(inFlight)} is in flight${abortHint(inFlight)}`);
  // An invalid setting does not keep a bad version running, but for hooks: one that its owner asked for must not be left out.
  const ofHooks = problems.filter(({ field }) => field?.endsWith("hooks"));
  if (ofHooks.length > 0) return refuse(describeProblems(ofHooks));
  if (isCanaryLeft) return refuse("a canary without a recorded update is removed first");
  if (argument !== null) return chooseNumbered(workload, argument);
  const release = previousRelease(workload);
  if (release === undefined)
    return refuse("no earlier release has succeeded; use pawl releases to see all, and pawl push for another version");
  const reason = restoresNothing(workload, release);
  if (reason === null) return { kind: "chosen", release };
  const other = earlierThanRunning(workload).findLast((one) => restoresNothing(workload, one) === null);
  const hint =
    other === undefined ? "" : `; release ${other.number} (${other.version}) differs in more: --to ${other.number}`;
  return refuse(`${reason}${hint}`);
}

/** Returns the newest release that succeeded before the one that runs; the newest of all if none runs. */
export function previousRelease(workload: Workload): Release | undefined {
  return earlierThanRunning(workload).findLast((one) => comparedToRunning(workload, one) !== "same");
}

/** Reports whether a workload runs the release of this number. */
export function isRunningRelease(workload: Workload, number: string | null): boolean {
  const release = releasesOf(workload).find((one) => String(one.number) === number);
  return release !== undefined && comparedToRunning(workload, release) === "same";
}

function earlierThanRunning(workload: Workload): readonly Release[] {
  const succeeded = releasesOf(workload).filter(({ result }) => result === "Succeeded");
  const running = succeeded.findLastIndex((one) => comparedToRunning(workload, one) !== "different");
  return running === -1 ? succeeded : succeeded.slice(0, running);
}

function comparedToRunning(workload: Workload, release: Release): ReturnType<typeof compareReleases> {
  return compareReleases(runningIdentity(workload), release);
}

/** Returns why a rollback to a release would change no image and no template; null if it would. */
function restoresNothing(workload: Workload, release: Release): string | null {
  const { number, hash, digests = {} } = release;
  const difference = comparedToRunning(workload, release);
  if (difference === "same") return `release ${number} is running`;
  if (difference === "unknown")
    return `release ${number} has the pod template that runs, and not all of its digests are known`;
  const running = runningIdentity(workload);
  const isOfContainer = (name: string) => !name.includes("/") && digests[name] !== running.digests?.[name];
  return running.hash !== hash || Object.keys(digests).some(isOfContainer)
    ? null
    : `release ${number} differs only in its configuration, whose content is not restored`;
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
  const reason = restoresNothing(workload, release);
  return reason === null ? { kind: "chosen", release } : refuse(reason);
}

function describeInFlight({ phase, target }: InFlight): string {
  return phase === "rollback" ? `the rollback of ${imageOfTarget(target)}` : describeAnyTarget(target);
}

function abortHint({ phase }: InFlight): string {
  return phase === "rollback" ? "" : "; to abort it first, use pawl rollback --abort-canary";
}

function refuse(reason: string): Chosen {
  return { kind: "refused", reason };
}
