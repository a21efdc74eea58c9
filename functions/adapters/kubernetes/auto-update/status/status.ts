import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { truncate } from "../../../../domain/text/summarize-list.ts";
import { appendAudit } from "../../../../domain/workload/audit/audit-entry.ts";
import { maxEarlierTokens, type RequestAnswer } from "../../../../domain/workload/request/person-request.ts";
import { emptyUpdateRecord } from "../../../../domain/workload/record/update-record.ts";
import type { ConfigUpdate } from "../../../../domain/workload/config/tracking.ts";
import { keepsImages } from "../../../../domain/workload/target/target.ts";
import type { Change } from "../../../../domain/workload/update/change.ts";
import type { UpdateRecord } from "../../../../domain/workload/workload.ts";
import { type CompactStatus, historyReader } from "./compact.ts";
import { toHistoryEntry } from "./history-status.ts";
import { toAnalysisStatus } from "./analysis-status.ts";
import { toCanaryStatus } from "./canary-status.ts";
import { toBackOffStatus } from "./back-off-status.ts";
import { fromRevertStatus, toRevertStatus } from "./revert-status.ts";
import { toStored } from "./stored.ts";
import { toGateStatus } from "./gate-status.ts";
import { dropAbsent, type Optional } from "./drop-absent.ts";
import { type ClaimContext, renewClaim, toUpdate, withVerdict } from "./update-status.ts";
import type { AutoUpdateStatus, ConfigStatus, DigestStatus, RequestStatus } from "./status-fields.ts";

const maxFailedVersions = 100;
const maxResultLength = 1024;

/** Reads the update record. The schema types every field, so an invalid time was not written through the API and counts as absent. */
export function readUpdateRecord(status: CompactStatus = {}): UpdateRecord {
  const readHistory = historyReader(status);
  return {
    ...emptyUpdateRecord,
    currentVersion: status.currentVersion || null,
    minimumVersion: status.minimumVersion || null,
    availableVersion: status.availableVersion || null,
    candidateVersion: status.candidateVersion || null,
    lastCheck: parseRfc3339(status.lastCheckTime ?? ""),
    lastUpdate: parseRfc3339(status.lastUpdateTime ?? ""),
    rollbackCount: status.rollbackCount ?? 0,
    failedVersions: status.failedVersions ?? [],
    circuitOpen: status.circuitOpen ?? false,
    ...(status.reverts === undefined ? {} : { reverts: fromRevertStatus(status.reverts) }),
    // Parsed only if somebody asks: a poll keeps thousands of records, and needs the history of few.
    get versionHistory() {
      return readHistory();
    },
  };
}

/** Returns the status after a change. Fields that the change leaves unchanged stay as they are. */
export function applyToStatus(
  before: AutoUpdateStatus,
  change: Change,
  claim: ClaimContext,
  now: Date,
): AutoUpdateStatus {
  const { updateRecord = {}, lastReported = {}, inFlight, analysis, backOff, verdict, canaryProgress } = change;
  const { releases } = claim;
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
    ...(change.gates === undefined ? {} : { gates: toGateStatus(change.gates) }),
    ...(change.queuedSince === undefined
      ? {}
      : { queuedSince: change.queuedSince === null ? undefined : formatRfc3339(change.queuedSince) }),
    ...(change.candidates === undefined ? {} : { candidates: orAbsent(change.candidates) }),
    canary: isCanary ? (canary ?? undefined) : undefined,
    ...(lastReported.held === undefined ? {} : { holdReason: lastReported.held ?? undefined }),
    update: update === undefined || verdict === undefined ? update : withVerdict(update, verdict),
    ...(backOff === undefined ? {} : { backOff: backOff === null ? undefined : toBackOffStatus(backOff) }),
    digests: applyDigests(before.digests, change),
    ...(releases === undefined ? {} : { releases: toStored(releases) }),
    config: change.config === undefined ? before.config : applyConfig(before.config, change.config),
    ...(change.answer === undefined ? {} : { lastRequest: toRequestStatus(change.answer, before, now) }),
    ...(change.audit === undefined ? {} : { audit: appendAudit(before.audit ?? [], change.audit) }),
    ...(change.auditedApprovals === undefined ? {} : { auditedApprovals: orAbsent(change.auditedApprovals) }),
    ...(analysis === undefined ? {} : { analysis: analysis === null ? undefined : toAnalysisStatus(analysis) }),
  }) as AutoUpdateStatus;
}

function orAbsent<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
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

function recordFields(record: Partial<UpdateRecord>): Optional<AutoUpdateStatus> {
  const time = (date: Date | null | undefined) => (date ? formatRfc3339(date) : undefined);
  const last = record.versionHistory?.at(-1);
  return {
    ...(last?.status === "Healthy" && last.image !== undefined ? { currentImage: last.image } : {}),
    ...("currentVersion" in record ? { currentVersion: record.currentVersion ?? undefined } : {}),
    ...("minimumVersion" in record ? { minimumVersion: record.minimumVersion ?? undefined } : {}),
    ...("availableVersion" in record ? { availableVersion: record.availableVersion ?? undefined } : {}),
    ...("candidateVersion" in record ? { candidateVersion: record.candidateVersion ?? undefined } : {}),
    ...("lastCheck" in record ? { lastCheckTime: time(record.lastCheck) } : {}),
    ...("lastUpdate" in record ? { lastUpdateTime: time(record.lastUpdate) } : {}),
    ...(record.rollbackCount === undefined ? {} : { rollbackCount: record.rollbackCount }),
    ...(record.circuitOpen === undefined ? {} : { circuitOpen: record.circuitOpen }),
    ...(record.failedVersions === undefined ? {} : { failedVersions: record.failedVersions.slice(-maxFailedVersions) }),
    ...(record.reverts === undefined ? {} : { reverts: toRevertStatus(record.reverts) }),
    ...(record.versionHistory === undefined ? {} : { history: record.versionHistory.map(toHistoryEntry) }),
  };
}

function applyConfig(before: ConfigStatus = {}, { salt, deployed, versions, lastChange }: ConfigUpdate): ConfigStatus {
  return {
    ...before,
    ...(salt === undefined ? {} : { salt }),
    ...(deployed === undefined ? {} : { digests: deployed }),
    ...(versions === undefined ? {} : { resourceVersions: versions }),
    ...(lastChange === undefined ? {} : { lastChange }),
  };
}

function applyDigests(
  before: DigestStatus = {},
  { digests = {}, restart, pins, inFlight }: Change,
): DigestStatus | undefined {
  const { deployed, previous, reverted, ran, manifests } = digests;
  const after = dropAbsent<Optional<DigestStatus>>({
    ...before,
    ...(deployed === undefined ? {} : { deployed: deployed ?? undefined }),
    ...(previous === undefined ? {} : { previous: previous.length === 0 ? undefined : previous }),
    ...(reverted === undefined
      ? {}
      : {
          reverted: reverted === null ? undefined : { since: formatRfc3339(reverted.since), digests: reverted.digests },
        }),
    ...(ran === undefined ? {} : { ran }),
    ...(manifests === undefined ? {} : { manifests: Object.keys(manifests).length === 0 ? undefined : manifests }),
    ...(restart === undefined || (inFlight && keepsImages(inFlight.target)) ? {} : { pinned: undefined }),
    ...(pins === undefined ? {} : { pinned: Object.keys(pins).length === 0 ? undefined : pins }),
  });
  return Object.keys(after).length === 0 ? undefined : (after as DigestStatus);
}
