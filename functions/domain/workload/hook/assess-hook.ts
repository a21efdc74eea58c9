import { formatDuration } from "../../text/duration.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import { nextCheckSeconds } from "../update/readiness.ts";
import type { Policy } from "../workload.ts";
import type { Hook, HookJob, HookResult, HookRun } from "./hook.ts";

export type HookVerdict =
  | { readonly kind: "running"; readonly waitSeconds: number }
  | {
      readonly kind: "ended";
      readonly result: HookResult;
      readonly reason: string;
      readonly log: readonly string[];
      /** It runs, or may still start. */
      readonly isLate?: boolean;
    };

/** Kubernetes itself ends a Job at its deadline. Pawl waits longer for its status, and no longer. */
const graceSeconds = 120;

/** Assesses the Job of a hook. Only a Job that ran and failed is a failure. */
export function assessHook(
  job: HookJob,
  { timeoutSeconds }: Pick<Hook, "timeoutSeconds">,
  policy: Policy,
  now: Date,
): HookVerdict {
  if (job.kind === "succeeded") return { kind: "ended", result: "succeeded", reason: "", log: job.log };
  if (job.kind === "failed") return { kind: "ended", result: "failed", reason: job.reason, log: job.log };
  if (job.kind === "ended") return { kind: "ended", result: "unknown", reason: job.reason, log: job.log };
  if (job.kind === "missing") return { kind: "ended", result: "unknown", reason: job.reason, log: [] };
  const elapsedSeconds = secondsBetween(job.kind === "waiting" ? job.since : job.createdAt, now);
  if (elapsedSeconds > timeoutSeconds + graceSeconds) {
    if (job.kind === "waiting") return { kind: "ended", result: "unknown", reason: `it ${job.reason}`, log: [] };
    const reason = `it did not end within ${formatDuration(timeoutSeconds)}`;
    return { kind: "ended", result: "unknown", reason, log: [], isLate: true };
  }
  return {
    kind: "running",
    waitSeconds: nextCheckSeconds(elapsedSeconds, timeoutSeconds - elapsedSeconds),
  };
}

/** Describes how a hook ended, for people. */
export function describeHookEnd(
  { stage, job }: Pick<HookRun, "stage" | "job">,
  result: HookResult,
  reason: string,
): string {
  const hook = `the ${stage} hook ${job}`;
  if (result === "succeeded") return `${hook} succeeded`;
  return `${hook} ${result === "failed" ? "failed" : "has no result"}: ${reason}`;
}
