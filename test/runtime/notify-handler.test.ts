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

const notify = (target: string) => handler({ cluster: "production", target, event: rolledBack });

test("the function sends an event to the target that a rule names, with the secret of Secrets Manager", async () => {
  const sent = { kind: "delivered", attempts: 1 };
  expect(await notify("team")).toEqual(sent);
  expect(await notify("team")).toEqual(sent);
  expect(hook.received.map(({ path }) => path)).toEqual(["/services/s3cret", "/services/s3cret"]);
  expect(secretReads).toBe(1);
  expect(await notify("hook")).toEqual(sent);
  expect(JSON.parse(hook.received.at(-1)?.body ?? "")).toEqual(rolledBack);
});

test("a target that was removed is no failure: Lambda would repeat it", async () => {
  expect(await notify("removed")).toEqual({ kind: "unknown" });
});

test("a delivery that fails three times is a failure, which Lambda repeats, and its error names no address", async () => {
  isDown = true;
  onTestFinished(() => void (isDown = false));
  await expect(notify("team")).rejects.toMatchObject({
    name: "NotificationFailed",
    message: "notification target team: Update Rolled Back (event e-1) was not delivered: HTTP status 500 in attempt 3",
  });
}, 30_000);

test("an input that is no event is refused", async () => {
  await expect(handler({ cluster: "production", target: "hook", event: {} } as never)).rejects.toMatchObject({
    name: "InputInvalid",
  });
});
