import { claimPool } from "../../../functions/handlers/claim-pool.ts";
import { drainNodes } from "../../../functions/handlers/drain-nodes.ts";
import { continuePoolAsNew } from "../../../functions/handlers/continue-pool-as-new.ts";
import { releasePool } from "../../../functions/handlers/release-pool.ts";
import { runCommands } from "../../../functions/handlers/run-commands.ts";
import { reconcileNodes } from "../../../functions/handlers/reconcile-nodes.ts";
import type { PoolTaskName } from "../../../functions/contract/node-pool-rollout.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import type { PoolTask } from "../../../functions/contract/task.ts";
import type { MachineSource } from "../step-functions/machine.ts";
import { createMachineSource } from "./machine-source.ts";

const tasks: { readonly [Name in PoolTaskName]: PoolTask<Name> } = {
  ClaimPool: claimPool,
  ReconcileNodes: reconcileNodes,
  RunCommands: runCommands,
  DrainNodes: drainNodes,
  ReleasePool: releasePool,
  ContinuePoolAsNew: continuePoolAsNew,
};

/** Returns the source of the machine, with the handlers' tasks. `ports` is called at each step. */
export function nodePoolRolloutMachine(ports: () => Ports): MachineSource {
  return createMachineSource("node-pool-rollout", tasks, ports);
}
