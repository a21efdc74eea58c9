import type { PrometheusAddress } from "./address.ts";
import type { Condition } from "./condition.ts";

/** How the value of a metric is judged. At least one of both is there; see `judge`. */
export interface Criterion {
  readonly success: Condition | null;
  readonly failure: Condition | null;
}

export interface MetricSpec {
  /** `[a-z0-9-]`, at most 40 characters; no other metric of the analysis has it. */
  readonly name: string;
  /** PromQL; may hold `{{args.…}}` until `bindArgs` has replaced them. */
  readonly query: string;
  readonly criterion: Criterion;
  /** Measurements that pass or fail until the metric is done; null goes on until `consecutiveSuccesses` are reached. */
  readonly count: number | null;
  /** Passes in a row that end the metric as passed; null where they do not matter. Never null beside a null `count`. */
  readonly consecutiveSuccesses: number | null;
  /** So many failures are still allowed. Always less than `count`, so that nothing passes without a pass. */
  readonly failureLimit: number;
  /** So many inconclusive measurements are still allowed. */
  readonly inconclusiveLimit: number;
  /** So many errors in a row are still allowed. */
  readonly consecutiveErrorLimit: number;
  /** Measured and shown, and never decides. */
  readonly dryRun: boolean;
}

export interface AnalysisSpec {
  readonly kind: "analysis";
  /** null is the one that the deployment is configured with. */
  readonly prometheus: PrometheusAddress | null;
  readonly intervalSeconds: number;
  /** From the start of the run to its first measurement. */
  readonly initialDelaySeconds: number;
  /** From the start of the run; then it ends as inconclusive. */
  readonly deadlineSeconds: number;
  /** At most ten, and not all of them dry runs. */
  readonly metrics: readonly MetricSpec[];
}
