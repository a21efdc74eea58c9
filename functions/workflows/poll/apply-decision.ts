import type { Executions } from "../../ports/executions.ts";
import type { UpdateInput } from "../../contract/workload-update.ts";
import { isReleasedByExecution } from "../../domain/workload/update/claim.ts";
import { attemptsOf, isBackingOff } from "../../domain/workload/update/back-off.ts";
import { strategyOf } from "../../domain/workload/canary/canary.ts";
import { formatDigests, formatManifests } from "../../domain/workload/digest/digests.ts";
import {
  type Decision,
  type EndedAttempt,
  type Hold,
  hold,
  type HoldReason,
} from "../../domain/workload/decision/decision.ts";
import { sleepState } from "../../domain/workload/update/park.ts";
import { formatRfc3339 } from "../../domain/text/rfc3339.ts";
import type { BackOffReason } from "../../domain/workload/update/back-off-reason.ts";
import type { InFlight } from "../../domain/workload/update/in-flight.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { isRestart, type Target, versionOfTarget } from "../../domain/workload/target/target.ts";
import { executionName } from "../execution-name.ts";
import type { Ports } from "../../contract/ports.ts";
import { whenThrottled } from "./polled-executions.ts";

export type PollAction = "started" | "adopted" | "in-flight" | "recorded" | "none";

/** What applying a decision needs of `Ports`. */
export interface ApplyPorts extends Pick<Ports, "cluster" | "now"> {
  readonly executions: Executions<UpdateInput>;
}

/** Errors of executions after which an attempt backs off, also if the claim remains. Any other is no failure of the attempt. */
const backOffReasons: Readonly<Record<string, BackOffReason>> = {
  UpdateFailed: "Failed",
  UpdateRefused: "Refused",
  WriteRefused: "Refused",
};

/**
 * Starts what the decision about one workload needs. `recorded` is what recording it did, which happens before. Every part of it is
 * idempotent. Returns the hold to record if the execution to start, or to continue, has ended without an observation. If AWS throttles,
 * nothing is started, and the next poll decides again.
 */
export async function applyDecision(
  ports: ApplyPorts,
  workload: Workload,
  decision: Decision,
  recorded: "recorded" | "none",
): Promise<PollAction | Hold> {
  const unchanged = workload.inFlight === null ? recorded : "in-flight";
  return startWhatIsNeeded(ports, workload, decision, recorded).catch(whenThrottled(unchanged));
}

async function startWhatIsNeeded(
  ports: ApplyPorts,
  workload: Workload,
  decision: Decision,
  recorded: "recorded" | "none",
): Promise<PollAction | Hold> {
  if (decision.kind === "adopt") return adoptIfLost(ports, workload, decision);
  if (decision.kind === "update") return startUpdate(ports, workload, decision);
  return decision.kind === "hold" ? ((await startCleanup(ports, workload, decision.reason)) ?? recorded) : recorded;
}

/**
 * Starts an execution for what only an updater may write: the removal of a canary, of a finalizer that blocks a deletion, or of a
 * claim that a workload has in itself.
 */
async function startCleanup(
  ports: ApplyPorts,
  workload: Workload,
  reason: HoldReason,
): Promise<PollAction | Hold | null> {
  const { inFlight, image } = workload;
  if ((reason === "being-deleted" || reason === "canary-left") && image !== null) {
    const target = { kind: "image", image } as const;
    if (isBackingOff(workload, target, ports.now())) return null;
    const strategy = reason === "being-deleted" ? "restart" : "abort";
    const options = { strategy, digests: "", adopting: false } as const;
    return (await start(ports, workload, target, options, `${reason} ${workload.resourceVersion}`)) ?? "started";
  }
  if (reason !== "manual-change" || inFlight === null || !isReleasedByExecution(workload, inFlight)) return null;
  const { target, execution } = inFlight;
  if (isBackingOff(workload, target, ports.now())) return null;
  // One that sleeps removes nothing for hours.
  if (inFlight.parked === undefined && (await ports.executions.state(execution ?? "")) === "running") return null;
  const options = { strategy: "abort", digests: "", adopting: true } as const;
  return (await start(ports, workload, target, options, `withdraw ${execution}`)) ?? "started";
}

type Update = Extract<Decision, { readonly kind: "update" }>;

async function startUpdate(ports: ApplyPorts, workload: Workload, update: Update): Promise<PollAction | Hold> {
  const { target, digests = {}, manifests } = update;
  const version = versionOfTarget(target);
  const recorded = workload.updateRecord.versionHistory.filter(
    (entry) => entry.version === version && entry.kind !== "restart",
  ).length;
  const strategy = target.kind === "release" ? "release" : isRestart(target) ? "restart" : strategyOf(workload.policy);
  const known = manifests === undefined ? {} : { manifests: formatManifests(manifests) };
  const options = { strategy, digests: formatDigests(digests), ...known, adopting: false } as const;
  const occasion = update.isRequested
    ? `${workload.request?.verb} ${workload.request?.token}`
    : `update ${recorded}${lastMoved(workload, target)}`;
  return (await start(ports, workload, target, options, occasion)) ?? "started";
}

