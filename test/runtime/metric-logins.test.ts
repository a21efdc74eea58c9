import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openMetricProviders } from "../../functions/runtime/open-metric-providers.ts";
import { readSettings } from "../../functions/runtime/read-settings.ts";
import { json, startScriptedServer } from "../adapters/oci-registry/scripted-server.ts";
import { fakeAws, refusalOf } from "../support/aws/aws-services.ts";

const secretArn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prometheus-a1B2c3";
const noon = new Date("2026-11-20T12:00:00Z");
const success = { status: "success", data: { resultType: "scalar", result: [1, "1"] } };

/** Starts a Prometheus that accepts one token, and another without logins; `query` queries one of them as an analysis does. */
async function start(given: { readonly secretArn: string } | { readonly file: string }, secret: () => string | null) {
  let accepted = "first";
  let now = noon;
  const prometheus = await startScriptedServer(({ authorization }, response) =>
    authorization === `Bearer ${accepted}` ? json(response, success) : json(response, {}, {}, 401),
  );
  const other = await startScriptedServer((_, response) => json(response, success));
  const aws = await fakeAws(() => {
    const text = secret();
    return text === null ? refusalOf("ResourceNotFoundException") : { body: { SecretString: text } };
  });
  onTestFinished(async () => {
    for (const one of [prometheus, other, aws]) await one[Symbol.asyncDispose]();
  });
  const urls = [prometheus, other].map(({ host }) => `http://${host}`);
  const settings = readSettings({
    PAWL_PROMETHEUS: urls.join(","),
    PAWL_METRIC_LOGINS: JSON.stringify([{ address: `${urls[0]}/path`, ...given }]),
  });
  const open = openMetricProviders({ settings, aws: aws.options, now: () => now });
  return {
    reads: () => aws.calls.map(({ operation, body }) => `${operation} ${body}`),
    sent: () => prometheus.requests.map(({ authorization }) => authorization),
    sentToOther: () => other.requests.map(({ authorization }) => authorization),
    accept: (token: string) => void (accepted = token),
    wait: (minutes: number) => void (now = new Date(now.getTime() + minutes * 60_000)),
    async query(server: 0 | 1 = 0) {
      const provider = await open({ kind: "prometheus", address: `${urls[server]}/prom` });
      return provider.query("up").catch(({ name, message }: Error) => `${name}: ${message}`);
    },
  };
}

const one = { kind: "value", value: 1 };

test("a login in Secrets Manager is read when it is needed, and again after a 401 or five minutes", async () => {
  let token = "first";
  const started = await start({ secretArn }, () => JSON.stringify({ token }));
  expect(started.reads()).toEqual([]);
  expect(await started.query()).toMatchObject(one);
  expect(await started.query()).toMatchObject(one);
  expect(started.reads()).toEqual([`GetSecretValue {"SecretId":"${secretArn}"}`]);
  token = "second";
  started.accept("second");
  expect(await started.query()).toMatchObject(one);
  expect(started.sent()).toEqual(["Bearer first", "Bearer first", "Bearer first", "Bearer second"]);
  expect(started.reads()).toHaveLength(2);
  started.wait(6);
  expect(await started.query()).toMatchObject(one);
  expect(started.reads()).toHaveLength(3);
});

test("a login that stays refused is sent once for each query, and the answer names the secret", async () => {
  const started = await start({ secretArn }, () => "other");
  const refused = expect.stringMatching(/^QueryRejected: Prometheus at .* answered 401; correct the login in arn:aws:/);
  expect([await started.query(), await started.query()]).toEqual([refused, refused]);
  expect(started.sent()).toEqual(["Bearer other", "Bearer other"]);
});

test("a secret that does not exist rejects the query, and sends none", async () => {
  const started = await start({ secretArn }, () => null);
  expect(await started.query()).toBe(`QueryRejected: GetSecretValue ${secretArn}: ResourceNotFoundException: no`);
  expect(started.sent()).toEqual([]);
});

test("another port of the same host gets no login", async () => {
  const started = await start({ secretArn }, () => "first");
  expect(await started.query(1)).toMatchObject(one);
  expect(started.sentToOther()).toEqual([null]);
  expect(started.reads()).toEqual([]);
});

test("a login in a file is read for each query", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-login-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "token");
  const started = await start({ file }, () => null);
  expect(await started.query()).toMatch(`QueryRejected: ${file} is not readable: ENOENT`);
  await writeFile(file, "first\n");
  expect(await started.query()).toMatchObject(one);
  await writeFile(file, "second\n");
  started.accept("second");
  expect(await started.query()).toMatchObject(one);
  expect(started.reads()).toEqual([]);
});
