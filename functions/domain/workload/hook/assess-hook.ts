import { formatDuration } from "../../text/duration.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import { nextCheckSeconds } from "../update/readiness.ts";
import { type Hook, hookGraceSeconds, type HookJob, type HookProgress, type HookResult, type HookRun } from "./hook.ts";

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

/**
 * Assesses the Job of a hook. It has failed if its containers did, and also if they run, or have exited with an error, at its deadline. One that
 * never started has no result.
 */
export function assessHook(job: HookJob, { timeoutSeconds }: Pick<Hook, "timeoutSeconds">, now: Date): HookVerdict {
  if (job.kind === "succeeded") return { kind: "ended", result: "succeeded", reason: "", log: [] };
  if (job.kind === "failed") return { kind: "ended", result: "failed", reason: job.reason, log: job.log };
  if (job.kind === "ended") return { kind: "ended", result: "unknown", reason: job.reason, log: job.log };
  if (job.kind === "missing") return { kind: "ended", result: "unknown", reason: job.reason, log: [] };
  const elapsedSeconds = secondsBetween(job.kind === "waiting" ? job.since : job.createdAt, now);
  if (job.kind === "waiting" && elapsedSeconds > timeoutSeconds + hookGraceSeconds)
    return { kind: "ended", result: "unknown", reason: `it ${job.reason}`, log: [] };
  if (job.kind === "running" && (elapsedSeconds > timeoutSeconds || job.progress.kind === "refused"))
    return endLate(job.progress, timeoutSeconds);
  return { kind: "running", waitSeconds: nextCheckSeconds(elapsedSeconds, timeoutSeconds - elapsedSeconds) };
}

function endLate({ kind, reason, log }: HookProgress, timeoutSeconds: number): HookVerdict {
  const within = `within ${formatDuration(timeoutSeconds)}`;
  const ended = { kind: "ended", log, isLate: true } as const;
  if (kind === "failed") return { ...ended, result: "failed", reason: `it did not succeed ${within}: ${reason}` };
  if (kind === "running") return { ...ended, result: "failed", reason: `it did not end ${within}` };
  const what = kind === "refused" ? "it cannot start" : `it did not start ${within}`;
  return { ...ended, result: "unknown", reason: `${what}: ${reason}` };
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
