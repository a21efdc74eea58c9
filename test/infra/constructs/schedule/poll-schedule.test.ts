import { describe, expect, test } from "vitest";
import { policiesOf } from "../../policies.ts";
import { synthesise } from "../../synthesized-stack.ts";

const stack = synthesise();
const { at, render, ofType } = stack;

interface Target {
  readonly Arn: unknown;
  readonly RoleArn: unknown;
  readonly DeadLetterConfig: { readonly Arn: unknown };
}

interface Statement {
  readonly Effect: string;
  readonly Principal: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

describe("the schedule", () => {
  test.for([
    {
      cluster: "production",
      expression: "rate(5 minutes)",
      zone: "UTC",
      retry: { attempts: 0, age: 300 },
      spread: 1,
    },
    {
      cluster: "edge",
      expression: "cron(0/15 6-20 ? * MON-FRI *)",
      zone: "Europe/Berlin",
      retry: { attempts: 3, age: 3600 },
      spread: 3,
    },
  ])("of $cluster", ({ cluster, expression, zone, retry, spread }) => {
    const schedule = at(`${cluster}/Schedule/Schedule`).Properties;
    expect(schedule).toMatchObject({
      Name: cluster,
      GroupName: "pawl",
      ScheduleExpression: expression,
      ScheduleExpressionTimezone: zone,
      State: "ENABLED",
      FlexibleTimeWindow: { Mode: "FLEXIBLE", MaximumWindowInMinutes: spread },
      Target: {
        Input: JSON.stringify({ cluster }),
        RetryPolicy: { MaximumRetryAttempts: retry.attempts, MaximumEventAgeInSeconds: retry.age },
      },
    });
    const target = schedule["Target"] as Target;
    expect(render(target.Arn)).toBe(`<${cluster}/Functions/poll/Live>`);
    expect(render(target.RoleArn)).toBe(`<${cluster}/Schedule/Role.Arn>`);
    expect(render(target.DeadLetterConfig.Arn)).toBe(`<${cluster}/DeadLetters.Arn>`);
  });

  // A deployment that changes anything of a schedule replaces all of it: one that was disabled in the console is enabled again.
  test("is not touched by a release of Pawl: only by its configuration", () => {
    const { Target: target, ...schedule } = at("production/Schedule/Schedule").Properties;
    expect(schedule).toEqual({
      Description: "Polls cluster production",
      FlexibleTimeWindow: { MaximumWindowInMinutes: 1, Mode: "FLEXIBLE" },
      GroupName: "pawl",
      Name: "production",
      ScheduleExpression: "rate(5 minutes)",
      ScheduleExpressionTimezone: "UTC",
      State: "ENABLED",
    });
    const { Arn: _arn, RoleArn: _roleArn, DeadLetterConfig: _deadLetters, ...others } = target as Target;
    expect(others).toEqual({
      Input: '{"cluster":"production"}',
      RetryPolicy: { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 0 },
    });
    // An alias keeps its ARN when the code changes.
    expect(render((target as Target).Arn)).toBe("<production/Functions/poll/Live>");
  });

  test("only schedules of the group can assume its role", () => {
    const { Statement } = at("edge/Schedule/Role").Properties["AssumeRolePolicyDocument"] as { Statement: unknown[] };
    expect(Statement).toMatchObject([
      {
        Principal: { Service: "scheduler.amazonaws.com" },
        Condition: {
          StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } },
          ArnLike: { "aws:SourceArn": [expect.anything()] },
        },
      },
    ]);
    expect(JSON.stringify(Statement)).toContain(":schedule-group/pawl");
  });

  test("a disabled poll has a disabled schedule, and no push to ECR starts it", () => {
    const eks = { clusterName: "prod", region: "eu-central-1" };
    const off = synthesise({ clusters: [{ name: "prod", eks, poll: { enabled: false } }] });
    expect(off.at("prod/Schedule/Schedule").Properties["State"]).toBe("DISABLED");
    expect(off.at("prod/EcrPush/Rule").Properties["State"]).toBe("DISABLED");
  });
});

describe("externally managed schedules", () => {
  const eks = { clusterName: "prod", region: "eu-central-1" };
  const theirs = synthesise({ clusters: [{ name: "prod", eks }], schedulesManagedBy: "external" });

  test("are not created; the group, the role and the outputs are", () => {
    expect(theirs.ofType("AWS::Scheduler::Schedule")).toEqual([]);
    expect(theirs.ofType("AWS::Scheduler::ScheduleGroup")).toHaveLength(1);
    expect(policiesOf(theirs.at("prod/Schedule/Role")).map(({ Action }) => Action)).toEqual([
      "lambda:InvokeFunction",
      "sqs:SendMessage",
    ]);
    const outputs = Object.values(theirs.template.findOutputs("*")).map(({ Value }) => theirs.render(Value));
    expect(outputs).toEqual(expect.arrayContaining(["<prod/Schedule/Role.Arn>", "<prod/Functions/poll/Live>"]));
  });

  test("the heartbeat alarm exists", () => {
    expect(theirs.at("prod/Alarms/poll-heartbeat-missing").Properties["TreatMissingData"]).toBe("breaching");
  });
});

