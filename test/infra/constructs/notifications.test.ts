import { describe, expect, test } from "vitest";
import { synthesise } from "../synthesized-stack.ts";

const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/chat-a1B2c3";
const topicArn = "arn:aws:sns:eu-central-1:123456789012:releases";
const stack = synthesise({
  clusters: [{ name: "prod", eks: { clusterName: "prod", region: "eu-central-1" } }],
  notifications: [
    { kind: "sns", topicArn, on: "success" },
    { kind: "webhook", name: "chat", url: "https://hooks.example.com/x", header: "X-Token", secretArn, on: "all" },
  ],
});
const { at, render } = stack;

interface Target {
  readonly Arn: unknown;
  readonly RoleArn?: unknown;
  readonly DeadLetterConfig: { readonly Arn: unknown };
}

describe("a rule for each kind of notification", () => {
  const chat = "<Notifications/chat/Destination/ApiDestination.Arn>";
  const success = ["Update Succeeded", "Node Pool Rollout Completed", "Node Pool Recovered"];
  const held = ["Update Rolled Back", "Circuit Opened", "Update Held", "Canary Paused"];
  const failure = [...held, "Node Pool Rollout Halted", "Node Pool Degraded", "Node Drain Slow"];
  test.for([
    { rule: "topic-0-success", types: success, to: topicArn },
    { rule: "chat-success", types: success, to: chat },
    { rule: "chat-failure", types: failure, to: chat },
  ])("$rule", ({ rule, types, to }) => {
    const { Properties } = at(`Notifications/${rule}`);
    expect(Properties["EventPattern"]).toEqual({ source: ["pawl"], "detail-type": types });
    expect(render(Properties["EventBusName"])).toBe("<Bus>");
    const [target, ...more] = Properties["Targets"] as Target[];
    expect(more).toEqual([]);
    expect(render(target?.Arn)).toBe(to);
    expect(render(target?.DeadLetterConfig.Arn)).toBe("<Undelivered.Arn>");
    expect(target).toMatchObject({ RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 } });
  });

  test("there are no other rules", () => {
    expect(stack.ofType("AWS::Events::Rule").filter(([path]) => path.startsWith("Notifications/"))).toHaveLength(3);
  });
});

test("a webhook's header is read from its secret, and the template contains only the ARN", () => {
  expect(at("Notifications/chat/Connection/Connection").Properties).toMatchObject({
    AuthorizationType: "API_KEY",
    AuthParameters: {
      ApiKeyAuthParameters: {
        ApiKeyName: "X-Token",
        ApiKeyValue: `{{resolve:secretsmanager:${secretArn}:SecretString:::}}`,
      },
    },
  });
});
