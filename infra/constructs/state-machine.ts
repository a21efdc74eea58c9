import { fileURLToPath } from "node:url";
import { Validations } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import { FilterPattern, type LogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { createLogGroup, type LogSettings } from "./log-group.ts";
import { failedExecutions } from "./metrics.ts";
import { withDeployedTasks } from "./optional-tasks.ts";
import { machineArn, type MachineName, machineName } from "./resource-names.ts";
import { trustService } from "./service-trust.ts";

export interface RolloutStateMachineProps {
  /** The cluster's name. */
  readonly cluster: string;
  readonly name: MachineName;
  /** The alias that each Task invokes, by state name. */
  readonly tasks: Readonly<Record<string, IAlias>>;
  readonly logs: LogSettings;
}

/** The error names with which executions fail by design: a rollback, or a refusal by the cluster, which backs off and has its own Event. */
const expectedErrors: Readonly<Record<MachineName, readonly string[]>> = {
  "workload-update": ["RolledBack", "CircuitOpened", "HookFailed", "UpdateRefused", "WriteRefused"],
  "node-pool-rollout": ["RolloutHalted"],
};

/**
 * A Standard state machine of one cluster, defined by its file in `state-machines`. Errors are logged with their data. Its
 * role can only invoke the aliases of its own Tasks.
 */
export class RolloutStateMachine extends Construct {
  readonly machine: StateMachine;

  readonly #cluster: string;
  readonly #name: MachineName;

  constructor(scope: Construct, id: string, { cluster, name, tasks, logs }: RolloutStateMachineProps) {
    super(scope, id);
    this.#cluster = cluster;
    this.#name = name;
    const stateMachineName = machineName(cluster, name);
    const logGroup = createLogGroup(this, `/aws/vendedlogs/states/${stateMachineName}`, logs);
    this.machine = new StateMachine(this, "Machine", {
      stateMachineName,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromFile(withDeployedTasks(definitionPath(name), Object.keys(tasks))),
      definitionSubstitutions: Object.fromEntries(
        Object.entries(tasks).map(([state, alias]) => [`${state}Arn`, alias.functionArn]),
      ),
      role: this.#createRole(Object.values(tasks)).withoutPolicyUpdates(),
      logs: { destination: logGroup, level: LogLevel.ERROR, includeExecutionData: true },
      tracingEnabled: true,
    });
    this.#countUnexpectedFailures(logGroup);
    Validations.of(this.machine).acknowledge({
      id: "AwsSolutions-SF1",
      reason:
        "The console keeps all steps of a Standard execution for 90 days; the log is only needed to search for errors.",
    });
  }

  #createRole(tasks: readonly IAlias[]): Role {
    const invoking = { actions: ["lambda:InvokeFunction"], resources: tasks.map((alias) => alias.functionArn) };
    const arn = machineArn(this, this.#cluster, this.#name);
    const role = new Role(this, "Role", {
      description: `Role of the machine ${machineName(this.#cluster, this.#name)}`,
      assumedBy: trustService(this, "states.amazonaws.com", [arn, `${arn}:*`]),
      inlinePolicies: {
        pawl: new PolicyDocument({
          statements: [
            new PolicyStatement({ sid: "Tasks", ...invoking }),
            new PolicyStatement({ sid: "DeliverLogs", actions: logDelivery, resources: ["*"] }),
            new PolicyStatement({ sid: "Traces", actions: tracing, resources: ["*"] }),
          ],
        }),
      },
    });
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: "Log delivery and X-Ray do not support resource-level permissions.",
    });
    return role;
  }

  /** A rollback also ends an execution as failed, by design; unexpected failures have other error names. */
  #countUnexpectedFailures(logGroup: LogGroup): void {
    const { namespace, metricName } = failedExecutions(this.#cluster, this.#name);
    const isUnexpected = expectedErrors[this.#name].map((error) => ` && $.details.error != "${error}"`);
    const pattern = `{ $.type = "ExecutionFailed"${isUnexpected.join("")} }`;
    new MetricFilter(this, "Broken", {
      logGroup,
      filterPattern: FilterPattern.literal(pattern),
      metricNamespace: namespace,
      metricName,
      metricValue: "1",
    });
  }
}

function definitionPath(name: MachineName): string {
  return fileURLToPath(new URL(`../../state-machines/${name}.asl.json`, import.meta.url));
}

/** https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html */
const logDelivery = [
  "logs:CreateLogDelivery",
  "logs:GetLogDelivery",
  "logs:UpdateLogDelivery",
  "logs:DeleteLogDelivery",
  "logs:ListLogDeliveries",
  "logs:PutResourcePolicy",
  "logs:DescribeResourcePolicies",
  "logs:DescribeLogGroups",
];

const tracing = [
  "xray:PutTraceSegments",
  "xray:PutTelemetryRecords",
  "xray:GetSamplingRules",
  "xray:GetSamplingTargets",
];
