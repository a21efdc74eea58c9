import type { Criterion } from "./condition.ts";
import type { JobSource } from "./providers/job.ts";
import type { QueryKind } from "./providers/providers.ts";

/** Where a metric is queried; null is the default of the deployment. */
export interface QuerySource {
  readonly kind: QueryKind;
  readonly address: string | null;
}

/** A query about the canary, and about the stable pods. */
interface ComparedQueries {
  readonly query: string;
  readonly baselineQuery: string | null;
}

export interface MetricSpec extends ComparedQueries {
  /** `[a-z0-9-]`, at most 40 characters, unique in the analysis. */
  readonly name: string;
  readonly provider: QuerySource | JobSource;
  /** As its provider has made it of the metric's field; may contain `{{args.…}}` until `bindArgs` has replaced them. */
  readonly query: string;
  /** The same query about the stable pods; null if the metric has no comparison. */
  readonly baselineQuery: string | null;
  /** What the values of both queries are divided by; null if they are not counts. */
  readonly denominator: ComparedQueries | null;
  /** The period of a value of CloudWatch; a value of a period that began before the run does not count. null if each value counts. */
  readonly periodSeconds: number | null;
  /** How late data points of a period arrive: it is evaluated this long after its end. 0 for others. */
  readonly arrivalSeconds: number;
  /** How far a query of Prometheus looks back; 0 for others. */
  readonly rangeSeconds: number;
  /** How long after the start of a canary it is first measured at the earliest: its pods are fresh. 0 without fresh pods. */
  readonly warmUpSeconds: number;
  /** Whether it may be measured before its range has passed again: what happened once counts twice then. */
  readonly overlaps: boolean;
  readonly criterion: Criterion;
  /** Successes and failures until the metric is done; null continues until `consecutiveSuccesses` are reached. */
  readonly count: number | null;
  /** Successes in a row with which the metric passes; null if they do not matter. Never null if `count` is null. */
  readonly consecutiveSuccesses: number | null;
  /** Failures that are allowed. Always less than `count`, so that no metric passes without a success. */
  readonly failureLimit: number;
  /** The number of last measurements among which failures count, however long the run is; null counts all. */
  readonly failureWindow: number | null;
  /** Inconclusive measurements that are allowed. */
  readonly inconclusiveLimit: number;
  /** Errors in a row that are allowed; null if only their time is limited. */
  readonly consecutiveErrorLimit: number | null;
  /** Those of its own analysis, if several are joined; absent: those of the whole. */
  readonly timing?: Pick<AnalysisSpec, "intervalSeconds" | "initialDelaySeconds">;
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
