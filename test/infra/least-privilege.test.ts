import { describe, expect, test } from "vitest";
import { handlersFor } from "../../infra/constructs/functions/function-specs.ts";
import { policiesOf, statementsOf } from "./policies.ts";
import { synthesise } from "./synthesized-stack.ts";

const stack = synthesise();
const { at, ofType } = stack;
const handlers = handlersFor({ nodePools: null, releases: false, hooks: false });

const traces = "Allow xray:PutTelemetryRecords, xray:PutTraceSegments on *";
const interfaces =
  "ec2:AssignPrivateIpAddresses, ec2:CreateNetworkInterface, ec2:DeleteNetworkInterface, " +
  "ec2:DescribeNetworkInterfaces, ec2:DescribeSubnets, ec2:UnassignPrivateIpAddresses on *";
const secrets = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl";
const kubeconfig = `Allow secretsmanager:GetSecretValue on ${secrets}/edge-kubeconfig-a1B2c3`;
const events = "Allow events:PutEvents on arn:<AWS::Partition>:events:<AWS::Region>:<AWS::AccountId>:event-bus/pawl";
const workspace =
  "Allow aps:QueryMetrics on arn:<AWS::Partition>:aps:eu-central-1:<AWS::AccountId>:workspace/ws-01234567-89ab-cdef-0123-456789abcdef";
const metricLogins = `Allow secretsmanager:GetSecretValue on ${secrets}/prometheus-m3N4o5`;
const cloudWatch = "Allow cloudwatch:GetMetricData on * if";
const executions = (cluster: string) => [
  `Allow states:StartExecution on arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:stateMachine:pawl-${cluster}-workload-update if`,
  `Allow states:DescribeExecution on arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:pawl-${cluster}-workload-update:*`,
];
const listing = (cluster: string) =>
  `Allow states:ListExecutions on arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:stateMachine:pawl-${cluster}-workload-update`;
const recording = (cluster: string) => `Allow lambda:InvokeFunction on <${cluster}/Functions/record-check/Live>`;
const workLists = (use: string, cluster: string) => `Allow s3:${use}Object on <${cluster}/WorkLists.Arn>/${cluster}/*`;
const states = (cluster: string, resource: string) =>
  `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:${resource}:pawl-${cluster}-poll-fanout`;
const polling = (cluster: string) => [
  "Allow ecr-public:GetAuthorizationToken, ecr:GetAuthorizationToken on *",
  "Allow sts:GetServiceBearerToken on * if",
  "Allow ecr:BatchGetImage, ecr:DescribeImageScanFindings, ecr:DescribeImages, ecr:ListImages on arn:<AWS::Partition>:ecr:*:123456789012:repository/*, arn:<AWS::Partition>:ecr:*:210987654321:repository/*",
  `Allow secretsmanager:GetSecretValue on ${secrets}/registries-d4E5f6`,
  ...executions(cluster),
  listing(cluster),
  recording(cluster),
];
const poll = (cluster: string) => [
  ...polling(cluster),
  `Allow states:StartExecution on ${states(cluster, "stateMachine")}`,
  workLists("Put", cluster),
  workLists("Get", cluster),
  `Allow sqs:SendMessage on <${cluster}/DeadLetters.Arn>`,
  `Allow sqs:DeleteMessage, sqs:GetQueueAttributes, sqs:ReceiveMessage on <${cluster}/EcrPushes.Arn>`,
];
const pollBatch = (cluster: string) => [...polling(cluster), workLists("Get", cluster)];
const collectBatches = (cluster: string) => [
  recording(cluster),
  workLists("Get", cluster),
  workLists("Delete", cluster),
];

/** The private cluster's endpoint and certificate are configured, so EKS is not called. */
const onProduction: Record<string, readonly string[]> = {
  "record-check": [events],
  poll: poll("production"),
  "poll-batch": pollBatch("production"),
  "collect-batches": collectBatches("production"),
  "apply-update": [events],
  "adopt-update": [],
  "start-canary": [events],
  "check-canary": [],
  "analyze-canary": [workspace, cloudWatch, metricLogins],
  "check-readiness": [],
  "roll-pod": [],
  "analyze-rollout": [workspace, cloudWatch, metricLogins],
  "record-success": [events],
  "roll-back": [events],
  "check-rollback": [events],
  "open-circuit": [events],
  "continue-as-new": executions("production"),
};

const onEdge: Record<string, readonly string[]> = {
  "record-check": [kubeconfig, events],
  poll: [kubeconfig, ...poll("edge")],
  "poll-batch": [kubeconfig, ...pollBatch("edge")],
  "collect-batches": [kubeconfig, ...collectBatches("edge")],
  "apply-update": [kubeconfig, events],
  "adopt-update": [kubeconfig],
  "start-canary": [kubeconfig, events],
  "check-canary": [kubeconfig],
  "analyze-canary": [kubeconfig],
  "check-readiness": [kubeconfig],
  "roll-pod": [kubeconfig],
  "analyze-rollout": [kubeconfig],
  "record-success": [kubeconfig, events],
  "roll-back": [kubeconfig, events],
  "check-rollback": [kubeconfig, events],
  "open-circuit": [kubeconfig, events],
  "continue-as-new": executions("edge"),
};

