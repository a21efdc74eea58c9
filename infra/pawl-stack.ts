import { Stack, type StackProps } from "aws-cdk-lib";
import { EventBus, type IEventBus } from "aws-cdk-lib/aws-events";
import { CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { Construct } from "constructs";
import type { PawlConfig } from "./config-shape.ts";
import { AlarmTopic } from "./constructs/alarm-topic.ts";
import { ClusterPawl } from "./constructs/cluster-pawl.ts";
import { PawlDashboard } from "./constructs/dashboard.ts";
import { deadLetterQueue } from "./constructs/dead-letters.ts";
import { Notifications } from "./constructs/notifications.ts";
import { pawlAlarm } from "./constructs/pawl-alarm.ts";

export interface PawlStackProps extends StackProps {
  /** As `readConfig` returns it. */
  readonly config: PawlConfig;
}

/** All of Pawl in one region: a bus, a page and alarms for all, and a set of its own for every cluster. */
export class PawlStack extends Stack {
  constructor(scope: Construct, id: string, { config, ...props }: PawlStackProps) {
    super(scope, id, props);
    const { clusters, registries, digests, proxy, notifications, schedulesManagedBy, logRetentionDays } = config;
    const { runbookUrl } = config.alarms;

    const bus = new EventBus(this, "Bus", {
      eventBusName: "pawl",
      description: "What Pawl does, as it does it",
    }) as IEventBus;
    const scheduleGroup = new CfnScheduleGroup(this, "Schedules", { name: "pawl" });
    const { topic } = new AlarmTopic(this, "AlarmTopic", config.alarms);
    const alarms = { topic, runbookUrl };

    for (const cluster of clusters) {
      const images = { registries, digests, proxy };
      const shared = { bus, scheduleGroup, schedulesManagedBy, alarms, logRetentionDays };
      new ClusterPawl(this, cluster.name, { cluster, ...images, ...shared });
    }

    const undelivered = deadLetterQueue(this, "Undelivered", "pawl-notifications-dead-letters");
    new Notifications(this, "Notifications", { bus, deadLetters: undelivered, targets: notifications });
    const metric = undelivered.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum" });
    pawlAlarm(this, alarms, { name: "dead-letters", about: "notifications", metric, threshold: 1 });

    new PawlDashboard(this, "Dashboard", { clusters, runbookUrl });
  }
}
