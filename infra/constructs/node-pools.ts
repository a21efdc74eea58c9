import { Construct } from "constructs";
import type { ClusterConfig } from "../config/schema.ts";
import type { ClusterFunctions } from "./cluster-functions.ts";
import { CommandDocument } from "./command-document.ts";
import type { LogSettings } from "./log-group.ts";
import { StateMachineAlias } from "./state-machine-alias.ts";
import { NodePoolAlarms } from "./node-pool-alarms.ts";
import type { AlarmTarget } from "./alarm.ts";
import { RolloutStateMachine } from "./state-machine.ts";

export interface NodePoolsProps {
  readonly cluster: ClusterConfig;
  readonly functions: ClusterFunctions;
  readonly target: AlarmTarget;
  readonly logs: LogSettings;
}

/** The resources for the node pools of one cluster: state machine, alarms and SSM document. The functions are elsewhere. */
export class NodePools extends Construct {
  constructor(scope: Construct, id: string, { cluster, functions, target, logs }: NodePoolsProps) {
    super(scope, id);
    const { machine } = new RolloutStateMachine(this, "Rollout", {
      cluster: cluster.name,
      name: "node-pool-rollout",
      tasks: functions.tasksOf("node-pools"),
      logs,
    });
    const alarms = new NodePoolAlarms(this, "Alarms", { cluster: cluster.name, machine, target });
    new StateMachineAlias(this, "Live", { machine, rollbackAlarms: [alarms.rolloutsFailed] });
    if (cluster.nodePools?.runCommand) new CommandDocument(this, "Commands", { cluster: cluster.name });
  }
}
