import { describe, expect, test } from "vitest";
import {
  alarmNames,
  nodePoolAlarmNames,
  signatureAlarmNames,
} from "../../../../infra/constructs/alarms/alarm-names.ts";
import { defaultRunbookUrl } from "../../../../infra/config/runbook-url.ts";
import { synthesise } from "../../synthesized-stack.ts";

const stack = synthesise();
const { at, render, ofType } = stack;
const alarmsPath = "production/Alarms";

describe("the alarms", () => {
  test.for([
    { name: "executions-failed", metric: "production", threshold: 1, missing: "notBreaching" },
    { name: "executions-timed-out", metric: "ExecutionsTimedOut", threshold: 1, missing: "notBreaching" },
    { name: "executions-aborted", metric: "ExecutionsAborted", threshold: 1, missing: "notBreaching" },
    { name: "executions-throttled", metric: "ExecutionThrottled", threshold: 1, missing: "notBreaching" },
    { name: "circuit-opened", metric: "claw_autoupdate_circuit_open", threshold: 1, missing: "ignore" },
    { name: "claim-overdue", metric: "pawl_oldest_claim_overdue_seconds", threshold: 900, missing: "ignore" },
    { name: "dead-letters", metric: "ApproximateNumberOfMessagesVisible", threshold: 1, missing: "notBreaching" },
    { name: "poll-heartbeat-missing", metric: "pawl_polls_total", threshold: 1, missing: "breaching" },
  ])("$name", ({ name, metric, threshold, missing }) => {
    expect(at(`${alarmsPath}/${name}`).Properties).toMatchObject({
      AlarmName: `pawl-production-${name}`,
      MetricName: metric,
      Threshold: threshold,
      ComparisonOperator: name === "poll-heartbeat-missing" ? "LessThanThreshold" : "GreaterThanOrEqualToThreshold",
      TreatMissingData: missing,
    });
  });

  test("a heartbeat of five minutes is missing after 15 minutes", () => {
    expect(at(`${alarmsPath}/poll-heartbeat-missing`).Properties).toMatchObject({
      Namespace: "Pawl",
      Dimensions: [{ Name: "cluster", Value: "production" }],
      Period: 900,
      EvaluationPeriods: 1,
      Statistic: "Sum",
    });
  });

  test("the heartbeat of office hours is watched in these hours, also in summer", () => {
    const { Metrics, EvaluationPeriods } = at("edge/Alarms/poll-heartbeat-missing").Properties as {
      Metrics: { Expression?: string; Period?: number; MetricStat?: { Period: number } }[];
      EvaluationPeriods: number;
    };
    // 6 to 20 in Berlin is 5 to 19 in UTC in winter, and 4 to 18 in summer.
    const [day, hour] = ["DAY(TIME_SERIES(1))", "HOUR(TIME_SERIES(1))"];
    expect(Metrics[0]?.Expression).toBe(
      `IF(((((${day} >= 1) AND (${day} <= 5))) AND (((${hour} >= 5) AND (${hour} <= 18)))), FILL(polls, 0), 1)`,
    );
    expect([Metrics[1]?.MetricStat?.Period, EvaluationPeriods]).toEqual([3600, 1]);
  });

  test.for([
    { schedule: "rate(5 minutes)", period: 300 },
    { schedule: "rate(1 minute)", period: 300 },
    { schedule: "cron(0/15 6-20 ? * MON-FRI *)", period: 900 },
    { schedule: "rate(1 hour)", period: 3600 },
    { schedule: "cron(0 3 * * ? *)", period: 86_400 },
    { schedule: "cron(0 3 ? * SUN *)", period: 86_400, periods: 1, polls: 1 },
  ])(
    "poll-errors needs two of three polls of $schedule, if they are daily",
    ({ schedule, period, periods = 3, polls = 2 }) => {
      const eks = { clusterName: "prod", region: "eu-central-1" };
      const { Properties } = synthesise({ clusters: [{ name: "prod", eks, poll: { schedule } }] }).at(
        "prod/Alarms/poll-errors",
      );
      expect(Properties).toMatchObject({ EvaluationPeriods: periods, DatapointsToAlarm: polls, Threshold: 1 });
      const metrics = Properties["Metrics"] as { MetricStat?: { Period: number } }[];
      expect(metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? [])).toEqual(Array(5).fill(period));
    },
  );

  test("poll-errors counts reported errors, crashes, and polls in batches that broke or were stopped", () => {
    const metrics = at(`${alarmsPath}/poll-errors`).Properties["Metrics"] as {
      Expression?: string;
      MetricStat?: { Metric: { MetricName: string } };
    }[];
    expect(metrics.map(({ Expression, MetricStat }) => Expression ?? MetricStat?.Metric.MetricName)).toEqual([
      "FILL(crashed, 0) + FILL(broken, 0) + FILL(timedOut, 0) + FILL(aborted, 0) + FILL(reported, 0)",
      "Errors",
      "production",
      "ExecutionsTimedOut",
      "ExecutionsAborted",
      "pawl_poll_errors_total",
    ]);
  });

  test("code-errors counts crashed polls, and the errors of all functions that only code causes", () => {
    const metrics = at(`${alarmsPath}/code-errors`).Properties["Metrics"] as {
      MetricStat?: { Metric: { MetricName: string; Dimensions: { Name: string; Value: string }[] } };
    }[];
    const counted = metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Metric]));
    const names = counted.map(({ MetricName, Dimensions }) => [
      MetricName,
      Dimensions.find(({ Name }) => Name === "error")?.Value,
    ]);
    expect(names).toEqual([
      ["Errors", undefined],
      ["pawl_errors_total", "TypeError"],
      ["pawl_errors_total", "ReferenceError"],
    ]);
  });

  test("each cluster has all alarms except those of node pools and of signatures; the notifications have their own", () => {
    const names = ofType("AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties["AlarmName"]);
    const optional = new Set<string>([...nodePoolAlarmNames, ...signatureAlarmNames]);
    const workloadAlarms = alarmNames.filter((name) => !optional.has(name));
    const expected = ["production", "edge"].flatMap((cluster) =>
      workloadAlarms.map((name) => `pawl-${cluster}-${name}`),
    );
    expect(names.map(String).sort()).toEqual([...expected, "pawl-notifications-dead-letters"].sort());
  });

  // A cluster's stack refers to the topic by its name, so that either can be deployed without the other.
  const byName = "arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:pawl-alarms";
  const alarmTopic = (path: string) => (path.includes("/") ? byName : "<AlarmTopic/Topic>");

  test("each notifies the topic and links to its section of the runbook", () => {
    for (const [path, { Properties }] of ofType("AWS::CloudWatch::Alarm")) {
      expect(Properties["AlarmDescription"]).toMatch(
        new RegExp(` (https://\\S+/)?docs/how-to/runbook\\.md#${path.split("/").at(-1)}$`),
      );
      expect((Properties["AlarmActions"] as unknown[]).map(render)).toEqual([alarmTopic(path)]);
    }
  });
});

