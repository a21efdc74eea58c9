import type { PoolTaskInput, PoolTaskName, PoolTaskOutput } from "./node-pool-rollout.ts";
import type { Ports } from "./ports.ts";
import type { TaskInput, TaskName, TaskOutput } from "./workload-update.ts";

/** What a task knows of the function invocation that runs it. */
export interface Invocation {
  /** Aborted while there is still time to record what was done. */
  readonly signal: AbortSignal;
  /** Writes a warning to the function's log. */
  readonly warn: (message: string, details: object) => void;
}

/** One step of `workload-update`, independent of where it runs. */
export type Task<Name extends TaskName> = (ports: Ports, input: TaskInput<Name>) => Promise<TaskOutput<Name>>;

/** One step of `node-pool-rollout`. A step with many writes stops at the deadline and resumes in the next round. */
export type PoolTask<Name extends PoolTaskName> = (
  ports: Ports,
  input: PoolTaskInput<Name>,
  invocation?: Partial<Invocation>,
) => Promise<PoolTaskOutput<Name>>;