describe("a push to ECR", () => {
  test("is sent to the queue of its cluster", () => {
    const rule = at("production/EcrPush/Rule").Properties;
    expect(rule["EventPattern"]).toEqual({
      source: ["aws.ecr"],
      "detail-type": ["ECR Image Action"],
      detail: { "action-type": ["PUSH"], result: ["SUCCESS"], "image-tag": [{ exists: true }] },
    });
    expect(rule).not.toHaveProperty("EventBusName");
    const [target] = rule["Targets"] as [
      Target & { InputTransformer: { InputPathsMap: Record<string, string>; InputTemplate: string } },
    ];
    expect(render(target.Arn)).toBe("<production/EcrPushes.Arn>");
    expect(render(target.DeadLetterConfig.Arn)).toBe("<production/DeadLetters.Arn>");
    expect(target).toMatchObject({ RetryPolicy: { MaximumRetryAttempts: 8, MaximumEventAgeInSeconds: 3600 } });
    const { InputPathsMap, InputTemplate } = target.InputTransformer;
    const filled = InputTemplate.replaceAll(/<([^>]+)>/g, (_, name: string) => JSON.stringify(InputPathsMap[name]));
    expect(JSON.parse(filled)).toEqual({
      cluster: "production",
      pushes: [{ repository: "$.detail.repository-name", registry: "$.account", region: "$.region" }],
    });
  });

  test("starts one poll with all that came in 30 seconds, and at most two at once", () => {
    const eks = { clusterName: "prod", region: "eu-central-1" };
    const slow = synthesise({ clusters: [{ name: "prod", eks, poll: { pushBatchSeconds: 300 } }] });
    const sources = [stack, slow].flatMap(({ ofType: all }) => all("AWS::Lambda::EventSourceMapping"));
    expect(sources.map(([, { Properties }]) => Properties["MaximumBatchingWindowInSeconds"])).toEqual([
      30, 30, 30, 300,
    ]);
    const [, { Properties: source }] = sources.find(([path]) => path.startsWith("production/"))!;
    expect(source).toMatchObject({ BatchSize: 10_000, ScalingConfig: { MaximumConcurrency: 2 } });
    expect(render(source["EventSourceArn"])).toBe("<production/EcrPushes.Arn>");
    expect(JSON.stringify(source["FunctionName"])).toContain(":live");
    const queue = at("production/EcrPushes").Properties;
    expect(queue).toMatchObject({ VisibilityTimeout: 1800, RedrivePolicy: { maxReceiveCount: 2 } });
    expect(render((queue["RedrivePolicy"] as { deadLetterTargetArn: unknown }).deadLetterTargetArn)).toBe(
      "<production/DeadLetters.Arn>",
    );
  });

  test("are polled by a function of the configured size, and wait for it", () => {
    const eks = { clusterName: "prod", region: "eu-central-1" };
    const size = { poll: { memory: 2048, timeout: 900 }, pollBatch: { memory: 1024, timeout: 120 } };
    const { at: atLarge } = synthesise({ clusters: [{ name: "prod", eks, ...size }] });
    const sizeOf = (handler: string) => atLarge(`prod/Functions/${handler}/Function`).Properties;
    expect(sizeOf("poll")).toMatchObject({ MemorySize: 2048, Timeout: 900 });
    expect(sizeOf("poll-batch")).toMatchObject({ MemorySize: 1024, Timeout: 120 });
    expect(sizeOf("collect-batches")).toMatchObject({ MemorySize: 512, Timeout: 120 });
    expect(atLarge("prod/EcrPushes").Properties).toMatchObject({ VisibilityTimeout: 5400 });
    expect(atLarge("prod/PollInvocation/Config").Properties).toMatchObject({ MaximumEventAgeInSeconds: 1800 });
  });

  test("may be sent to a queue only by the rule of its cluster, and no rule may invoke a poll", () => {
    for (const cluster of ["production", "edge"]) {
      const { Statement } = at(`${cluster}/EcrPushes/Policy`).Properties["PolicyDocument"] as {
        Statement: Statement[];
      };
      const allowed = Statement.filter(({ Effect }) => Effect === "Allow");
      expect(allowed.map(({ Principal }) => Principal)).toEqual([{ Service: "events.amazonaws.com" }]);
      expect(allowed.map(({ Condition }) => render(Object.values(Condition ?? {})[0]?.["aws:SourceArn"]))).toEqual([
        `<${cluster}/EcrPush/Rule.Arn>`,
      ]);
    }
    const invoked = ofType("AWS::Lambda::Permission").map(([, { Properties }]) => render(Properties["FunctionName"]));
    expect(invoked.filter((name) => name.includes("/poll/"))).toEqual([]);
  });
});

test("an invocation during a poll waits for its end; a failed poll is not retried, but sent to the dead-letter queue", () => {
  const config = at("production/PollInvocation/Config").Properties;
  expect(config).toMatchObject({
    FunctionName: "pawl-production-poll",
    Qualifier: "live",
    MaximumRetryAttempts: 0,
    MaximumEventAgeInSeconds: 600,
  });
  const { OnFailure } = config["DestinationConfig"] as { OnFailure: { Destination: unknown } };
  expect(render(OnFailure.Destination)).toBe("<production/DeadLetters.Arn>");
});
