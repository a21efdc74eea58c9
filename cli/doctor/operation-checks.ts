import { secondsAfter } from "../../functions/domain/text/rfc3339.ts";
import { alarmNames } from "../../infra/constructs/alarms/alarm-names.ts";
import { withTimeouts } from "../../functions/adapters/aws/client.ts";
import { metricNamespace } from "../../infra/config/metric-namespace.ts";
import { lastRunBefore } from "../../infra/config/schedule/schedule-runs.ts";
import { type Check, failed, nullOn, passed, unknown, type CheckVerdict } from "./check.ts";
import { functionName, type DoctorTarget } from "./target.ts";

export function scheduleCheck({ cluster, config, region }: DoctorTarget): Check {
  const { name, poll, prefix } = cluster;
  return {
    name: "schedule",
    async run() {
      if (config.schedulesManagedBy === "external")
        return unknown("the configuration says that schedules are managed elsewhere");
      const { GetScheduleCommand, SchedulerClient } = await import("@aws-sdk/client-scheduler");
      const client = new SchedulerClient({ ...withTimeouts({ region }), maxAttempts: 2 });
      const command = new GetScheduleCommand({ Name: name, GroupName: prefix });
      const found = await nullOn(["ResourceNotFoundException"], client.send(command));
      if (found === null) return failed(`group ${prefix} has no schedule ${name}`, "npx cdk deploy --all");
      const { State, ScheduleExpression, ScheduleExpressionTimezone = "UTC" } = found;
      const detail = `${State}, ${ScheduleExpression} in ${ScheduleExpressionTimezone}`;
      if (State !== "ENABLED" && poll.enabled)
        return failed(detail, `enable the schedule ${name} of the group ${prefix} in EventBridge Scheduler`);
      const isEdited = ScheduleExpression !== poll.expression || ScheduleExpressionTimezone !== poll.timeZone;
      return passed(isEdited ? `${detail}; the configuration says ${poll.expression} in ${poll.timeZone}` : detail);
    },
  };
}

/** Jitter of the schedule, the duration of a poll, and the delay of metrics. */
const lateSeconds = 15 * 60;

/** Checks that a poll has completed since the last one was due. */
export function pollCheck(target: DoctorTarget, now: () => Date): Check {
  const { cluster, region } = target;
  return {
    name: "poll",
    async run() {
      const { expression, timeZone, enabled } = cluster.poll;
      if (!enabled) return passed("disabled by poll.enabled of the configuration");
      const due = lastRunBefore(expression, timeZone, secondsAfter(now(), -lateSeconds));
      if (due === null) return unknown(`the last run of ${expression} cannot be computed`);
      const last = await lastPoll(target, region, due, now());
      if (last !== null) return passed(`completed at ${last.toISOString()}`);
      const log = `/aws/lambda/${functionName(target, "poll")}`;
      return failed(
        `none has completed since ${due.toISOString()}`,
        `see the log group ${log}, and docs/how-to/runbook.md#poll-heartbeat-missing`,
      );
    },
  };
}

const day = 86_400_000;

async function lastPoll({ cluster }: DoctorTarget, region: string, since: Date, now: Date): Promise<Date | null> {
  const { CloudWatchClient, GetMetricDataCommand } = await import("@aws-sdk/client-cloudwatch");
  const client = new CloudWatchClient({ ...withTimeouts({ region }), maxAttempts: 2 });
  const Metric = {
    Namespace: metricNamespace(cluster),
    MetricName: "pawl_polls_total",
    Dimensions: [{ Name: "cluster", Value: cluster.name }],
  };
  const Period = now.getTime() - since.getTime() > day ? 3600 : 60;
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      StartTime: since,
      EndTime: now,
      ScanBy: "TimestampDescending",
      MetricDataQueries: [{ Id: "polls", MetricStat: { Metric, Period, Stat: "Sum" } }],
    }),
  );
  const { Timestamps = [], Values = [] } = MetricDataResults[0] ?? {};
  const index = Values.findIndex((value) => value > 0);
  return Timestamps[index] ?? null;
}

export function deadLettersCheck({ cluster, region }: DoctorTarget): Check {
  const { prefix, name } = cluster;
  return {
    name: "dead letters",
    async run() {
      const queues = [`${prefix}-${name}-dead-letters`, `${prefix}-notifications-dead-letters`];
      const counts = await Promise.all(
        queues.map(async (queue) => ({ queue, count: await countMessages(queue, region) })),
      );
      const absent = counts.filter(({ count }) => count === null).map(({ queue }) => queue);
      if (absent.length > 0) return failed(`not deployed: ${absent.join(", ")}`, "npx cdk deploy --all");
      return deadLettersVerdict(counts.map(({ queue, count }) => ({ queue, count: count ?? 0 })));
    },
  };
}

function deadLettersVerdict(counts: readonly { readonly queue: string; readonly count: number }[]): CheckVerdict {
  const filled = counts.filter(({ count }) => count > 0);
  if (filled.length === 0) return passed("none");
  const detail = filled.map(({ queue, count }) => `${count} in ${queue}`).join(", ");
  return failed(detail, "docs/how-to/runbook.md#dead-letters tells how to read, redrive and purge them");
}

async function countMessages(QueueName: string, region: string): Promise<number | null> {
  const { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } = await import("@aws-sdk/client-sqs");
  const client = new SQSClient({ ...withTimeouts({ region }), maxAttempts: 2, useQueueUrlAsEndpoint: false });
  const absent = ["QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"];
  const found = await nullOn(absent, client.send(new GetQueueUrlCommand({ QueueName })));
  if (found === null) return null;
  const AttributeNames = ["ApproximateNumberOfMessages" as const];
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl: found.QueueUrl, AttributeNames }));
  return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
}

export function alarmsCheck({ cluster, region }: DoctorTarget): Check {
  // Not by their prefix: another cluster may have the name of this one and more.
  const AlarmNames = alarmNames.map((name) => `${cluster.prefix}-${cluster.name}-${name}`);
  return {
    name: "alarms",
    async run() {
      const { CloudWatchClient, DescribeAlarmsCommand } = await import("@aws-sdk/client-cloudwatch");
      const client = new CloudWatchClient({ ...withTimeouts({ region }), maxAttempts: 2 });
      const { MetricAlarms = [] } = await client.send(new DescribeAlarmsCommand({ AlarmNames, MaxRecords: 100 }));
      if (MetricAlarms.length === 0)
        return failed(`${cluster.prefix}-${cluster.name} has no alarms`, "npx cdk deploy --all");
      const raised = MetricAlarms.filter(({ StateValue }) => StateValue === "ALARM").map(
        ({ AlarmName = "" }) => AlarmName,
      );
      if (raised.length === 0) return passed(`none of ${MetricAlarms.length} is raised`);
      return failed(raised.join(", "), "docs/how-to/runbook.md has a section for each alarm");
    },
  };
}
