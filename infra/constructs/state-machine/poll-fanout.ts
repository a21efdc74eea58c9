import { Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import type { ClusterFunctions } from "../functions/cluster-functions.ts";
import type { LogSettings } from "../functions/log-group.ts";
import { executionWildcard } from "../permissions/executions.ts";
import { executionArns, machineArn, type NameScope } from "../resource-names.ts";
import { RolloutStateMachine } from "./state-machine.ts";

export interface PollFanOutProps {
  readonly cluster: NameScope;
  readonly functions: ClusterFunctions;
  readonly logs: LogSettings;
}

/**
 * The machine that polls a cluster with more workloads than one invocation holds. The poll starts it without an alias: its executions end
 * within minutes, and there is one at a time, so that a gradual deployment would show nothing.
 */
export class PollFanOut extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, { cluster, functions, logs }: PollFanOutProps) {
    super(scope, id);
    const name = "poll-fanout";
    const permissions = mapRunStatements(this, cluster);
    // The function that starts the machine, whose name it knows, continues its list too.
    const tasks = { ...functions.tasksOf(name), Poll: functions.poll };
    const { machine, role } = new RolloutStateMachine(this, "Machine", { cluster, name, tasks, logs, permissions });
    Validations.of(role).acknowledge(executionWildcard(this, cluster, name));
    this.machine = machine;
  }
}

/** A Distributed Map starts its children as executions. https://docs.aws.amazon.com/step-functions/latest/dg/iam-policies-eg-dist-map.html */
function mapRunStatements(scope: Construct, cluster: NameScope): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: "StartBatches",
      actions: ["states:StartExecution"],
      resources: [machineArn(scope, cluster, "poll-fanout")],
    }),
    new PolicyStatement({
      sid: "WatchBatches",
      actions: ["states:DescribeExecution", "states:StopExecution"],
      resources: [executionArns(scope, cluster, "poll-fanout")],
    }),
  ];
}
