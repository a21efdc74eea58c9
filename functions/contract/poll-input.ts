import * as v from "valibot";
import type { Resolution } from "../domain/node-pool/target.ts";
import { parseRfc3339 } from "../domain/text/rfc3339.ts";
import { openObject, recordOf, wholeNumber } from "../domain/text/schema.ts";
import { backOffReasons } from "../domain/workload/back-off-reason.ts";
import type { HoldReason } from "../domain/workload/decision.ts";
import { type Check, type CheckDecision, maxChecks } from "../ports/check-recorder.ts";
import { maxParts, type PollContinuation, shardKeyLimit } from "../ports/poll-continuation.ts";
import type { RecordPoolInput } from "../ports/pool-check-recorder.ts";
import { assertInput, nonEmptyString, poolRef, workloadRef } from "./validate.ts";

const shardKey = wholeNumber(0, shardKeyLimit);
const time = "a time in RFC 3339";

const continuation: v.GenericSchema<PollContinuation> = openObject({
  seed: nonEmptyString,
  cursor: shardKey,
  laggingRegistries: recordOf(v.string(), shardKey),
  startedAt: v.pipe(
    v.string(time),
    v.check((text) => parseRfc3339(text) !== null, time),
  ),
  part: wholeNumber(1, maxParts),
});

/**
 * Input of the function `poll`. A schedule sends only the cluster, a poll itself the continuation, and EventBridge everything else
 * after a push to an ECR repository.
 */
export const pollInput = openObject({
  cluster: nonEmptyString,
  repository: v.nullish(nonEmptyString),
  /** The account of the ECR registry: twelve digits. */
  registry: v.nullish(nonEmptyString),
  region: v.nullish(nonEmptyString),
  /** Only logged: tags come from the registry's list. */
  tag: v.nullish(nonEmptyString),
  continuation: v.nullish(continuation),
});

export type PollInput = Readonly<v.InferOutput<typeof pollInput>>;

const digests = recordOf(v.string(), v.string());

const config = openObject({
  salt: v.exactOptional(nonEmptyString),
  deployed: v.exactOptional(digests),
  versions: v.exactOptional(digests),
});

const decisions = {
  hold: openObject({
    kind: v.literal("hold"),
    // Only logged and counted, so a newer poll may send a reason that this version does not know.
    reason: nonEmptyString as unknown as v.GenericSchema<HoldReason>,
    detail: nonEmptyString,
    version: v.nullable(nonEmptyString),
    image: v.nullable(nonEmptyString),
    digests: v.exactOptional(
      openObject({ deployed: v.exactOptional(digests), reverted: v.exactOptional(v.nullable(digests)) }),
    ),
    config: v.exactOptional(config),
    ended: v.exactOptional(
      openObject({
        targetImage: nonEmptyString,
        reason: v.picklist(backOffReasons),
        message: v.string(),
        execution: v.nullable(nonEmptyString),
      }),
    ),
  }),
  problem: openObject({ kind: v.literal("problem"), problems: v.array(v.string()) }),
  update: openObject({
    kind: v.literal("update"),
    version: nonEmptyString,
    image: nonEmptyString,
    release: v.exactOptional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  }),
  request: openObject({
    kind: v.literal("request"),
    verb: v.string(),
    argument: v.nullable(nonEmptyString),
    token: nonEmptyString,
  }),
} satisfies { [Kind in CheckDecision["kind"]]: v.GenericSchema<Extract<CheckDecision, { readonly kind: Kind }>> };

const check: v.GenericSchema<Check> = openObject({
  workload: workloadRef,
  resourceVersion: nonEmptyString,
  recordVersion: v.nullable(nonEmptyString),
  decision: v.variant("kind", [decisions.hold, decisions.problem, decisions.update, decisions.request]),
});

/** Input of the function `record-check`, without what each check contains. */
export const checkInput = openObject({
  cluster: nonEmptyString,
  checks: v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(maxChecks)),
});

/** Throws `InputInvalid` with every problem of one check. Separate from the others, which are valid. */
export function assertCheck(input: unknown): asserts input is Check {
  assertInput(check, input);
}

const resolution: v.GenericSchema<Resolution> = v.variant("kind", [
  openObject({ kind: v.literal("resolved"), ref: nonEmptyString, digest: nonEmptyString }),
  openObject({ kind: v.literal("failed"), ref: nonEmptyString, reason: nonEmptyString }),
]);

/** Input of the function `record-pool`. */
export const poolCheckInput: v.GenericSchema<RecordPoolInput> = openObject({
  cluster: nonEmptyString,
  pool: poolRef,
  resolution: v.nullable(resolution),
});
