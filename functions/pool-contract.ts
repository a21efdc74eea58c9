import type { Answer, TimedAnswer } from "./contract.ts";
import type { PoolRef } from "./ports/node-pools.ts";

/** The input of an execution of `node-pool-rollout`. Small and byte-stable: what is to run stands on the pool. */
export interface PoolInput {
  readonly cluster: string;
  readonly pool: PoolRef;
  /** The execution whose claim this one takes over; "" where the pool was nobody's. */
  readonly after: string;
  /** Whether the one before was lost, and did not hand over: a function of it may still be at work. */
  readonly recovering: boolean;
}

/** What every Task of the machine is given besides the input of its execution. */
export interface PoolStepInput extends PoolInput {
  readonly execution: string;
}

/** An answer after which the machine may go on stepping. `ticks` counts the steps of the execution so far. */
export interface TickAnswer<Kind extends string> extends TimedAnswer<Kind> {
  readonly ticks: number;
  /** Whether nodes are to be drained. */
  readonly drains: boolean;
  /** Whether nodes without a daemon have commands to be sent or to be asked after. */
  readonly commands: boolean;
}

/**
 * Input and output of every Task of `node-pool-rollout`. All may throw `Unreachable`, `Throttled`, `Conflict`; the machine
 * retries on these names.
 */
export interface PoolTasks {
  /** `waitSeconds`: how long a function of the execution before, which did not let go of the claim, may still be at work. */
  readonly ClaimPool: { readonly input: PoolStepInput; readonly output: TickAnswer<"claimed" | "superseded"> };
  /** "emptied": the pool was being deleted, and no node was left in it. */
  readonly StepNodes: {
    readonly input: PoolStepInput & { readonly executionStartedAt: string; readonly ticks: number };
    readonly output: TickAnswer<"working" | "settled" | "emptied" | "held" | "halted" | "superseded" | "handover">;
  };
  readonly RunCommands: { readonly input: PoolStepInput; readonly output: Answer<"asked" | "superseded"> };
  readonly DrainNodes: { readonly input: PoolStepInput; readonly output: Answer<"drained" | "superseded"> };
  readonly ReleasePool: {
    readonly input: PoolStepInput & { readonly verdict: string; readonly reason: string };
    readonly output: Answer<"settled" | "held" | "halted" | "superseded">;
  };
  readonly HandOverPool: { readonly input: PoolStepInput; readonly output: Answer<"handed-over"> };
}

export type PoolTaskName = keyof PoolTasks;
export type PoolTaskInput<Name extends PoolTaskName> = PoolTasks[Name]["input"];
export type PoolTaskOutput<Name extends PoolTaskName> = PoolTasks[Name]["output"];
