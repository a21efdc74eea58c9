import { formatRfc3339, secondsAfter } from "../../text/rfc3339.ts";
import { type Hold, hold } from "../../workload/decision/decision.ts";
import { hasOwnClaim } from "../../workload/record/current-version.ts";
import type { Workload } from "../../workload/workload.ts";
import { isUnevaluated, memberOf, recordedWait, unevaluated, waitingSince } from "./start-facts.ts";

/** How long later waves wait for a member that cannot be evaluated: a registry that never answers holds them up no longer. */
const maxSecondsToBlock = 3600;

interface Failure {
  /** Why it was not decided: the name of an error. */
  readonly cause: string;
  /** Whether it had been given a place already. */
  readonly hadPlace: boolean;
  /** Whether a workload of a later wave tracks its repository. */
  readonly isBefore: boolean;
}

/**
 * Returns the hold to record if a poll could not evaluate a workload that waits for a place, or for which later waves wait. It takes no place
 * until an evaluation succeeds, and keeps its turn, unless what failed was its start. Returns null if nothing new is to be recorded.
 */
export function unevaluatedHold(workload: Workload, { cause, hadPlace, isBefore }: Failure, now: Date): Hold | null {
  const recorded = recordedWait(workload);
  if (recorded === undefined && !(isBefore && mayBlock(workload))) return null;
  if (recorded !== undefined && isUnevaluated(recorded) && !hadPlace) return null;
  const message = `the last poll could not evaluate or start it (${cause}); it has no place until one can`;
  const until = secondsAfter(now, maxSecondsToBlock);
  // Behind what began to wait in the same second.
  const since = hadPlace ? secondsAfter(now, 1) : waitingSince(workload, now);
  const gate = {
    name: "limits",
    reason: unevaluated,
    message,
    since: formatRfc3339(since),
    until: formatRfc3339(until),
  };
  return { ...hold("limited", message), gates: [gate] };
}

/** Reports whether a workload that could not be evaluated may want a version. One that is suspended, held or backs off does not. */
export function mayBlock({ record, policy, inFlight, backOff, lastReported, updateRecord }: Workload): boolean {
  const isHeld = lastReported.held !== null || lastReported.problem !== null || updateRecord.circuitOpen;
  const isIdle = inFlight === null && backOff === null && !isHeld;
  return isIdle && policy.optIn === "yes" && !policy.paused && !hasOwnClaim(record);
}

/** Returns a function that reports whether a workload of a later wave tracks the repository of a workload, in its namespace. */
export function laterWaves(workloads: Iterable<Workload>): (workload: Workload) => boolean {
  const last = new Map<string, number>();
  const keyOf = (workload: Workload) => {
    const { namespace, repository } = memberOf(workload, "");
    return `${namespace} ${repository}`;
  };
  for (const one of workloads) last.set(keyOf(one), Math.max(one.policy.wave, last.get(keyOf(one)) ?? -Infinity));
  return (one) => one.policy.wave < (last.get(keyOf(one)) ?? -Infinity);
}
