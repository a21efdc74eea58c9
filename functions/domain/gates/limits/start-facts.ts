import { parseImageReference } from "../../image/reference.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import { isPaused } from "../../workload/canary/progress.ts";
import { versionOfTarget } from "../../workload/target/target.ts";
import { isStalled } from "../../workload/update/back-off.ts";
import type { Workload } from "../../workload/workload.ts";
import type { ClosedGate } from "../closed-gate.ts";

/** A workload, as the limits of concurrent updates and their order see it. */
export interface Member {
  readonly uid: string;
  /** For people. */
  readonly name: string;
  readonly namespace: string;
  readonly repository: string;
  /** "" if it is not known, `anyVersion` if it may be any. */
  readonly version: string;
  readonly wave: number;
}

/** A workload that waits for its update to start. */
export interface WaitingMember extends Member {
  readonly since: Date;
}

/** A workload that later waves of its repository and these versions wait for. A large cluster has many: it shares the list of its workload. */
export interface Blocker extends Omit<Member, "version"> {
  readonly versions: readonly string[];
  readonly hasFailed: boolean;
}

/** What a poll has seen of all workloads of a cluster. */
export interface StartFacts {
  optedIn: number;
  /** Whether any workload is in a wave of its own. */
  hasWaves: boolean;
  /** The executions that hold a claim. */
  readonly claims: Set<string>;
  /** Workloads whose pods are moved now. */
  readonly moving: Member[];
  readonly blockers: Blocker[];
  /** Those that waited at their last evaluation. */
  readonly waiting: WaitingMember[];
  /** Those that the last poll could not evaluate, and that later waves still wait for. */
  readonly unevaluated: Blocker[];
}

/** The version of a member that may want any. */
export const anyVersion = "*";

/** The reason of the gate of a workload that could not be evaluated. */
export const unevaluated = "NotEvaluated";

export function emptyStartFacts(): StartFacts {
  return { optedIn: 0, hasWaves: false, claims: new Set(), moving: [], blockers: [], waiting: [], unevaluated: [] };
}

export function addStartFacts(facts: StartFacts, workload: Workload, now: Date): void {
  const { policy, inFlight, updateRecord } = workload;
  if (policy.optIn === "yes") facts.optedIn += 1;
  if (policy.wave !== 0) facts.hasWaves = true;
  const { failedVersions } = updateRecord;
  if (failedVersions.length > 0) facts.blockers.push(toBlocker(memberOf(workload, ""), failedVersions, true));
  if (inFlight !== null) {
    const member = memberOf(workload, versionOfTarget(inFlight.target));
    if (inFlight.execution !== null) facts.claims.add(inFlight.execution);
    if (isMoving(workload)) facts.moving.push(member);
    if (isUnfinished(workload)) facts.blockers.push(blockerOf(member));
    return;
  }
  const wait = recordedWait(workload);
  if (wait === undefined) return;
  const { since } = wait;
  if (isUnevaluated(wait)) {
    if (!isOverdue(wait, now)) facts.unevaluated.push(blockerOf(memberOf(workload, anyVersion)));
  } else if (since !== undefined)
    facts.waiting.push({ ...memberOf(workload, updateRecord.candidateVersion ?? ""), since });
}

/** Reports whether an update moves pods now: it is neither parked, nor paused, nor bakes, nor is stalled, nor waits without a deadline. */
export function isMoving({ inFlight, backOff, canaryProgress, rollout }: Workload): boolean {
  if (inFlight === null || inFlight.parked !== undefined) return false;
  const observed = inFlight.observation?.kind;
  if (observed === "baking" || observed === "waiting") return false;
  if (rollout?.isPaused === true || (backOff !== null && isStalled(backOff))) return false;
  return inFlight.phase !== "canary" || canaryProgress === null || !isPaused(canaryProgress);
}

/**
 * Reports whether later waves wait for its update. What only a person or a Job can continue does not hold them up, but a canary that runs does, and
 * so does a pull request: that of a later wave could be merged with it, or before.
 */
function isUnfinished({ inFlight }: Workload): boolean {
  const reason = inFlight?.parked?.reason;
  return reason === undefined || reason === "CanaryPaused" || reason === "Unverified" || reason === "PullRequest";
}

export function memberOf({ ref, source, image, policy }: Workload, version: string): Member {
  const name = `${ref.kind.toLowerCase()}/${ref.name}`;
  const repository = repositoryOf(source ?? image ?? "");
  return { uid: ref.uid, name, namespace: ref.namespace, repository, version, wave: policy.wave };
}

/** Returns a member for which later waves wait, and that has not failed. */
export function blockerOf(member: Member): Blocker {
  return toBlocker(member, [member.version], false);
}

function toBlocker(member: Member, versions: readonly string[], hasFailed: boolean): Blocker {
  const { version: _, ...place } = member;
  return { ...place, versions, hasFailed };
}

/** Identifies the repository of an image. */
export function repositoryOf(image: string): string {
  const parsed = parseImageReference(image);
  return "kind" in parsed ? image : `${parsed.registry}/${parsed.repository}`;
}

/** Returns the closed gate of the limits as the last evaluation has recorded it. */
export function recordedWait({ gates = [] }: Pick<Workload, "gates">): ClosedGate | undefined {
  return gates.find(({ name }) => name === "limits");
}

/** Returns since when a workload waits for a place, which decides about its turn: as recorded, or from now on. */
export function waitingSince(workload: Pick<Workload, "gates" | "queuedSince">, now: Date): Date {
  return workload.queuedSince ?? recordedWait(workload)?.since ?? now;
}

/** Reports whether the last poll could not evaluate a workload. */
export function isUnevaluated({ reason }: ClosedGate): boolean {
  return reason === unevaluated;
}

/** Reports whether later waves do not wait any longer for a workload that could not be evaluated. */
export function isOverdue({ reason, until }: ClosedGate, now: Date): boolean {
  return reason === unevaluated && until !== undefined && until <= now;
}

/** An execution that has no claim after that time will have none: it sleeps, or has lost its claim. */
const maxSecondsToClaim = 600;

/** Returns the executions that have been started and have no claim yet. */
export function unclaimed(
  { claims }: Pick<StartFacts, "claims">,
  running: ReadonlyMap<string, Date>,
  now: Date,
): readonly string[] {
  return [...running]
    .filter(([name, startedAt]) => !claims.has(name) && secondsBetween(startedAt, now) < maxSecondsToClaim)
    .map(([name]) => name);
}
