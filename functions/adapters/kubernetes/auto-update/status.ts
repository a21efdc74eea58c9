import { formatRfc3339, parseRfc3339 } from "../../../domain/text/rfc3339.ts";
import { truncate } from "../../../domain/text/summarize-list.ts";
import { maxEarlierTokens, type RequestAnswer } from "../../../domain/workload/person-request.ts";
import { emptyUpdateRecord } from "../../../domain/workload/update-record.ts";
import type { Change } from "../../../domain/workload/change.ts";
import type { InFlight, UpdateRecord } from "../../../domain/workload/workload.ts";
import { type CompactStatus, historyReader } from "./compact.ts";
import { toHistoryEntry } from "./history-status.ts";
import { toAnalysisStatus } from "./analysis-status.ts";
import { toCanaryStatus } from "./canary-status.ts";
import { toBackOffStatus } from "./back-off-status.ts";
import { readNoted, toNotedStatus, withObservation } from "./observation-status.ts";
import type { AutoUpdateStatus, DigestStatus, RequestStatus, UpdateStatus } from "./object.ts";

const maxFailedVersions = 100;
const maxResultLength = 1024;

/** Who claims, and what of: `UpdateStatus` has these beside what the domain says. */
export interface ClaimContext {
  readonly holder: string;
  readonly expiresAt: Date;
  readonly targetUID: string;
  readonly targetGeneration: number;
  readonly targetRevision?: number;
  readonly hasCanary: boolean;
  /** The containers that the change moves, with the images before it. */
  readonly moved?: Readonly<Record<string, string>>;
  /** A hash of the pod template, if the change has just been written. */
  readonly template?: string;
}

/** Reads the update record. The schema types every field, so an invalid time was not written through the API and counts as absent. */
export function readUpdateRecord(status: CompactStatus = {}): UpdateRecord {
  const readHistory = historyReader(status);
  return {
    ...emptyUpdateRecord,
    currentVersion: status.currentVersion || null,
    heldVersion: status.heldVersion || null,
    availableVersion: status.availableVersion || null,
    lastCheck: parseRfc3339(status.lastCheckTime ?? ""),
    lastUpdate: parseRfc3339(status.lastUpdateTime ?? ""),
    rollbackCount: status.rollbackCount ?? 0,
    failedVersions: status.failedVersions ?? [],
    circuitOpen: status.circuitOpen ?? false,
    // Parsed only if somebody asks: a poll keeps thousands of records, and needs the history of few.
    get versionHistory() {
      return readHistory();
    },
  };
}

/** Reads the update in flight; null if there is none, and if its start is no time. `isApplied` is what the status says. */
export function readUpdate(update: UpdateStatus | undefined): InFlight | null {
  const startedAt = parseRfc3339(update?.startedAt ?? "");
  if (update === undefined || startedAt === null) return null;
  return {
    targetImage: update.targetImage,
    startedAt,
    execution: update.execution,
    previousImage: update.previousImage ?? null,
    digests: update.digests ?? null,
    phase: update.phase === "RollingBack" ? "rollback" : phases[update.strategy],
    isApplied: update.phase === "RollingBack" ? update.restorePending !== true : update.phase === "Applied",
    ...readNoted(update),
  };
}

const phases = { Rolling: "rollout", Canary: "canary", Restart: "restart" } as const;
const strategies = { rollout: "Rolling", canary: "Canary", restart: "Restart" } as const;

/** Returns the status after a change. Fields that the change leaves unchanged stay as they are. */
export function applyToStatus(
  before: AutoUpdateStatus,
  change: Change,
  claim: ClaimContext,
  now: Date,
): AutoUpdateStatus {
  const { updateRecord = {}, lastReported = {}, inFlight, analysis, backOff, verdict, canaryProgress } = change;
  const update =
    inFlight === undefined
      ? renewClaim(before.update, change, claim)
      : inFlight === null
        ? undefined
        : toUpdate(inFlight, before.update, claim);
  const isCanary = update?.strategy === "Canary" && update.phase !== "RollingBack";
  const canary = canaryProgress === undefined ? before.canary : canaryProgress && toCanaryStatus(canaryProgress);
  return dropAbsent<Optional<AutoUpdateStatus>>({
    ...before,
    ...recordFields(updateRecord),
    canary: isCanary ? (canary ?? undefined) : undefined,
    ...(lastReported.held === undefined ? {} : { holdReason: lastReported.held ?? undefined }),
    update: update === undefined || verdict === undefined ? update : withVerdict(update, verdict),
    ...(backOff === undefined ? {} : { backOff: backOff === null ? undefined : toBackOffStatus(backOff) }),
    digests: applyDigests(before.digests, change),
    ...(change.answer === undefined ? {} : { lastRequest: toRequestStatus(change.answer, before, now) }),
    ...(analysis === undefined ? {} : { analysis: analysis === null ? undefined : toAnalysisStatus(analysis) }),
  }) as AutoUpdateStatus;
}

/** Returns the tokens of the requests that were handled, newest first: a GitOps tool may restore an earlier one. */
export function handledTokens({ lastRequest }: AutoUpdateStatus): readonly string[] {
  return lastRequest === undefined ? [] : [lastRequest.token, ...(lastRequest.earlierTokens ?? [])];
}

