import type { NotificationConfig } from "../config-shape.ts";
import * as grammar from "./grammar.ts";
import { listOf, object, oneOf, optional, unique, type Reader } from "./reader.ts";

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html */
export const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

export const noAlarms = { topicArn: null, emails: [], runbookUrl: "docs/runbook.md" } as const;

export const alarms = object({
  topicArn: optional(grammar.topicArn, null),
  emails: optional(
    unique(listOf(grammar.emailAddress), (address) => address),
    [],
  ),
  runbookUrl: optional(grammar.runbookUrl, noAlarms.runbookUrl),
});

const on: Reader<NotificationConfig["on"]> = optional(oneOf(["success", "failure", "all"]), "all");
const sns = object({ kind: oneOf(["sns"]), topicArn: grammar.topicArn, on });

const webhook = object({
  kind: oneOf(["webhook"]),
  name: grammar.webhookName,
  url: grammar.webhookUrl,
  header: optional(grammar.headerName, "Authorization"),
  secretArn: grammar.secretArn,
  on,
});

const kindOnly = oneOf(["sns", "webhook"]);

const notification: Reader<NotificationConfig> = (written, path, problems) => {
  const kind: unknown = (written as { kind?: unknown } | null)?.kind;
  if (kind === "webhook") return webhook(written, path, problems);
  if (kind === "sns" || typeof written !== "object" || written === null) return sns(written, path, problems);
  return kindOnly(kind, `${path}.kind`, problems) as never;
};

/** A webhook's key is its name, a topic's its ARN: each is told of one event once. */
export const notifications = unique(listOf(notification), (one) => (one.kind === "webhook" ? one.name : one.topicArn));