const logsOf = (path: string) => `Allow logs:CreateLogStream, logs:PutLogEvents on <${path}/Logs.Arn>`;

describe("each function has only its permissions", () => {
  test.for(handlers)("%s on a private cluster", (handler) => {
    const path = `production/Functions/${handler}`;
    const vpc = handler === "continue-as-new" ? [] : [`Allow ${interfaces}`, `Deny ${interfaces} if`];
    const allowed = [logsOf(path), traces, ...vpc, ...(onProduction[handler] ?? ["not in the table"])];
    expect(statementsOf(stack, at(`${path}/Role`))).toEqual(allowed);
  });

  test.for(handlers)("%s by kubeconfig", (handler) => {
    const path = `edge/Functions/${handler}`;
    const allowed = [logsOf(path), traces, ...(onEdge[handler] ?? ["not in the table"])];
    expect(statementsOf(stack, at(`${path}/Role`))).toEqual(allowed);
  });

  test("CloudWatch is queried in the configured regions only", () => {
    const query = policiesOf(at("production/Functions/analyze-canary/Role")).find(
      ({ Sid }) => Sid === "QueryCloudWatch",
    );
    expect(query?.Condition).toEqual({ StringEquals: { "aws:RequestedRegion": ["eu-central-1"] } });
  });

  test("executions are listed by polls only, and by the machine, also if no alias started them", () => {
    const listed = handlers.filter((handler) =>
      policiesOf(at(`production/Functions/${handler}/Role`)).some(({ Sid }) => Sid === "ListUpdates"),
    );
    expect(listed).toEqual(["poll", "poll-batch"]);
    const list = policiesOf(at("production/Functions/poll/Role")).find(({ Sid }) => Sid === "ListUpdates");
    expect(list).not.toHaveProperty("Condition");
  });

  test("an execution is started by the alias only", () => {
    const start = policiesOf(at("production/Functions/poll/Role")).find(({ Sid }) => Sid === "StartUpdates");
    expect(start?.Condition).toEqual({ "ForAnyValue:StringEquals": { "states:StateMachineQualifier": ["live"] } });
  });
});