function toRequestStatus({ token, verb, result }: RequestAnswer, before: AutoUpdateStatus, now: Date): RequestStatus {
  const earlierTokens = handledTokens(before)
    .filter((one) => one !== token)
    .slice(0, maxEarlierTokens);
  const answer = { token, verb, result: truncate(result, maxResultLength), at: formatRfc3339(now) };
  return earlierTokens.length === 0 ? answer : { ...answer, earlierTokens };
}

/** A check notes what it saw, and renews the claim: an update may take longer than a claim lasts. */
function renewClaim(
  before: UpdateStatus | undefined,
  { observation, nextStepSeconds }: Change,
  { expiresAt, template }: ClaimContext,
): UpdateStatus | undefined {
  if (before === undefined) return before;
  const renewed = {
    ...before,
    ...(nextStepSeconds === undefined ? {} : { expiresAt: formatRfc3339(expiresAt) }),
    ...(template === undefined ? {} : { template }),
  };
  return observation === undefined ? renewed : withObservation(renewed, observation);
}

type Verdict = UpdateStatus["verdict"] | null;

function withVerdict({ verdict: _before, ...update }: UpdateStatus, verdict: Verdict): UpdateStatus {
  return verdict ? { ...update, verdict } : update;
}

/** Allows fields that are undefined until `dropAbsent` removes them. */
type Optional<T> = { readonly [Field in keyof T]?: T[Field] | undefined };

function recordFields(record: Partial<UpdateRecord>): Optional<AutoUpdateStatus> {
  const time = (date: Date | null | undefined) => (date ? formatRfc3339(date) : undefined);
  const last = record.versionHistory?.at(-1);
  return {
    ...(last?.status === "Healthy" && last.image !== undefined ? { currentImage: last.image } : {}),
    ...("currentVersion" in record ? { currentVersion: record.currentVersion ?? undefined } : {}),
    ...("heldVersion" in record ? { heldVersion: record.heldVersion ?? undefined } : {}),
    ...("availableVersion" in record ? { availableVersion: record.availableVersion ?? undefined } : {}),
    ...("lastCheck" in record ? { lastCheckTime: time(record.lastCheck) } : {}),
    ...("lastUpdate" in record ? { lastUpdateTime: time(record.lastUpdate) } : {}),
    ...(record.rollbackCount === undefined ? {} : { rollbackCount: record.rollbackCount }),
    ...(record.circuitOpen === undefined ? {} : { circuitOpen: record.circuitOpen }),
    ...(record.failedVersions === undefined ? {} : { failedVersions: record.failedVersions.slice(-maxFailedVersions) }),
    ...(record.versionHistory === undefined ? {} : { history: record.versionHistory.map(toHistoryEntry) }),
  };
}

/** A claim keeps the generation that it was made at, and its start, as long as the target stays the same. */
function toUpdate(inFlight: InFlight, before: UpdateStatus | undefined, claim: ClaimContext): UpdateStatus {
  const { targetImage, startedAt, execution, previousImage, digests, phase, isApplied = true } = inFlight;
  const strategy = phase === "rollback" ? (before?.strategy ?? "Rolling") : strategies[phase];
  const isSameClaim = before?.phase === "Claimed" && before.targetImage === targetImage && before.strategy === strategy;
  // A promotion is of the same update: a revision of its canary is one that it made.
  const targetRevision = before?.targetImage === targetImage ? before.targetRevision : claim.targetRevision;
  const containers = { ...(before?.targetImage === targetImage ? before.containers : {}), ...claim.moved };
  return dropAbsent({
    phase: phase === "rollback" ? "RollingBack" : isApplied ? "Applied" : "Claimed",
    strategy,
    restorePending: phase === "rollback" && !isApplied ? true : undefined,
    holder: claim.holder,
    execution: execution ?? "",
    expiresAt: formatRfc3339(claim.expiresAt),
    targetImage,
    previousImage: previousImage ?? undefined,
    targetUID: claim.targetUID,
    targetGeneration: isSameClaim && !isApplied ? before.targetGeneration : claim.targetGeneration,
    targetRevision,
    startedAt: startedAt === "malformed" ? (before?.startedAt ?? "") : formatRfc3339(startedAt),
    digests: digests ?? undefined,
    containers: Object.keys(containers).length === 0 ? undefined : containers,
    ...toNotedStatus(inFlight),
    template: claim.template ?? before?.template,
    hasCanary: claim.hasCanary || phase === "canary" ? true : undefined,
    verdict: before?.verdict,
  }) as UpdateStatus;
}

function applyDigests(before: DigestStatus = {}, { digests = {}, restart, pins }: Change): DigestStatus | undefined {
  const { deployed, previous, reverted } = digests;
  const after = dropAbsent<Optional<DigestStatus>>({
    ...before,
    ...(deployed === undefined ? {} : { deployed: deployed ?? undefined }),
    ...(previous === undefined ? {} : { previous: previous.length === 0 ? undefined : previous }),
    ...(reverted === undefined
      ? {}
      : {
          reverted: reverted === null ? undefined : { since: formatRfc3339(reverted.since), digests: reverted.digests },
        }),
    ...(restart === undefined ? {} : { pinned: undefined }),
    ...(pins === undefined ? {} : { pinned: pins }),
  });
  return Object.keys(after).length === 0 ? undefined : (after as DigestStatus);
}

/** Returns the object without fields that are undefined, so that it equals what the API server returns. */
function dropAbsent<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
