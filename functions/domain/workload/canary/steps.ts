import * as v from "valibot";
import { closedObject, crossCheck, durationSeconds, parsedBy, recordOf } from "../../text/schema.ts";
import { type Validation, validate } from "../../text/schema-problems.ts";
import type { CanaryStep } from "./canary-step.ts";
import { parseCanarySize } from "./size.ts";

const maxSteps = 30;
const indexes = Array.from({ length: maxSteps }, (_, index) => index);
const daySeconds = 86_400;
const maxPauseSeconds = 7 * daySeconds;
/** Of a pause for a person. */
const defaultPauseSeconds = daySeconds;

const size = v.pipe(
  v.union([v.string(), v.number()], "a number of replicas or a percentage"),
  v.transform((given) => `${given}`),
  parsedBy((text) => {
    const parsed = parseCanarySize(text);
    return "kind" in parsed ? parsed : { kind: "size" as const, size: parsed };
  }),
  v.transform((parsed) => parsed.size),
);

const pause = v.pipe(
  closedObject({
    duration: v.nullish(durationSeconds(1, maxPauseSeconds), null),
    withdrawAfter: v.nullish(durationSeconds(1, maxPauseSeconds), null),
  }),
  crossCheck(["duration", "withdrawAfter"], ({ duration, withdrawAfter }) =>
    duration === null || withdrawAfter === null
      ? []
      : [{ path: ["withdrawAfter"], reason: "has no effect on a pause with a duration, which continues by itself" }],
  ),
);

/** Its name, or itself. */
const oneAnalysis = v.union([v.string(), recordOf(v.string(), v.unknown())], "the name of an analysis, or an analysis");
const analysisForms = "the name of an analysis, an analysis, or a list of these";

const step = v.pipe(
  closedObject({
    size: v.nullish(size, null),
    analysis: v.nullish(
      v.pipe(
        v.union([oneAnalysis, v.array(oneAnalysis)], analysisForms),
        v.transform((given) => (typeof given === "string" ? given.trim() : JSON.stringify(given))),
        v.nonEmpty(analysisForms),
      ),
      null,
    ),
    duration: v.nullish(durationSeconds(1, daySeconds), null),
    pause: v.nullish(pause, null),
  }),
  crossCheck(["size", "analysis", "duration", "pause"], (written) => {
    if (written.size === null && written.analysis === null && written.pause === null)
      return [{ path: [], reason: "does nothing; use size, analysis or pause" }];
    if (written.duration === null || written.analysis !== null) return [];
    return [{ path: ["duration"], reason: "is that of an analysis; use pause: {duration: …} to wait" }];
  }),
);

type WrittenStep = v.InferOutput<typeof step>;

const schema = v.pipe(
  v.array(step, `a list of 1 to ${maxSteps} steps`),
  v.minLength(1),
  v.maxLength(maxSteps),
  crossCheck(indexes, (steps) => {
    const missing = { path: [0, "size"], reason: "is missing; the first step starts the canary, so it needs a size" };
    return [...(steps[0]?.size === null ? [missing] : []), ...shrinkingSizes(steps)];
  }),
  v.transform((steps) => steps.flatMap(toSteps)),
);

/** Parses the steps of a canary, as read from YAML or JSON. Returns every problem at once, each with the path of its field. */
export function parseCanarySteps(input: unknown): Validation<readonly CanaryStep[]> {
  return validate(schema, input, "steps");
}

/** A StatefulSet would not take an updated pod back. Sizes of two units are compared only with the replicas. */
function shrinkingSizes(steps: readonly WrittenStep[]) {
  const sizes = steps.flatMap((one, index) => (one.size === null ? [] : [{ ...one.size, index }]));
  return sizes.flatMap(({ unit, amount, index }, position) => {
    const before = sizes.slice(0, position).findLast((one) => one.unit === unit);
    if (before === undefined || amount > before.amount) return [];
    return [{ path: [index, "size"], reason: `must be more than that of step ${before.index + 1}` }];
  });
}

function toSteps({ pause: paused, duration, size: wanted, analysis }: WrittenStep): readonly CanaryStep[] {
  const replicas = { kind: "replicas", size: wanted, analysis, durationSeconds: duration } as const;
  const isPauseOnly = wanted === null && analysis === null;
  return [...(isPauseOnly ? [] : [replicas]), ...(paused === null ? [] : [toPause(paused)])];
}

function toPause({ duration, withdrawAfter }: NonNullable<WrittenStep["pause"]>): CanaryStep {
  return duration === null
    ? { kind: "pause", seconds: withdrawAfter ?? defaultPauseSeconds, end: "withdraw" }
    : { kind: "pause", seconds: duration, end: "continue" };
}
