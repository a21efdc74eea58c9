import { describe, expect, test } from "vitest";
import { statementsOf } from "../../policies.ts";
import { synthesise } from "../../synthesized-stack.ts";

const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/chat-a1B2c3";
const otherArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/team-d4E5f6";
const topicArn = "arn:aws:sns:eu-central-1:123456789012:releases";
const clusters = [{ name: "prod", eks: { clusterName: "prod", region: "eu-central-1" } }];
const stack = synthesise({
  clusters,
  notifications: [
    { kind: "sns", topicArn, on: "success" },
    {
      kind: "webhook",
      name: "chat",
      url: "https://hooks.example.com/x",
      headers: { "X-Token": "{{secret}}" },
      secretArn,
    },
    {
      kind: "slack",
      name: "team",
      secretArn: otherArn,
      events: ["Update Started"],
      namespaces: ["shop-*"],
      onlyNamed: true,
      dailyDigest: { at: "08:00", timeZone: "Europe/Berlin" },
    },
  ],
});
const { at, render } = stack;

interface Target {
  readonly Arn: unknown;
  readonly DeadLetterConfig: { readonly Arn: unknown };
}

describe("a rule for each target", () => {
  const notify = "<Notifications/notify/Queue.Arn>";
  const success = ["Update Succeeded", "Node Pool Rollout Completed", "Node Pool Recovered"];
  const held = ["Update Rolled Back", "Circuit Opened", "Update Held", "Hook Failed", "Canary Paused"];
  const failure = [
    ...held,
    "Node Pool Rollout Paused",
    "Node Pool Rollout Halted",
    "Node Pool Degraded",
    "Node Drain Slow",
  ];
  const named = { workload: { namespace: [{ wildcard: "shop-*" }] }, notify: ["team"] };
  test.for([
    { rule: "topic-0", pattern: { "detail-type": success }, to: topicArn },
    { rule: "chat", pattern: { "detail-type": [...success, ...failure] }, to: notify },
    { rule: "team", pattern: { "detail-type": ["Update Started"], detail: named }, to: notify },
    { rule: "team-digest", pattern: { "detail-type": ["Daily Digest"], detail: { target: ["team"] } }, to: notify },
  ])("$rule", ({ rule, pattern, to }) => {
    const { Properties } = at(`Notifications/${rule}`);
    expect(Properties["EventPattern"]).toEqual({ source: ["pawl"], ...pattern });
    expect(render(Properties["EventBusName"])).toBe("<Bus>");
    const [target, ...more] = Properties["Targets"] as Target[];
    expect(more).toEqual([]);
    expect(render(target?.Arn)).toBe(to);
    expect(render(target?.DeadLetterConfig.Arn)).toBe("<Undelivered.Arn>");
    expect(target).toMatchObject({ RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 } });
  });

  test("there are no other rules", () => {
    expect(stack.ofType("AWS::Events::Rule").filter(([path]) => path.startsWith("Notifications/"))).toHaveLength(4);
  });

  test("sends the queue its name, its cluster and the event", () => {
    const [{ InputTransformer }] = at("Notifications/chat").Properties["Targets"] as [
      { InputTransformer: { InputPathsMap: Record<string, string>; InputTemplate: string } },
    ];
    const { InputPathsMap, InputTemplate } = InputTransformer;
    const paths = Object.entries(InputPathsMap);
    const filled = paths.reduce(
      (text, [key, path]) => text.replaceAll(`<${key}>`, JSON.stringify(path)),
      InputTemplate,
    );
    expect(JSON.parse(filled)).toEqual({
      cluster: "$.detail.cluster",
      target: "chat",
      event: {
        id: "$.id",
        source: "$.source",
        "detail-type": "$.detail-type",
        time: "$.time",
        account: "$.account",
        region: "$.region",
        detail: "$.detail",
      },
    });
  });
});

