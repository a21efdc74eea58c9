import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { expect, onTestFinished, test } from "vitest";
import { metricProviderEnvironment, withMetricProviderOptions } from "../../../cli/options/metric-providers.ts";
import { readSettings } from "../../../functions/runtime/read-settings.ts";

function environmentOf(args: readonly string[]) {
  return metricProviderEnvironment(withMetricProviderOptions(new Command()).parse(args, { from: "user" }).opts());
}

async function writeLogin(text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-login-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "login=1"), text);
  return join(directory, "login=1");
}

test("addresses and logins are the settings of a function that queries metrics", async () => {
  const file = await writeLogin("token\n");
  const addresses = "https://p.example/a,amp://eu-west-1/ws-1";
  const flags = [
    "--prometheus",
    addresses,
    "--prometheus",
    "http://127.0.0.1:9090",
    "--cloudwatch-region",
    "eu-west-1",
  ];
  const environment = await environmentOf([...flags, "--metric-login", `https://p.example=${file}`]);
  expect(JSON.stringify(environment)).not.toContain("token");
  const { prometheus, cloudwatch } = readSettings(environment).metricProviders;
  expect(prometheus).toMatchObject([
    { address: "https://p.example/a", login: { file } },
    { address: "amp://eu-west-1/ws-1", login: null },
    { address: "http://127.0.0.1:9090", login: null },
  ]);
  expect(cloudwatch).toMatchObject([{ address: "eu-west-1", login: null }]);
});

test("a login of a URL is not that of a Prometheus of its origin", async () => {
  const [own, other] = [await writeLogin("own"), await writeLogin("other")];
  const flags = ["--prometheus", "https://p.example", "--web-metrics", "https://p.example/rate,https://p.example/else"];
  const logins = ["--metric-login", `https://p.example/rate=${own}`, "--metric-login", `https://p.example=${other}`];
  const { prometheus, web } = readSettings(await environmentOf([...flags, ...logins])).metricProviders;
  expect(prometheus).toMatchObject([{ login: { file: other } }]);
  expect(web).toMatchObject([{ address: "https://p.example/rate", login: { file: own } }, { login: null }]);
});

test("without options no provider is queried", async () => {
  expect(readSettings(await environmentOf([])).metricProviders).toEqual({ prometheus: [], cloudwatch: [], web: [] });
});

test.for([
  { args: ["--prometheus", "prom:9090"], message: '--prometheus: "prom:9090" is not the address of a Prometheus' },
  { args: ["--web-metrics", "m.example"], message: '--web-metrics: "m.example" is not a URL such as' },
  { args: ["--cloudwatch-region", "moon"], message: '--cloudwatch-region: "moon" is not a region' },
  {
    args: ["--prometheus", "https://p.example:8443", "--metric-login", "https://p.example=/f"],
    message: "--metric-login: https://p.example may not be queried; add --prometheus https://p.example",
  },
  {
    args: ["--prometheus", "https://p.example", "--metric-login", "https://p.example=/none"],
    message: "--metric-login: /none is not readable",
  },
])("$args is invalid: $message", async ({ args, message }) => {
  await expect(environmentOf(args)).rejects.toMatchObject({
    name: "InvalidInput",
    message: expect.stringContaining(message),
  });
});
