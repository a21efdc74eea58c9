import * as v from "valibot";
import { openObject } from "../domain/text/schema.ts";
import { nonEmptyString, poolRef } from "./validate.ts";
import type { StepResult, TimedStepResult } from "./workload-update.ts";

const poolInput = openObject({
  cluster: nonEmptyString,
  pool: poolRef,
  /** The execution whose claim this one takes over; "" if the pool was not claimed. */
  previousExecution: v.string(),
  /** Whether the previous execution was lost instead of continued: one of its functions may still be running. */
  adopting: v.boolean(),
});

/** The input of an execution of `node-pool-rollout`. Small and stable: the desired state is read from the pool. */
export type PoolInput = Readonly<v.InferOutput<typeof poolInput>>;

/** The input of every Task, besides the input of its execution. */
export const poolStepInput = openObject({ ...poolInput.entries, execution: nonEmptyString });

export type PoolStepInput = Readonly<v.InferOutput<typeof poolStepInput>>;

/** A result after which the machine may start another round. `rounds` counts the rounds of the execution so far. */
export interface RoundResult<Kind extends string> extends TimedStepResult<Kind> {
  readonly rounds: number;
  /** Whether nodes have to be drained. */
  readonly drains: boolean;
  /** Whether nodes without a daemon have commands to send, or results to fetch. */
  readonly commands: boolean;
}

/**
 * Input and output of every Task of `node-pool-rollout`. Each may throw `Unreachable`, `Throttled` or `Conflict`; the
 * machine retries on these names.
 */
export interface PoolTasks {
  /** `waitSeconds`: how long a function of a lost previous execution may still be running. */
  readonly ClaimPool: { readonly input: PoolStepInput; readonly output: RoundResult<"claimed" | "superseded"> };
  /** "emptied": the pool is being deleted, and no node is left in it. */
  readonly ReconcileNodes: {
    readonly input: PoolStepInput & { readonly executionStartedAt: string; readonly rounds: number };
    readonly output: RoundResult<"working" | "completed" | "emptied" | "held" | "halted" | "superseded" | "continue">;
  };
  readonly RunCommands: { readonly input: PoolStepInput; readonly output: StepResult<"sent" | "superseded"> };
  readonly DrainNodes: { readonly input: PoolStepInput; readonly output: StepResult<"drained" | "superseded"> };
  readonly ReleasePool: {
    readonly input: PoolStepInput & { readonly verdict: string; readonly reason: string };
    readonly output: StepResult<"completed" | "held" | "halted" | "superseded">;
  };
  readonly ContinuePoolAsNew: { readonly input: PoolStepInput; readonly output: StepResult<"continued"> };
}

export type PoolTaskName = keyof PoolTasks;
export type PoolTaskInput<Name extends PoolTaskName> = PoolTasks[Name]["input"];
export type PoolTaskOutput<Name extends PoolTaskName> = PoolTasks[Name]["output"];
