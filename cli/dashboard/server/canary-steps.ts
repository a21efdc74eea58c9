import { formatDuration } from "../../../functions/domain/text/duration.ts";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import type { CanarySize } from "../../../functions/domain/workload/canary/canary-size.ts";
import type { CanaryProgress, CanaryStep } from "../../../functions/domain/workload/canary/canary-step.ts";
import { stepsOf } from "../../../functions/domain/workload/canary/progress.ts";
import { canaryReplicas, describeSize } from "../../../functions/domain/workload/canary/size.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { CanaryStepRow } from "../detail-model.ts";

type Source = Pick<Workload, "policy" | "rollout" | "inFlight" | "canaryProgress">;

/** Returns the steps of the canary, with the one that an update in flight is in; none if the policy has no canary. */
export function canarySteps({ policy, rollout, inFlight, canaryProgress }: Source): readonly CanaryStepRow[] {
  const isCanary = inFlight?.phase === "canary";
  // Its first step is recorded when it begins.
  const active = isCanary ? (canaryProgress?.step ?? 1) : 0;
  const isPromoted = inFlight !== null && !isCanary && inFlight.phase === "rollout";
  let size: CanarySize | null = null;
  return stepsOf(policy).map((step, index) => {
    const number = index + 1;
    if (step.kind === "replicas") size = step.size ?? size;
    const state = number === active ? "active" : isPromoted || number < active ? "done" : "next";
    return {
      number,
      what: describe(step),
      replicas: size === null || rollout === null ? null : canaryReplicas(size, rollout.desiredReplicas),
      state,
      ...(state === "active" ? describeWait(canaryProgress) : { waitsFor: null, until: null }),
    };
  });
}

function describe(step: CanaryStep): string {
  if (step.kind === "pause")
    return step.end === "continue" ? `pause of ${formatDuration(step.seconds)}` : "pause until it is promoted";
  const { size, durationSeconds } = step;
  const measured = durationSeconds === null ? "" : ` of ${formatDuration(durationSeconds)}`;
  if (size === null) return `analysis${measured}`;
  return `canary of ${describeSize(size)}` + (durationSeconds === null ? "" : `, analysis${measured}`);
}

const waits = {
  Replicas: "its replicas",
  Analysis: "its analysis",
  Time: "time",
  Promotion: "a person: promote or abort",
  NextStep: "the next step",
} as const satisfies Record<CanaryProgress["waitsFor"], string>;

function describeWait(progress: CanaryProgress | null): Pick<CanaryStepRow, "waitsFor" | "until"> {
  if (progress === null) return { waitsFor: waits.Replicas, until: null };
  const { waitsFor, until } = progress;
  return { waitsFor: waits[waitsFor], until: until === null ? null : formatRfc3339(until) };
}
