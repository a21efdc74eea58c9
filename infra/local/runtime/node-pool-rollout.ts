import { claimPool } from "../../../functions/handlers/claim-pool.ts";
import { drainNodes } from "../../../functions/handlers/drain-nodes.ts";
import { handOverPool } from "../../../functions/handlers/hand-over-pool.ts";
import { releasePool } from "../../../functions/handlers/release-pool.ts";
import { runCommands } from "../../../functions/handlers/run-commands.ts";
import { stepNodes } from "../../../functions/handlers/step-nodes.ts";
import type { PoolTaskName } from "../../../functions/pool-contract.ts";
import type { PoolTask, Ports } from "../../../functions/task.ts";
import type { MachineSource } from "../step-functions/machine.ts";
import { machineSource } from "./machine-source.ts";

const tasks: { readonly [Name in PoolTaskName]: PoolTask<Name> } = {
  ClaimPool: claimPool,
  StepNodes: stepNodes,
  RunCommands: runCommands,
  DrainNodes: drainNodes,
  ReleasePool: releasePool,
  HandOverPool: handOverPool,
};

/** The machine with the handlers' own tasks behind its states; `ports` is asked at each step. */
export function nodePoolRolloutMachine(ports: () => Ports): MachineSource {
  return machineSource("node-pool-rollout", tasks, ports);
}
