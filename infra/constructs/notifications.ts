import { Annotations, Duration } from "aws-cdk-lib";
import { Rule, type IEventBus, type IRuleTarget } from "aws-cdk-lib/aws-events";
import { SnsTopic } from "aws-cdk-lib/aws-events-targets";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { UpdateEventType } from "../../functions/domain/workload/events.ts";
import type { PoolEventType } from "../../functions/domain/node-pool/event.ts";
import type { NotificationConfig } from "../config/schema.ts";
import { type Delivery, Webhook } from "./webhook.ts";

export interface NotificationsProps {
  readonly bus: IEventBus;
  readonly deadLetters: IQueue;
  readonly targets: readonly NotificationConfig[];
}

/** The events of each kind of notification: a failure, or that a person is needed. "Available" and "Started" are only published on the bus. */
const notificationEvents = {
  success: ["Update Succeeded", "Node Pool Rollout Completed", "Node Pool Recovered"],
  failure: [
    "Update Rolled Back",
    "Circuit Opened",
    "Update Held",
    "Canary Paused",
    "Node Pool Rollout Halted",
    "Node Pool Degraded",
    "Node Drain Slow",
  ],
} as const satisfies Record<string, readonly (UpdateEventType | PoolEventType)[]>;

/** Sends successes and failures by separate rules. Deliveries are retried for a day, then sent to the dead-letter queue. */
export class Notifications extends Construct {
  constructor(scope: Construct, id: string, { bus, deadLetters, targets }: NotificationsProps) {
    super(scope, id);
    const delivery = { deadLetterQueue: deadLetters, maxEventAge: Duration.hours(24), retryAttempts: 185 };
    for (const [index, config] of targets.entries()) {
      const target = this.#target(config, index, { bus, delivery });
      const kinds = config.on === "all" ? (["success", "failure"] as const) : [config.on];
      for (const kind of kinds) {
        const rule = new Rule(this, `${targetName(config, index)}-${kind}`, {
          eventBus: bus,
          description: `Notifies ${targetName(config, index)} of every ${kind}`,
          eventPattern: { source: ["pawl"], detailType: [...notificationEvents[kind]] },
          targets: [target],
        });
        // The topic may belong to another account, whose owner has to allow EventBridge.
        Annotations.of(rule).acknowledgeWarning("@aws-cdk/aws-events:ruleUnresolvedEnvironment");
      }
    }
  }

  #target(
    config: NotificationConfig,
    index: number,
    { bus, delivery }: { readonly bus: IEventBus; readonly delivery: Delivery },
  ): IRuleTarget {
    if (config.kind === "webhook") return new Webhook(this, config.name, config, bus).target(delivery);
    return new SnsTopic(Topic.fromTopicArn(this, `Topic-${index}`, config.topicArn), delivery);
  }
}

function targetName(config: NotificationConfig, index: number): string {
  return config.kind === "webhook" ? config.name : `topic-${index}`;
}
