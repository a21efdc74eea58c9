import { nearsHistoryLimit } from "../domain/node-pool/hand-over.ts";
import { needsCommands } from "../domain/node-pool/agent/needs-commands.ts";
import { stepsOf, workOf } from "../domain/node-pool/settled.ts";
import { waitSecondsOf } from "../domain/node-pool/wait-seconds.ts";
import type { PoolTaskInput, PoolTaskOutput } from "../pool-contract.ts";
import type { Taken } from "./take-steps.ts";

type Answer = PoolTaskOutput<"StepNodes">;

/** What the machine is to do after a tick: go on, let go of the pool, or hand over. */
export function answerOf({ tick }: Taken, input: PoolTaskInput<"StepNodes">): Answer {
  const ticks = input.ticks + 1;
  const steps = stepsOf(tick);
  const commands = needsCommands(tick);
  const work = workOf(tick);
  const rest = { ticks, waitSeconds: waitSecondsOf(steps), drains: false, commands: false };
  if (work.kind === "settled" && !commands)
    return { ...rest, kind: "settled", reason: "every node runs what it should" };
  if (work.kind === "held" && !commands) {
    return { ...rest, kind: tick.isHalted ? "halted" : "held", reason: work.reasons.join("; ") };
  }
  const reason = reasonOf(steps);
  if (nearsHistoryLimit(ticks, input.executionStartedAt, tick.now)) return { ...rest, kind: "handover", reason };
  const drains = steps.some(({ step }) => step.kind === "wait" && step.for === "pods");
  return { ...rest, kind: "working", reason, drains, commands };
}

const mostNamed = 5;

/** For who reads the console: the first nodes and what each waits for. */
function reasonOf(steps: ReturnType<typeof stepsOf>): string {
  const moving = steps.filter(({ step }) => step.kind !== "none");
  const said = moving
    .slice(0, mostNamed)
    .map(({ name, step }) => `${name}: ${step.kind === "wait" ? step.reason : step.kind}`);
  const more = moving.length - said.length;
  return said.join("; ") + (more > 0 ? `; and ${more} more` : "");
}
