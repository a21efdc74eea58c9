import { secondsBetween } from "../../text/rfc3339.ts";
import type { Change } from "../update/change.ts";
import type { Readiness } from "../update/readiness.ts";
import { observeRollout } from "../update/progress-deadline.ts";
import type { Observation } from "./observation-kinds.ts";
import type { Workload } from "../workload.ts";

/** Returns what a check has to note; null if that is noted, or if the kind has no place for it. */
export function nextObservation(
  { rollout, inFlight }: Pick<Workload, "rollout" | "inFlight">,
  readiness: Readiness,
  now: Date,
): Observation | null {
  const noted = inFlight?.observation;
  if (rollout?.template === undefined) return null;
  if (readiness.kind === "waiting") {
    const { reason } = readiness;
    const since = waitingSince(noted);
    const isNoted = since !== null && noted?.kind === "waiting" && noted.reason === reason;
    return isNoted ? null : { kind: "waiting", reason, since: since ?? now };
  }
  if (readiness.kind !== "progressing") return null;
  const observed = observeRollout(rollout, noted, now);
  return observed === noted ? null : observed;
}

/** Returns since when no check could judge an update, whatever it waited for; null if that is not known, or if one could. */
export function waitingSince(noted: Observation | undefined): Date | null {
  return noted?.kind === "waiting" ? (noted.since ?? null) : null;
}

/** Two checks at their longest distance, so that one of them may fail. */
const renewalSeconds = 600;

/** Returns the change that renews a claim before another installation may adopt it; null if it lasts until after the next check. */
export function renewalChange({ record }: Pick<Workload, "record">, waitSeconds: number, now: Date): Change | null {
  const { claimExpiresAt } = record;
  const isExpiring = claimExpiresAt !== undefined && secondsBetween(now, claimExpiresAt) < waitSeconds + renewalSeconds;
  return isExpiring ? { nextStepSeconds: waitSeconds } : null;
}
