import { secondsBetween } from "../text/rfc3339.ts";
import type { Readiness } from "./readiness.ts";
import type { Observation, Workload } from "./workload.ts";

/** Twice the longest time between two checks. */
const renewalSeconds = 600;

/**
 * Returns what a check has to note; null if that is noted, or if the kind has no place for it. An update without a deadline notes
 * the same again in time, because that renews its claim.
 */
export function nextObservation(
  { rollout, inFlight, record }: Pick<Workload, "rollout" | "inFlight" | "record">,
  readiness: Readiness,
  now: Date,
): Observation | null {
  const template = rollout?.template;
  const noted = inFlight?.observation;
  if (template === undefined) return null;
  if (readiness.kind === "waiting") {
    const { reason } = readiness;
    const isNoted = noted?.kind === "waiting" && noted.reason === reason;
    return isNoted && !isExpiring(record, now) ? null : { kind: "waiting", reason };
  }
  if (readiness.kind !== "progressing") return null;
  return noted?.kind === "observed" && noted.template === template ? null : { kind: "observed", at: now, template };
}

function isExpiring({ claimExpiresAt }: Workload["record"], now: Date): boolean {
  return claimExpiresAt !== undefined && secondsBetween(now, claimExpiresAt) < renewalSeconds;
}
