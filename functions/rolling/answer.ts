import { firstFew } from "../domain/node-pool/first-few.ts";
import { inWords } from "../domain/node-pool/in-words.ts";
import { nearsHistoryLimit } from "../domain/node-pool/hand-over.ts";
import { needsCommands } from "../domain/node-pool/agent/needs-commands.ts";
import { stepsOf, workOf } from "../domain/node-pool/settled.ts";
import type { Tick } from "../domain/node-pool/tick.ts";
import { waitSecondsOf } from "../domain/node-pool/wait-seconds.ts";
import type { PoolTaskInput, PoolTaskOutput } from "../pool-contract.ts";

type Answer = PoolTaskOutput<"StepNodes">;

/** The claim is another's, or the pool is gone: nothing more is touched. */
export function superseded(reason: string, ticks: number): Answer {
  return { kind: "superseded", reason, waitSeconds: 0, ticks, drains: false, commands: false };
}

/** What the machine is to do after a tick: go on, let go of the pool, or hand over. */
export function answerOf(tick: Tick, input: PoolTaskInput<"StepNodes">): Answer {
  const ticks = input.ticks + 1;
  const steps = stepsOf(tick);
  const work = workOf(tick);
  const rest = { ticks, waitSeconds: waitSecondsOf(steps, tick), drains: false, commands: false };
  if (work.kind === "settled") return { ...rest, ...endOf(tick) };
  if (work.kind === "held") {
    return { ...rest, kind: tick.isHalted ? "halted" : "held", reason: firstFew(work.reasons).join("; ") };
  }
  const reason = reasonOf(steps);
  if (nearsHistoryLimit(ticks, input.executionStartedAt, tick.now)) return { ...rest, kind: "handover", reason };
  const drains = steps.some(({ step }) => step.kind === "wait" && step.for === "pods");
  return { ...rest, kind: "working", reason, drains, commands: needsCommands(tick) };
}

/** Only what was seen to be empty while it was being deleted may be let go of: it may be deleted at any time after that. */
function endOf({ pool }: Tick): Pick<Answer, "kind" | "reason"> {
  if (pool.isBeingDeleted) return { kind: "emptied", reason: "every node has left it" };
  return { kind: "settled", reason: "every node runs what it should" };
}

/** For who reads the console: the first nodes that move and what each waits for, and how many wait for their turn. */
function reasonOf(steps: ReturnType<typeof stepsOf>): string {
  const isQueued = ({ step }: (typeof steps)[number]) => step.kind === "wait" && step.for === "slot";
  const moving = steps.filter((one) => one.step.kind !== "none" && !isQueued(one));
  const said = moving.map(({ name, step }) => `${name}: ${inWords(step)}`);
  const queued = steps.filter(isQueued).length;
  return [...firstFew(said, "more move"), ...(queued > 0 ? [`${queued} wait for a slot`] : [])].join("; ");
}
