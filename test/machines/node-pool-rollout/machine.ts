import type { PoolInput, PoolTasks } from "../../../functions/contract/node-pool-rollout.ts";
import type { Script } from "../script.ts";
import { type ScriptedMachine, startScriptedMachine } from "../scripted-machine.ts";

export type PoolScript = Script<PoolTasks>;
export type PoolMachine = ScriptedMachine<PoolTasks, PoolInput>;

export const input: PoolInput = {
  cluster: "production",
  pool: { name: "workers", uid: "u-1" },
  previousExecution: "",
  adopting: false,
};

export function startNodePoolRollout(): Promise<PoolMachine> {
  return startScriptedMachine<PoolTasks, PoolInput>("node-pool-rollout", input);
}
