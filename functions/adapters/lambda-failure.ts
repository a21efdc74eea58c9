import { Conflict, Forbidden, Throttled, Unreachable } from "./errors.ts";

/** The function that records checks failed for a reason that asking again does not mend. */
class RecordCheckFailed extends Error {
  override readonly name = "RecordCheckFailed";
}

/** A function that was cut off: nothing is known of what it had done by then. */
const cutOff = /^(Sandbox\.|Runtime\.)|timed out after/;

/** The error that a function ended in, by the name that it has where it was thrown; `answer` is what Lambda makes of it. */
export function lambdaFailure(functionName: string, answer: unknown): Error {
  const fields: Readonly<Record<string, unknown>> = typeof answer === "object" && answer !== null ? { ...answer } : {};
  const errorType = textOf(fields["errorType"]);
  const errorMessage = textOf(fields["errorMessage"]);
  const message = `${functionName}: ${[errorType, errorMessage].filter((part) => part !== "").join(": ")}`;
  if (errorType === "Conflict") return new Conflict(message);
  if (errorType === "Throttled") return new Throttled(message, null);
  if (errorType === "Unreachable" || cutOff.test(errorType) || cutOff.test(errorMessage)) {
    return new Unreachable(message);
  }
  return errorType === "Forbidden" ? new Forbidden(message) : new RecordCheckFailed(message);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