describe("the function", () => {
  test("is one for all clusters, outside any VPC", () => {
    const { Properties } = at("Notifications/notify/Handler/Function");
    expect(Properties).toMatchObject({
      FunctionName: "pawl-notify",
      Timeout: 60,
      Environment: { Variables: { PAWL_NOTIFICATIONS_FILE: "/opt/notifications.json" } },
    });
    expect(Properties["VpcConfig"]).toBeUndefined();
    expect(stack.ofType("AWS::Lambda::Function").filter(([path]) => path.includes("notify"))).toHaveLength(1);
  });

  test("may read the secrets of its targets, and receive its messages", () => {
    expect(statementsOf(stack, at("Notifications/notify/Handler/Role"))).toEqual([
      "Allow logs:CreateLogStream, logs:PutLogEvents on <Notifications/notify/Handler/Logs.Arn>",
      `Allow secretsmanager:GetSecretValue on ${secretArn}, ${otherArn}`,
      "Allow sqs:DeleteMessage, sqs:GetQueueAttributes, sqs:ReceiveMessage on <Notifications/notify/Queue.Arn>",
    ]);
    const keyArn = "arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef";
    const notifications = [{ kind: "slack", name: "team", secretArn }];
    const encrypted = synthesise({ clusters, encryptionKeyArn: keyArn, notifications });
    const statements = statementsOf(encrypted, encrypted.at("Notifications/notify/Handler/Role"));
    expect(statements.at(-1)).toBe(`Allow kms:Decrypt on ${keyArn}`);
  });

  test("gets batches of half a minute, two at a time, and only what was not delivered again, five times at most", () => {
    const [[, { Properties }], ...more] = stack
      .ofType("AWS::Lambda::EventSourceMapping")
      .filter(([path]) => path.startsWith("Notifications/")) as [ReturnType<typeof stack.ofType>[number]];
    expect(more).toEqual([]);
    expect(render(Properties["EventSourceArn"])).toBe("<Notifications/notify/Queue.Arn>");
    expect(render(Properties["FunctionName"])).toMatch(/HandlerLive.*:live$/);
    expect(Properties).toMatchObject({
      BatchSize: 10_000,
      MaximumBatchingWindowInSeconds: 30,
      ScalingConfig: { MaximumConcurrency: 2 },
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    });
    const queue = at("Notifications/notify/Queue").Properties;
    expect(queue).toMatchObject({ QueueName: "pawl-notifications", VisibilityTimeout: 390 });
    const redrive = queue["RedrivePolicy"] as { deadLetterTargetArn: unknown };
    expect({ ...redrive, deadLetterTargetArn: render(redrive.deadLetterTargetArn) }).toEqual({
      deadLetterTargetArn: "<Undelivered.Arn>",
      maxReceiveCount: 5,
    });
  });

  test.for(["Notifications/notify/Queue", "Undelivered"])(
    "and rules of the bus alone may send to %s, by one statement: SQS allows 20",
    (path) => {
      const { Statement } = at(`${path}/Policy`).Properties["PolicyDocument"] as {
        Statement: { Action: string; Principal: object; Condition: { ArnLike: Record<string, unknown> } }[];
      };
      expect(Statement).toHaveLength(2);
      const { Action, Principal, Condition } = Statement[1]!;
      expect([Action, Principal]).toEqual(["sqs:SendMessage", { Service: "events.amazonaws.com" }]);
      expect(render(Condition.ArnLike["aws:SourceArn"])).toBe(
        "arn:<AWS::Partition>:events:<AWS::Region>:<AWS::AccountId>:rule/<Bus>/*",
      );
    },
  );

  test("does not exist if topics are the only targets", () => {
    const { ofType } = synthesise({ clusters, notifications: [{ kind: "sns", topicArn }] });
    expect(ofType("AWS::Lambda::Function").filter(([path]) => path.startsWith("Notifications/"))).toEqual([]);
  });
});
