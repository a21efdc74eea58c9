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
  const notify = "<Notifications/notify/Handler/Live>";
  const success = ["Update Succeeded", "Node Pool Rollout Completed", "Node Pool Recovered"];
  const held = ["Update Rolled Back", "Circuit Opened", "Update Held", "Hook Failed", "Canary Paused"];
  const failure = [...held, "Node Pool Rollout Halted", "Node Pool Degraded", "Node Drain Slow"];
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

  test("invokes the function with its name, its cluster and the event", () => {
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

  test("may read the secrets of its targets, and send what it cannot deliver to the dead-letter queue", () => {
    expect(statementsOf(stack, at("Notifications/notify/Handler/Role"))).toEqual([
      "Allow logs:CreateLogStream, logs:PutLogEvents on <Notifications/notify/Handler/Logs.Arn>",
      `Allow secretsmanager:GetSecretValue on ${secretArn}, ${otherArn}`,
      "Allow sqs:SendMessage on <Undelivered.Arn>",
    ]);
    expect(at("Notifications/notify/Retries").Properties).toMatchObject({
      Qualifier: "live",
      MaximumRetryAttempts: 2,
      MaximumEventAgeInSeconds: 21_600,
    });
  });

  test("does not exist if topics are the only targets", () => {
    const { ofType } = synthesise({ clusters, notifications: [{ kind: "sns", topicArn }] });
    expect(ofType("AWS::Lambda::Function").filter(([path]) => path.startsWith("Notifications/"))).toEqual([]);
  });
});
