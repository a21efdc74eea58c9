import { Annotations, Duration } from "aws-cdk-lib";
import { EventField, Rule, RuleTargetInput, type IEventBus, type IRuleTarget } from "aws-cdk-lib/aws-events";
import { SnsTopic, SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { IQueue, Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { digestPattern, eventPattern, type EventPattern } from "../../../functions/domain/notification/filter.ts";
import type { NotificationConfig, RequestNotification } from "../../config/schema.ts";
import { allowRules } from "../functions/dead-letter-queue.ts";
import type { LogSettings } from "../functions/log-group.ts";
import { NotifyFunction } from "./notify-function.ts";

export interface NotificationsProps {
  readonly prefix: string;
  readonly bus: IEventBus;
  readonly deadLetters: Queue;
  readonly keyArn: string | null;
  readonly targets: readonly NotificationConfig[];
  readonly logs: LogSettings;
  readonly codeSigningConfigArn: string | null;
}

/**
 * Notifies each target by a rule of its own, which selects its events, for the queue of the function that sends them. What cannot be
 * delivered goes to the dead-letter queue.
 */
export class NotificationRules extends Construct {
  constructor(scope: Construct, id: string, { targets, bus, ...props }: NotificationsProps) {
    super(scope, id);
    const requested = targets.filter((config) => config.kind !== "sns");
    const notify = requested.length === 0 ? null : new NotifyFunction(this, "notify", { ...props, targets: requested });
    const messages = notify === null ? null : allowRules(notify.queue, bus.eventBusName);
    const deadLetterQueue = targets.length === 0 ? props.deadLetters : allowRules(props.deadLetters, bus.eventBusName);
    const delivery = { deadLetterQueue, maxEventAge: Duration.hours(24), retryAttempts: 185 };
    for (const [index, config] of targets.entries()) {
      const name = config.kind === "sns" ? `topic-${index}` : config.name;
      const rule = new Rule(this, name, {
        eventBus: bus,
        description: `Notifies ${name}`,
        eventPattern: toCdk(config),
        targets: [this.#target(config, index, messages, delivery)],
      });
      if (config.kind !== "sns" && config.dailyDigest)
        new Rule(this, `${name}-digest`, {
          eventBus: bus,
          description: `Sends ${name} its daily digest`,
          eventPattern: asCdk(digestPattern(config.name)),
          targets: [this.#target(config, index, messages, delivery)],
        });
      // The topic may belong to another account, whose owner has to allow EventBridge.
      Annotations.of(rule).acknowledgeWarning("@aws-cdk/aws-events:ruleUnresolvedEnvironment");
    }
  }

  #target(config: NotificationConfig, index: number, messages: IQueue | null, delivery: Delivery): IRuleTarget {
    if (config.kind === "sns")
      return new SnsTopic(Topic.fromTopicArn(this, `Topic-${index}`, config.topicArn), delivery);
    return new SqsQueue(messages as IQueue, { message: notifyMessage(config), ...delivery });
  }
}

interface Delivery {
  readonly deadLetterQueue: IQueue;
  readonly maxEventAge: Duration;
  readonly retryAttempts: number;
}

function toCdk(config: NotificationConfig) {
  const subscribers = config.kind !== "sns" && config.onlyNamed ? config.name : null;
  return asCdk(eventPattern(config, subscribers));
}

function asCdk({ source, "detail-type": detailType, detail }: EventPattern) {
  return {
    source: [...source],
    detailType: [...detailType],
    ...(detail === undefined ? {} : { detail: { ...detail } }),
  };
}

/** As `functions/contract/notify-input.ts` expects it. */
function notifyMessage({ name }: RequestNotification): RuleTargetInput {
  return RuleTargetInput.fromObject({
    cluster: EventField.fromPath("$.detail.cluster"),
    target: name,
    event: {
      id: EventField.eventId,
      source: EventField.source,
      "detail-type": EventField.detailType,
      time: EventField.time,
      account: EventField.account,
      region: EventField.region,
      detail: EventField.fromPath("$.detail"),
    },
  });
}
