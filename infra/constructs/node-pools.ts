import { Construct } from "constructs";
import type { ClusterConfig } from "../config-shape.ts";
import type { ClusterFunctions } from "./cluster-functions.ts";
import { CommandDocument } from "./command-document.ts";
import { MachineAlias } from "./machine-alias.ts";
import { NodePoolAlarms } from "./node-pool-alarms.ts";
import type { AlarmTarget } from "./pawl-alarm.ts";
import { PawlMachine } from "./pawl-machine.ts";

export interface NodePoolsProps {
  readonly cluster: ClusterConfig;
  readonly functions: ClusterFunctions;
  readonly target: AlarmTarget;
  readonly logRetentionDays: number;
}

/** What rolls out the node pools of one cluster, besides its functions: their machine, its alarms, and what SSM may be sent. */
export class NodePools extends Construct {
  constructor(scope: Construct, id: string, { cluster, functions, target, logRetentionDays }: NodePoolsProps) {
    super(scope, id);
    const { machine } = new PawlMachine(this, "Rollout", {
      cluster: cluster.name,
      name: "node-pool-rollout",
      tasks: functions.tasksOf("node-pools"),
      logRetentionDays,
    });
    const alarms = new NodePoolAlarms(this, "Alarms", { cluster: cluster.name, machine, target });
    new MachineAlias(this, "Live", { machine, guardedBy: [alarms.rolloutsFailed] });
    if (cluster.nodePools?.runCommand) new CommandDocument(this, "Commands", { cluster: cluster.name });
  }
}
