import { digestsAtStart, formerDigests, pinsOf } from "./digest-record.ts";
import { tagOf, versionOf } from "./image-reference.ts";
import { isCounted } from "./work-done.ts";
import { parseVersion } from "./version.ts";
import type { Digests } from "./tracking.ts";
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

/** What an update is to run. */
export interface Target {
  readonly image: string;
  /** Its tag runs already: only what stands behind it is new. */
  readonly isRestart?: boolean;
  /** What stands behind the tags of the followed containers; null where none is followed by digest. */
  readonly digests?: Digests | null;
}

/**
 * The claim and the change in one: `image` is set, the marks name `execution`, and what it replaces is remembered.
 * Repeated by the execution that holds the claim already, it leaves the marks as they are.
 */
export function recordStart(workload: Workload, target: Target, execution: string, now: Date): Started {
  const { image, isRestart = false } = target;
  const version = versionOf(image);
  const claimed = workload.inFlight?.execution === execution ? workload.inFlight : null;
  const inFlight = claimed ?? inFlightOf(workload, target, execution, now);
  return {
    // Whoever holds the claim has restarted it, and a person may have done so once more since.
    ...(isRestart ? (claimed === null ? { restart: now } : {}) : { image }),
    inFlight,
    ...digestsAtStart(workload, inFlight, claimed !== null),
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
  const version = versionOf(inFlight.targetImage);
  const current = inFlight.phase === "restart" ? currentAfterRestart(workload) : tagOf(inFlight.targetImage);
  return {
    inFlight: null,
    bookkeeping: {
      ...(current === "" ? {} : { currentVersion: current }),
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

/** A restart moves no tag, and may be for another container than the one that is known by its tag: what a person chose stays chosen. */
function currentAfterRestart({ source, image, bookkeeping }: Workload): string {
  return source === null ? tagOf(image ?? "") : (bookkeeping.currentVersion ?? "");
}

/** Goes back to what ran before, blames the version that was tried, and counts it, once however often it is repeated. */
function recordRollback(workload: Workload, inFlight: InFlight, reason: string, now: Date, isAborted: boolean): Change {
  const { bookkeeping, policy } = workload;
  const counted = isCounted(bookkeeping, inFlight);
  const version = versionOf(inFlight.targetImage);
  const rollbackCount = bookkeeping.rollbackCount + (counted || isAborted ? 0 : 1);
  return {
    ...backToPrevious(workload, inFlight),
    ...pinned(workload, inFlight),
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
  if (!workload.policy.enabled) return recordCancellation(workload, inFlight, reason);
  return recordRollback(workload, inFlight, reason, now, isAborted || workload.verdict === "abort");
}

/** Its owner switched auto-update off in mid-flight: back to what ran before, and nobody is blamed. */
function recordCancellation(workload: Workload, inFlight: InFlight, reason: string): Change {
  return { ...backToPrevious(workload, inFlight), conditions: [rolledBackCondition(reason)] };
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

function inFlightOf(workload: Workload, target: Target, execution: string, startedAt: Date): InFlight {
  const { image: targetImage, isRestart = false, digests = null } = target;
  const rest = { targetImage, startedAt, execution, digests };
  // A restart changes no image, so there is none to go back to.
  if (isRestart) return { ...rest, previousImage: null, phase: "restart" };
  return { ...rest, previousImage: workload.image, phase: "rollout" };
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
  return { version: versionOf(inFlight.targetImage), appliedAt, status };
}

/** A restart has no image to go back to; digests it has, where they are known and its owner allows it. */
function pinned(workload: Workload, { phase }: InFlight): Pick<Change, "pins"> {
  const pins = phase === "restart" && workload.policy.rollsBackDigests ? pinsOf(workload) : {};
  return Object.keys(pins).length === 0 ? {} : { pins };
}

/** The image goes back at once; the marks stay until what the failed image left behind has been cleared up. */
function backToPrevious(workload: Workload, inFlight: InFlight): Change {
  const marks: InFlight = { ...inFlight, phase: "rollback" };
  if (inFlight.phase === "restart") return { inFlight: marks };
  return {
    image: inFlight.previousImage,
    inFlight: marks,
    ...(inFlight.phase === "canary" ? { canary: null } : formerDigests(workload, inFlight)),
  };
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
