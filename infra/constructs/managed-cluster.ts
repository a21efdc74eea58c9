import { Topic } from "aws-cdk-lib/aws-sns";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { defaultRunbookUrl } from "../config/runbook-url.ts";
import type { ClusterConfig, SharedConfig } from "../config/schema.ts";
import { ClusterAccess } from "./access/cluster-access.ts";
import { ClusterAlarms } from "./alarms/cluster-alarms.ts";
import { ClusterFunctions } from "./functions/cluster-functions.ts";
import { createDeadLetterQueue } from "./functions/dead-letter-queue.ts";
import { createPushQueue, EcrPushRule } from "./schedule/ecr-push.ts";
import { StateMachineAlias } from "./state-machine/state-machine-alias.ts";
import { alarmTopicArn, resourceName } from "./resource-names.ts";
import { NodePoolResources } from "./node-pools.ts";
import type { AlarmTarget } from "./alarms/alarm.ts";
import { SavedQueries } from "./alarms/saved-queries.ts";
import { RolloutStateMachine } from "./state-machine/state-machine.ts";
import { AsyncInvokeConfig } from "./functions/async-invoke-config.ts";
import { PollFanOut } from "./state-machine/poll-fanout.ts";
import { PollSchedule } from "./schedule/poll-schedule.ts";
import { createWorkBucket } from "./state-machine/work-bucket.ts";

export interface ManagedClusterProps {
  readonly cluster: ClusterConfig;
  readonly shared: SharedConfig;
}

/**
 * All resources that update the workloads and node pools of one cluster. It refers to the shared resources by their names, so that its
 * stack can be deployed and deleted alone. Clusters share no function, role, machine or queue.
 */
export class ManagedCluster extends Construct {
  readonly machine: StateMachine;
  readonly poll: IAlias;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { cluster, shared }: ManagedClusterProps) {
    super(scope, id);
    const target = this.#alarmTarget(shared);
    const queueName = resourceName(cluster, "dead-letters");
    const deadLetters = createDeadLetterQueue(this, "DeadLetters", queueName, shared.encryptionKeyArn);
    const workBucket = createWorkBucket(this, "WorkLists", shared.encryptionKeyArn);
    const pushes = createPushQueue(this, "EcrPushes", { cluster, deadLetters, keyArn: shared.encryptionKeyArn });
    const resources = { deadLetters, pushes, workBucket };
    const functions = new ClusterFunctions(this, "Functions", {
      cluster,
      ...shared,
      gates: shared,
      logs: shared,
      ...resources,
    });
    const poll = functions.poll.alias;

    const { machine } = new RolloutStateMachine(this, "WorkloadUpdate", {
      cluster,
      name: "workload-update",
      tasks: functions.tasksOf("workloads"),
      logs: shared,
    });
    const fanOut = new PollFanOut(this, "PollFanOut", { cluster, functions, logs: shared });
    const alarmed = { machine, fanOut: fanOut.machine, poll, deadLetters };
    const alarms = new ClusterAlarms(this, "Alarms", { cluster, ...alarmed, target });
    const deployment = { poll: cluster.poll, deployments: shared.deployments };
    const live = new StateMachineAlias(this, "Live", { machine, rollbackAlarms: alarms.ofDeployments, ...deployment });
    // During a gradual deployment the polls already run the new code.
    live.node.addDependency(poll);
    const rollouts = { cluster, functions, target, logs: shared, ...deployment, rollbackAlarms: alarms.ofDeployments };
    const pools = cluster.nodePools === null ? [] : [new NodePoolResources(this, "NodePools", rollouts)];

    new SavedQueries(this, "Queries", {
      cluster,
      logGroups: functions.logGroups,
      pollLogs: [functions.poll.logGroup, functions.pollBatch.logGroup],
    });
    new ClusterAccess(this, "Access", { cluster, grantees: functions.grantees });
    for (const { name, access } of cluster.peers) {
      new ClusterAccess(this, `AccessTo-${name}`, {
        cluster: { ...cluster, access },
        grantees: functions.peerGrantees,
      });
    }
    new AsyncInvokeConfig(this, "PollInvocation", {
      poll: functions.poll,
      pollConfig: cluster.poll,
      onFailure: deadLetters,
    });
    const managedBy = shared.schedulesManagedBy;
    const schedule = new PollSchedule(this, "Schedule", { cluster, poll, deadLetters, managedBy });
    const push = new EcrPushRule(this, "EcrPush", { cluster, poll, pushes, deadLetters });
    // The first poll needs the machines that it starts, and their aliases.
    schedule.node.addDependency(live, fanOut, ...pools);
    push.node.addDependency(live, fanOut, ...pools);
    this.machine = machine;
    this.poll = poll;
    this.deadLetters = deadLetters;
  }

  #alarmTarget({ prefix, alarms }: SharedConfig): AlarmTarget {
    const topic = Topic.fromTopicArn(this, "AlarmTopic", alarms.topicArn ?? alarmTopicArn(this, prefix));
    return { prefix, topic, runbookUrl: alarms.runbookUrl ?? defaultRunbookUrl() };
  }
}
