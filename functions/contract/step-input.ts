import { liftTarget } from "../domain/workload/target/previous-release.ts";
import type { VerificationOutcome } from "../domain/signature/outcome.ts";
import { targetKey } from "../domain/workload/target/target.ts";
import type { TaskEvent, TaskInput, TaskName, UpdateInput } from "./workload-update.ts";

/** What the version before this one starts an execution with: its target is an image. */
interface PreviousInput extends Omit<UpdateInput, "target"> {
  readonly target?: UpdateInput["target"];
  readonly image?: string;
}

/** Returns the input of a Task. An execution may have been started by the version before this one. What is no object stays, for the validation. */
export function toTaskInput<Name extends TaskName>(event: TaskEvent<Name>): TaskInput<Name> {
  if (typeof event !== "object" || event === null || Array.isArray(event)) return event as unknown as TaskInput<Name>;
  const { input, ...own } = event;
  const read = withoutVerification(readInput(input ?? (own as unknown as PreviousInput)));
  return withVerifiedDigest({ ...read, ...own } as unknown as TaskInput<Name>);
}

/** Only the machine says what was verified. */
function withoutVerification(input: (PreviousInput & Partial<Verified>) | undefined): PreviousInput | undefined {
  if (input === undefined) return undefined;
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

function readInput(input: PreviousInput | undefined): PreviousInput | undefined {
  if (input?.target !== undefined || input?.image === undefined) return input;
  const { image, ...rest } = input;
  const isRestart = rest.strategy === "restart";
  return { ...rest, target: liftTarget(image, isRestart, rest.strategy === "release" ? 0 : undefined) };
}

/** Adds the target as machines of the version before this one read it: a gradual deployment still starts these. */
export function withImage(input: UpdateInput): UpdateInput {
  return { ...input, image: targetKey(input.target) } as UpdateInput;
}