/** Identifies the last update if its tag moved before its pods pulled it: its own target is not in the history, and may return. */
function lastMoved({ updateRecord }: Workload, { kind }: Target): string {
  const last = updateRecord.versionHistory.at(-1);
  return kind === "digest" && last?.kind === "digest" && last.status === "Healthy" ? ` after ${last.execution}` : "";
}

/**
 * Starts an execution that adopts the update in flight, unless its own execution is running. A canary whose execution was stopped
 * manually is adopted as an abort, because its owner wants it removed.
 */
async function adoptIfLost(
  ports: ApplyPorts,
  workload: Workload,
  { inFlight, isVerified = false, newer }: Extract<Decision, { readonly kind: "adopt" }>,
): Promise<PollAction | Hold> {
  const { execution, startedAt, target, parked } = inFlight;
  // Another installation updates it. Its claim expires unless it renews it.
  if (workload.record.claimedElsewhereUntil !== null) return "in-flight";
  const isOver = isVerified || (newer !== undefined && parked !== undefined);
  const sleep = isOver ? "over" : sleepState(workload, inFlight, ports.now());
  if (sleep === "asleep") return "in-flight";
  // An execution that sleeps although the wait is over loses its claim, and ends when it wakes.
  const state = execution === null || sleep === "over" ? "unknown" : await ports.executions.state(execution);
  if (state === "running") return "in-flight";
  const failed = execution === null || state !== "ended" ? null : await findFailure(ports, workload, target, execution);
  if (failed !== null) return holdEnded(failed);
  const isAborted = inFlight.phase === "canary" && state === "aborted";
  const strategy = isAborted ? "abort" : strategyOfClaim(inFlight);
  const digests = formatDigests(inFlight.digests ?? {});
  const lost = execution ?? `manually ${startedAt === "malformed" ? startedAt : formatRfc3339(startedAt)}`;
  const options = { strategy, digests, adopting: true, ...(newer === undefined ? {} : { newer }) } as const;
  const occasion = `recover ${lost}${newer === undefined ? "" : ` for ${newer}`}`;
  return (await start(ports, workload, target, options, occasion)) ?? "adopted";
}

/** Returns the failure of an execution that still holds the claim, if nothing but a later attempt helps and it is not recorded yet. */
async function findFailure(
  { executions }: ApplyPorts,
  { backOff }: Workload,
  target: Target,
  execution: string,
): Promise<EndedAttempt | null> {
  if (backOff?.execution === execution) return null;
  const failure = await executions.failure(execution);
  const reason = backOffReasons[failure?.error ?? ""];
  return failure === null || reason === undefined ? null : { target, reason, message: failure.cause, execution };
}

function strategyOfClaim({ phase, release }: InFlight): UpdateInput["strategy"] {
  if (release !== undefined) return "release";
  return phase === "canary" || phase === "restart" ? phase : "rolling";
}

/**
 * Starts an execution. Its name differs after each back-off and each answered request, so that names never run out. Returns the hold
 * to record if the execution of this name has ended.
 */
async function start(
  { cluster, executions }: ApplyPorts,
  workload: Workload,
  target: Target,
  options: Pick<UpdateInput, "strategy" | "digests" | "manifests" | "adopting" | "newer">,
  occasion: string,
): Promise<Hold | null> {
  const { ref, backOff, inFlight, lastRequest } = workload;
  const input: UpdateInput = { cluster: cluster.name, workload: ref, target, ...options };
  const attempts = attemptsOf(backOff, target);
  const since = attempts === null ? "" : formatRfc3339(attempts.until);
  const name = executionName(ref, target, [occasion, since, lastRequest?.token ?? ""].join(" "));
  if ((await executions.start(name, input)) === "started") return null;
  const { error, cause } = (await executions.failure(name)) ?? { error: "no error", cause: "stopped or superseded" };
  const message = `execution ${name} ended before it changed anything: ${error}: ${cause}`;
  return holdEnded({
    target,
    reason: backOffReasons[error] ?? "Interrupted",
    message,
    // An update does not wait for the newer one that supersedes it.
    execution: options.adopting ? (inFlight?.execution ?? null) : null,
  });
}

/** Returns the hold by which an attempt that ended is recorded. */
function holdEnded(ended: EndedAttempt): Hold {
  const { message, target } = ended;
  return { ...hold("back-off", message), target, ended };
}
