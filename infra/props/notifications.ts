import type { EventType } from "../../functions/domain/notification/event-types.ts";

/** Which events a target is notified of. */
export interface NotificationFilterProps {
  /** @default all */
  readonly on?: "success" | "failure" | "all" | undefined;
  /**
   * The types of events, instead of those of `on`.
   * @default those of `on`
   */
  readonly events?: readonly EventType[] | null | undefined;
  /**
   * Names, or parts of names with `*`.
   * @default workloads in all namespaces
   */
  readonly namespaces?: readonly string[] | null | undefined;
  /** @default all workloads */
  readonly workloads?: readonly string[] | null | undefined;
}

export interface TopicNotificationProps extends NotificationFilterProps {
  readonly kind: "sns";
  /** The ARN of a standard SNS topic that lets EventBridge publish. */
  readonly topicArn: string;
}

interface NamedNotificationProps extends NotificationFilterProps {
  /** Unique among the targets. A workload names it in `pawl.dev/notify`. */
  readonly name: string;
  /**
   * Only events of workloads that name the target.
   * @default false
   */
  readonly onlyNamed?: boolean | undefined;
  /**
   * One message a day about what gates hold, at this time (`08:00`) of an IANA zone (UTC by default).
   * @default none
   */
  readonly dailyDigest?: { readonly at: string; readonly timeZone?: string | undefined } | null | undefined;
}

export interface SlackNotificationProps extends NamedNotificationProps {
  readonly kind: "slack";
  /**
   * The `https://` address of the dashboard, to which messages link.
   * @default none
   */
  readonly pageUrl?: string | null | undefined;
  /** The complete ARN of the secret that contains the address of the incoming webhook. */
  readonly secretArn: string;
}

export interface WebhookNotificationProps extends NamedNotificationProps {
  readonly kind: "webhook";
  /** An `https://` address. */
  readonly url: string;
  /** @default POST */
  readonly method?: "POST" | "PUT" | "PATCH" | "DELETE" | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * A text, or a JSON object or list, with tokens such as `{{name}}`.
   * @default the complete event
   */
  readonly body?: unknown;
  /**
   * One request for all events of half a minute.
   * @default false
   */
  readonly grouped?: boolean | undefined;
  /**
   * The complete ARN of the secret that `{{secret}}` stands for.
   * @default null
   */
  readonly secretArn?: string | null | undefined;
}

export type NotificationProps = TopicNotificationProps | SlackNotificationProps | WebhookNotificationProps;
