import * as v from "valibot";
import { closedObject, unique } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html */
export const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

export const alarms = closedObject({
  topicArn: v.nullish(v.pipe(grammar.topicArn, v.description("A topic is created if absent.")), null),
  emails: v.optional(v.pipe(v.array(grammar.emailAddress), unique<string>()), []),
  runbookUrl: v.optional(
    v.pipe(grammar.runbookUrl, v.description("The address of the runbook; each alarm links to its section.")),
    "docs/runbook.md",
  ),
});

const on = v.optional(
  v.pipe(
    v.picklist(["success", "failure", "all"]),
    v.description(
      "success: Update Succeeded, Node Pool Rollout Completed, Node Pool Recovered. failure: Update Rolled Back, Circuit Opened, Update Held, Canary Paused, Node Pool Rollout Halted, Node Pool Degraded, Node Drain Slow.",
    ),
  ),
  "all",
);

const sns = closedObject({
  kind: v.literal("sns"),
  topicArn: v.pipe(grammar.topicArn, v.description("The ARN of a standard SNS topic.")),
  on,
});

const webhook = closedObject({
  kind: v.literal("webhook"),
  name: v.pipe(grammar.webhookName, v.description("Unique among the webhooks.")),
  url: grammar.webhookUrl,
  header: v.optional(grammar.headerName, "Authorization"),
  secretArn: v.pipe(grammar.secretArn, v.description("The secret that holds the complete value of the header.")),
  on,
});

/** A webhook is identified by its name, a topic by its ARN, so that each is notified of an event once. */
export const notifications = v.pipe(
  v.array(v.variant("kind", [sns, webhook])),
  unique((one) => {
    const { kind, name, topicArn } = (one ?? {}) as {
      readonly kind?: string;
      readonly name?: string;
      readonly topicArn?: string;
    };
    return kind === "webhook" ? name : topicArn;
  }),
);
