import type { PrometheusAddress } from "./address.ts";
import type { Condition } from "./condition.ts";

/** How the value of a metric is judged. At least one of them is set; see `judge`. */
export interface Criterion {
  readonly success: Condition | null;
  readonly failure: Condition | null;
  /** How many percent the value may exceed the baseline; null compares with none. */
  readonly maxIncreasePercent: number | null;
}

/** Where a metric is measured; null is the default of the deployment. */
export type ProviderAddress =
  | { readonly kind: "prometheus"; readonly address: PrometheusAddress | null }
  | { readonly kind: "cloudwatch"; readonly region: string | null };

/** A Job from the template of a suspended CronJob; whether it succeeds is the value. */
export interface JobSource {
  readonly kind: "job";
  readonly timeoutSeconds: number;
  /** Whether containers with an image of the repository that is updated run the new image. */
  readonly usesNewImage: boolean;
}

export interface MetricSpec {
  /** `[a-z0-9-]`, at most 40 characters, unique in the analysis. */
  readonly name: string;
  readonly provider: ProviderAddress | JobSource;
  /**
   * PromQL, a JSON list of `MetricDataQuery`, or the name of a CronJob; may contain `{{args.…}}` until `bindArgs` has replaced them.
   */
  readonly query: string;
  /** The same query about the stable pods; null if the metric has no comparison. */
  readonly baselineQuery: string | null;
  /** The period of a value of CloudWatch; a value of a period that began before the run does not count. null if each value counts. */
  readonly periodSeconds: number | null;
  readonly criterion: Criterion;
  /** Successes and failures until the metric is done; null continues until `consecutiveSuccesses` are reached. */
  readonly count: number | null;
  /** Successes in a row with which the metric passes; null if they do not matter. Never null if `count` is null. */
  readonly consecutiveSuccesses: number | null;
  /** Failures that are allowed. Always less than `count`, so that no metric passes without a success. */
  readonly failureLimit: number;
  /** Inconclusive measurements that are allowed. */
  readonly inconclusiveLimit: number;
  /** Errors in a row that are allowed; null if only their time is limited. */
  readonly consecutiveErrorLimit: number | null;
  /** Measured and shown, without influence on the verdict. */
  readonly dryRun: boolean;
}

export interface AnalysisSpec {
  readonly kind: "analysis";
  readonly intervalSeconds: number;
  /** From the start of the run to its first measurement, or longer if a metric has a period. */
  readonly initialDelaySeconds: number;
  /** From the start of the run, which then ends as inconclusive. */
  readonly deadlineSeconds: number;
  /** How long a metric may return no data before the run ends as an error. */
  readonly noDataTimeoutSeconds: number;
  /** At most ten, and not all of them dry runs. */
  readonly metrics: readonly MetricSpec[];
}
