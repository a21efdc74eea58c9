import { summarizeList } from "../../domain/text/summarize-list.ts";
import { describeNodeStep } from "../../domain/node-pool/step/describe-step.ts";
import { poolNeedsContinuation } from "../../domain/execution/history-limit.ts";
import { needsCommands } from "../../domain/node-pool/agent/needs-commands.ts";
import { planSteps, assessWork } from "../../domain/node-pool/step/plan-steps.ts";
import type { PoolState } from "../../domain/node-pool/pool/pool-state.ts";
import { computeWaitSeconds } from "../../domain/node-pool/step/wait-time.ts";
import type { PoolTaskInput, PoolTaskOutput } from "../../contract/node-pool-rollout.ts";

type StepResult = PoolTaskOutput<"ReconcileNodes">;
type Superseded = StepResult & { readonly kind: "superseded" };

/** Another execution holds the claim, or the pool was deleted: nothing more is changed. */
export function supersededResult(reason: string, rounds: number): Superseded {
  return { kind: "superseded", reason, waitSeconds: 0, rounds, drains: false, commands: false };
}

/** A function runs for at most 60 s. After this time, no function of a lost execution still runs. */
const previousExecutionGraceSeconds = 70;

/** Returns the result of a claim that the execution holds. */
export function claimedResult({
  previousExecution,
  adopting,
}: PoolTaskInput<"ClaimPool">): PoolTaskOutput<"ClaimPool"> {
  const reason = previousExecution === "" ? "new rollout" : `continues ${previousExecution}`;
  const waitSeconds = adopting ? previousExecutionGraceSeconds : 0;
  return { kind: "claimed", reason, waitSeconds, rounds: 0, drains: false, commands: false };
}

/** Creates the result of a round: continue, release the pool, or continue as a new execution. */
export function createStepResult(poolState: PoolState, input: PoolTaskInput<"ReconcileNodes">): StepResult {
  const rounds = input.rounds + 1;
  const steps = planSteps(poolState);
  const work = assessWork(poolState);
  const common = { rounds, waitSeconds: computeWaitSeconds(steps, poolState), drains: false, commands: false };
  if (work.kind === "completed") return { ...common, ...describeCompletion(poolState) };
  if (work.kind === "held") {
    return { ...common, kind: poolState.isHalted ? "halted" : "held", reason: summarizeList(work.reasons).join("; ") };
  }
  const reason = describeProgress(steps);
  if (poolNeedsContinuation(rounds, input.executionStartedAt, poolState.now))
    return { ...common, kind: "continue", reason };
  const drains = steps.some(({ step }) => step.kind === "wait" && step.for === "pods");
  return { ...common, kind: "working", reason, drains, commands: needsCommands(poolState) };
}

/**
 * Only a pool that was empty while it was being deleted may lose its finalizer: it may be deleted at any later time.
 */
function describeCompletion({ pool, failedDigest }: PoolState): Pick<StepResult, "kind" | "reason"> {
  if (pool.isBeingDeleted) return { kind: "emptied", reason: "every node has left the pool" };
  const reason = failedDigest === null ? "every node runs its desired image" : `every node left ${failedDigest}`;
  return { kind: "completed", reason };
}

/** Describes the first active nodes and what each waits for, and how many wait for a slot. Shown in the console. */
function describeProgress(steps: ReturnType<typeof planSteps>): string {
  const isQueued = ({ step }: (typeof steps)[number]) => step.kind === "wait" && step.for === "slot";
  const active = steps.filter((one) => one.step.kind !== "none" && !isQueued(one));
  const described = active.map(({ name, step }) => `${name}: ${describeNodeStep(step)}`);
  const queued = steps.filter(isQueued).length;
  return [...summarizeList(described, "more in progress"), ...(queued > 0 ? [`${queued} wait for a slot`] : [])].join(
    "; ",
  );
}
