import { checkAttempts } from "./check-attempts.ts";
import { checkCounters } from "./check-counters.ts";
import { checkIdle } from "./check-idle.ts";
import { checkWrites } from "./check-writes.ts";
import type { Story, Violation } from "./violation.ts";

/** Returns the violations that what a workload went through shows, whatever follows. */
export function checkHistory(story: Story): readonly Violation[] {
  return name(story, [...checkAttempts(story), ...checkCounters(story), ...checkWrites(story)]);
}

/** Returns what is wrong while nothing disturbs the workload, which may only need more time. */
export function checkEnd(story: Story): readonly Violation[] {
  return name(story, checkIdle(story));
}

function name({ member }: Story, messages: readonly string[]): readonly Violation[] {
  return messages.map((message) => ({ workload: member.name, message }));
}
