import type { Ports } from "../../contract/ports.ts";
import type { TaskInput, TaskOutput } from "../../contract/workload-update.ts";
import { isSynced } from "../../domain/workload/git/decide-sync.ts";
import { committedEvent, proposedEvent, slowSyncEvent } from "../../domain/workload/git/events.ts";
import { isCommitFollowed, isProposed, isSyncPending, recordSynced } from "../../domain/workload/git/git-claim.ts";
import type { GitWrite } from "../../domain/workload/git/git-write.ts";
import { secondsBetween } from "../../domain/text/rfc3339.ts";
import { appendHistory, createHistoryEntry } from "../../domain/workload/record/history.ts";
import { versionOfTarget, writtenImage } from "../../domain/workload/target/target.ts";
import { updateHeldEvent } from "../../domain/workload/event/events.ts";
import { describeProblems } from "../../domain/workload/policy/problem.ts";
import { endBackOff } from "../../domain/workload/update/back-off.ts";
import { type HeldClaim, releaseChange, withheldReason } from "../../domain/workload/update/claim.ts";
import { planParking } from "../../domain/workload/update/park.ts";
import { unverifiedReason } from "../../domain/workload/update/verified-change.ts";
import { abortedReason } from "../../domain/workload/update/decided-update.ts";
import type { InFlight } from "../../domain/workload/update/in-flight.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { emitEvent } from "../emit-events.ts";
import type { Committed } from "./ask-host.ts";
import { commitPending } from "./commit-pending.ts";
import { parkResult } from "./park-result.ts";
import { superseded, waitResult } from "./wait-result.ts";

type Input = TaskInput<"SyncUpdate">;
type Output = TaskOutput<"SyncUpdate">;
type SyncPorts = Pick<Ports, "cluster" | "events" | "git" | "verifier" | "now"> & { readonly random?: () => number };

/** Brings the files of the repository, and the record of an update, one step further. */
export async function syncClaim(ports: SyncPorts, claim: HeldClaim, input: Input): Promise<Output> {
  const { workload, inFlight } = claim;
  const isRollback = inFlight.phase === "rollback";
  const { git } = inFlight;
  if (git === undefined || !isSyncPending(inFlight)) return synced(inFlight);
  const withheld = isRollback ? null : withheldUpdate(ports, claim, input);
  if (withheld !== null) return { kind: "abort", waitSeconds: 0, reason: withheld };
  if (!isRollback && isSynced(inFlight, workload.image)) return recordAsSynced(ports, workload, inFlight);
  const disallowed = isRollback ? null : disallowedReason(workload, git, input);
  const ended = isProposed(inFlight) ? endedReason(workload, git, input) : null;
  const repository = await ports.git(git.repository);
  if (repository === null && ended !== null) return end(ports, claim, ended);
  if (repository === null) {
    const reason = `the deployment has no repository ${git.repository} any more; add it to git in its configuration`;
    return refuse(ports, claim, input, reason);
  }
  const committed = await commitPending(ports, repository, { ...claim, git }, { disallowed, ended });
  if (committed.kind === "synced") return recordAsSynced(ports, workload, inFlight);
  if (committed.kind === "superseded") return end(ports, claim, committed.reason);
  if (committed.kind === "held") return hold(ports, claim, committed.reason);
  if (committed.kind === "wait") return waitForSync(ports, claim, input, git, committed);
  return refuse(ports, claim, input, committed.reason);
}

/** Ends an update that cannot be written. A rollback waits, and so does what is committed: its controller may bring it any time. */
async function refuse(ports: SyncPorts, claim: HeldClaim, input: Input, reason: string): Promise<Output> {
  const { inFlight } = claim;
  const isKept = inFlight.phase === "rollback" || isCommitFollowed(inFlight);
  if (!isKept) return { kind: "refused", waitSeconds: 0, reason };
  return wait(ports, claim, input, { reason, isForPerson: isProposed(inFlight) });
}

/** Returns why the image must not be written, or waited for, any more; null if it may. */
function withheldUpdate(
  { verifier: { scopes } }: SyncPorts,
  { workload, inFlight }: HeldClaim,
  { verification }: Input,
): string | null {
  if (workload.verdict === "abort") return abortedReason;
  return withheldReason(workload, { ...inFlight, isApplied: false }, verification, scopes);
}

/** Returns why nothing may be written any more by the policy of a workload, or by who has signed its image; null if it may. */
function disallowedReason(workload: Workload, git: GitWrite, { verification }: Input): string | null {
  const { problems } = workload;
  if (verification?.kind === "unknown") return unverifiedReason(verification.reason);
  return problems.length > 0 ? describeProblems(problems) : otherRepositoryReason(workload, git);
}

function otherRepositoryReason({ policy }: Workload, { repository }: GitWrite): string | null {
  if (policy.writeTo === repository) return null;
  const named = policy.writeTo === undefined ? "no repository" : `git/${policy.writeTo}`;
  return `its policy names ${named} in writeTo now, and its claim git/${repository}; nothing was committed`;
}

/** Returns why an update ends whose pull request is still open: the next poll decides about the workload again. */
function endedReason(workload: Workload, git: GitWrite, { newer }: Input): string | null {
  if (newer !== undefined) return `${newer} takes its place`;
  // What a problem may hide, it still waits for.
  return workload.problems.length > 0 ? null : otherRepositoryReason(workload, git);
}

