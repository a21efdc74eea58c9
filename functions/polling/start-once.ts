import type { Executions } from "../ports/executions.ts";

/** More than anything meets: each is an execution that ended before it could leave a trace. */
const mostAttempts = 50;

/** A name that is used up belongs to an execution that ended without effect (stopped, superseded): the next one is tried. */
export async function startOnce<Input>(
  executions: Executions<Input>,
  nameOf: (attempt: number) => string,
  input: Input,
  what: string,
): Promise<void> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    if ((await executions.start(nameOf(attempt), input)) === "started") return;
  }
  throw new Error(`${mostAttempts} executions of ${what} ended without a trace on it`);
}
