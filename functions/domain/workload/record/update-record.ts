import { attemptsOf, endBackOff, endBackOffOfRestart } from "../update/back-off.ts";
import { recordConfig } from "../config/record.ts";
import { hasLastJobFailed } from "../cron-job/schedule.ts";
import { observedCurrentVersion, recordVersion } from "./current-version.ts";
import { type ObservedStart, recordDigests } from "../digest/record.ts";
import { ranImage } from "./ran-image.ts";
import { recordRan } from "../digest/ran-digests.ts";
import { appendHistory, createHistoryEntry } from "./history.ts";
import { recordReapplied, recordReplaced } from "../owner/reverts.ts";
import { writeDigests } from "../digest/written-digests.ts";
import { recordRelease } from "../release/mint-release.ts";
import { answerRestart } from "../request/restart-request.ts";
import type { ContainerDigest, Digests } from "../digest/tracking.ts";
import {
  writtenImage,
  type ImageTarget,
  isRestart,
  type RestartTarget,
  type Target,
  versionOfTarget,
} from "../target/target.ts";
import type { Change } from "../update/change.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { UpdateRecord, Workload } from "../workload.ts";

export const emptyUpdateRecord: UpdateRecord = {
  currentVersion: null,
  minimumVersion: null,
  availableVersion: null,
  candidateVersion: null,
  lastCheck: null,
  lastUpdate: null,
  rollbackCount: 0,
  failedVersions: [],
  circuitOpen: false,
  versionHistory: [],
};

/** The claim of an update, and what it changes. */
export type Started = Change & { readonly inFlight: InFlight };

/** What an update starts with. */
export interface UpdateStart<T extends Target = ImageTarget | RestartTarget> {
  readonly target: T;
  /** The digests of the tracked containers' tags, and of the configuration; null if none is tracked. */
  readonly digests: Digests | null;
  readonly observed?: ObservedStart;
  /** Who set back an image that the update replaces again; absent if nothing shows that, or it is a new version. */
  readonly setBackBy?: string;
}

/**
 * Records the claim and the change: sets `image`, names `execution` as the holder and keeps the previous image.
 * Repeated by the execution that holds the claim, it keeps the claim.
 */
export function recordStart(workload: Workload, start: UpdateStart, execution: string, now: Date): Started {
  const { target } = start;
  const version = versionOfTarget(target);
  const claimed = workload.inFlight?.execution === execution ? workload.inFlight : null;
  const inFlight = claimed ?? createInFlight(workload, start, execution, now);
  return {
    // The holder of the claim has restarted it, and a person may have restarted it again since.
    ...(isRestart(target) ? restartAt(workload, claimed, inFlight, now) : { image: writtenImage(target) }),
    inFlight,
    ...(workload.gates === undefined || workload.gates.length === 0 ? {} : { gates: [] }),
    ...(workload.queuedSince ? { queuedSince: null } : {}),
    ...recordDigests(workload, inFlight, claimed !== null, start.observed),
    // The attempts for this target are counted until one of them is observed.
    ...keepBackOff(workload, target),
    updateRecord: {
      ...observedCurrentVersion(withPreviousImage(workload, claimed)),
      ...(target.kind === "restart" ? {} : { candidateVersion: version }),
      lastCheck: now,
      lastUpdate: now,
      ...(claimed === null ? recordReapplied(workload, target, start.setBackBy, now) : {}),
    },
    conditions: [
      {
        type: "AutoUpdateAvailable",
        status: "True",
        reason: "NewVersionFound",
        message: `Version ${version} is available`,
      },
      { type: "AutoUpdateInProgress", status: "True", reason: "UpdateStarted", message: `Updating to ${version}` },
    ],
    lastReported: { held: null, problem: null },
    ...answerPush(workload, target, execution),
    ...answerRestart(workload, target, execution),
  };
}

function keepBackOff(workload: Workload, target: Target): Pick<Change, "backOff"> {
  const { backOff } = workload;
  if ([backOff, backOff?.suspended ?? null].some((one) => attemptsOf(one, target) !== null)) return {};
  return isRestart(target) ? endBackOffOfRestart(workload) : endBackOff(workload);
}

/** A person's push is answered by the claim, so that it is not applied twice. */
function answerPush({ request }: Workload, target: Target, execution: string): Pick<Change, "answer"> {
  const version = versionOfTarget(target);
  if (request?.verb !== "push" || target.kind !== "image" || request.argument !== version) return {};
  const { token, verb } = request;
  return { answer: { token, verb, result: `${pushedPrefix(version)}execution ${execution}` } };
}

