import { describe, expect, test } from "vitest";
import { handlersOf } from "../../infra/constructs/deployed.ts";
import { policiesOf, statementsOf } from "./policies.ts";
import { synthesise } from "./synthesised.ts";

const stack = synthesise();
const { at, ofType } = stack;
const handlers = handlersOf({ nodePools: null });

const traces = "Allow xray:PutTelemetryRecords, xray:PutTraceSegments on *";
const interfaces =
  "ec2:AssignPrivateIpAddresses, ec2:CreateNetworkInterface, ec2:DeleteNetworkInterface, " +
  "ec2:DescribeNetworkInterfaces, ec2:DescribeSubnets, ec2:UnassignPrivateIpAddresses on *";
const secrets = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl";
const kubeconfig = `Allow secretsmanager:GetSecretValue on ${secrets}/edge-kubeconfig-a1B2c3`;
const events = "Allow events:PutEvents on <Bus.Arn>";
const workspace =
  "Allow aps:QueryMetrics on arn:<AWS::Partition>:aps:eu-central-1:<AWS::AccountId>:workspace/ws-01234567-89ab-cdef-0123-456789abcdef";
const executions = (cluster: string) => [
  `Allow states:StartExecution on arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:stateMachine:pawl-${cluster}-workload-update if`,
  `Allow states:DescribeExecution on arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:pawl-${cluster}-workload-update:*`,
];
const polling = (cluster: string) => [
  "Allow ecr-public:GetAuthorizationToken, ecr:GetAuthorizationToken, sts:GetServiceBearerToken on *",
  "Allow ecr:BatchGetImage, ecr:ListImages on arn:<AWS::Partition>:ecr:*:123456789012:repository/*, arn:<AWS::Partition>:ecr:*:210987654321:repository/*",
  `Allow secretsmanager:GetSecretValue on ${secrets}/registries-d4E5f6`,
  ...executions(cluster),
  `Allow lambda:InvokeFunction on <${cluster}/Functions/record-check/Live>`,
  `Allow lambda:InvokeFunction on arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:pawl-${cluster}-poll:live`,
  `Allow sqs:SendMessage on <${cluster}/DeadLetters.Arn>`,
];

/** The private cluster's endpoint and certificate are known: nothing is asked of EKS. */
const onProduction: Record<string, readonly string[]> = {
  "record-check": [events],
  poll: polling("production"),
  "apply-update": [events],
  "adopt-update": [],
  "start-canary": [events],
  "check-canary": [],
  "analyze-canary": [workspace],
  "check-readiness": [],
  "record-success": [events],
  "roll-back": [events],
  "open-circuit": [events],
  "hand-over": executions("production"),
};

const onEdge: Record<string, readonly string[]> = {
  "record-check": [kubeconfig, events],
  poll: [kubeconfig, ...polling("edge")],
  "apply-update": [kubeconfig, events],
  "adopt-update": [kubeconfig],
  "start-canary": [kubeconfig, events],
  "check-canary": [kubeconfig],
  "analyze-canary": [kubeconfig],
  "check-readiness": [kubeconfig],
  "record-success": [kubeconfig, events],
  "roll-back": [kubeconfig, events],
  "open-circuit": [kubeconfig, events],
  "hand-over": executions("edge"),
};

const logsOf = (path: string) => `Allow logs:CreateLogStream, logs:PutLogEvents on <${path}/Logs.Arn>`;

describe("what each function may do, and nothing else", () => {
  test.for(handlers)("%s on a private cluster", (handler) => {
    const path = `production/Functions/${handler}`;
    const vpc = handler === "hand-over" ? [] : [`Allow ${interfaces}`, `Deny ${interfaces} if`];
    const allowed = [logsOf(path), traces, ...vpc, ...(onProduction[handler] ?? ["not in the table"])];
    expect(statementsOf(stack, at(`${path}/Role`))).toEqual(allowed);
  });

  test.for(handlers)("%s by kubeconfig", (handler) => {
    const path = `edge/Functions/${handler}`;
    const allowed = [logsOf(path), traces, ...(onEdge[handler] ?? ["not in the table"])];
    expect(statementsOf(stack, at(`${path}/Role`))).toEqual(allowed);
  });

  test("an execution is started by the alias only", () => {
    const start = policiesOf(at("production/Functions/poll/Role")).find(({ Sid }) => Sid === "StartUpdates");
    expect(start?.Condition).toEqual({ "ForAnyValue:StringEquals": { "states:StateMachineQualifier": ["live"] } });
  });
});

