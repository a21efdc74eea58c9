import { Construct } from "constructs";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import type { ClusterConfig, SharedConfig } from "../config/schema.ts";
import type { ClusterFunctions } from "./functions/cluster-functions.ts";
import { CommandDocument } from "./access/command-document.ts";
import type { LogSettings } from "./functions/log-group.ts";
import { StateMachineAlias } from "./state-machine/state-machine-alias.ts";
import { NodePoolAlarms } from "./alarms/node-pool-alarms.ts";
import type { AlarmTarget } from "./alarms/alarm.ts";
import { RolloutStateMachine } from "./state-machine/state-machine.ts";

export interface NodePoolResourcesProps {
  readonly cluster: ClusterConfig;
  readonly functions: ClusterFunctions;
  readonly target: AlarmTarget;
  readonly logs: LogSettings;
  readonly deployments: SharedConfig["deployments"];
  /** In addition to the alarm for failed rollouts. */
  readonly rollbackAlarms: readonly Alarm[];
}

/** The resources for the node pools of one cluster: state machine, alarms and SSM document. The functions are elsewhere. */
export class NodePoolResources extends Construct {
  constructor(scope: Construct, id: string, props: NodePoolResourcesProps) {
    super(scope, id);
    const { cluster, functions, target, logs, deployments } = props;
    const { machine } = new RolloutStateMachine(this, "Rollout", {
      cluster,
      name: "node-pool-rollout",
      tasks: functions.tasksOf("node-pools"),
      logs,
    });
    const alarms = new NodePoolAlarms(this, "Alarms", { cluster, machine, target });
    const rollbackAlarms = [alarms.rolloutsFailed, ...props.rollbackAlarms];
    const live = new StateMachineAlias(this, "Live", { machine, poll: cluster.poll, deployments, rollbackAlarms });
    live.node.addDependency(functions.poll.alias);
    if (cluster.nodePools?.runCommand) new CommandDocument(this, "Commands", { cluster });
  }
}
