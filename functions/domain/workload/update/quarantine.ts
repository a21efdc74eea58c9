import { isBackingOff } from "./back-off.ts";
import type { BackOffReason } from "./back-off-reason.ts";
import { type Hold, hold } from "../decision/decision.ts";
import { decideRequest } from "../request/request.ts";
import type { Workload } from "../workload.ts";

/**
 * Reports whether polls leave a workload out, because its evaluation ended a function. A request of a person that needs no evaluation
 * is answered all the same: `retry` ends the quarantine.
 */
export function isQuarantined(workload: Workload, now: Date): boolean {
  const { backOff, record } = workload;
  if (backOff?.reason !== "Quarantined" || !isBackingOff(workload, backOff.target, now)) return false;
  return record.claimedElsewhereUntil !== null || decideRequest(workload)?.kind !== "request";
}

/** Returns the hold by which it is recorded that an evaluation cost more than a poll allows. */
export function budgetHold(workload: Workload, message: string): Hold {
  return holdEvaluation(workload, "BudgetExceeded", message);
}

/** Returns the hold by which a quarantine is recorded. An execution that failed before stays known. */
export function quarantineHold(workload: Workload, error: string | null): Hold {
  const message = `the function that evaluated it alone ran out of memory or time, or ended (${error}); look for a repository with very many tags, and a pattern that is slow to match`;
  return holdEvaluation(workload, "Quarantined", message);
}

function holdEvaluation({ image, source, backOff, inFlight }: Workload, reason: BackOffReason, message: string): Hold {
  const target = { kind: "image", image: image ?? source ?? "unknown" } as const;
  const execution = inFlight === null ? null : (backOff?.execution ?? null);
  return { ...hold("back-off", message), ended: { target, reason, message, execution } };
}