describe("what the rest may do", () => {
  const steps = [
    "apply-update",
    "adopt-update",
    "start-canary",
    "check-canary",
    "analyze-canary",
    "check-readiness",
    "record-success",
    "roll-back",
    "open-circuit",
    "hand-over",
  ];
  const invoked = steps
    .map((step) => `<production/Functions/${step}/Live>`)
    .sort()
    .join(", ");
  test.for([
    {
      path: "production/WorkloadUpdate/Role",
      allowed: [
        `Allow lambda:InvokeFunction on ${invoked}`,
        "Allow logs:CreateLogDelivery, logs:DeleteLogDelivery, logs:DescribeLogGroups, logs:DescribeResourcePolicies, " +
          "logs:GetLogDelivery, logs:ListLogDeliveries, logs:PutResourcePolicy, logs:UpdateLogDelivery on *",
        "Allow xray:GetSamplingRules, xray:GetSamplingTargets, xray:PutTelemetryRecords, xray:PutTraceSegments on *",
      ],
    },
    {
      path: "production/Schedule/Role",
      allowed: [
        "Allow lambda:InvokeFunction on <production/Functions/poll/Live>",
        "Allow sqs:SendMessage on <production/DeadLetters.Arn>",
      ],
    },
    {
      path: "Notifications/on-call/Role",
      allowed: ["Allow events:InvokeApiDestination on <Notifications/on-call/Destination/ApiDestination.Arn>"],
    },
  ])("$path", ({ path, allowed }) => {
    expect(statementsOf(stack, at(path))).toEqual(allowed);
  });

  test("the tables name every role there is", () => {
    const functions = ["production", "edge"].flatMap((cluster) =>
      handlers.map((name) => `${cluster}/Functions/${name}/Role`),
    );
    const machines = ["production", "edge"].flatMap((cluster) => [
      `${cluster}/WorkloadUpdate/Role`,
      `${cluster}/Schedule/Role`,
    ]);
    expect(
      ofType("AWS::IAM::Role")
        .map(([path]) => path)
        .sort(),
    ).toEqual([...functions, ...machines, "Notifications/on-call/Role"].sort());
  });
});

describe("in the whole template", () => {
  test("no role has a managed policy, and none has a policy beside its own", () => {
    expect(ofType("AWS::IAM::Role").filter(([, { Properties }]) => "ManagedPolicyArns" in Properties)).toEqual([]);
    expect([...ofType("AWS::IAM::Policy"), ...ofType("AWS::IAM::ManagedPolicy")]).toEqual([]);
  });

  test("no action is a wildcard", () => {
    const actions = [...JSON.stringify(stack.template.toJSON()).matchAll(/"Action":("[^"]*"|\[[^\]]*\])/g)]
      .flatMap(([, written]) => [JSON.parse(written ?? "[]") as string | string[]].flat())
      .filter((action) => action.includes("*"));
    // "Nobody, whatever it is, without TLS" is how a queue and a topic refuse; nothing is allowed by it.
    expect(new Set(actions)).toEqual(new Set(["sqs:*"]));
  });

  test("an action on all resources is one that AWS gives on no other terms", () => {
    const sids = ofType("AWS::IAM::Role").flatMap(([, role]) =>
      policiesOf(role).flatMap(({ Sid, Resource }) => (Resource === "*" ? [Sid] : [])),
    );
    expect(new Set(sids)).toEqual(new Set(["Traces", "JoinVpc", "NotByItsOwnCode", "RegistryTokens", "DeliverLogs"]));
  });
});
