import type { Executions } from "../ports/executions.ts";

/** A safety limit: each attempt is an execution that ended before it wrote anything. */
const maxAttempts = 50;

/** Starts an execution once. If a name belongs to an execution that ended without effect (stopped, superseded), the next is tried. */
export async function startExecutionIdempotently<Input>(
  executions: Executions<Input>,
  executionNameFor: (attempt: number) => string,
  input: Input,
  subject: string,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if ((await executions.start(executionNameFor(attempt), input)) === "started") return;
  }
  throw new Error(
    `${maxAttempts} executions of ${subject} ended without writing to it; see why they were stopped or superseded`,
  );
}
