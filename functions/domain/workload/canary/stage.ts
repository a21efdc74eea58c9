import { formatDuration } from "../../text/duration.ts";
import { secondsBetween } from "../../text/rfc3339.ts";
import { podCheckSeconds } from "../on-delete/next-pod.ts";
import { writtenImage } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";
import { nextCheckSeconds } from "../update/readiness.ts";
import type { Workload } from "../workload.ts";
import { missingCanaryCondition } from "./health.ts";
import { analysisAt } from "./analysis-runs.ts";
import type { CanaryProgress, CanaryStep, Pause } from "./canary-step.ts";
import { currentProgress, describeStep, isGrowing, pauseEnd, stepsOf } from "./progress.ts";
import { describeProblems } from "../policy/problem.ts";

/** What a canary that is ready needs. */
export type Stage =
  | { readonly kind: "measure"; readonly analysis: string | null; readonly durationSeconds: number | null }
  | {
      readonly kind: "paused";
      readonly analysis: string | null;
      readonly waitSeconds: number;
      readonly reason: string;
      /** Its progress if its owner has changed its length since; otherwise null. */
      readonly edited: CanaryProgress | null;
    }
  /** The step is over. */
  | { readonly kind: "over"; readonly reason: string }
  /** Nobody continued it. */
  | { readonly kind: "withdraw"; readonly reason: string }
  /** The setting of its steps is invalid: nothing is concluded from that. */
  | { readonly kind: "invalid"; readonly reason: string };

/** A person who continues a pause waits no longer than this. */
const pauseCheckSeconds = 60;

/** Returns what the current step of a canary asks for, unless its owner has changed the steps. One without steps any more is measured as its policy says. */
export function assessStage(workload: Workload, now: Date): Stage {
  const { policy, problems } = workload;
  const progress = currentProgress(workload, now);
  if (progress === null && problems.length > 0) return { kind: "invalid", reason: describeProblems(problems) };
  if (progress === null) return { kind: "measure", analysis: policy.analysis, durationSeconds: null };
  if (progress.waitsFor === "NextStep") return { kind: "over", reason: `${nameOf(progress)} is over` };
  const step = stepsOf(policy)[progress.step - 1] as CanaryStep;
  const analysis = analysisAt(policy, progress.step);
  if (step.kind === "pause") return assessPause(workload, step, analysis, progress, now);
  return { kind: "measure", analysis, durationSeconds: step.durationSeconds };
}

/** Returns what a canary asks for that grows to the size of a later step; null if it does not. As in a pause, only a failure ends it. */
export function assessGrowth(
  workload: Workload,
  inFlight: InFlight,
  now: Date,
): Extract<Stage, { readonly kind: "paused" }> | null {
  const { canary, canaryProgress, policy, rollout } = workload;
  const reason = missingCanaryCondition(canary, writtenImage(inFlight.target));
  if (!isGrowing(workload) || canaryProgress === null || reason === null) return null;
  const seconds = secondsBetween(canaryProgress.since, now);
  const nextSeconds = nextCheckSeconds(seconds, policy.healthTimeoutSeconds - seconds);
  const waitSeconds = rollout?.isOnDelete ? Math.min(nextSeconds, podCheckSeconds(inFlight, now)) : nextSeconds;
  return { kind: "paused", analysis: policy.analysis, waitSeconds, reason, edited: null };
}

/** `promote` continues a pause. One that has a duration continues by itself, any other is withdrawn. */
function assessPause(
  { verdict }: Workload,
  step: Pause,
  analysis: string | null,
  progress: CanaryProgress,
  now: Date,
): Stage {
  const { seconds, end } = step;
  const name = nameOf(progress);
  if (verdict === "continue") return { kind: "over", reason: `${name} was continued manually` };
  const leftSeconds = seconds - secondsBetween(progress.since, now);
  if (leftSeconds <= 0 && end === "continue") return { kind: "over", reason: `${name} is over` };
  if (leftSeconds <= 0)
    return { kind: "withdraw", reason: `${name} was not continued within ${formatDuration(seconds)}` };
  const outcome = end === "continue" ? "continues by itself" : 'waits for "pawl promote", and is withdrawn';
  const reason = `${name} ${outcome} in ${formatDuration(Math.ceil(leftSeconds))}`;
  const waitSeconds = Math.ceil(Math.min(leftSeconds, pauseCheckSeconds));
  return { kind: "paused", analysis, waitSeconds, reason, edited: editedPause(step, progress) };
}

function editedPause(step: Pause, progress: CanaryProgress): CanaryProgress | null {
  const { waitsFor, until } = pauseEnd(step, progress.since);
  const isSame = progress.waitsFor === waitsFor && progress.until?.getTime() === until.getTime();
  return isSame ? null : { ...progress, waitsFor, until };
}

function nameOf(progress: CanaryProgress): string {
  return `${progress.until === null ? "" : "the pause at "}step ${describeStep(progress)}`;
}
