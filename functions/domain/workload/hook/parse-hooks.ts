import * as v from "valibot";
import { durationSeconds } from "../../analysis/parse-analysis.ts";
import { closedObject, text } from "../../text/schema.ts";
import { type Validation, validate } from "../../text/schema-problems.ts";
import { type Hooks, noHooks } from "./hook.ts";

const defaultTimeout = "10m";
const daySeconds = 86_400;

/** Of a CronJob: 52 characters, because the names of its Jobs are longer. */
const jobName = text(/^[a-z0-9]([a-z0-9.-]{0,50}[a-z0-9])?$/, "the name of a CronJob");

const common = {
  job: jobName,
  timeout: v.nullish(durationSeconds(1, daySeconds), defaultTimeout),
  useNewImage: v.nullish(v.boolean(), false),
};

const pre = v.pipe(
  closedObject(common),
  v.transform(({ job, timeout: timeoutSeconds, useNewImage: usesNewImage }) => {
    return { job, timeoutSeconds, usesNewImage, rollsBack: false };
  }),
);

const post = v.pipe(
  closedObject({ ...common, onFailure: v.nullish(v.picklist(["record", "rollback"]), "record") }),
  v.transform(({ job, timeout: timeoutSeconds, useNewImage: usesNewImage, onFailure }) => {
    return { job, timeoutSeconds, usesNewImage, rollsBack: onFailure === "rollback" };
  }),
);

const schema = closedObject({ pre: v.nullish(pre, null), post: v.nullish(post, null) });

/** Parses the hooks of a policy, as read from YAML or JSON. Returns every problem at once, each with the path of its field. */
function parseHooks(input: unknown): Validation<Hooks> {
  return validate(schema, input, "hooks");
}

/** Reads the hooks of a policy. An update must not start without one that its owner asked for: what is invalid is among the problems. */
export function readHooks(written: unknown, field: string, problems: string[]): Hooks {
  const parsed = written === undefined ? null : parseHooks(written);
  if (parsed?.kind === "invalid") problems.push(`${field}: ${parsed.problems.map(({ reason }) => reason).join("; ")}`);
  return parsed?.kind === "valid" ? parsed.value : noHooks;
}
