/**
 * "Refused": the cluster denied a write. "NotStarted": no pod was created. "Withdrawn": a canary could not be judged. "Failed": an
 * unexpected error ended the execution. "Interrupted": it ended, or was stopped, before it wrote anything. "HookFailed": the Job before
 * it did not run, or did not end in time. "Quarantined": its evaluation ended the function of a poll.
 */
export const backOffReasons = [
  "Refused",
  "NotStarted",
  "Withdrawn",
  "Failed",
  "Interrupted",
  "HookFailed",
  "Quarantined",
] as const;

export type BackOffReason = (typeof backOffReasons)[number];
