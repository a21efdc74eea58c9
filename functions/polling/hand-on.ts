import type { PollRest } from "../ports/polls.ts";
import type { Ports } from "../task.ts";
import type { Warn } from "./tally.ts";

/** Whether the rest goes on. Where it cannot be handed on it waits for the next poll; what was done so far holds. */
export async function handOn({ polls, metrics }: Ports, rest: PollRest, warn: Warn): Promise<boolean> {
  try {
    await polls.goOn(rest);
    return true;
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    warn("not handed on", { failure: name, reason: message });
    metrics.record("pawl_errors_total", 1, { error: name });
    metrics.record("pawl_poll_errors_total", 1, {});
    return false;
  }
}