/** Ends an update whose pull request is closed. Nothing has run it: it leaves no trace. */
async function end({ cluster }: SyncPorts, { workload }: HeldClaim, reason: string): Promise<Output> {
  await cluster.change(workload, { inFlight: null, ...endBackOff(workload) });
  return superseded(reason);
}

async function recordAsSynced({ cluster, now }: SyncPorts, workload: Workload, inFlight: InFlight): Promise<Output> {
  await cluster.change(workload, recordSynced(inFlight, now()));
  return synced(inFlight);
}

function synced({ phase, target, previousImage }: InFlight): Output {
  return phase === "rollback"
    ? { kind: "restored", waitSeconds: 0, reason: `the workload has ${previousImage}` }
    : { kind: "synced", waitSeconds: 0, reason: `the workload has ${writtenImage(target)}` };
}

/** Ends an update that a person took back in git, as one whose workload a person has changed. */
async function hold(ports: SyncPorts, { workload, inFlight }: HeldClaim, reason: string): Promise<Output> {
  const { updateRecord, ...released } = releaseChange(workload, inFlight);
  const entry = createHistoryEntry(inFlight, "Superseded", ports.now(), reason);
  const versionHistory = appendHistory(workload.updateRecord, entry);
  const change = { ...released, updateRecord: { ...updateRecord, versionHistory }, lastReported: { held: reason } };
  await ports.cluster.change(workload, change);
  const held = updateHeldEvent("AutoUpdateHeld", reason, versionOfTarget(inFlight.target));
  await emitEvent(ports, workload, { ...held, key: inFlight.execution ?? "" });
  return { kind: "held", waitSeconds: 0, reason };
}

/** Records the commit that has the image, or its pull request, and waits for the controller. */
async function waitForSync(
  ports: SyncPorts,
  claim: HeldClaim,
  input: Input,
  git: GitWrite,
  { commit, url, reason, retryAfterSeconds }: Extract<Committed, { readonly kind: "wait" }>,
): Promise<Output> {
  const { workload, inFlight } = claim;
  const isCommitted = commit !== undefined && git.commit === undefined && inFlight.phase !== "rollback";
  const isProposal = commit === undefined && url !== undefined && url !== git.url;
  // Also a rollback, which is not parked.
  const isForPerson = isProposed(inFlight) || (commit === undefined && url !== undefined);
  const waiting = { reason, retryAfterSeconds, isForPerson };
  if (!isCommitted && !isProposal) return wait(ports, claim, input, waiting);
  const known = { ...git, ...(isCommitted ? { commit } : {}), ...(url === undefined ? {} : { url }) };
  if (isCommitted) await ports.cluster.emitEvent(workload, committedEvent(inFlight, known));
  else await emitEvent(ports, workload, proposedEvent(inFlight, known));
  const recorded = { ...inFlight, git: known };
  return wait(ports, { ...claim, inFlight: recorded }, input, { ...waiting, recorded });
}

const minWaitSeconds = 30;
const maxWaitSeconds = 300;
/** The limits of GitHub are by the hour. */
const maxRetryAfterSeconds = 3600;

interface Waiting {
  readonly reason: string;
  /** Its pull request waits to be merged: its controller is not asked about. */
  readonly isForPerson: boolean;
  readonly recorded?: InFlight | null;
  readonly retryAfterSeconds?: number | undefined;
}

/** Waits ever longer, up to five minutes or as its host asks: no deadline counts until the workload has the image. */
async function wait(
  ports: SyncPorts,
  { workload, inFlight }: HeldClaim,
  { executionStartedAt, newer }: Input,
  { reason, isForPerson, recorded = null, retryAfterSeconds = 0 }: Waiting,
): Promise<Output> {
  const now = ports.now();
  const { observation, git } = inFlight;
  const seen = git?.commit !== undefined && observation?.kind === "waiting" ? observation.since : git?.since;
  // A merge may have taken days: its controller has the time from then.
  const since = recorded?.git?.commit !== undefined ? now : (seen ?? now);
  const seconds = secondsBetween(since, now);
  const slow = isForPerson ? null : slowSyncEvent(workload, inFlight, reason, seconds);
  if (slow !== null) await ports.cluster.emitEvent(workload, slow);
  const isNoted = observation?.kind === "waiting" && observation.reason === reason;
  const noted = { kind: "waiting", reason, since } as const;
  const change =
    recorded !== null
      ? { inFlight: { ...recorded, observation: noted } as InFlight }
      : isNoted
        ? null
        : { observation: noted };
  // What waits to end asks again soon. Each poll would continue one that sleeps.
  const mayPark = isForPerson && recorded === null && newer === undefined;
  const parking = mayPark ? planParking(workload, inFlight, noted.since, now) : null;
  if (parking !== null) return parkResult(ports, workload, { ...parking, reason }, executionStartedAt, change);
  const checkSeconds = Math.min(Math.max(seconds / 10, minWaitSeconds), maxWaitSeconds);
  // All executions that wait for the host got the same time: not all of them ask again at once.
  const jitter = (ports.random ?? Math.random)() * Math.min(retryAfterSeconds, maxWaitSeconds);
  const heldSeconds = Math.min(retryAfterSeconds, maxRetryAfterSeconds) + jitter;
  const waitSeconds = Math.round(Math.max(checkSeconds, heldSeconds));
  return waitResult(ports, workload, { waitSeconds, reason }, executionStartedAt, change);
}
