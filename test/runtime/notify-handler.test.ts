import { createServer } from "node:http";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { handler } from "../../functions/handlers/notify.ts";
import { rolledBack } from "../domain/notification/events.ts";
import { startReceiver } from "../support/receiver.ts";

vi.hoisted(() => void (process.env["LOG_LEVEL"] = "SILENT"));

const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/team-a1B2c3";
const filter = { on: "all", events: null, namespaces: null, workloads: null, onlyNamed: false };

let hook: Awaited<ReturnType<typeof startReceiver>>;
let isDown = false;
let secretReads = 0;

beforeAll(async () => {
  hook = await startReceiver(() => (isDown ? 500 : 200));
  const secrets = createServer((_, response) => {
    secretReads += 1;
    response.writeHead(200, { "content-type": "application/x-amz-json-1.1" });
    response.end(JSON.stringify({ ARN: secretArn, SecretString: `${hook.url}/services/s3cret` }));
  });
  await new Promise<void>((resolve) => void secrets.listen(0, "127.0.0.1", resolve));
  const { port } = secrets.address() as { readonly port: number };
  const file = join(await mkdtemp(join(tmpdir(), "pawl-notify-")), "notifications.json");
  const webhook = { kind: "webhook", name: "hook", url: `${hook.url}/hook`, method: "POST", headers: {}, body: null };
  const targets = [
    { kind: "slack", name: "team", secretArn, ...filter },
    { ...webhook, secretArn: null, ...filter },
  ];
  await writeFile(file, JSON.stringify(targets));
  vi.stubEnv("PAWL_NOTIFICATIONS_FILE", file);
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", `http://127.0.0.1:${port}`);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  return async () => {
    await hook.close();
    secrets.close();
    secrets.closeAllConnections();
    vi.unstubAllEnvs();
  };
});

const body = (target: string, event = rolledBack) => JSON.stringify({ cluster: "production", target, event });
const notify = (...bodies: readonly string[]) =>
  handler({ Records: bodies.map((text, index) => ({ messageId: `m-${index}`, body: text })) });
const failures = (...ids: readonly string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

test("the function sends events to the targets that rules name, with the secret of Secrets Manager", async () => {
  expect(await notify(body("team"))).toEqual(failures());
  expect(await notify(body("team"))).toEqual(failures());
  expect(hook.received.map(({ path }) => path)).toEqual(["/services/s3cret", "/services/s3cret"]);
  expect(secretReads).toBe(1);
  expect(await notify(body("hook"))).toEqual(failures());
  expect(JSON.parse(hook.received.at(-1)?.body ?? "")).toEqual(rolledBack);
});

test("only messages that were not delivered are repeated: not those of other targets, or of one that was removed", async () => {
  isDown = true;
  onTestFinished(() => void (isDown = false));
  expect(await notify(body("team"), body("removed"))).toEqual(failures("m-0"));
}, 30_000);

test("a message that is no event keeps no other from its target", async () => {
  const before = hook.received.length;
  const { event: _, ...without } = { cluster: "production", target: "hook", event: null };
  expect(await notify("{", JSON.stringify(without), body("hook"))).toEqual(failures("m-0", "m-1"));
  expect(hook.received).toHaveLength(before + 1);
  expect(await notify("null")).toEqual(failures("m-0"));
});