/** Reports whether the last request of a person was the push of this version. */
export function wasPushed({ lastRequest }: Pick<Workload, "lastRequest">, target: Target): boolean {
  return lastRequest?.verb === "push" && lastRequest.result.startsWith(pushedPrefix(versionOfTarget(target)));
}

function pushedPrefix(version: string): string {
  return `update to ${version} is requested: `;
}

function restartAt(
  workload: Workload,
  claimed: InFlight | null,
  inFlight: InFlight,
  now: Date,
): Pick<Change, "restart" | "written"> {
  if (claimed === null) return { restart: now, ...writeDigests(workload, inFlight) };
  const isPending = claimed.isApplied === false && claimed.startedAt !== "malformed";
  return isPending ? { restart: claimed.startedAt, ...writeDigests(workload, inFlight) } : {};
}

/**
 * Records the target as current: counters start again and the circuit closes, unless a release was restored. The list of failed
 * versions stays. `reason` says what was not known of it; null if nothing. `running` is what the pods report, of a workload that is
 * tracked by digest.
 */
export function recordSuccess(
  workload: Workload,
  inFlight: InFlight,
  now: Date,
  reason: string | null = null,
  running: readonly ContainerDigest[] = [],
): Change {
  const { digests: ran, target } = recordRan(workload, inFlight, running);
  const version = versionOfTarget(target);
  const configured = recordConfig(workload, inFlight);
  const { digest: runningDigest } = ranImage(inFlight.target, running);
  const entry = createHistoryEntry({ ...inFlight, target }, "Healthy", now, reason);
  return {
    inFlight: null,
    ...configured,
    ...ran,
    ...(runningDigest === undefined ? {} : { runningDigest }),
    updateRecord: {
      ...recordVersion(workload, inFlight),
      // An earlier release that is healthy says nothing about the versions that failed.
      ...(inFlight.phase === "release" ? {} : { rollbackCount: 0, circuitOpen: false }),
      versionHistory: appendHistory(workload.updateRecord, entry),
      ...recordReplaced(workload, inFlight),
    },
    ...(inFlight.phase === "restart" ? endBackOffOfRestart(workload) : endBackOff(workload)),
    ...recordRelease(withDeployed(workload, ran), "Succeeded", now, inFlight, configured.config),
    conditions: [
      { type: "AutoUpdateAvailable", status: "False", reason: "UpToDate", message: `Running ${version}` },
      { type: "AutoUpdateInProgress", status: "False", reason: "UpdateComplete", message: `Updated to ${version}` },
    ],
    lastReported: { held: null, problem: null },
  };
}

/** Returns the workload with the digests that a change records as deployed. */
function withDeployed(workload: Workload, { digests }: Pick<Change, "digests">): Workload {
  const deployed = digests?.deployed;
  return workload.digests === null || !deployed
    ? workload
    : { ...workload, digests: { ...workload.digests, deployed } };
}

/** Records the manual reset of a circuit: counting starts again; failed versions are kept unless `forgetFailed`. */
export function recordReset(forgetFailed: boolean): Change {
  return {
    updateRecord: { circuitOpen: false, rollbackCount: 0, ...(forgetFailed ? { failedVersions: [] } : {}) },
    lastReported: { held: null },
  };
}

/** Once claimed, the workload has the target in place of the previous image. */
function withPreviousImage(workload: Workload, claimed: InFlight | null): Workload {
  return claimed === null ? workload : { ...workload, image: claimed.previousImage, rollout: null };
}

function createInFlight(workload: Workload, start: UpdateStart, execution: string, startedAt: Date): InFlight {
  const { target, digests } = start;
  const common = { digests, startedAt, execution, ...unavailablePods(workload) };
  // A restart changes no image, so there is none to restore.
  if (isRestart(target)) return { ...common, target, previousImage: null, phase: "restart" };
  return { ...common, target, previousImage: workload.image, phase: "rollout" };
}

/**
 * Returns how many pods were unavailable before an update: they are no failure of it. Those that a rollout still replaces are not counted. Of
 * a CronJob: 1 if its last Job failed.
 */
export function unavailablePods({ rollout }: Workload): Pick<InFlight, "unavailableBefore"> {
  if (rollout?.podsPer === "job")
    return rollout.jobs !== undefined && hasLastJobFailed(rollout.jobs) ? { unavailableBefore: 1 } : {};
  if (rollout === null || rollout.observedGeneration < rollout.generation) return {};
  const unavailableBefore = rollout.desiredReplicas - rollout.readyReplicas - rollout.oldReplicas;
  return unavailableBefore > 0 ? { unavailableBefore } : {};
}
