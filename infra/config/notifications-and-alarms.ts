import * as v from "valibot";
import {
  filterFields,
  filterProblems,
  secretProblems,
  selections,
  slackFields,
  webhookFields,
} from "../../functions/domain/notification/target.ts";
import { closedObject, crossCheck, nullSetting, unique } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html */
export const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** Each e-mail address is a resource of the shared stack, and each target is two; CloudFormation allows 500. */
const maxEmails = 100;
const maxTargets = 150;

export const alarms = closedObject({
  topicArn: nullSetting(grammar.topicArn, "A topic is created if absent."),
  emails: v.optional(v.pipe(v.array(grammar.emailAddress), v.maxLength(maxEmails), unique<string>()), []),
  runbookUrl: nullSetting(
    grammar.runbookUrl,
    "The address of the runbook; each alarm links to its section. That of the clone's origin if absent.",
  ),
});

const sns = v.pipe(
  closedObject({
    kind: v.literal("sns"),
    topicArn: v.pipe(grammar.topicArn, v.description("The ARN of a standard SNS topic.")),
    ...filterFields,
  }),
  crossCheck([...selections], (target) => filterProblems(target)),
);

const slack = v.pipe(
  closedObject({
    ...slackFields,
    secretArn: v.pipe(grammar.secretArn, v.description("The secret that holds the address of the incoming webhook.")),
  }),
  crossCheck([...selections], (target) => filterProblems(target)),
);

const webhook = v.pipe(
  closedObject({
    ...webhookFields,
    secretArn: nullSetting(grammar.secretArn, "What {{secret}} stands for."),
  }),
  crossCheck([...selections], (target) => filterProblems(target)),
  crossCheck(["url", "headers", "body", "secretArn"], (target) => secretProblems(target, "secretArn")),
);

/** A target has a unique name, and a topic a unique ARN, so that each is notified of an event once. */
export const notifications = v.pipe(
  v.array(v.variant("kind", [sns, slack, webhook])),
  v.maxLength(maxTargets),
  unique((one) => {
    const { name, topicArn } = (one ?? {}) as { readonly name?: string; readonly topicArn?: string };
    return name ?? topicArn;
  }),
);
