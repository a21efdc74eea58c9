import type { IEventBus } from "aws-cdk-lib/aws-events";
import type { CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import { Construct } from "constructs";
import type { ClusterConfig, DigestsConfig, ProxyConfig, RegistriesConfig } from "../config-shape.ts";
import { ClusterAccess } from "./cluster-access.ts";
import { ClusterAlarms } from "./cluster-alarms.ts";
import { ClusterFunctions } from "./cluster-functions.ts";
import { deadLetterQueue } from "./dead-letters.ts";
import { EcrPush } from "./ecr-push.ts";
import { MachineAlias } from "./machine-alias.ts";
import { nameOf } from "./names.ts";
import { NodePools } from "./node-pools.ts";
import type { AlarmTarget } from "./pawl-alarm.ts";
import { PawlMachine } from "./pawl-machine.ts";
import { PollInvocation } from "./poll-invocation.ts";
import { PollSchedule } from "./poll-schedule.ts";

export interface ClusterPawlProps {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly digests: DigestsConfig;
  readonly proxy: ProxyConfig | null;
  /** Where Pawl says what happens. */
  readonly bus: IEventBus;
  readonly scheduleGroup: CfnScheduleGroup;
  readonly schedulesManagedBy: "stack" | "operators";
  readonly alarms: AlarmTarget;
  readonly logRetentionDays: number;
}

/**
 * Everything that keeps one cluster's workloads, and its node pools, up to date. Two of these share no function, role, machine or queue; the
 * resources are named after the cluster, whose name is to be unique in its account and region.
 */
export class ClusterPawl extends Construct {
  constructor(scope: Construct, id: string, props: ClusterPawlProps) {
    super(scope, id);
    const { cluster, logRetentionDays } = props;
    const deadLetters = deadLetterQueue(this, "DeadLetters", nameOf(cluster.name, "dead-letters"));
    const functions = new ClusterFunctions(this, "Functions", { ...props, deadLetters });
    const poll = functions.poll.alias;

    const { machine } = new PawlMachine(this, "WorkloadUpdate", {
      cluster: cluster.name,
      name: "workload-update",
      tasks: functions.tasksOf("workloads"),
      logRetentionDays,
    });
    const alarms = new ClusterAlarms(this, "Alarms", { cluster, machine, poll, deadLetters, target: props.alarms });
    const live = new MachineAlias(this, "Live", { machine, guardedBy: [alarms.executionsFailed] });
    const rollouts = { cluster, functions, target: props.alarms, logRetentionDays };
    const pools = cluster.nodePools === null ? [] : [new NodePools(this, "NodePools", rollouts)];

    new ClusterAccess(this, "Access", { cluster, grantees: functions.grantees });
    new PollInvocation(this, "PollInvocation", { poll: functions.poll, when: cluster.poll, onFailure: deadLetters });
    const schedule = new PollSchedule(this, "Schedule", {
      cluster,
      poll,
      deadLetters,
      group: props.scheduleGroup,
      managedBy: props.schedulesManagedBy,
    });
    const push = new EcrPush(this, "EcrPush", { cluster: cluster.name, poll, deadLetters });
    // The first tick finds what it starts.
    schedule.node.addDependency(live, ...pools);
    push.node.addDependency(live, ...pools);
  }
}