describe("the topic for alarms", () => {
  test("is encrypted with a key that CloudWatch can use for this account only", () => {
    expect(render(at("AlarmTopic/Topic").Properties["KmsMasterKeyId"])).toBe("<AlarmTopic/Key.Arn>");
    const { KeyPolicy, EnableKeyRotation } = at("AlarmTopic/Key").Properties as {
      KeyPolicy: { Statement: object[] };
      EnableKeyRotation: boolean;
    };
    expect(EnableKeyRotation).toBe(true);
    expect(KeyPolicy.Statement[1]).toMatchObject({
      Action: ["kms:Decrypt", "kms:GenerateDataKey"],
      Principal: { Service: "cloudwatch.amazonaws.com" },
      Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
    });
  });

  test("requires TLS, and accepts only CloudWatch", () => {
    const { Statement } = at("AlarmTopic/Topic/Policy").Properties["PolicyDocument"] as {
      Statement: { Effect: string }[];
    };
    expect(Statement).toMatchObject([
      { Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } },
      { Effect: "Allow", Action: "sns:Publish", Principal: { Service: "cloudwatch.amazonaws.com" } },
    ]);
  });

  test("sends e-mails to the configured addresses", () => {
    const [[, subscription] = ["", null]] = ofType("AWS::SNS::Subscription");
    expect(subscription?.Properties).toMatchObject({ Protocol: "email", Endpoint: "platform@example.com" });
  });

  test("can be an existing topic; then none is created", () => {
    const eks = { clusterName: "prod", region: "eu-central-1" };
    const topicArn = "arn:aws:sns:eu-central-1:123456789012:on-call";
    const stackOfTopic = synthesise({ clusters: [{ name: "prod", eks }], alarms: { topicArn } });
    expect([...stackOfTopic.ofType("AWS::SNS::Topic"), ...stackOfTopic.ofType("AWS::KMS::Key")]).toEqual([]);
    expect(stackOfTopic.at("prod/Alarms/dead-letters").Properties["AlarmActions"]).toEqual([topicArn]);
  });
});

test("every queue is encrypted and requires TLS, and dead letters are retained for two weeks", () => {
  const queues = ofType("AWS::SQS::Queue");
  const deadLetters = ["Undelivered", "production/DeadLetters", "edge/DeadLetters"];
  const pushes = ["production/EcrPushes", "edge/EcrPushes"];
  const notifications = "Notifications/notify/Queue";
  expect(queues.map(([path]) => path).toSorted()).toEqual([...deadLetters, ...pushes, notifications].toSorted());
  for (const [path, { Properties }] of queues) {
    expect(Properties).toMatchObject({ SqsManagedSseEnabled: true });
    // The default of SQS is four days.
    const ofOthers = path === notifications ? undefined : 14_400;
    expect(Properties["MessageRetentionPeriod"]).toBe(deadLetters.includes(path) ? 1_209_600 : ofOthers);
    const { Statement } = at(`${path}/Policy`).Properties["PolicyDocument"] as { Statement: object[] };
    expect(Statement[0]).toMatchObject({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } });
  }
});

test("the dashboard has a section for each cluster, with every metric that Pawl writes", () => {
  const body = render(ofType("AWS::CloudWatch::Dashboard")[0]?.[1].Properties["DashboardBody"]);
  const { widgets } = JSON.parse(body) as { widgets: { type: string; properties: { markdown?: string } }[] };
  expect(widgets.flatMap(({ properties }) => properties.markdown ?? [])).toEqual([
    `## production: [runbook](${defaultRunbookUrl()})`,
    `## edge: [runbook](${defaultRunbookUrl()})`,
  ]);
  for (const name of [
    "claw_autoupdate_checks_total",
    "claw_autoupdate_updates_total",
    "claw_autoupdate_circuit_open",
    "pawl_poll_duration_seconds",
    "pawl_poll_errors_total",
    "pawl_polls_total",
    "pawl_in_flight",
    "pawl_oldest_claim_overdue_seconds",
    "pawl_events_lost_total",
    "pawl_errors_total",
  ]) {
    expect(body).toContain(name);
  }
});
