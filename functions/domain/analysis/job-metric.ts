import * as v from "valibot";
import { closedObject, durationSeconds, text } from "../text/schema.ts";
import { above } from "./condition.ts";
import type { Criterion, JobSource, MetricSpec } from "./spec.ts";

const defaultTimeout = "10m";
const daySeconds = 86_400;

/** What a hook and a metric say of the Job that is created for them. */
export const jobFields = {
  /** Of a CronJob: 52 characters, because the names of its Jobs are longer. */
  name: text(/^[a-z0-9]([a-z0-9.-]{0,50}[a-z0-9])?$/, "the name of a CronJob"),
  timeout: v.nullish(durationSeconds(1, daySeconds), defaultTimeout),
  useNewImage: v.nullish(v.boolean(), false),
};

export const jobMetric = closedObject(jobFields);

type WrittenJob = v.InferOutput<typeof jobMetric>;

/** Returns where a Job measures. */
export function jobSource({ timeout: timeoutSeconds, useNewImage: usesNewImage }: WrittenJob): JobSource {
  return { kind: "job", timeoutSeconds, usesNewImage };
}

/** The value of a Job that failed; that of one that succeeded is 0. */
export const failedJob = 1;

/** Returns how long one measurement may take. */
export function jobSeconds({ provider }: Pick<MetricSpec, "provider">): number {
  return provider.kind === "job" ? provider.timeoutSeconds : 0;
}

/** How long after its end a Job is checked, at most. */
const checkSeconds = 60;

/** Returns after what time one measurement is known. */
export function knownSeconds(metric: Pick<MetricSpec, "provider">): number {
  return metric.provider.kind === "job" ? jobSeconds(metric) + checkSeconds : 0;
}

/** Its exit code is the verdict. */
export const jobCriterion: Criterion = {
  success: null,
  failure: { ...above(0), text: "the Job failed" },
  maxIncreasePercent: null,
};
