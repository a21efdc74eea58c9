import { wholeSecond } from "../../analysis/measure.ts";
import { secondsAfter } from "../../text/rfc3339.ts";
import { annotations } from "../policy/annotations.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Policy, Workload } from "../workload.ts";
import type { CanarySize } from "./canary-size.ts";
import { describeSize, parseCanarySize } from "./size.ts";
import type { CanaryProgress, CanaryStep, Pause } from "./canary-step.ts";

/** Returns the steps of a policy; none if it has no canary. A size alone is one step. */
export function stepsOf({ canary, canarySteps }: Policy): readonly CanaryStep[] {
  if (canary === null || canarySteps.length > 0) return canarySteps;
  return [{ kind: "replicas", size: canary, analysis: null, durationSeconds: null }];
}

/** Returns the annotation by which a policy asks for its canary. */
export function canaryAnnotation({ canarySteps }: Policy): string {
  return canarySteps.length > 0 ? annotations.canarySteps : annotations.canary;
}

/** Returns the sizes that these steps set, in order. */
export function sizesOf(steps: readonly CanaryStep[]): readonly CanarySize[] {
  return steps.flatMap((step) => (step.kind === "replicas" && step.size !== null ? [step.size] : []));
}

/** Returns the size at a step (from 1): its own, or that of the last step before it that has one. */
function sizeAt(steps: readonly CanaryStep[], step: number): CanarySize | null {
  return sizesOf(steps.slice(0, step)).at(-1) ?? null;
}

/** Returns the size of a canary at its current step, as it is recorded: its owner may have changed the steps. null without one. */
export function currentSize({
  policy,
  canaryProgress,
}: Pick<Workload, "policy" | "canaryProgress">): CanarySize | null {
  const planned = sizeAt(stepsOf(policy), canaryProgress?.step ?? 1);
  const recorded = canaryProgress === null || planned === null ? planned : parseCanarySize(canaryProgress.size);
  return recorded === null || "kind" in recorded ? planned : recorded;
}

/** Returns the progress of a canary that begins a step (from 1); null if there is no such step. */
export function beginStep(policy: Policy, step: number, now: Date): CanaryProgress | null {
  const steps = stepsOf(policy);
  const begun = steps[step - 1];
  const size = sizeAt(steps, step);
  if (begun === undefined || size === null) return null;
  const since = wholeSecond(now);
  const common = { step, steps: steps.length, plan: planOf(steps), size: describeSize(size), since };
  if (begun.kind === "replicas") return { ...common, waitsFor: "Replicas", until: null };
  return { ...common, ...pauseEnd(begun, since) };
}

/** Returns what a pause waits for, and until when, as its owner has set it. */
export function pauseEnd({ seconds, end }: Pause, since: Date) {
  const waitsFor = end === "continue" ? "Time" : "Promotion";
  return { waitsFor, until: secondsAfter(since, seconds) } as const;
}

/** Returns the progress of a canary in flight: at its first step if that is not recorded. null: it has no steps any more. */
export function currentProgress({ policy, canaryProgress }: Workload, now: Date): CanaryProgress | null {
  return stepsOf(policy).length === 0 ? null : (canaryProgress ?? beginStep(policy, 1, now));
}

/**
 * Returns the progress to which StartCanary brings a canary in flight: the next step if the current one is over, the first if its
 * owner has changed the steps or the pod template or deleted it since, and otherwise the same.
 */
export function nextProgress(workload: Workload, now: Date): CanaryProgress | null {
  const { policy, canaryProgress, rollout, canary } = workload;
  if (canaryProgress === null || rollout?.isTemplateEdited || isEdited(workload)) return beginStep(policy, 1, now);
  const isCreated = canaryProgress.step > 1 || canaryProgress.waitsFor !== "Replicas";
  if (canary === null && isCreated) return beginStep(policy, 1, now);
  return canaryProgress.waitsFor === "NextStep" ? beginStep(policy, canaryProgress.step + 1, now) : canaryProgress;
}

/** Reports whether the owner changed the sizes or the order of the steps: the canary begins again. */
export function isEdited({ policy, canaryProgress }: Pick<Workload, "policy" | "canaryProgress">): boolean {
  const steps = stepsOf(policy);
  return canaryProgress !== null && steps.length > 0 && canaryProgress.plan !== planOf(steps);
}

/** Reports whether a later step of a canary waits for its replicas, while those of the step before serve: the analysis of the policy measures them. */
export function isGrowing({ policy, canaryProgress }: Pick<Workload, "policy" | "canaryProgress">): boolean {
  return policy.analysis !== null && canaryProgress?.waitsFor === "Replicas" && canaryProgress.step > 1;
}

/** Reports whether a canary waits for time or for a person. */
export function isPaused({ waitsFor }: CanaryProgress): boolean {
  return waitsFor === "Time" || waitsFor === "Promotion";
}

/** Returns since when the replicas of a canary have to become ready: each step has the whole health timeout. */
export function stepInFlight(inFlight: InFlight, progress: CanaryProgress | null): InFlight {
  return progress === null || inFlight.startedAt === "malformed"
    ? inFlight
    : { ...inFlight, startedAt: progress.since };
}

/** Reports whether `promote` continues a canary: it is paused, or between two steps, where it continues already. */
export function isContinuedByPromotion({ canaryProgress: progress }: Pick<Workload, "canaryProgress">): boolean {
  return progress !== null && (isPaused(progress) || progress.waitsFor === "NextStep");
}

/** Describes a step for people: `2/5 (25%)`. */
export function describeStep({ step, steps, size }: CanaryProgress): string {
  const replicas = size === "1" ? "1 replica" : size.endsWith("%") ? size : `${size} replicas`;
  return `${step}/${steps} (${replicas})`;
}

/** Returns the step of a canary in flight for the output of each state; "" if it is not recorded. */
export function stepText({ canaryProgress }: Pick<Workload, "canaryProgress">): string {
  return canaryProgress === null ? "" : describeStep(canaryProgress);
}

/** Changes of an analysis or of the length of a pause apply at once, so they are no part of it. */
function planOf(steps: readonly CanaryStep[]): string {
  return steps
    .map((one) => (one.kind === "pause" ? "pause" : one.size === null ? "analysis" : describeSize(one.size)))
    .join(", ");
}