describe("the permissions of other roles", () => {
  const steps = [
    "apply-update",
    "adopt-update",
    "start-canary",
    "check-canary",
    "analyze-canary",
    "check-readiness",
    "roll-pod",
    "analyze-rollout",
    "record-success",
    "roll-back",
    "check-rollback",
    "open-circuit",
    "continue-as-new",
  ];
  const logs =
    "Allow logs:CreateLogDelivery, logs:DeleteLogDelivery, logs:DescribeLogGroups, logs:DescribeResourcePolicies, " +
    "logs:GetLogDelivery, logs:ListLogDeliveries, logs:PutResourcePolicy, logs:UpdateLogDelivery on *";
  const machineTraces =
    "Allow xray:GetSamplingRules, xray:GetSamplingTargets, xray:PutTelemetryRecords, xray:PutTraceSegments on *";
  const invoked = (names: readonly string[]) =>
    names
      .map((step) => `arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:pawl-production-${step}:*`)
      .sort()
      .join(", ");
  test.for([
    {
      path: "production/WorkloadUpdate/Role",
      allowed: [`Allow lambda:InvokeFunction on ${invoked(steps)}`, logs, machineTraces],
    },
    {
      path: "production/PollFanOut/Machine/Role",
      allowed: [
        `Allow lambda:InvokeFunction on ${invoked(["collect-batches", "poll-batch", "poll"])}`,
        logs,
        machineTraces,
        `Allow states:StartExecution on ${states("production", "stateMachine")}`,
        `Allow states:DescribeExecution, states:StopExecution on ${states("production", "execution")}:*`,
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
      path: "Notifications/notify/Handler/Role",
      allowed: [
        logsOf("Notifications/notify/Handler"),
        traces,
        `Allow secretsmanager:GetSecretValue on ${secrets}/on-call-g7H8i9, ${secrets}/shop-team-j1K2l3`,
        "Allow sqs:DeleteMessage, sqs:GetQueueAttributes, sqs:ReceiveMessage on <Notifications/notify/Queue.Arn>",
      ],
    },
  ])("$path", ({ path, allowed }) => {
    expect(statementsOf(stack, at(path))).toEqual(allowed);
  });

  test("the tables contain every role", () => {
    const functions = ["production", "edge"].flatMap((cluster) =>
      handlers.map((name) => `${cluster}/Functions/${name}/Role`),
    );
    const machines = ["production", "edge"].flatMap((cluster) => [
      `${cluster}/WorkloadUpdate/Role`,
      `${cluster}/PollFanOut/Machine/Role`,
      `${cluster}/Schedule/Role`,
    ]);
    expect(
      ofType("AWS::IAM::Role")
        .map(([path]) => path)
        .sort(),
    ).toEqual([...functions, ...machines, "Notifications/notify/Handler/Role"].sort());
  });
});

describe("in the whole template", () => {
  test("no role has a managed or second policy", () => {
    expect(ofType("AWS::IAM::Role").filter(([, { Properties }]) => "ManagedPolicyArns" in Properties)).toEqual([]);
    expect([...ofType("AWS::IAM::Policy"), ...ofType("AWS::IAM::ManagedPolicy")]).toEqual([]);
  });

  test("no action is a wildcard", () => {
    const actions = [...JSON.stringify(stack.template.toJSON()).matchAll(/"Action":("[^"]*"|\[[^\]]*\])/g)]
      .flatMap(([, text]) => [JSON.parse(text ?? "[]") as string | string[]].flat())
      .filter((action) => action.includes("*"));
    // The statements that deny requests without TLS to a queue or a bucket.
    expect(new Set(actions)).toEqual(new Set(["sqs:*", "s3:*"]));
  });

  test("only actions without resource-level permissions are allowed on all resources", () => {
    const sids = ofType("AWS::IAM::Role").flatMap(([, role]) =>
      policiesOf(role).flatMap(({ Sid, Resource }) => (Resource === "*" ? [Sid] : [])),
    );
    expect(new Set(sids)).toEqual(
      new Set([
        "Traces",
        "JoinVpc",
        "DenyFunctionCode",
        "PublicRegistryTokens",
        "RegistryTokens",
        "QueryCloudWatch",
        "DeliverLogs",
      ]),
    );
  });
});

test("only functions that start updates read change calendars, and only those of the configuration", () => {
  const shared = "arn:aws:ssm:eu-west-1:210987654321:document/Releases";
  const clusters = [{ name: "edge", eks: { clusterName: "edge", region: "eu-central-1" } }];
  const calendars = synthesise({ clusters, changeCalendars: ["Holidays", shared], freeze: [{ reason: "Christmas" }] });
  const own = "arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:document/Holidays";
  for (const handler of handlers) {
    const statements = statementsOf(calendars, calendars.at(`edge/Functions/${handler}/Role`));
    const reads = ["poll", "poll-batch", "apply-update", "start-canary"].includes(handler);
    expect(statements.filter((one) => one.includes("ssm:"))).toEqual(
      reads ? [`Allow ssm:GetCalendarState on ${own}, ${shared}`] : [],
    );
    const { Variables } = calendars.at(`edge/Functions/${handler}/Function`).Properties[
      "Environment"
    ] as EnvironmentProperty;
    expect(Variables["PAWL_CHANGE_CALENDARS"]).toBe(reads ? `Holidays,${shared}` : undefined);
    expect(Variables["PAWL_FREEZE"]?.includes("Christmas") ?? false).toBe(handler !== "continue-as-new");
  }
});

test("only the function that commits reads the GitHub Apps, and knows where they are", () => {
  const eks = { clusterName: "edge", region: "eu-central-1" };
  const clusters = [
    { name: "edge", eks },
    { name: "other", eks },
  ];
  const appSecretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/github-a1B2c3";
  const otherSecretArn = appSecretArn.replace("github", "other");
  const config = { provider: "github", repository: "shop/config", branch: "main", appSecretArn, paths: ["apps/*"] };
  const git = [
    { ...config, cluster: "edge", name: "config" },
    { ...config, cluster: "edge", name: "shop", namespaces: ["shop-*"] },
    { ...config, cluster: "other", name: "config", appSecretArn: otherSecretArn, branch: "other" },
  ];
  const committing = synthesise({ clusters, git, proxy: { url: "http://proxy.internal:3128" } });
  for (const handler of [...handlers, "sync-update"]) {
    const statements = statementsOf(committing, committing.at(`edge/Functions/${handler}/Role`));
    const commits = handler === "sync-update";
    expect(statements.filter((one) => one.includes("secretsmanager:"))).toEqual(
      commits ? [`Allow secretsmanager:GetSecretValue on ${appSecretArn}`] : [],
    );
    const { Variables } = committing.at(`edge/Functions/${handler}/Function`).Properties[
      "Environment"
    ] as EnvironmentProperty;
    expect(Variables["PAWL_GIT"]?.includes("shop-*") ?? false).toBe(handler !== "continue-as-new");
    expect(Variables["PAWL_GIT"]?.includes(appSecretArn) ?? false).toBe(commits);
    const usesProxy = commits || handler === "poll" || handler === "poll-batch";
    expect(Variables["HTTPS_PROXY"]).toBe(usesProxy ? "http://proxy.internal:3128" : undefined);
    expect(Variables["PAWL_GIT"] ?? "").not.toContain(otherSecretArn);
  }
  const entries = committing
    .ofType("AWS::EKS::AccessEntry")
    .map(([, { Properties }]) => Properties["KubernetesGroups"]);
  expect(entries).toContainEqual(["pawl:analysts", "pawl:pollers"]);
});

interface EnvironmentProperty {
  readonly Variables: Readonly<Record<string, string>>;
}
