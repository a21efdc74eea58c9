import { Annotations, Duration } from "aws-cdk-lib";
import { Rule, type IEventBus, type IRuleTarget } from "aws-cdk-lib/aws-events";
import { SnsTopic } from "aws-cdk-lib/aws-events-targets";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { UpdateEventType } from "../../functions/domain/news.ts";
import type { PoolEventType } from "../../functions/domain/node-pool/news.ts";
import type { NotificationConfig } from "../config-shape.ts";
import { Webhook } from "./webhook.ts";

export interface NotificationsProps {
  readonly bus: IEventBus;
  readonly deadLetters: IQueue;
  readonly targets: readonly NotificationConfig[];
}

/** What each kind of news is made of. "Available" and "Started" are on the bus too, and nobody is told of them. */
const newsOf = {
  success: ["Update Succeeded", "Node Pool Rollout Completed", "Node Pool Recovered"],
  failure: [
    "Update Rolled Back",
    "Circuit Opened",
    "Update Held",
    "Node Pool Rollout Halted",
    "Node Pool Degraded",
    "Node Drain Slow",
  ],
} as const satisfies Record<string, readonly (UpdateEventType | PoolEventType)[]>;

/** Success and failure go out by rules of their own, are tried again for a day, and end in the dead letters. */
export class Notifications extends Construct {
  constructor(scope: Construct, id: string, { bus, deadLetters, targets }: NotificationsProps) {
    super(scope, id);
    const delivery = { deadLetterQueue: deadLetters, maxEventAge: Duration.hours(24), retryAttempts: 185 };
    for (const [index, config] of targets.entries()) {
      const target = this.#target(config, index, delivery);
      const kinds = config.on === "all" ? (["success", "failure"] as const) : [config.on];
      for (const kind of kinds) {
        const rule = new Rule(this, `${titleOf(config, index)}-${kind}`, {
          eventBus: bus,
          description: `Tells ${titleOf(config, index)} of every ${kind}`,
          eventPattern: { source: ["pawl"], detailType: [...newsOf[kind]] },
          targets: [target],
        });
        // The topic's account may be another; it is its owner who lets EventBridge in.
        Annotations.of(rule).acknowledgeWarning("@aws-cdk/aws-events:ruleUnresolvedEnvironment");
      }
    }
  }

  #target(config: NotificationConfig, index: number, delivery: Delivery): IRuleTarget {
    if (config.kind === "webhook") return new Webhook(this, config.name, config).target(delivery);
    return new SnsTopic(Topic.fromTopicArn(this, `Topic-${index}`, config.topicArn), delivery);
  }
}

export interface Delivery {
  readonly deadLetterQueue: IQueue;
  readonly maxEventAge: Duration;
  readonly retryAttempts: number;
}

function titleOf(config: NotificationConfig, index: number): string {
  return config.kind === "webhook" ? config.name : `topic-${index}`;
}
