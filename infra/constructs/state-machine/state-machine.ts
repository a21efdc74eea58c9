import { Aws, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import { FilterPattern, type LogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import type { HandlerFunction } from "../functions/handler-function.ts";
import { createLogGroup, type LogSettings } from "../functions/log-group.ts";
import { failedExecutions } from "../alarms/metrics.ts";
import { machineArn, type MachineName, type NameScope, resourceName, versionArns } from "../resource-names.ts";
import { fitPolicy } from "../permissions/fit-policy.ts";
import { wildcardId } from "../permissions/wildcard-id.ts";
import { trustService } from "../access/service-trust.ts";
import { writeDefinition } from "./write-definition.ts";

export interface RolloutStateMachineProps {
  readonly cluster: NameScope;
  readonly name: MachineName;
  /** The function that each Task invokes, by state name. */
  readonly tasks: Readonly<Record<string, Pick<HandlerFunction, "functionName" | "version">>>;
  readonly logs: LogSettings;
  /** In addition to those to invoke the functions, and to write logs and traces. */
  readonly permissions?: readonly PolicyStatement[];
}

/**
 * The error names with which executions fail by design: a rollback, a refusal by the cluster, which backs off and has its own Event, or a poll that
 * counts itself what it did not reach.
 */
const expectedErrors: Readonly<Record<MachineName, readonly string[]>> = {
  "workload-update": ["RolledBack", "CircuitOpened", "HookFailed", "UpdateRefused", "WriteRefused"],
  "node-pool-rollout": ["RolloutHalted"],
  "poll-fanout": ["PollIncomplete"],
};

/**
 * A Standard state machine of one cluster, defined by its file in `state-machines`. Errors are logged with their data. Its definition
 * names versions of functions, so that an execution keeps to the code that it began with.
 */
export class RolloutStateMachine extends Construct {
  readonly machine: StateMachine;
  readonly role: Role;

  readonly #cluster: NameScope;
  readonly #name: MachineName;

  constructor(scope: Construct, id: string, props: RolloutStateMachineProps) {
    super(scope, id);
    const { cluster, name, tasks, logs } = props;
    this.#cluster = cluster;
    this.#name = name;
    const stateMachineName = resourceName(cluster, name);
    const logGroup = createLogGroup(this, `/aws/vendedlogs/states/${stateMachineName}`, logs);
    this.role = this.#createRole(props);
    this.machine = new StateMachine(this, "Machine", {
      stateMachineName,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromFile(writeDefinition(name, Object.keys(tasks))),
      definitionSubstitutions: {
        // In another one, Step Functions ends each execution: "The resource belongs to a different partition".
        Partition: Aws.PARTITION,
        ...Object.fromEntries(
          Object.entries(tasks).map(([state, { version }]) => [`${state}Arn`, version.functionArn]),
        ),
      },
      role: this.role.withoutPolicyUpdates(),
      logs: { destination: logGroup, level: LogLevel.ERROR, includeExecutionData: true },
      tracingEnabled: logs.tracing,
    });
    this.#countUnexpectedFailures(logGroup);
    Validations.of(this.machine).acknowledge(
      {
        id: "AwsSolutions-SF1",
        reason:
          "The console keeps all steps of a Standard execution for 90 days; the log is only needed to search for errors.",
      },
      { id: "AwsSolutions-SF2", reason: "Traces are written if the configuration says so." },
    );
  }

  /** Executions in flight invoke versions of earlier deployments, and the role is the same for all of them. */
  #createRole({ tasks, logs, permissions = [] }: RolloutStateMachineProps): Role {
    const resources = Object.values(tasks).map(({ functionName }) => versionArns(this, functionName));
    const invoking = { actions: ["lambda:InvokeFunction"], resources };
    const arn = machineArn(this, this.#cluster, this.#name);
    const role = new Role(this, "Role", {
      description: `Role of the machine ${resourceName(this.#cluster, this.#name)}`,
      // Children of a Distributed Map run as the machine `name/label`.
      assumedBy: trustService(this, "states.amazonaws.com", [arn, `${arn}:*`, `${arn}/*`]),
      inlinePolicies: {
        pawl: fitPolicy(this, resourceName(this.#cluster, this.#name), [
          new PolicyStatement({ sid: "Tasks", ...invoking }),
          new PolicyStatement({ sid: "DeliverLogs", actions: logDelivery, resources: ["*"] }),
          ...(logs.tracing ? [new PolicyStatement({ sid: "Traces", actions: tracing, resources: ["*"] })] : []),
          ...permissions,
        ]),
      },
    });
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: "Log delivery and X-Ray do not support resource-level permissions.",
    });
    const reason = "Executions in flight invoke older versions. The wildcard covers only versions of this function.";
    Validations.of(role).acknowledge(...resources.map((one) => ({ id: wildcardId(this, one), reason })));
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
