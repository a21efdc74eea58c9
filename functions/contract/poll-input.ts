import * as v from "valibot";
import type { FoundGate } from "../domain/gates/closed-gate.ts";
import type { Resolution } from "../domain/node-pool/pool/target.ts";
import { openObject, recordOf } from "../domain/text/schema.ts";
import { backOffReasons } from "../domain/workload/update/back-off-reason.ts";
import type { HoldReason } from "../domain/workload/decision/decision.ts";
import { type Check, type CheckDecision, maxChecks } from "../ports/check-recorder.ts";
import { type DigestReport, maxHeldWorkloads } from "../domain/notification/daily-digest.ts";
import type { LeaseInput } from "../ports/poll-lease.ts";
import type { RecordPoolInput } from "../ports/pool-check-recorder.ts";
import { fanOutState, pollSelection } from "./poll-fanout.ts";
import { targetInput } from "./target.ts";
import { assertInput, nonEmptyString, poolRef, workloadRef } from "./validate.ts";
import type { ProblemCode } from "../domain/workload/policy/problem.ts";

/**
 * Input of the function `poll`. A schedule sends only the cluster, `listing` is the state of the machine `poll-fanout`, whose list the
 * function continues.
 */
export const pollInput = openObject({ cluster: nonEmptyString, ...pollSelection, listing: v.nullish(fanOutState) });

export type PollInput = Readonly<v.InferOutput<typeof pollInput>>;

/** What invokes the function `poll`: a schedule, or Lambda with messages of SQS, each of one push. */
export type PollEvent = PollInput | { readonly Records: readonly { readonly body: string }[] };

/** Returns the input of an event: each repository once. Throws `SyntaxError` if a message is not JSON. */
export function toPollInput(event: PollEvent): PollInput {
  if (!("Records" in event)) return event;
  const bodies = [...new Set(event.Records.map(({ body }) => body))];
  const messages = bodies.map((body) => JSON.parse(body) as PollInput);
  return { cluster: messages[0]?.cluster ?? "", pushes: messages.flatMap(({ pushes }) => pushes ?? []) };
}

const digests = recordOf(v.string(), v.string());

const config = openObject({
  salt: v.exactOptional(nonEmptyString),
  deployed: v.exactOptional(digests),
  versions: v.exactOptional(digests),
});

const candidates = v.array(
  openObject({
    version: nonEmptyString,
    digest: nonEmptyString,
    since: nonEmptyString,
    moves: v.exactOptional(v.number()),
    approvals: v.exactOptional(
      v.array(
        openObject({
          user: nonEmptyString,
          verdict: v.picklist(["approve", "reject"]),
          at: nonEmptyString,
          message: v.string(),
        }),
      ),
    ),
  }),
);

const hold = openObject({
  kind: v.literal("hold"),
  // A newer poll may send a reason that this version does not know.
  reason: nonEmptyString as unknown as v.GenericSchema<HoldReason>,
  detail: nonEmptyString,
  target: v.nullable(targetInput),
  available: v.exactOptional(nonEmptyString),
  digests: v.exactOptional(
    openObject({ deployed: v.exactOptional(digests), reverted: v.exactOptional(v.nullable(digests)) }),
  ),
  candidates: v.exactOptional(candidates),
  config: v.exactOptional(config),
  ended: v.exactOptional(
    openObject({
      target: targetInput,
      reason: v.picklist(backOffReasons),
      message: v.string(),
      execution: v.nullable(nonEmptyString),
    }),
  ),
});

const decisions = {
  hold,
  problem: openObject({
    kind: v.literal("problem"),
    problems: v.array(
      openObject({
        field: v.nullable(v.string()),
        code: nonEmptyString as unknown as v.GenericSchema<ProblemCode>,
        text: v.string(),
      }),
    ),
    held: v.exactOptional(hold),
  }),
  update: openObject({
    kind: v.literal("update"),
    target: targetInput,
    available: v.exactOptional(nonEmptyString),
    candidates: v.exactOptional(candidates),
    config: v.exactOptional(config),
  }),
  request: openObject({
    kind: v.literal("request"),
    verb: v.string(),
    argument: v.nullable(nonEmptyString),
    token: nonEmptyString,
    refusal: v.exactOptional(nonEmptyString),
  }),
} satisfies { [Kind in CheckDecision["kind"]]: v.GenericSchema<Extract<CheckDecision, { readonly kind: Kind }>> };

const check: v.GenericSchema<Check> = openObject({
  workload: workloadRef,
  resourceVersion: nonEmptyString,
  recordVersion: v.nullable(nonEmptyString),
  decision: v.variant("kind", [decisions.hold, decisions.problem, decisions.update, decisions.request]),
});

/** As many as a deployment has targets. */
const maxDigests = 150;

const digest: v.GenericSchema<DigestReport> = openObject({
  target: nonEmptyString,
  date: nonEmptyString,
  held: v.pipe(
    v.array(
      openObject({
        kind: nonEmptyString,
        namespace: nonEmptyString,
        name: nonEmptyString,
        version: v.nullable(nonEmptyString),
        since: v.nullable(nonEmptyString),
        gates: v.array(v.string()),
      }),
    ),
    v.maxLength(maxHeldWorkloads),
  ),
  more: v.number(),
});

const leaseInput: v.GenericSchema<LeaseInput> = openObject({
  cluster: nonEmptyString,
  lease: v.variant("verb", [
    openObject({ verb: v.picklist(["acquire", "release"]), poll: nonEmptyString }),
    openObject({ verb: v.literal("send"), digests: v.pipe(v.array(digest), v.maxLength(maxDigests)) }),
  ]),
});

const checksInput = openObject({
  cluster: nonEmptyString,
  checks: v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(maxChecks)),
});

/** Input of the function `record-check`, without what each check contains. */
export const checkInput = v.lazy((input): v.GenericSchema =>
  typeof input === "object" && input !== null && "lease" in input ? leaseInput : checksInput,
);

/** Throws `InputInvalid` with every problem of one check. Separate from the others, which are valid. */
export function assertCheck(input: unknown): asserts input is Check {
  assertInput(check, input);
}

const resolution: v.GenericSchema<Resolution> = v.variant("kind", [
  openObject({
    kind: v.literal("resolved"),
    ref: nonEmptyString,
    digest: nonEmptyString,
    pushedAt: v.exactOptional(nonEmptyString),
  }),
  openObject({ kind: v.literal("failed"), ref: nonEmptyString, reason: nonEmptyString }),
]);

const gate: v.GenericSchema<FoundGate> = openObject({
  name: nonEmptyString,
  reason: nonEmptyString,
  message: v.string(),
  until: v.exactOptional(nonEmptyString),
  liftedBy: v.exactOptional(nonEmptyString),
});

/** Input of the function `record-pool`. */
export const poolCheckInput: v.GenericSchema<RecordPoolInput> = openObject({
  cluster: nonEmptyString,
  pool: poolRef,
  resolution: v.nullable(resolution),
  gates: v.exactOptional(v.array(gate)),
});
