import * as v from "valibot";
import type { WorkloadRef } from "../domain/workload/workload.ts";
import { openObject } from "../domain/text/schema.ts";
import { validate } from "../domain/text/schema-problems.ts";
import type { PoolRef } from "../ports/node-pools.ts";

/** The input of a function does not match its schema. The message lists every problem. */
export class InputInvalid extends Error {
  override readonly name = "InputInvalid";
}

const nonEmpty = "a non-empty string";
export const nonEmptyString = v.pipe(v.string(nonEmpty), v.nonEmpty(nonEmpty));

export const workloadRef: v.GenericSchema<WorkloadRef> = openObject({
  apiVersion: nonEmptyString,
  kind: nonEmptyString,
  namespace: nonEmptyString,
  name: nonEmptyString,
  uid: nonEmptyString,
});

export const poolRef: v.GenericSchema<PoolRef> = openObject({ name: nonEmptyString, uid: nonEmptyString });

/** Throws `InputInvalid` with every problem. Unknown fields are accepted, because a newer machine may send them. */
export function assertInput(schema: v.GenericSchema, input: unknown): void {
  const validation = validate(schema, input, "input");
  if (validation.kind === "valid") return;
  throw new InputInvalid(validation.problems.map(({ reason }) => reason).join("; "));
}
