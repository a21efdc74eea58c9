import { tagOf } from "./image-reference.ts";
import { parseVersion } from "./version.ts";
import type { Bookkeeping, Change, HistoryEntry, HistoryStatus, InFlight, Workload } from "./workload.ts";

const historyLimit = 50;

export const emptyBookkeeping: Bookkeeping = {
  currentVersion: null,
  availableVersion: null,
  lastCheck: null,
  lastUpdate: null,
  rollbackCount: 0,
  failedVersions: [],
  circuitOpen: false,
  versionHistory: [],
};

type Started = Change & { readonly inFlight: InFlight };

/**
 * The claim and the change in one: `image` is set, the marks name `execution`, and what it replaces is remembered.
 * Repeated by the execution that holds the claim already, it leaves the marks as they are.
 */
export function recordStart(workload: Workload, image: string, execution: string, now: Date): Started {
  const version = tagOf(image);
  const claimed = workload.inFlight?.execution === execution ? workload.inFlight : null;
  return {
    image,
    inFlight: claimed ?? inFlightOf(workload, image, execution, now),
    bookkeeping: {
      ...seedCurrentVersion(ranBefore(workload, claimed)),
      availableVersion: version,
      lastCheck: now,
      lastUpdate: now,
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
    announced: { held: null, problem: null },
  };
}

/** The target is what runs now: counters start again and the circuit closes. The list of failed versions stays. */
export function recordSuccess(workload: Workload, inFlight: InFlight, now: Date): Change {
  const version = tagOf(inFlight.targetImage);
  return {
    inFlight: null,
    bookkeeping: {
      ...(version === "" ? {} : { currentVersion: version }),
      rollbackCount: 0,
      circuitOpen: false,
      versionHistory: remember(workload.bookkeeping, attempt(inFlight, "Healthy", now)),
    },
    conditions: [
      { type: "AutoUpdateAvailable", status: "False", reason: "UpToDate", message: `Running ${version}` },
      { type: "AutoUpdateInProgress", status: "False", reason: "UpdateComplete", message: `Updated to ${version}` },
    ],
    announced: { held: null, problem: null },
  };
}

/** Goes back to what ran before, blames the version that was tried, and counts it, once however often it is repeated. */
function recordRollback(workload: Workload, inFlight: InFlight, reason: string, now: Date, isAborted: boolean): Change {
  const { bookkeeping, policy } = workload;
  const counted = isCounted(bookkeeping, inFlight);
  const version = tagOf(inFlight.targetImage);
  const rollbackCount = bookkeeping.rollbackCount + (counted || isAborted ? 0 : 1);
  return {
    ...backToPrevious(inFlight),
    bookkeeping: {
      rollbackCount,
      circuitOpen: bookkeeping.circuitOpen || (!isAborted && rollbackCount >= policy.maxRollbacks),
      failedVersions: withOnce(bookkeeping.failedVersions, version),
      versionHistory: counted
        ? bookkeeping.versionHistory
        : remember(bookkeeping, attempt(inFlight, "RolledBack", now)),
    },
    conditions: [rolledBackCondition(reason)],
  };
}

/**
 * Gives up an update that did not settle. Counted, blamed and put back in one change; `inFlight: null` follows it. One that
 * a person aborted is blamed, so that it is not tried again, and does not count towards the circuit.
 */
export function giveUp(workload: Workload, inFlight: InFlight, reason: string, now: Date, isAborted = false): Change {
  if (!workload.policy.enabled) return recordCancellation(inFlight, reason);
  return recordRollback(workload, inFlight, reason, now, isAborted || workload.verdict === "abort");
}

/** Its owner switched auto-update off in mid-flight: back to what ran before, and nobody is blamed. */
function recordCancellation(inFlight: InFlight, reason: string): Change {
  return { ...backToPrevious(inFlight), conditions: [rolledBackCondition(reason)] };
}

/** Whether this very attempt stands in the history as rolled back: its counters were written, its marks not yet taken away. */
export function isCounted(bookkeeping: Bookkeeping, inFlight: InFlight): boolean {
  const last = bookkeeping.versionHistory.at(-1);
  if (last === undefined || last.status !== "RolledBack" || last.version !== tagOf(inFlight.targetImage)) return false;
  return inFlight.startedAt === "malformed" || last.appliedAt.getTime() === inFlight.startedAt.getTime();
}

/** Whether an update to `image` has come to this end and left its marks: a repeated step finds its own work done. */
export function isRecorded(workload: Workload, image: string, status: HistoryStatus): boolean {
  const last = workload.bookkeeping.versionHistory.at(-1);
  return workload.inFlight === null && last?.version === tagOf(image) && last.status === status;
}

/** An update that its owner switched off leaves nothing in the history: all that is left is that it is no longer there. */
export function isCancelled({ policy, inFlight, image: now }: Workload, image: string): boolean {
  return !policy.enabled && inFlight === null && now !== image;
}

/** Appends to the history and keeps the newest 50. Nothing is lost under that cap. */
export function remember(bookkeeping: Bookkeeping, entry: HistoryEntry): readonly HistoryEntry[] {
  const { versionHistory } = bookkeeping;
  const last = versionHistory.at(-1);
  const again =
    last !== undefined && last.version === entry.version && last.status === entry.status && isSameMoment(last, entry);
  return again ? versionHistory : [...versionHistory, entry].slice(-historyLimit);
}

/** A circuit that a person closes: counting starts again; failed versions are forgotten only where asked. */
export function recordReset(forgetFailed: boolean): Change {
  return {
    bookkeeping: { circuitOpen: false, rollbackCount: 0, ...(forgetFailed ? { failedVersions: [] } : {}) },
    announced: { held: null },
  };
}

/** Claimed already, the target stands where what ran before is to be read from. */
function ranBefore(workload: Workload, claimed: InFlight | null): Workload {
  return claimed === null ? workload : { ...workload, image: claimed.previousImage, rollout: null };
}

function inFlightOf(workload: Workload, targetImage: string, execution: string, startedAt: Date): InFlight {
  return { targetImage, startedAt, execution, previousImage: workload.image, phase: "rollout" };
}

/** Before its first update a workload's current version is the tag that it runs. */
export function seedCurrentVersion(workload: Workload): Partial<Bookkeeping> {
  if (workload.bookkeeping.currentVersion !== null) return {};
  const tag = tagOf(runningImage(workload) ?? "");
  return parseVersion(tag) === null ? {} : { currentVersion: tag };
}

/** What runs, or is asked to run, as far as the cluster tells. */
export function runningImage(workload: Workload): string | null {
  return workload.image ?? workload.rollout?.image ?? null;
}

function attempt(inFlight: InFlight, status: HistoryStatus, now: Date): HistoryEntry {
  const appliedAt = inFlight.startedAt === "malformed" ? now : inFlight.startedAt;
  return { version: tagOf(inFlight.targetImage), appliedAt, status };
}

/** The image goes back at once; the marks stay until what the failed image left behind has been cleared up. */
function backToPrevious(inFlight: InFlight): Pick<Change, "image" | "inFlight" | "canary"> {
  const marks: InFlight = { ...inFlight, phase: "rollback" };
  return { image: inFlight.previousImage, inFlight: marks, ...(inFlight.phase === "canary" ? { canary: null } : {}) };
}

function isSameMoment(a: HistoryEntry, b: HistoryEntry): boolean {
  return a.appliedAt.getTime() === b.appliedAt.getTime();
}

function withOnce(versions: readonly string[], version: string): readonly string[] {
  return version === "" || versions.includes(version) ? versions : [...versions, version];
}

function rolledBackCondition(reason: string) {
  return { type: "AutoUpdateInProgress", status: "False", reason: "RolledBack", message: reason } as const;
}
