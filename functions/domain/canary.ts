import { assessReadiness, type Readiness } from "./readiness.ts";
import type { InFlight, Policy, Workload } from "./workload.ts";

export type CanaryVerdict = Readiness | { readonly kind: "promoted" };

/** Whether the canary stands. A person's word comes before anything that was measured. */
export function assessCanary(workload: Workload, inFlight: InFlight, now: Date): CanaryVerdict {
  const { verdict, policy, canary } = workload;
  if (verdict === "abort") return { kind: "expired", reason: "aborted by hand" };
  if (verdict === "promote") return { kind: "promoted" };
  return assessReadiness(canary, inFlight, policy, now);
}

/** What is known of a canary without measuring it: what was done with it before, and what people say; null measures it. */
export function knownVerdict(
  { verdict, policy }: Workload,
  { phase }: InFlight,
): { readonly kind: "pass" | "fail"; readonly reason: string } | null {
  if (phase === "rollback") return { kind: "fail", reason: "its rollback was interrupted" };
  if (phase !== "canary") return { kind: "pass", reason: "promoted before" };
  if (!policy.enabled) return { kind: "fail", reason: "auto-update was switched off" };
  if (verdict === "abort") return { kind: "fail", reason: "aborted by hand" };
  return verdict === "promote" ? { kind: "pass", reason: "promoted by hand" } : null;
}

/** What a workload has to say about itself before an update of it may begin with a canary. */
export function strategyOf({ canary }: Policy): "canary" | "rolling" {
  return canary === null ? "rolling" : "canary";
}
