import { writtenImage } from "../target/target.ts";
import { pausedSeconds } from "../../analysis/pause.ts";
import { type Evidence, withEvidence } from "../../health/evidence.ts";
import type { Failure } from "../../health/find-failure.ts";
import {
  hasFailingPods,
  missingCondition,
  nextCheckSeconds,
  type PodEvidence,
  withControl,
} from "../update/readiness.ts";
import { podDeadlineSeconds } from "../update/progress-deadline.ts";
import { ownerChange } from "./follow.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Change } from "../update/change.ts";
import type { Rollout, Workload } from "../workload.ts";
import { describeProblems } from "../policy/problem.ts";

/** The health of a canary that was ready before. */
export type CanaryHealth =
  | { readonly kind: "ready" }
  /** Nothing is measured until it is ready again. */
  | { readonly kind: "not-ready"; readonly waitSeconds: number; readonly reason: string }
  /** "withdraw": no pod of the target is there that could have failed. "unproven": its stable pods fail too. */
  | { readonly kind: "fail" | "withdraw" | "unproven"; readonly reason: string };

const problemWaitSeconds = 60;

/**
 * Assesses a canary before it is measured, and before it is promoted. It may be unready for as long as the health
 * timeout: a single restart is no failure. While a setting is invalid, nothing is concluded.
 */
export function assessHealth(
  workload: Workload,
  { target }: InFlight,
  now: Date,
  { excused = 0, failing, evidence = [], control = [] }: PodEvidence = {},
): CanaryHealth {
  const { canary, policy, problems } = workload;
  const baseline = missingBaseline(canary);
  const reason = missingCanaryCondition(canary, writtenImage(target)) ?? baseline;
  if (reason === null) return { kind: "ready" };
  const elapsedSeconds = pausedSeconds(workload.analysis, "NotReady", now);
  const timeoutSeconds = podDeadlineSeconds(policy, canary);
  const leftSeconds = timeoutSeconds - elapsedSeconds;
  if (leftSeconds >= 0)
    return { kind: "not-ready", waitSeconds: nextCheckSeconds(elapsedSeconds, leftSeconds), reason };
  if (problems.length > 0)
    return { kind: "not-ready", waitSeconds: problemWaitSeconds, reason: describeProblems(problems) };
  // Time without a baseline is not the fault of the canary. What crashes fails before.
  const isFailing = baseline === null && failing !== 0 && hasFailingPods(canary, writtenImage(target), excused);
  const kind = isFailing ? "fail" : "withdraw";
  const detail = `the canary was not ready for ${timeoutSeconds} s: ${reason}`;
  const reverted = { kind, reason: withEvidence(detail, evidence, { total: canary?.desiredReplicas }) } as const;
  return kind === "fail" ? withControl(reverted, control) : reverted;
}

/** Returns the verdict on a canary of which pods have failed by themselves, also if they are ready again. */
export function failCanary(
  health: CanaryHealth,
  { canary }: Pick<Workload, "canary">,
  { reason, evidence }: Failure,
  control: readonly Evidence[],
): CanaryHealth {
  if (health.kind !== "ready" && health.kind !== "not-ready") return health;
  const detail = withEvidence(`the canary has failed: ${reason}`, evidence, { total: canary?.desiredReplicas });
  return withControl({ kind: "fail", reason: detail }, control);
}

/** Returns why a canary is not ready on the target; null if it is. Zero ready of zero replicas are no canary. */
export function missingCanaryCondition(canary: Rollout | null, image: string): string | null {
  if (canary === null) return "the canary does not exist";
  if (canary.desiredReplicas === 0) return missingCondition(canary, image) ?? "the canary has no replicas";
  // After scaling, pods below the partition run the target too: these must be as healthy.
  const { partition, desiredReplicas, updatedReplicas } = canary;
  const judged = partition === undefined ? desiredReplicas : Math.max(desiredReplicas, updatedReplicas);
  return missingCondition({ ...canary, desiredReplicas: judged }, image);
}

/** Without all pods of its baseline, a canary is compared with nothing, or too little. */
function missingBaseline(canary: Rollout | null): string | null {
  const { desiredReplicas = 0, readyReplicas = 0 } = canary?.baseline ?? {};
  return readyReplicas < desiredReplicas ? `${readyReplicas} of ${desiredReplicas} baseline replicas available` : null;
}

/** After this time a canary that is not ready any more is assessed again. */
export const promotionRecheckSeconds = 15;

/** Returns why a canary must not be promoted yet; null if it may. A person may promote an unready one. */
export function promotionObstacle(workload: Workload, { phase, target }: InFlight): string | null {
  if (phase !== "canary" || workload.verdict === "promote") return null;
  return ownerChange(workload)?.reason ?? missingCanaryCondition(workload.canary, writtenImage(target));
}

/** Returns what a promotion does to the canary: one in a Deployment of its own serves until `isCanaryReplaced`. */
export function promotedCanary({ canary }: Pick<Workload, "canary">): Pick<Change, "canary"> {
  const isBeside = canary !== null && canary.partition === undefined && canary.sharedReplicas === undefined;
  return isBeside ? {} : { canary: null };
}

/** Reports whether the canary of a promoted update is not needed any more: all new pods are available, or none is wanted. */
export function isCanaryReplaced({ canary, rollout }: Workload, { phase, isApplied, target }: InFlight): boolean {
  if (phase !== "rollout" || isApplied === false || canary === null || rollout === null) return false;
  return rollout.desiredReplicas === 0 || missingCondition(rollout, writtenImage(target)) === null;
}
