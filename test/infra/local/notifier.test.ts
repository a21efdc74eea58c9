import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readNotificationFile } from "../../../infra/local/runtime/notification-file.ts";
import { createNotifier } from "../../../infra/local/runtime/notifier.ts";
import { startReceiver } from "../../support/receiver.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-notifier-"));

function read(targets: unknown) {
  const file = join(folder, "targets.yaml");
  writeFileSync(file, typeof targets === "string" ? targets : JSON.stringify(targets));
  const { problems, ...rest } = { problems: [], targets: [], ...readNotificationFile(file) };
  return { ...rest, problems: problems.map((problem) => problem.replace(`${file}: `, "")) };
}

const webhook = { kind: "webhook", name: "hook", url: "https://hooks.example.com/x" };

describe("a file with a mistake is refused", () => {
  test.for([
    {
      written: [{ ...webhook, body: "{{nam}}" }],
      problem: '[0].body: "{{nam}}" is not a token; did you mean {{name}}?',
    },
    { written: [{ kind: "slack", name: "team" }], problem: "[0].secretFile: is missing; use a path" },
    {
      written: [{ ...webhook, secretArn: "arn" }],
      problem: expect.stringContaining("[0].secretArn: is not a known field"),
    },
    {
      written: [{ ...webhook, secretFile: "a" }],
      problem: "[0].secretFile: is not used; write {{secret}} where it belongs",
    },
    { written: [webhook, webhook], problem: '[1].name: "hook" is a duplicate of [0].name' },
    { written: [{ kind: "sns" }], problem: '[0].kind: "sns" is not one of slack, webhook' },
    {
      written: [{ ...webhook, on: "failure", events: ["Update Started"] }],
      problem: "[0].events: excludes on; use one of them",
    },
    { written: "- [", problem: expect.stringContaining("at line") },
  ])("$problem", ({ written, problem }) => {
    expect(read(written)).toMatchObject({ kind: "invalid", problems: [problem] });
  });

  test("and one that does not exist", () => {
    const file = join(folder, "none");
    expect(readNotificationFile(file)).toMatchObject({
      kind: "invalid",
      problems: [expect.stringContaining("ENOENT")],
    });
  });
});

const event = {
  bus: "pawl",
  id: "e-1",
  source: "pawl",
  "detail-type": "Update Succeeded",
  time: new Date("2026-11-22T12:00:00Z"),
  resources: [],
  detail: {
    cluster: "local",
    workload: { kind: "Deployment", namespace: "shop", name: "web" },
    reason: "Updated",
    notify: ["named"],
  },
};

test("a notifier sends to each target that selects the event, and reports what fails without its address", async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  writeFileSync(join(folder, "token"), "s3cret\n");
  const { targets } = read([
    { ...webhook, url: `${receiver.url}/event` },
    {
      ...webhook,
      name: "named",
      url: `${receiver.url}/named`,
      headers: { "X-Token": "{{secret}}" },
      secretFile: "token",
      onlyNamed: true,
    },
    { ...webhook, name: "other", url: `${receiver.url}/other`, onlyNamed: true },
    { ...webhook, name: "failures", url: `${receiver.url}/failures`, on: "failure" },
    { kind: "slack", name: "broken", secretFile: "token" },
    { kind: "slack", name: "unreadable", secretFile: "none" },
  ]);
  const warnings: string[] = [];
  const notifier = createNotifier(targets, (message) => void warnings.push(message));
  notifier.notify(event);
  await notifier.finish();
  const bodies = receiver.received.map(({ path, headers, body }) => [
    path,
    headers["x-token"],
    JSON.parse(body) as unknown,
  ]);
  const { bus: _, ...sent } = { ...event, time: "2026-11-22T12:00:00.000Z" };
  expect(bodies.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
    ["/event", undefined, sent],
    ["/named", "s3cret", sent],
  ]);
  expect(warnings.toSorted()).toEqual([
    expect.stringContaining("ENOENT"),
    'notification target broken: Update Succeeded (event e-1) was not delivered: "url" is not an https:// address; change the target or its secret',
  ]);
});
