import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type AwsAnswer, fakeAws } from "../../support/aws/aws-services.ts";
import { awsQueryError, cloudWatchEndpoint, type MetricSeries } from "../../support/aws/cloudwatch-endpoint.ts";
import { respondAsPrometheus } from "../../adapters/prometheus/scripted-prometheus.ts";
import { startScriptedServer } from "../../adapters/oci-registry/scripted-server.ts";
import { runPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function series(metricName: string, deployment: string, value: number): MetricSeries {
  return { namespace: "Shop", metricName, dimensions: `Deployment=${deployment}`, valueAt: () => value };
}

const metrics = [
  series("Errors", "web", 2),
  series("Requests", "web", 100),
  series("Errors", "web-canary", 1),
  series("Requests", "web-canary", 10),
];

const stat = (id: string, metricName: string) => ({
  id,
  metricStat: {
    metric: { namespace: "Shop", metricName, dimensions: [{ name: "Deployment", value: "{{args.set}}" }] },
    period: 60,
    stat: "Sum",
  },
  returnData: false,
});

const metricDataQueries = [
  { id: "rate", expression: "FILL(errors, 0) / requests" },
  stat("errors", "Errors"),
  stat("requests", "Requests"),
];
const names = ["--arg", "stable=web", "--arg", "canary=web-canary"];

interface Given {
  readonly metric?: object;
  readonly others?: readonly object[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly answer?: AwsAnswer;
}

/** Analyzes a metric of CloudWatch once. */
async function analyze({ metric = { threshold: 0.15 }, others = [], args = [], env = {}, answer }: Given) {
  const directory = await mkdtemp(join(tmpdir(), "pawl-cli-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "analysis.json");
  const written = { name: "error-rate", cloudWatch: { metricDataQueries }, ...metric };
  await writeFile(file, JSON.stringify({ metrics: [written, ...others] }));
  const endpoint = cloudWatchEndpoint(metrics);
  await using aws = await fakeAws((call) => answer ?? endpoint(call));
  const login = {
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_EC2_METADATA_DISABLED: "true",
  };
  const reached = { ...login, AWS_REGION: "eu-west-1", AWS_ENDPOINT_URL_CLOUDWATCH: aws.options.endpoint, ...env };
  const ran = await runPawl(["analyze", file, "--once", ...names, ...args], { env: reached });
  return {
    ...ran,
    regions: aws.calls.map(({ authorization }) => /\/([a-z0-9-]+)\/monitoring/.exec(authorization)?.[1]),
  };
}

test.for([
  { metric: { threshold: 0.15 }, status: 0, verdict: "pass: error-rate: 1 passed" },
  { metric: { threshold: 0.05 }, status: 1, verdict: "last: 0.1: result > 0.05" },
  { metric: { compare: { maxIncrease: "500%" } }, status: 0, verdict: "error-rate: 0.1; stable pods: 0.02\n" },
  { metric: { compare: { maxIncrease: "20%" } }, status: 1, verdict: "last: 0.1: over 20% above the baseline 0.02" },
])("pawl analyze measures CloudWatch: $metric has the status $status", async ({ metric, status, verdict }) => {
  const ran = await analyze({ metric });
  expect(ran).toMatchObject({ stderr: "", status, stdout: expect.stringContaining(verdict) });
});

test("the region is that of the metric, or else the default of the credentials", async () => {
  expect((await analyze({})).regions).toEqual(["eu-west-1"]);
  const elsewhere = { threshold: 1, cloudWatch: { region: "us-east-1", metricDataQueries } };
  expect((await analyze({ metric: elsewhere })).regions).toEqual(["us-east-1"]);
});

test("an analysis may query CloudWatch and a Prometheus", async () => {
  await using prometheus = await startScriptedServer((request, response) => respondAsPrometheus(request, response));
  const others = [{ name: "latency", query: "vector(0.25)", threshold: 0.3 }];
  const ran = await analyze({ others, args: ["--prometheus", `http://${prometheus.host}`] });
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining("latency: 0.25") });
  expect(ran.stdout).toContain("error-rate: 0.1");
});

test.for([
  {
    when: "a query that CloudWatch rejects",
    given: { metric: { threshold: 1, cloudWatch: { metricDataQueries: [{ id: "a", expression: "b /" }] } } },
    status: 2,
    message: "error-rate: CloudWatch: ",
  },
  {
    when: "credentials without the right",
    given: { answer: awsQueryError("AccessDenied", "not authorized to perform: cloudwatch:GetMetricData", 403) },
    status: 3,
    message: "not authorized to perform: cloudwatch:GetMetricData",
  },
])("$when ends with the status $status", async ({ given, status, message }) => {
  expect(await analyze(given)).toMatchObject({ status, stdout: "", stderr: expect.stringContaining(message) });
});
