import { Stack, type StackProps } from "aws-cdk-lib";
import { EventBus, type IEventBus } from "aws-cdk-lib/aws-events";
import { CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { Construct } from "constructs";
import type { PawlConfig } from "./config/schema.ts";
import { AlarmTopic } from "./constructs/alarm-topic.ts";
import { ManagedCluster } from "./constructs/managed-cluster.ts";
import { PawlDashboard } from "./constructs/dashboard.ts";
import { createDeadLetterQueue } from "./constructs/dead-letter-queue.ts";
import { Notifications } from "./constructs/notifications.ts";
import { createAlarm } from "./constructs/alarm.ts";

export interface PawlStackProps extends StackProps {
  /** As `readConfig` returns it. */
  readonly config: PawlConfig;
}

/** Pawl in one region: an event bus, a dashboard and an alarm topic for all clusters, and separate resources for each. */
export class PawlStack extends Stack {
  constructor(scope: Construct, id: string, { config, ...props }: PawlStackProps) {
    super(scope, id, props);
    const { clusters, registries, digests, proxy, notifications, schedulesManagedBy } = config;
    const { encryptionKeyArn, codeSigningConfigArn } = config;
    const { runbookUrl } = config.alarms;

    const bus = new EventBus(this, "Bus", {
      eventBusName: "pawl",
      description: "The events that Pawl emits",
    }) as IEventBus;
    const scheduleGroup = new CfnScheduleGroup(this, "Schedules", { name: "pawl" });
    const { topic } = new AlarmTopic(this, "AlarmTopic", { ...config.alarms, encryptionKeyArn });
    const alarms = { topic, runbookUrl };

    for (const cluster of clusters) {
      const images = { registries, digests, proxy };
      const shared = { bus, scheduleGroup, schedulesManagedBy, alarms, logs: config, codeSigningConfigArn };
      new ManagedCluster(this, cluster.name, { cluster, ...images, ...shared });
    }

    const undelivered = createDeadLetterQueue(this, "Undelivered", "pawl-notifications-dead-letters", encryptionKeyArn);
    new Notifications(this, "Notifications", {
      bus,
      deadLetters: undelivered,
      targets: notifications,
      logs: config,
      codeSigningConfigArn,
    });
    const metric = undelivered.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum" });
    createAlarm(this, alarms, { name: "dead-letters", subject: "notifications", metric, threshold: 1 });

    new PawlDashboard(this, "Dashboard", { clusters, runbookUrl });
  }
}
