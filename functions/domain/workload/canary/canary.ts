import { assessReadiness, type Readiness } from "../readiness.ts";
import type { InFlight, Policy, Workload } from "../workload.ts";
import { canaryUnavailableReason } from "./size.ts";

type CanaryVerdict = Readiness | { readonly kind: "promoted" };

/**
 * Assesses whether a canary is ready for the first time. A person's verdict takes precedence. Once its analysis has
 * begun, it was ready, and `assessHealth` applies.
 */
export function assessCanary(workload: Workload, inFlight: InFlight, now: Date): CanaryVerdict {
  const { verdict, policy, canary, analysis } = workload;
  if (verdict === "abort") return { kind: "expired", reason: "aborted manually" };
  if (verdict === "promote") return { kind: "promoted" };
  const isJudged = policy.enabled && inFlight.startedAt !== "malformed";
  if (analysis !== null && isJudged) return { kind: "ready" };
  return assessReadiness(canary?.desiredReplicas === 0 ? null : canary, workload, inFlight, now);
}

/**
 * Returns the verdict that needs no measurement, from the phase or from a person; null if the canary must be measured.
 */
export function knownVerdict(
  { verdict, policy }: Workload,
  { phase }: InFlight,
): { readonly kind: "pass" | "fail"; readonly reason: string } | null {
  if (phase === "rollback") return { kind: "fail", reason: "the rollback was interrupted" };
  if (phase !== "canary") return { kind: "pass", reason: "already promoted" };
  if (!policy.enabled) return { kind: "fail", reason: "auto-update was disabled" };
  if (verdict === "abort") return { kind: "fail", reason: "aborted manually" };
  return verdict === "promote" ? { kind: "pass", reason: "promoted manually" } : null;
}

/** Returns the strategy of an update by its policy. */
export function strategyOf({ canary }: Policy): "canary" | "rolling" {
  return canary === null ? "rolling" : "canary";
}

/** Returns why the replicas allow no canary. A workload without a source reports that among its own problems. */
export function canaryProblems({ policy, rollout, source }: Workload): readonly string[] {
  const reason =
    policy.canary === null || rollout === null || source === null
      ? null
      : canaryUnavailableReason(policy.canary, rollout);
  return reason === null ? [] : [`pawl.dev/canary: ${reason}`];
}
