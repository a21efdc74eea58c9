import { expect } from "vitest";
import { secretArn, slack, webhook, withSettings, type Case } from "./inputs.ts";

const topicArn = "arn:aws:sns:eu-central-1:123456789012:releases";
const topic = { kind: "sns", topicArn };

/** The input and the problems of one target. */
function target(when: string, written: object, ...problems: readonly unknown[]): Case {
  return { when, input: withSettings({ notifications: [written] }), problems };
}

const known =
  "known tokens are event, outcome, id, time, cluster, kind, namespace, name, node, version, currentVersion, image, execution, reason, evidence, key, action, count, summary, secret";

const filters = {
  events: ["Update Started", "Circuit Opened"],
  namespaces: ["shop", "team-*"],
  workloads: ["web", "*-api"],
};

const targets: readonly Case[] = [
  target("a topic", topic),
  target("a topic with filters", { ...topic, ...filters }),
  target(
    "a FIFO topic",
    { ...topic, topicArn: `${topicArn}.fifo` },
    `notifications[0].topicArn: "${topicArn}.fifo" is not the ARN of a standard SNS topic`,
  ),
  target("a message to Slack", { ...slack, ...filters, onlyNamed: true }),
  target(
    "a message to Slack without its address",
    { ...slack, secretArn: undefined },
    "notifications[0].secretArn: is missing; use the complete ARN of a secret, with the hyphen and six characters at its end",
  ),
  target("a webhook", webhook),
  target("a webhook with every setting", {
    ...webhook,
    ...filters,
    url: "https://hooks.example.com/{{cluster}}?key={{secret.key}}",
    method: "PUT",
    headers: { Authorization: "Bearer {{ secret }}", "X-Event": "{{event}}" },
    body: { title: "{{name}} {{version}}", tags: ["{{outcome}}", 1, null] },
    secretArn,
    onlyNamed: true,
  }),
  target("a webhook with a text", { ...webhook, body: "{{event}}: {{reason}}" }),
  target("a webhook whose address is its secret", { ...webhook, url: "{{secret}}", secretArn }),
  target("a webhook on this machine", { ...webhook, url: "http://localhost:8080/x" }),
  target(
    "a webhook over http",
    { ...webhook, url: "http://x.example.com" },
    'notifications[0].url: "http://x.example.com" is not an https:// address without credentials',
  ),
  target("a webhook with @ in its query", { ...webhook, url: "https://x.example.com?to=a@b" }),
  target(
    "a webhook with credentials in its address",
    { ...webhook, url: "https://user:pass@x.example.com/x" },
    'notifications[0].url: "https://user:pass@x.example.com/x" is not an https:// address without credentials',
  ),
  target(
    "a host that an event chooses",
    { ...webhook, url: "https://{{namespace}}.example.com/x" },
    'notifications[0].url: "https://{{namespace}}.example.com/x" is not an https:// address without credentials',
  ),
  target("a webhook whose address begins with its secret", { ...webhook, url: "{{secret.url}}/{{name}}", secretArn }),
  target(
    "a host that an event continues",
    { ...webhook, url: "{{secret}}{{name}}", secretArn },
    'notifications[0].url: "{{secret}}{{name}}" is not an https:// address without credentials',
  ),
  target(
    "a method without a body",
    { ...webhook, method: "GET" },
    'notifications[0].method: "GET" is not one of POST, PUT, PATCH, DELETE',
  ),
  target(
    "an unknown kind of target",
    { kind: "mail" },
    'notifications[0].kind: "mail" is not one of sns, slack, webhook',
  ),
  target(
    "an unknown kind of result",
    { ...webhook, on: "error" },
    'notifications[0].on: "error" is not one of success, failure, all',
  ),
  target(
    "an unknown type of event",
    { ...webhook, events: ["Update Failed"] },
    expect.stringMatching(/^notifications\[0\]\.events\[0\]: "Update Failed" is not one of Update Available, /),
  ),
  target(
    "two wildcards in a row",
    { ...webhook, workloads: ["web**"] },
    'notifications[0].workloads[0]: "web**" is not a name, or part of one with *, such as team-*',
  ),
];

/** What the JSON Schema does not know. */
const beyond: readonly Case[] = [
  target(
    "an unknown token in an address",
    { ...webhook, url: "https://x.example.com/{{namspace}}" },
    'notifications[0].url: "{{namspace}}" is not a token; did you mean {{namespace}}?',
  ),
  target(
    "an unknown token in a header",
    { ...webhook, headers: { "X-Event": "{{toString}}" } },
    `notifications[0].headers.X-Event: "{{toString}}" is not a token; ${known}`,
  ),
  target(
    "an unknown token deep in a body",
    { ...webhook, body: { a: [{ b: "{{workload.name}}" }] } },
    `notifications[0].body: "{{workload.name}}" is not a token; ${known}`,
  ),
  target(
    "a token without its end",
    { ...webhook, body: "{{event" },
    'notifications[0].body: "{{event" has no closing braces',
  ),
  target(
    "a header that Pawl sets",
    { ...webhook, headers: { "User-Agent": "x" } },
    'notifications[0].headers: "User-Agent" is set by Pawl and cannot be changed',
  ),
  target(
    "a secret that is used and not given",
    { ...webhook, headers: { Authorization: "{{secret}}" } },
    "notifications[0].secretArn: is missing, and {{secret}} is used",
  ),
  target(
    "a secret that is given and not used",
    { ...webhook, secretArn },
    "notifications[0].secretArn: is not used; write {{secret}} where it belongs",
  ),
  target(
    "both selections of events",
    { ...topic, on: "failure", events: ["Update Started"] },
    "notifications[0].events: excludes on; use one of them",
  ),
  target(
    "more names than a pattern holds",
    { ...topic, on: "success", namespaces: Array.from({ length: 50 }, (_, index) => `${"n".repeat(50)}${index}`) },
    "notifications[0]: the filter needs a pattern of 2884 characters, at most 2048 allowed; use fewer names, or *",
  ),
  {
    when: "a duplicate name",
    input: withSettings({ notifications: [webhook, { ...slack, name: "chat" }] }),
    problems: ['notifications[1]: "chat" is a duplicate of [0]'],
  },
  {
    when: "a duplicate topic",
    input: withSettings({ notifications: [topic, { ...topic, on: "failure" }] }),
    problems: [`notifications[1]: "${topicArn}" is a duplicate of [0]`],
  },
];

export const notificationCases: readonly Case[] = [
  ...targets,
  ...beyond.map((one) => ({ ...one, beyondSchema: true as const })),
];
