import { describe, expect, test } from "vitest";
import { functionSpecs, handlerNames, handlersFor } from "../../../infra/constructs/functions/function-specs.ts";
import { policiesOf, statementsOf } from "../policies.ts";
import { synthesise } from "../synthesized-stack.ts";
import { withNodePools } from "./stack-with-node-pools.ts";

const stack = withNodePools();
const { at, ofType } = stack;
const ofPools = handlerNames.filter((name) => functionSpecs[name].feature === "node-pools");

const traces = "Allow xray:PutTelemetryRecords, xray:PutTraceSegments on *";
const interfaces =
  "ec2:AssignPrivateIpAddresses, ec2:CreateNetworkInterface, ec2:DeleteNetworkInterface, " +
  "ec2:DescribeNetworkInterfaces, ec2:DescribeSubnets, ec2:UnassignPrivateIpAddresses on *";
const kubeconfig =
  "Allow secretsmanager:GetSecretValue on arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/edge-kubeconfig-a1B2c3";
const events = "Allow events:PutEvents on arn:<AWS::Partition>:events:<AWS::Region>:<AWS::AccountId>:event-bus/pawl";
const here = "<AWS::Region>:<AWS::AccountId>";
const executions = (cluster: string) => [
  `Allow states:StartExecution on arn:<AWS::Partition>:states:${here}:stateMachine:pawl-${cluster}-node-pool-rollout if`,
  `Allow states:DescribeExecution on arn:<AWS::Partition>:states:${here}:execution:pawl-${cluster}-node-pool-rollout:*`,
];
const commands = [
  `Allow ssm:SendCommand on arn:<AWS::Partition>:ssm:${here}:document/pawl-production-bootc-node`,
  `Allow ssm:SendCommand on arn:<AWS::Partition>:ec2:${here}:instance/* if`,
  "Allow ssm:GetCommandInvocation on *",
];
/** The analyses of nodes read what those of workloads do. */
const metrics = [
  "Allow aps:QueryMetrics on arn:<AWS::Partition>:aps:eu-central-1:<AWS::AccountId>:workspace/ws-01234567-89ab-cdef-0123-456789abcdef",
  "Allow cloudwatch:GetMetricData on * if",
  "Allow secretsmanager:GetSecretValue on arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/prometheus-m3N4o5",
];
const logsOf = (path: string) => `Allow logs:CreateLogStream, logs:PutLogEvents on <${path}/Logs.Arn>`;

const own: Readonly<Record<string, { readonly production: readonly string[]; readonly edge: readonly string[] }>> = {
  "record-pool": { production: [events], edge: [kubeconfig, events] },
  "claim-pool": { production: [], edge: [kubeconfig] },
  "reconcile-nodes": { production: [events, ...metrics], edge: [kubeconfig, events] },
  "run-commands": { production: commands, edge: [kubeconfig] },
  "drain-nodes": { production: [], edge: [kubeconfig] },
  "release-pool": { production: [], edge: [kubeconfig] },
  "continue-pool-as-new": { production: executions("production"), edge: executions("edge") },
};

describe("each function of node pools has only its permissions", () => {
  test.for(ofPools)("%s on a private cluster", (handler) => {
    const path = `production/Functions/${handler}`;
    const vpc = handler === "continue-pool-as-new" ? [] : [`Allow ${interfaces}`, `Deny ${interfaces} if`];
    expect(statementsOf(stack, at(`${path}/Role`))).toEqual([
      logsOf(path),
      traces,
      ...vpc,
      ...(own[handler]?.production ?? ["not in the table"]),
    ]);
  });

  test.for(ofPools)("%s by kubeconfig, without commands", (handler) => {
    const path = `edge/Functions/${handler}`;
    const allowed = [logsOf(path), traces, ...(own[handler]?.edge ?? ["not in the table"])];
    expect(statementsOf(stack, at(`${path}/Role`))).toEqual(allowed);
  });
});

test("a command goes to instances with the configured tag", () => {
  const command = policiesOf(at("production/Functions/run-commands/Role")).find(({ Sid }) => Sid === "CommandNodes");
  expect(command?.Condition).toEqual({
    StringEquals: { "ssm:resourceTag/kubernetes.io/cluster/production": "owned" },
  });
});

test("a rollout is started by the alias only", () => {
  for (const handler of ["poll", "continue-pool-as-new"]) {
    const start = policiesOf(at(`edge/Functions/${handler}/Role`)).find(({ Sid }) => Sid === "StartRollouts");
    expect(start?.Condition).toEqual({ "ForAnyValue:StringEquals": { "states:StateMachineQualifier": ["live"] } });
  }
});

test("the poll may also start and list rollouts, and invoke record-pool", () => {
  const before = statementsOf(synthesise(), synthesise().at("edge/Functions/poll/Role"));
  const additional = statementsOf(stack, at("edge/Functions/poll/Role")).filter((line) => !before.includes(line));
  expect(additional).toEqual([
    ...executions("edge"),
    `Allow states:ListExecutions on arn:<AWS::Partition>:states:${here}:stateMachine:pawl-edge-node-pool-rollout`,
    "Allow lambda:InvokeFunction on <edge/Functions/record-pool/Live>",
  ]);
});

test("each machine may invoke the functions of its own states", () => {
  const invoked = (feature: string) =>
    handlersFor({ nodePools: {} } as never)
      .filter((name) => functionSpecs[name].feature === feature && functionSpecs[name].state !== null)
      .map((name) => `arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:pawl-edge-${name}:*`)
      .sort()
      .join(", ");
  const [rollouts] = statementsOf(stack, at("edge/NodePools/Rollout/Role"));
  expect(rollouts).toBe(`Allow lambda:InvokeFunction on ${invoked("node-pools")}`);
  const [updates] = statementsOf(stack, at("edge/WorkloadUpdate/Role"));
  expect(updates).toBe(`Allow lambda:InvokeFunction on ${invoked("workloads")}`);
});

test("all roles are in the tables, and none has a second policy", () => {
  const roles = ofType("AWS::IAM::Role").map(([path]) => path);
  const expected = ["production", "edge"].flatMap((cluster) => [
    ...handlersFor({ nodePools: {} } as never).map((name) => `${cluster}/Functions/${name}/Role`),
    `${cluster}/WorkloadUpdate/Role`,
    `${cluster}/PollFanOut/Machine/Role`,
    `${cluster}/NodePools/Rollout/Role`,
    `${cluster}/Schedule/Role`,
  ]);
  expect(roles.sort()).toEqual([...expected, "Notifications/notify/Handler/Role"].sort());
  expect([...ofType("AWS::IAM::Policy"), ...ofType("AWS::IAM::ManagedPolicy")]).toEqual([]);
});
