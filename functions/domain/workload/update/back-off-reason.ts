/**
 * "Refused": the cluster denied a write. "NotStarted": no pod was created. "Withdrawn": a canary could not be judged. "Failed": an
 * unexpected error ended the execution. "Interrupted": it ended, or was stopped, before it wrote anything. "HookFailed": the Job before
 * it did not run, or did not end in time. "Quarantined": its evaluation ended the function of a poll.
 */
export const waitReasons = [
  "Refused",
  "NotStarted",
  "Withdrawn",
  "Failed",
  "Interrupted",
  "HookFailed",
  "Quarantined",
] as const;

/** "BudgetExceeded": its evaluation, or those of its namespace, cost more than a poll allows. */
export const backOffReasons = [...waitReasons, "BudgetExceeded"] as const;

/** Reports whether it was the evaluation that failed, and nothing was attempted. What was attempted before waits meanwhile. */
export function isOfEvaluation(reason: BackOffReason | undefined): boolean {
  return reason === "Quarantined" || reason === "BudgetExceeded";
}

export type BackOffReason = (typeof backOffReasons)[number];
