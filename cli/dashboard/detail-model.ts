import type { StateName } from "../../functions/domain/state/state.ts";

/** What the page of one workload and the next poll show besides `model.ts`. Times are RFC3339 in UTC. */

/** One step of a canary. */
export interface CanaryStepRow {
  readonly number: number;
  /** `canary of 25%`, `analysis of 10m`, `pause of 2m`, `pause until promoted`. */
  readonly what: string;
  /** Of the canary while the step lasts; null if the workload says no number of replicas. */
  readonly replicas: number | null;
  readonly state: "done" | "active" | "next";
  /** What the active step waits for; null if it is another one. */
  readonly waitsFor: string | null;
  /** When its pause ends; null if it has none or is not active. */
  readonly until: string | null;
}

/** A pod of any revision of a workload. */
export interface PodRow {
  readonly pod: string;
  /** The hash of its template. */
  readonly revision: string;
  readonly image: string;
  readonly state: "Ready" | "Not ready" | "Terminating";
  /** Why it is not ready; null if it is. */
  readonly cause: string | null;
  readonly restarts: number;
  readonly createdAt: string | null;
  readonly node: string | null;
}

/** How a metric is judged. */
export interface CriterionRow {
  readonly metric: string;
  /** Texts for people: `passes if result < 0.01`. */
  readonly conditions: readonly string[];
  /** The numbers in them. */
  readonly thresholds: readonly number[];
}

/** A test that compares the canary with the stable pods over the run. What the analysis says is null if it is invalid or may not be read. */
export interface TestRow {
  readonly metric: string;
  readonly canary: SampleRow;
  readonly stable: SampleRow;
  /** How far the canary may be from the stable pods: `+20%`. */
  readonly margin: string;
  /** The value of the canary that the margin allows. */
  readonly limit: number | null;
  /** At most this is the probability of such a run, at any of its checks, if the margin holds. */
  readonly p: number;
  /** The run fails at this p, or below. */
  readonly failsAt: number | null;
  /** Of each side, before anything is concluded. */
  readonly minSamples: number | null;
}

/** Errors of requests, or samples and their sum. */
interface SampleRow {
  readonly sum: number;
  readonly n: number;
  /** Contains the error rate of 95 % of such samples; null of anything but a share of requests. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** One setting, and where its value is written. */
export interface PolicySetting {
  readonly name: string;
  readonly value: string;
  /** `pawl.dev/schedule`, `spec.policy.schedule`, `default`. */
  readonly from: string;
}

/** The difference between two pod templates as a unified diff; empty if there is none. */
export interface DiffDocument {
  readonly text: string;
}

/** What the next poll would do to one workload, and with which tags. */
export interface NextPollDocument {
  readonly state: StateName;
  readonly reason: string;
  readonly message: string;
  readonly candidate: string | null;
  readonly nextDue: string | null;
  /** null if its tags are not tracked, or the registry failed. */
  readonly tags: readonly { readonly tag: string; readonly reason: string | null }[] | null;
  readonly hiddenTags: readonly { readonly reason: string; readonly count: number }[];
}

/** What a dry run saw of one registry. */
export interface RegistryRow {
  readonly host: string;
  /** How many questions it was asked: tag lists and digests. */
  readonly asked: number;
  readonly failed: number;
  /** `76 of 100 pulls left`; null if it reported none. */
  readonly rateLimit: string | null;
  /** When it may be asked again; null if it limits nothing now. */
  readonly retryAt: string | null;
  readonly lastError: string | null;
}
