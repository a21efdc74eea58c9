import * as v from "valibot";
import { closedObject, durationSeconds, text } from "../../text/schema.ts";
import { above, type Criterion } from "../condition.ts";
import type { Provider } from "./provider.ts";

const defaultTimeout = "10m";
const daySeconds = 86_400;

/** What a hook and a metric say of the Job that is created for them. */
export const jobFields = {
  /** Of a CronJob: 52 characters, because the names of its Jobs are longer. */
  name: text(/^[a-z0-9]([a-z0-9.-]{0,50}[a-z0-9])?$/, "the name of a CronJob"),
  timeout: v.nullish(durationSeconds(1, daySeconds), defaultTimeout),
  useNewImage: v.nullish(v.boolean(), false),
};

/** A Job from the template of a suspended CronJob, whose name is the query; whether it succeeds is the value. */
export interface JobSource {
  readonly kind: "job";
  readonly timeoutSeconds: number;
  /** Whether containers with an image of the repository that is updated run the new image. */
  readonly usesNewImage: boolean;
}

/** Its exit code is the verdict. */
const criterion: Criterion = { success: null, failure: { ...above(0), text: "the Job failed" }, comparison: null };

export const job = {
  field: "job",
  schema: v.pipe(
    closedObject(jobFields),
    v.transform(({ name, timeout: timeoutSeconds, useNewImage: usesNewImage }) => ({
      provider: { kind: "job", timeoutSeconds, usesNewImage } as JobSource,
      query: name,
      periodSeconds: null,
      arrivalSeconds: 0,
    })),
  ),
  verdict: { criterion, count: 1, reason: "has a job, whose exit code is the verdict; remove all conditions" },
} as const satisfies Provider;
