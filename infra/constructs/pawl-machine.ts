import { fileURLToPath } from "node:url";
import { RemovalPolicy, Validations } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import { FilterPattern, LogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { brokenExecutions } from "./metrics.ts";
import { type MachineName, machineName } from "./names.ts";

export interface PawlMachineProps {
  /** The cluster's name. */
  readonly cluster: string;
  readonly name: MachineName;
  /** What each Task invokes, by its state's name. */
  readonly tasks: Readonly<Record<string, IAlias>>;
  readonly logRetentionDays: number;
}

/** The errors by which an execution says, by design, how what it did has ended. */
const endings: Readonly<Record<MachineName, readonly string[]>> = {
  "workload-update": ["RolledBack", "CircuitOpened"],
  "node-pool-rollout": ["RolloutHalted"],
};

/**
 * A machine of one cluster, as its file in `state-machines` has it: Standard, traced, its errors logged with their data, its
 * role allowed to invoke the functions of its own Tasks by their alias and nothing else.
 */
export class PawlMachine extends Construct {
  readonly machine: StateMachine;

  readonly #cluster: string;
  readonly #name: MachineName;

  constructor(scope: Construct, id: string, { cluster, name, tasks, logRetentionDays }: PawlMachineProps) {
    super(scope, id);
    this.#cluster = cluster;
    this.#name = name;
    const stateMachineName = machineName(cluster, name);
    const logGroup = new LogGroup(this, "Logs", {
      logGroupName: `/aws/vendedlogs/states/${stateMachineName}`,
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.machine = new StateMachine(this, "Machine", {
      stateMachineName,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromFile(definitionOf(name)),
      definitionSubstitutions: Object.fromEntries(
        Object.entries(tasks).map(([state, alias]) => [`${state}Arn`, alias.functionArn]),
      ),
      role: this.#role(Object.values(tasks)).withoutPolicyUpdates(),
      logs: { destination: logGroup, level: LogLevel.ERROR, includeExecutionData: true },
      tracingEnabled: true,
    });
    this.#countBroken(logGroup);
    Validations.of(this.machine).acknowledge({
      id: "AwsSolutions-SF1",
      reason:
        "The console keeps every step of a Standard execution for 90 days; the log is for errors, which it is to be searched by.",
    });
  }

  #role(tasks: readonly IAlias[]): Role {
    const invoking = { actions: ["lambda:InvokeFunction"], resources: tasks.map((alias) => alias.functionArn) };
    const role = new Role(this, "Role", {
      description: `What the machine ${machineName(this.#cluster, this.#name)} may do`,
      assumedBy: new ServicePrincipal("states.amazonaws.com"),
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
      reason: "The delivery of logs and X-Ray have no resources: AWS takes nothing but * for them.",
    });
    return role;
  }

  /** A rollback ends an execution as failed too, by design: what did not go as designed is told apart by its error. */
  #countBroken(logGroup: LogGroup): void {
    const { namespace, metricName } = brokenExecutions(this.#cluster, this.#name);
    const unlike = endings[this.#name].map((error) => ` && $.details.error != "${error}"`);
    const pattern = `{ $.type = "ExecutionFailed"${unlike.join("")} }`;
    new MetricFilter(this, "Broken", {
      logGroup,
      filterPattern: FilterPattern.literal(pattern),
      metricNamespace: namespace,
      metricName,
      metricValue: "1",
    });
  }
}

function definitionOf(name: MachineName): string {
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
