import { describe, expect, test } from "vitest";
import { createRequest, type NotificationRequest } from "../../../functions/domain/notification/request.ts";
import type { WebhookTarget } from "../../../functions/domain/notification/target.ts";
import { halted, rolledBack, withReason } from "./events.ts";

const unfiltered = { on: "all", events: null, namespaces: null, workloads: null, onlyNamed: false } as const;
const url = "https://hooks.example.com/x";
const webhook: WebhookTarget = {
  kind: "webhook",
  name: "chat",
  url,
  method: "POST",
  headers: {},
  body: null,
  grouped: false,
  ...unfiltered,
};
const slack = { kind: "slack", name: "team", ...unfiltered } as const;

const send = (target: Partial<WebhookTarget>, { event = rolledBack, secret = null as string | null } = {}) =>
  createRequest({ ...webhook, ...target }, [event], secret);

test("a webhook without a body sends the complete event", () => {
  expect(send({})).toEqual({
    kind: "request",
    method: "POST",
    url,
    headers: { "content-type": "application/json", "user-agent": "pawl" },
    body: JSON.stringify(rolledBack),
  });
});

describe("every token", () => {
  const all =
    "{{event}}|{{outcome}}|{{id}}|{{time}}|{{cluster}}|{{kind}}|{{namespace}}|{{name}}|{{node}}|{{version}}|{{currentVersion}}|{{image}}|{{execution}}|{{ reason }}|{{key}}|{{action}}|{{count}}|{{summary}}";
  test.for([
    {
      event: rolledBack,
      text: 'Update Rolled Back|failure|e-1|2026-11-22T12:00:00Z|production|Deployment|shop|web||1.1.0|1.0.0|registry.example/shop/web:1.1.0|shop-web-1-1-0|not ready: "1" of 3|production/Deployment/shop/web|trigger|1|Update Rolled Back: Deployment shop/web: not ready: "1" of 3',
    },
    {
      event: halted,
      text: "Node Pool Rollout Halted|failure|e-2|2026-11-22T12:00:00Z|production|BootcNodePool||workers|w-1||||||production/BootcNodePool/workers|trigger|1|Node Pool Rollout Halted: workers, node w-1",
    },
    {
      event: { ...halted, "detail-type": "Update Started", detail: { cluster: "c" } },
      text: "Update Started|information|e-2|2026-11-22T12:00:00Z|c||||||||||c|trigger|1|Update Started: cluster c",
    },
  ])("of $event.detail-type", ({ event, text }) => {
    expect(send({ body: all }, { event })).toMatchObject({
      body: text,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  });
});

describe("a value is data, whatever it contains", () => {
  test.for([
    {
      where: "JSON",
      target: { body: { a: ["{{reason}}"], n: 1, z: null } },
      reason: '", "b": "',
      sent: { body: '{"a":["\\", \\"b\\": \\""],"n":1,"z":null}' },
    },
    {
      where: "a text",
      target: { body: "{{reason}}" },
      reason: "{{secret}} {{id}}",
      sent: { body: "{{secret}} {{id}}" },
    },
    {
      where: "an address",
      target: { url: `${url}?r={{reason}}` },
      reason: "a/b?c&d#é",
      sent: { url: `${url}?r=a%2Fb%3Fc%26d%23%C3%A9` },
    },
    {
      where: "an address, cut within a character",
      target: { url: `${url}?r={{reason}}` },
      reason: "a\ud83d",
      sent: { url: `${url}?r=a%EF%BF%BD` },
    },
    {
      where: "a header",
      target: { headers: { "X-Reason": "{{reason}}" } },
      reason: "a\r\nHost: x → é",
      sent: { headers: { "x-reason": "a Host: x ? é" } },
    },
  ])("in $where", ({ target, reason, sent }) => {
    expect(send(target, { event: withReason(reason) })).toMatchObject(sent);
  });
});

test.for(["application/json", "application/vnd.api+json; charset=utf-8"])(
  "a value in a text that is sent as %s stays within its quotes",
  (type) => {
    const target = { headers: { "Content-Type": type }, body: '{"text":"{{reason}}"}' };
    const reason = 'a","admin":"b\nc';
    const { body } = send(target, { event: withReason(reason) }) as NotificationRequest;
    expect(JSON.parse(body)).toEqual({ text: reason });
  },
);

test("an address with credentials is refused, because they are not sent", () => {
  for (const secret of ["https://user:pass@host.example/", "https://token@host.example/"])
    expect(send({ url: "{{secret}}" }, { secret })).toMatchObject({
      kind: "invalid",
      reason: '"url" has credentials, which are not sent; use headers.Authorization',
    });
});

describe("headers", () => {
  test("replace the content type, and not the user agent", () => {
    const headers = { "Content-Type": "application/x-ndjson", "User-Agent": "curl" };
    expect(send({ headers })).toMatchObject({
      headers: { "content-type": "application/x-ndjson", "user-agent": "pawl" },
    });
  });
});

describe("a secret", () => {
  test.for([
    {
      target: { headers: { Authorization: "Bearer {{secret}}" } },
      secret: "s3 cret\n",
      sent: { headers: { authorization: "Bearer s3 cret" } },
    },
    {
      target: { url: "{{secret}}" },
      secret: "https://hooks.slack.com/services/T/B/x\n",
      sent: { url: "https://hooks.slack.com/services/T/B/x" },
    },
    { target: { url: `${url}?k={{secret.key}}` }, secret: '{"key":"a","n":1}', sent: { url: `${url}?k=a` } },
    { target: { body: { routing_key: "{{secret}}" } }, secret: "[1]", sent: { body: '{"routing_key":"[1]"}' } },
  ])("$target is used as it is", ({ target, secret, sent }) => {
    expect(send(target, { secret })).toMatchObject(sent);
  });

  test.for([
    {
      target: { url: `${url}?k={{secret.n}}` },
      secret: '{"key":"a","n":1}',
      reason: '"{{secret.n}}" has no value: the secret has no such text',
    },
    {
      target: { body: ["{{secret.key}}"] },
      secret: "s3cret",
      reason: '"{{secret.key}}" has no value: the secret has no such text',
    },
    { target: { body: "{{secret}}" }, secret: null, reason: '"{{secret}}" has no value: the secret has no such text' },
    {
      target: { url: "{{secret}}" },
      secret: "http://hooks.example.com/s3cret",
      reason: '"url" is not an https:// address',
    },
    { target: { url: "{{secret}}" }, secret: "https://", reason: '"url" is not an https:// address' },
    { target: { url: "{{secret}}" }, secret: "https://a b/s3cret", reason: '"url" is not an https:// address' },
  ])("that is unusable is a problem that does not repeat it: $reason", ({ target, secret, reason }) => {
    expect(send(target, { secret })).toMatchObject({ kind: "invalid", reason });
  });
});

test.for([
  { address: "http://localhost:8080/x", kind: "request" },
  { address: "http://127.0.0.1/x", kind: "request" },
  { address: "http://[::1]:8080/x", kind: "request" },
  { address: "http://localhost.example.com/x", kind: "invalid" },
])("plain HTTP to $address: $kind", ({ address, kind }) => {
  expect(send({ url: address })).toMatchObject({ kind });
});

describe("Slack", () => {
  const message = (event = rolledBack) => {
    const request = createRequest(slack, [event], " https://hooks.slack.com/services/T/B/x\n");
    return request.kind === "request" ? { ...request, body: JSON.parse(request.body) as unknown } : request;
  };

  test("gets the event as a message", () => {
    const context = "cluster production · version 1.1.0 · execution shop-web-1-1-0";
    expect(message()).toEqual({
      kind: "request",
      method: "POST",
      url: "https://hooks.slack.com/services/T/B/x",
      headers: { "content-type": "application/json", "user-agent": "pawl" },
      body: {
        text: "Update Rolled Back: Deployment shop/web",
        attachments: [
          {
            color: "#e01e5a",
            blocks: [
              { type: "section", text: { type: "mrkdwn", text: 'not ready: "1" of 3' } },
              { type: "context", elements: [{ type: "mrkdwn", text: context }] },
            ],
          },
        ],
      },
    });
  });

  test("gets several events as one message, of all clusters and in words for people", () => {
    const requested = { ...rolledBack, detail: { ...rolledBack.detail, requested: true } };
    const frozen = { ...halted, "detail-type": "Freezes Changed", detail: { cluster: "edge", reason: "a freeze" } };
    const request = createRequest(slack, [halted, requested, frozen], "https://hooks.slack.com/services/T/B/x");
    const { body } = request as NotificationRequest;
    expect(JSON.parse(body)).toMatchObject({
      text: "3 events: 1 Node Pool Rollout Halted, 1 Rolled back on request, 1 Freezes Changed",
      attachments: [
        {
          blocks: [
            { text: { text: "Node Pool Rollout Halted: workers, node w-1" } },
            { text: { text: 'Rolled back on request: Deployment shop/web: not ready: "1" of 3' } },
            { text: { text: "Freezes Changed: cluster edge: a freeze" } },
            { elements: [{ text: "clusters production, edge" }] },
          ],
        },
      ],
    });
    expect(message(requested)).toMatchObject({ body: { text: "Rolled back on request: Deployment shop/web" } });
  });

  const blocksOf = (event: typeof rolledBack, pageUrl: string | null) => {
    const request = createRequest({ ...slack, pageUrl }, [event], "https://hooks.slack.com/services/T/B/x");
    const body = JSON.parse(request.kind === "request" ? request.body : "{}") as {
      readonly text: string;
      readonly attachments: readonly { readonly blocks: readonly { readonly text?: { readonly text: string } }[] }[];
    };
    return [body.text, ...(body.attachments[0]?.blocks ?? []).flatMap(({ text }) => text?.text ?? [])];
  };

  test("gets a link to the page of the workload, if the target has one", () => {
    expect(blocksOf(rolledBack, "https://pawl.example.com/")).toContain(
      "<https://pawl.example.com/#/workload/deployment/shop/web|Open the page>",
    );
    expect(blocksOf(rolledBack, null).join()).not.toContain("Open the page");
    expect(blocksOf(halted, "https://pawl.example.com/").join()).not.toContain("Open the page");
  });

  test("gets a digest with a part for each workload", () => {
    const one = {
      kind: "Deployment",
      namespace: "shop",
      name: "<web>",
      version: "1.1.0",
      since: null,
      gates: ["approval: x"],
    };
    const digest = (more: number) => ({
      ...rolledBack,
      "detail-type": "Daily Digest",
      detail: { cluster: "production", reason: "all", held: [one, { ...one, name: "api" }], more },
    });
    expect(blocksOf(digest(3), "https://pawl.example.com/")).toEqual([
      "Daily Digest: cluster production",
      "Deployment shop/&lt;web&gt; to 1.1.0 is held: approval: x",
      "Deployment shop/api to 1.1.0 is held: approval: x",
      "and 3 more",
      "<https://pawl.example.com/#/workloads|Open the page>",
    ]);
    const { more: _more, ...detail } = digest(0).detail;
    expect(blocksOf({ ...digest(0), detail }, null)).toHaveLength(3);
  });

  test("gets an event of a node pool", () => {
    const blocks = [{ type: "context", elements: [{ type: "mrkdwn", text: "cluster production" }] }];
    expect(message(halted)).toMatchObject({
      body: { text: "Node Pool Rollout Halted: BootcNodePool workers, node w-1", attachments: [{ blocks }] },
    });
  });

  test.for([
    { reason: "<!channel> & <https://x|y>", text: "&lt;!channel&gt; &amp; &lt;https://x|y&gt;" },
    { reason: "r".repeat(580), text: "r".repeat(580) },
    { reason: "r".repeat(581), text: `${"r".repeat(579)}…` },
  ])("mentions nobody, and is short enough: $reason", ({ reason, text }) => {
    expect(message(withReason(reason))).toMatchObject({
      body: { attachments: [{ blocks: [{ text: { text } }, {}] }] },
    });
  });

  test("is not notified without an address", () => {
    expect(createRequest(slack, [rolledBack], null)).toMatchObject({ reason: '"url" is not an https:// address' });
  });
});
