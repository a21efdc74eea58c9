import { describe, expect, test } from "vitest";
import type { NotifiedEvent } from "../../../functions/domain/notification/event.ts";
import type { NotificationRequest } from "../../../functions/domain/notification/request.ts";
import type { NotificationTarget, WebhookTarget } from "../../../functions/domain/notification/target.ts";
import { deliverBatch } from "../../../functions/workflows/notify/deliver-batch.ts";
import { rolledBack } from "../../domain/notification/events.ts";

const filter = { on: "all", events: null, namespaces: null, workloads: null, onlyNamed: false } as const;
const slack: NotificationTarget = { kind: "slack", name: "team", ...filter };
const hook: WebhookTarget = {
  kind: "webhook",
  name: "hook",
  url: "https://hook.example.com/",
  method: "POST",
  headers: {},
  body: "{{summary}}",
  grouped: false,
  ...filter,
};
const targets: readonly NotificationTarget[] = [slack, hook, { ...hook, name: "grouped", grouped: true, body: null }];

type Reply = { readonly status: number | null; readonly after?: number; readonly seconds?: number };

/** Receivers that give these answers in turn, and the last one from then on, on a clock of their own. */
function receivers(answers: readonly Reply[], secret = "https://hooks.example.com/s3cret") {
  let time = Date.parse("2026-11-22T12:00:00Z");
  const sent: NotificationRequest[] = [];
  const warnings: string[] = [];
  const slept: number[] = [];
  const pauses = new Map<string, Date>();
  const notifications = {
    target: async (name: string) => targets.find((target) => target.name === name) ?? null,
    readSecret: async () => secret,
    async send(request: NotificationRequest) {
      const { status, after = null, seconds = 0 } = answers[Math.min(sent.length, answers.length - 1)] as Reply;
      sent.push(request);
      time += seconds * 1000;
      return { status, retryAfterSeconds: after };
    },
    async sleep(seconds: number) {
      slept.push(seconds);
      time += seconds * 1000;
    },
    pause: async (name: string, until: Date) => void pauses.set(name, until),
    pausedUntil: async (name: string) => pauses.get(name) ?? null,
  };
  const run = (messages: readonly { readonly target: string; readonly event: NotifiedEvent }[]) =>
    deliverBatch(
      // A clock moves between any two looks at it.
      { notifications, now: () => new Date((time += 1)) },
      messages.map((message, index) => ({ id: `m-${index}`, ...message })),
      (message) => void warnings.push(message),
    );
  return {
    run,
    sent,
    warnings,
    slept,
    pass: (seconds: number) => (time += seconds * 1000),
    seconds: () => Math.floor(time / 1000),
  };
}

const at = (index: number) => new Date(Date.parse(rolledBack.time) + index * 1000).toISOString();

/** An event of a workload, of which the later ones have a higher index. */
function eventOf(name: string, index = 0, type = "Update Rolled Back"): NotifiedEvent {
  const workload = { kind: "Deployment", namespace: "shop", name };
  const detail = { ...rolledBack.detail, workload, reason: `failed ${index}` };
  return { id: `e-${name}-${index}`, time: at(index), "detail-type": type, detail };
}

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `m-${from + index}`);

describe("attempts", () => {
  test.for<{ answers: readonly Reply[]; slept: readonly number[]; failed: readonly string[]; warning?: string }>([
    { answers: [{ status: 200 }], slept: [], failed: [] },
    { answers: [{ status: null }, { status: 204 }], slept: [1], failed: [] },
    { answers: [{ status: 500 }, { status: 302 }, { status: 200 }], slept: [1, 5], failed: [] },
    { answers: [{ status: 429, after: 12 }, { status: 200 }], slept: [12], failed: [] },
    { answers: [{ status: 503 }], slept: [1, 5], failed: ["m-0"], warning: "HTTP status 503 in attempt 3" },
    { answers: [{ status: null, seconds: 10 }], slept: [1, 5], failed: ["m-0"], warning: "no answer in attempt 3" },
    { answers: [{ status: 429, after: 45 }], slept: [], failed: ["m-0"], warning: "HTTP status 429 in attempt 1" },
  ])("$answers", async ({ answers, slept, failed, warning }) => {
    const receiver = receivers(answers);
    expect(await receiver.run([{ target: "team", event: rolledBack }])).toEqual(failed);
    expect(receiver.slept).toEqual(slept);
    const start = "notification target team: Update Rolled Back (event e-1) was not delivered: ";
    expect(receiver.warnings).toEqual(warning === undefined ? [] : [start + warning]);
  });

  test("a receiver that wants no request for longer is sent none until then", async () => {
    const { run, sent, warnings, pass } = receivers([{ status: 429, after: 900 }, { status: 200 }]);
    const message = [{ target: "team", event: rolledBack }];
    expect(await run(message)).toEqual(["m-0"]);
    pass(400);
    expect(await run(message)).toEqual(["m-0"]);
    expect([sent.length, warnings.at(-1)]).toEqual([
      1,
      expect.stringContaining("wants no request for 500 s") as string,
    ]);
    pass(500);
    expect([await run(message), sent.length]).toEqual([[], 2]);
  });

  test("an unusable address is not requested, and not repeated in the warning", async () => {
    const { run, sent, warnings } = receivers([{ status: 200 }], "ftp://s3cret");
    expect(await run([{ target: "team", event: rolledBack }])).toEqual(["m-0"]);
    expect([sent, warnings]).toEqual([
      [],
      [expect.stringContaining('"url" is not an https:// address; change the target or its secret') as string],
    ]);
    expect(warnings.join()).not.toContain("s3cret");
  });
});

