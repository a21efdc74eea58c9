import { Stack, Stage, Token } from "aws-cdk-lib";
import type { Metric, MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import { EventBus, type IEventBus } from "aws-cdk-lib/aws-events";
import type { Grant, IGrantable } from "aws-cdk-lib/aws-iam";
import { CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { InvalidProps } from "./config/invalid-props.ts";
import { parseProps } from "./config/parse-props.ts";
import { defaultRunbookUrl } from "./config/runbook-url.ts";
import { sharedSchema } from "./config/schema.ts";
import { createAlarm } from "./constructs/alarms/alarm.ts";
import { AlarmTopic } from "./constructs/alarms/alarm-topic.ts";
import { PawlDashboards, type DashboardCluster } from "./constructs/alarms/dashboard.ts";
import { createDeadLetterQueue } from "./constructs/functions/dead-letter-queue.ts";
import { NotificationRules } from "./constructs/notifications/notifications.ts";
import { applyAccountRules } from "./constructs/permissions/account-rules.ts";
import { receiveEcrEvents } from "./constructs/schedule/ecr-events.ts";
import { warnOfRegion } from "./constructs/schedule/scheduler-regions.ts";
import { resourceName } from "./constructs/resource-names.ts";
import type { SharedProps } from "./props/shared.ts";

export type PawlProps = SharedProps;

/** What the clusters of a deployment need to know of the shared resources: their settings. */
export interface IPawl {
  readonly settings: PawlProps;
  /** Adds a section to the dashboard, and creates `scope` after the shared resources. Throws `InvalidProps` for a second cluster of one name. */
  addCluster(scope: Construct, cluster: DashboardCluster): void;
}

/**
 * The resources that all clusters of a deployment share in one region: event bus, group of schedules, topic of the alarms,
 * notifications and dashboard. Each cluster is a `PawlCluster`, in the same stack or better in one of its own.
 *
 * @example
 * const pawl = new Pawl(new Stack(app, "pawl"), "Pawl", { alarms: { emails: ["platform@example.com"] } });
 */
export class Pawl extends Construct implements IPawl {
  /** Refers to a `Pawl` that another app deploys in the same account and region. Give the same settings. */
  static fromSettings(settings: PawlProps): IPawl {
    parseProps(sharedSchema, settings);
    return { settings, addCluster: () => {} };
  }

  readonly settings: PawlProps;
  /** The bus on which all events of updates are published. */
  readonly eventBus: IEventBus;
  /** The topic that receives all alarms. */
  readonly alarmTopic: ITopic;
  /** Receives the notifications that could not be delivered. */
  readonly undelivered: IQueue;

  readonly #schedules: CfnScheduleGroup;
  readonly #dashboards: PawlDashboards;
  readonly #clusters = new Set<string>();

  constructor(scope: Construct, id: string, props: PawlProps = {}) {
    super(scope, id);
    this.settings = props;
    const config = parseProps(sharedSchema, props);
    const { prefix, encryptionKeyArn, codeSigningConfigArn, notifications: targets } = config;
    applyAccountRules(this, config);
    warnOfRegion(this);
    const runbookUrl = config.alarms.runbookUrl ?? defaultRunbookUrl();

    const bus = new EventBus(this, "Bus", { eventBusName: prefix, description: "The events that Pawl emits" });
    this.eventBus = bus as IEventBus;
    receiveEcrEvents(this, prefix, config.registries.ecrEvents);
    this.#schedules = new CfnScheduleGroup(this, "Schedules", { name: prefix });
    this.alarmTopic = new AlarmTopic(this, "AlarmTopic", { ...config.alarms, prefix, encryptionKeyArn }).topic;

    const queueName = resourceName({ prefix, name: null }, "notifications-dead-letters");
    const deadLetters = createDeadLetterQueue(this, "Undelivered", queueName, encryptionKeyArn);
    this.undelivered = deadLetters;
    new NotificationRules(this, "Notifications", {
      prefix,
      bus: this.eventBus,
      deadLetters,
      keyArn: encryptionKeyArn,
      targets,
      logs: config,
      codeSigningConfigArn,
    });
    const metric = this.metricUndelivered();
    const alarm = { name: "dead-letters", subject: "notifications", metric, threshold: 1 } as const;
    createAlarm(this, { prefix, topic: this.alarmTopic, runbookUrl }, alarm);
    this.#dashboards = new PawlDashboards(this, "Dashboard", {
      name: `${prefix}-${Stack.of(this).region}`,
      runbookUrl,
    });
  }

  addCluster(scope: Construct, cluster: DashboardCluster): void {
    const { name } = cluster;
    if (this.#clusters.has(name)) throw new InvalidProps(`cluster "${name}" exists twice, and names its resources`);
    const reason = separationReason(Stack.of(this), Stack.of(scope));
    if (reason !== null) throw new InvalidProps(`cluster "${name}": ${reason}`);
    this.#clusters.add(name);
    // In another stack, this orders the stacks and nothing else.
    scope.node.addDependency(this.#schedules);
    this.#dashboards.add(cluster);
  }

  /** Lets a principal publish messages to the topic of the alarms. */
  grantPublish(grantee: IGrantable): Grant {
    return this.alarmTopic.grantPublish(grantee);
  }

  /** Lets a principal put events on the bus. */
  grantPutEvents(grantee: IGrantable): Grant {
    return this.eventBus.grantPutEventsTo(grantee);
  }

  /** Messages in the queue of notifications that could not be delivered: the maximum of five minutes by default. */
  metricUndelivered(options: MetricOptions = {}): Metric {
    return this.undelivered.metricApproximateNumberOfMessagesVisible({ statistic: "Maximum", ...options });
  }
}

/** Returns why a cluster in a stack cannot use the shared resources in another; null if it can. Unknown regions and accounts may be equal. */
function separationReason(shared: Stack, cluster: Stack): string | null {
  for (const place of ["region", "account"] as const) {
    const [own, other] = [shared[place], cluster[place]];
    if (own !== other && !Token.isUnresolved(own) && !Token.isUnresolved(other))
      return `its stack is in the ${place} ${other}, and its Pawl in ${own}; create a Pawl in each ${place}`;
  }
  return Stage.of(shared) === Stage.of(cluster)
    ? null
    : "its stack is in another Stage than its Pawl; create a Pawl in each Stage, or use Pawl.fromSettings";
}
