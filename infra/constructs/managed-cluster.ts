import type { IEventBus } from "aws-cdk-lib/aws-events";
import type { CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import { Construct } from "constructs";
import type { ClusterConfig, DigestsConfig, ProxyConfig, RegistriesConfig } from "../config/schema.ts";
import { ClusterAccess } from "./cluster-access.ts";
import { ClusterAlarms } from "./cluster-alarms.ts";
import { ClusterFunctions } from "./cluster-functions.ts";
import { createDeadLetterQueue } from "./dead-letter-queue.ts";
import { EcrPush } from "./ecr-push.ts";
import type { LogSettings } from "./log-group.ts";
import { StateMachineAlias } from "./state-machine-alias.ts";
import { resourceName } from "./resource-names.ts";
import { NodePools } from "./node-pools.ts";
import type { AlarmTarget } from "./alarm.ts";
import { RolloutStateMachine } from "./state-machine.ts";
import { AsyncInvokeConfig } from "./async-invoke-config.ts";
import { PollSchedule } from "./poll-schedule.ts";

export interface ManagedClusterProps {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly digests: DigestsConfig;
  readonly proxy: ProxyConfig | null;
  /** The bus of the events that Pawl emits. */
  readonly bus: IEventBus;
  readonly scheduleGroup: CfnScheduleGroup;
  readonly schedulesManagedBy: "stack" | "external";
  readonly alarms: AlarmTarget;
  readonly logs: LogSettings;
  readonly codeSigningConfigArn: string | null;
}

/**
 * All resources that update the workloads and node pools of one cluster. Clusters share no function, role, machine or
 * queue. Resources are named after the cluster, so its name must be unique in its account and region.
 */
export class ManagedCluster extends Construct {
  constructor(scope: Construct, id: string, props: ManagedClusterProps) {
    super(scope, id);
    const { cluster, logs } = props;
    const deadLetters = createDeadLetterQueue(
      this,
      "DeadLetters",
      resourceName(cluster.name, "dead-letters"),
      logs.encryptionKeyArn,
    );
    const functions = new ClusterFunctions(this, "Functions", { ...props, deadLetters });
    const poll = functions.poll.alias;

    const { machine } = new RolloutStateMachine(this, "WorkloadUpdate", {
      cluster: cluster.name,
      name: "workload-update",
      tasks: functions.tasksOf("workloads"),
      logs,
    });
    const alarms = new ClusterAlarms(this, "Alarms", { cluster, machine, poll, deadLetters, target: props.alarms });
    const live = new StateMachineAlias(this, "Live", { machine, rollbackAlarms: [alarms.executionsFailed] });
    const rollouts = { cluster, functions, target: props.alarms, logs };
    const pools = cluster.nodePools === null ? [] : [new NodePools(this, "NodePools", rollouts)];

    new ClusterAccess(this, "Access", { cluster, grantees: functions.grantees });
    new AsyncInvokeConfig(this, "PollInvocation", {
      poll: functions.poll,
      pollConfig: cluster.poll,
      onFailure: deadLetters,
    });
    const schedule = new PollSchedule(this, "Schedule", {
      cluster,
      poll,
      deadLetters,
      group: props.scheduleGroup,
      managedBy: props.schedulesManagedBy,
    });
    const push = new EcrPush(this, "EcrPush", { cluster: cluster.name, poll, deadLetters });
    // The first poll needs the aliases of the machines that it starts.
    schedule.node.addDependency(live, ...pools);
    push.node.addDependency(live, ...pools);
  }
}
