import type { VerificationOutcome } from "../domain/signature/outcome.ts";
import type { TaskEvent, TaskInput, TaskName, UpdateInput } from "./workload-update.ts";

/** Returns the input of a Task. What is no object stays, for the validation. */
export function toTaskInput<Name extends TaskName>(event: TaskEvent<Name>): TaskInput<Name> {
  if (typeof event !== "object" || event === null || Array.isArray(event)) return event as unknown as TaskInput<Name>;
  const { input, ...own } = event;
  const read = withoutVerification(input ?? (own as unknown as UpdateInput));
  return withVerifiedDigest({ ...read, ...own });
}

/** Only the machine says what was verified. */
function withoutVerification(input: UpdateInput & Partial<Verified>): UpdateInput {
  const { verification: _, ...rest } = input;
  return rest;
}

interface Verified {
  readonly verification: VerificationOutcome;
}

/** What was verified is what is written, also if the input names another digest. */
function withVerifiedDigest<Input extends object>(input: Input): Input {
  const { target, verification } = input as Partial<Verified & UpdateInput>;
  if (verification?.kind !== "verified" || target?.kind !== "image" || verification.digest === null) return input;
  return { ...input, target: { ...target, digest: verification.digest, pinned: true } };
}
