import { beside, webhook, type Case } from "./writing.ts";

export const sharedCases: readonly Case[] = [
  {
    when: "a topic",
    write: beside({ notifications: [{ kind: "sns", topicArn: "arn:aws:sns:eu-central-1:123456789012:releases" }] }),
    problems: [],
  },
  {
    when: "a FIFO topic",
    write: beside({ notifications: [{ kind: "sns", topicArn: "arn:aws:sns:eu-central-1:123456789012:a.fifo" }] }),
    problems: [
      'notifications[0].topicArn: "arn:aws:sns:eu-central-1:123456789012:a.fifo" is not the ARN of a standard SNS topic',
    ],
  },
  { when: "a webhook", write: beside({ notifications: [webhook] }), problems: [] },
  {
    when: "a webhook over http",
    write: beside({ notifications: [{ ...webhook, url: "http://x.example.com" }] }),
    problems: ['notifications[0].url: "http://x.example.com" is not an https:// address'],
  },
  {
    when: "a webhook without its secret",
    write: beside({ notifications: [{ ...webhook, secretArn: undefined }] }),
    problems: [
      "notifications[0].secretArn: is missing, write the whole ARN of a secret, with the hyphen and six characters at its end",
    ],
  },
  {
    when: "a webhook twice",
    write: beside({ notifications: [webhook, { ...webhook, on: "failure" }] }),
    problems: ['notifications[1]: "chat" is already notifications[0]'],
    beyondSchema: true,
  },
  {
    when: "an unknown kind of target",
    write: beside({ notifications: [{ kind: "slack" }] }),
    problems: ['notifications[0].kind: "slack" is none of sns, webhook'],
  },
  {
    when: "told of nothing that exists",
    write: beside({ notifications: [{ ...webhook, on: "error" }] }),
    problems: ['notifications[0].on: "error" is none of success, failure, all'],
  },
  {
    when: "alarms by e-mail",
    write: beside({ alarms: { emails: ["a@example.com"], runbookUrl: "https://wiki.example.com/pawl" } }),
    problems: [],
  },
  {
    when: "an address without @",
    write: beside({ alarms: { emails: ["example.com"] } }),
    problems: ['alarms.emails[0]: "example.com" is not an e-mail address'],
  },
  { when: "schedules of operators", write: beside({ schedulesManagedBy: "operators" }), problems: [] },
  {
    when: "schedules of nobody",
    write: beside({ schedulesManagedBy: "ops" }),
    problems: ['schedulesManagedBy: "ops" is none of stack, operators'],
  },
  { when: "logs kept for a year", write: beside({ logRetentionDays: 365 }), problems: [] },
  {
    when: "logs kept for 31 days",
    write: beside({ logRetentionDays: 31 }),
    problems: [
      "logRetentionDays: 31 is none of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653",
    ],
  },
];
