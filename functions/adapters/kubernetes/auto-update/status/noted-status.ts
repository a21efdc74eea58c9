import type { HealthStatus } from "./health-status.ts";

/** What was noted of the update in flight: when it was written, and by its checks. */
export interface NotedStatus {
  /** A hash of the pod template as Pawl's change left it. */
  readonly template?: string;
  /** Pods that were unavailable before the update. */
  readonly unavailableBefore?: number;
  /** Since when the controller is known to have observed `observedTemplate`: the health timeout counts from then. It begins again with each pod. */
  readonly observedAt?: string;
  readonly observedTemplate?: string;
  /** How many of `observedDesired` pods were still to be updated and available then. */
  readonly observedRemaining?: number;
  readonly observedDesired?: number;
  /** Why no health timeout counts. */
  readonly waitingReason?: string;
  /** Since when, whatever the reason was. */
  readonly waitingSince?: string;
  /** How its pods fail already. */
  readonly failing?: string;
  /** Why its execution sleeps. */
  readonly parked?: { readonly reason: string; readonly since: string; readonly jobs?: string };
  /** It is slow, which was reported. */
  readonly slow?: boolean;
  /** What its checks have seen of its pods. */
  readonly health?: HealthStatus;
  /** Since when all replicas were ready on the target. */
  readonly bakingSince?: string;
}
