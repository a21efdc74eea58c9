import { App, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { expect, test } from "vitest";
import { RolloutStateMachine } from "../../../../infra/constructs/state-machine/state-machine.ts";

const cluster = { prefix: "pawl", name: "prod" };
const logs = { logRetentionDays: 30, retainLogs: false, encryptionKeyArn: null, tracing: false } as const;

test("the policy of a machine's role that is longer than IAM allows is refused", () => {
  const stack = new Stack(new App(), "stack");
  const resources = Array.from(
    { length: 120 },
    (_, index) => `arn:aws:states:eu-west-1:123456789012:execution:${"n".repeat(40)}${index}`,
  );
  const permissions = [new PolicyStatement({ sid: "WatchBatches", actions: ["states:DescribeExecution"], resources })];
  expect(
    () => new RolloutStateMachine(stack, "M", { cluster, name: "poll-fanout", tasks: {}, logs, permissions }),
  ).toThrow(
    /^the role of pawl-prod-poll-fanout: its policy has about \d+ characters, and IAM allows 10240; \d+ of them are the statement WatchBatches/,
  );
});
