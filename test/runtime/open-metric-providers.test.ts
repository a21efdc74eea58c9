import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openMetricProviders } from "../../functions/runtime/open-metric-providers.ts";
import { readSettings } from "../../functions/runtime/read-settings.ts";
import { fakeAws } from "../support/aws/aws-services.ts";
import { cloudWatchEndpoint } from "../support/aws/cloudwatch-endpoint.ts";

const noon = new Date("2026-11-20T12:00:30Z");
const query = JSON.stringify([{ id: "one", expression: "1 + 1", metricStat: null, period: null, returnData: true }]);

/** Opens providers that reach AWS as a function does, but for `aws`, which is the local Step Functions of `pawl local`. */
function open(environment: Readonly<Record<string, string>>) {
  const aws = { endpoint: "http://127.0.0.1:1", region: "local" };
  return openMetricProviders({ settings: readSettings(environment), aws, now: () => noon });
}

afterEach(() => void vi.unstubAllEnvs());

async function startCloudWatch() {
  const aws = await fakeAws(cloudWatchEndpoint([]));
  onTestFinished(() => aws[Symbol.asyncDispose]());
  vi.stubEnv("AWS_ENDPOINT_URL_CLOUDWATCH", aws.options.endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  return aws;
}

describe("CloudWatch", () => {
  test.for([
    { region: null, signed: "eu-central-1" },
    { region: "us-east-1", signed: "us-east-1" },
  ])("is queried in the region $signed if an analysis names $region", async ({ region, signed }) => {
    const aws = await startCloudWatch();
    const provider = await open({ PAWL_CLOUDWATCH_REGIONS: "eu-central-1,us-east-1" })({
      kind: "cloudwatch",
      address: region,
    });
    expect(await provider.query(query)).toEqual({ kind: "value", value: 2, at: noon, warnings: [] });
    expect(aws.calls).toMatchObject([{ authorization: expect.stringContaining(`/${signed}/monitoring/aws4_request`) }]);
  });

  test.for([
    { regions: "", region: null, message: "no CloudWatch is configured; add it to cloudWatchRegions" },
    { regions: "", region: "eu-central-1", message: "CloudWatch eu-central-1 is not allowed" },
    { regions: "eu-central-1", region: "us-east-1", message: "CloudWatch us-east-1 is not allowed" },
  ])("is rejected without a request: $message", async ({ regions, region, message }) => {
    const aws = await startCloudWatch();
    const opened = open({ PAWL_CLOUDWATCH_REGIONS: regions })({ kind: "cloudwatch", address: region });
    await expect(opened).rejects.toMatchObject({ name: "QueryRejected", message: expect.stringContaining(message) });
    expect(aws.calls).toEqual([]);
  });
});

describe("a Prometheus", () => {
  test.for([
    { prometheus: "", address: null, message: "no Prometheus is configured; add it to prometheus in the" },
    {
      prometheus: "https://p.example",
      address: "https://other.example",
      message: "Prometheus https://other.example is not allowed; add it to prometheus",
    },
    { prometheus: "https://p.example", address: "http://169.254.169.254", message: "is not allowed" },
    { prometheus: "service://m/prom:web", address: "service://kube-system/etcd:2379", message: "is not allowed" },
  ])("is rejected without a request: $message", async ({ prometheus, address, message }) => {
    const opened = open({ PAWL_PROMETHEUS: prometheus })({ kind: "prometheus", address });
    await expect(opened).rejects.toMatchObject({ name: "QueryRejected", message: expect.stringContaining(message) });
  });

  test("is the first one by default", async () => {
    const opened = await open({ PAWL_PROMETHEUS: "http://127.0.0.1:1" })({ kind: "prometheus", address: null });
    await expect(opened.query("up")).rejects.toMatchObject({
      name: "Unreachable",
      message: expect.stringContaining("127.0.0.1:1"),
    });
  });
});

test.for([
  { allowed: "", message: "URL http://127.0.0.1:1/b is not allowed; add it to webMetrics in the configuration" },
  { allowed: "http://127.0.0.1:1/a", message: "URL http://127.0.0.1:1/b is not allowed" },
  { allowed: "http://127.0.0.1:1/b", message: "127.0.0.1:1 does not answer" },
])("the deployment that allows '$allowed': $message", async ({ allowed, message }) => {
  const ask = JSON.stringify({ parameters: [], times: [], path: [] });
  const asked = open({ PAWL_WEB_METRICS: allowed })({ kind: "web", address: "http://127.0.0.1:1/b" }).then((opened) =>
    opened.query(ask),
  );
  await expect(asked).rejects.toThrow(message);
});