describe("500 workloads that fail", () => {
  const events = Array.from({ length: 500 }, (_, index) => eventOf(`web-${index}`, index));

  test("are one message of a batch to Slack, with counts and the worst first", async () => {
    const opened = eventOf("web-77", 600, "Circuit Opened");
    const others = [eventOf("ok", 0, "Update Succeeded"), eventOf("new", 0, "Update Started")];
    const messages = [...others, ...events, opened].map((event) => ({
      target: "team",
      event,
    }));
    const { run, sent } = receivers([{ status: 200, seconds: 9 }]);
    expect(await run(messages)).toEqual([]);
    expect(sent).toHaveLength(1);
    const { text, attachments } = JSON.parse(sent[0]?.body ?? "") as {
      text: string;
      attachments: readonly { blocks: readonly { text: { text: string } }[] }[];
    };
    expect(text).toBe("503 events: 500 Update Rolled Back, 1 Circuit Opened, 1 Update Started, 1 Update Succeeded");
    const lines = attachments[0]?.blocks.map((block) => block.text?.text) ?? [];
    expect(lines.slice(0, 2)).toEqual([
      "Update Rolled Back: Deployment shop/web-0: failed 0",
      "Update Rolled Back: Deployment shop/web-1: failed 1",
    ]);
    expect(lines).toHaveLength(22);
    expect(lines[20]).toBe("and 483 more");
  });

  test("are at most 20 messages to a slow receiver, however they arrive within five minutes", async () => {
    const { run, sent } = receivers([{ status: 200, seconds: 9 }]);
    // In five minutes, ten batches end, and two are handled at a time.
    for (let batch = 0; batch < 20; batch += 1)
      await run(events.slice(batch * 25, batch * 25 + 25).map((event) => ({ target: "team", event })));
    expect(sent).toHaveLength(20);
  });

  test("hold a receiver that hangs for 50 s at most, and a webhook with a request for each", async () => {
    const messages = events.map((event) => ({ target: "hook", event }));
    const hanging = receivers([{ status: null, seconds: 10 }]);
    const start = hanging.seconds();
    expect(await hanging.run(messages)).toEqual(ids(500));
    expect([hanging.seconds() - start, hanging.sent.length]).toEqual([36, 3]);

    const slow = receivers([{ status: 200, seconds: 9 }]);
    expect(await slow.run(messages)).toEqual(ids(495, 5));
    expect([slow.seconds() - start, slow.sent.length]).toEqual([45, 5]);
    expect(slow.warnings).toEqual([expect.stringContaining("no time is left") as string]);
  });
});

describe("messages of one batch", () => {
  test("to other targets do not wait for one that fails", async () => {
    const { run, sent } = receivers([{ status: 200 }]);
    const events = [eventOf("a"), eventOf("b", 1)];
    const names = ["removed", "grouped", "hook"];
    expect(await run(names.flatMap((target) => events.map((event) => ({ target, event }))))).toEqual([]);
    const bodies = sent.map(({ body }) => body);
    expect(bodies.toSorted()).toEqual([
      "Update Rolled Back: Deployment shop/a: failed 0",
      "Update Rolled Back: Deployment shop/b: failed 1",
      JSON.stringify(events),
    ]);
  });

  test("are sent in order of time, and once if they say the same", async () => {
    const { run, sent } = receivers([{ status: 200 }]);
    const again = { ...eventOf("a", 1), id: "again" };
    const events = [eventOf("a", 2, "Update Succeeded"), eventOf("a", 1), again, eventOf("a", 0, "Update Started")];
    expect(await run(events.map((event) => ({ target: "hook", event })))).toEqual([]);
    expect(sent.map(({ body }) => body)).toEqual([
      "Update Started: Deployment shop/a: failed 0",
      "Update Rolled Back: Deployment shop/a: failed 1",
      "Update Succeeded: Deployment shop/a: failed 2",
    ]);
  });

  test("that were sent are not sent again if a later one fails", async () => {
    const { run } = receivers([{ status: 200 }, { status: 400 }]);
    const events = [eventOf("a"), eventOf("b", 1), { ...eventOf("a"), id: "again" }];
    expect(await run(events.map((event) => ({ target: "hook", event })))).toEqual(["m-1"]);
  });

  test("keep a daily digest apart", async () => {
    const { run, sent } = receivers([{ status: 200 }]);
    const held = [{ kind: "Deployment", namespace: "shop", name: "web", version: null, since: null, gates: ["x"] }];
    const digest = { ...eventOf("a", 1, "Daily Digest"), detail: { cluster: "production", held } } as NotifiedEvent;
    const events = [eventOf("a"), digest, eventOf("b")];
    expect(await run(events.map((event) => ({ target: "team", event })))).toEqual([]);
    expect(sent.map(({ body }) => (JSON.parse(body) as { text: string }).text)).toEqual([
      "2 events: 2 Update Rolled Back",
      "Daily Digest: cluster production",
    ]);
  });
});
