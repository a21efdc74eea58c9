import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { describe, expect, onTestFinished, test } from "vitest";
import { createCloudWatch } from "../../../../functions/adapters/aws/cloudwatch/metric-data.ts";
import { type Failure, metricProviderContract } from "../../../contracts/metric-provider.ts";
import { type AwsAnswer, type FakeAws, fakeAws } from "../../../support/aws/aws-services.ts";
import { awsQueryError, cloudWatchEndpoint, type MetricSeries } from "../../../support/aws/cloudwatch-endpoint.ts";

const noon = new Date("2026-11-20T12:00:30Z");

function series(metricName: string, dimensions: string, valueAt: MetricSeries["valueAt"]): MetricSeries {
  return { namespace: "Shop", metricName, dimensions, valueAt };
}

const metrics = [
  series("Errors", "Deployment=web", () => 2),
  series("Errors", "Deployment=web,Pod=web-1", () => 1),
  series("Requests", "Deployment=web", () => 8),
  series("Clock", "", (time) => time),
  // It has no data points in every other period.
  series("Sparse", "", (time) => (time % 120 === 0 ? null : 1)),
];

const stat = (
  id: string,
  metricName: string,
  dimensions: readonly object[] = [{ name: "Deployment", value: "web" }],
) => ({
  id,
  expression: null,
  metricStat: { metric: { namespace: "Shop", metricName, dimensions }, period: 60, stat: "Sum", unit: null },
  period: null,
  returnData: false,
});
const expression = (text: string, more: object = {}) => ({
  id: "value",
  expression: text,
  metricStat: null,
  period: null,
  returnData: true,
  ...more,
});
const inputs = [
  stat("errors", "Errors"),
  stat("requests", "Requests"),
  stat("missing", "Missing"),
  stat("sparse", "Sparse", []),
];
const math = (text: string) => JSON.stringify([expression(text), ...inputs]);
const single = (metricName: string) => JSON.stringify([{ ...stat("one", metricName, []), returnData: true }]);

async function open(aws: FakeAws, now = () => noon) {
  const client = new CloudWatchClient(aws.options);
  const close = async () => {
    client.destroy();
    await aws[Symbol.asyncDispose]();
  };
  return { provider: createCloudWatch({ client, name: "CloudWatch in eu-west-1", now }), close };
}

/** Returns a provider whose endpoint answers so. */
async function openWith(answer: Parameters<typeof fakeAws>[0], now?: () => Date) {
  const aws = await fakeAws(answer);
  const { provider, close } = await open(aws, now);
  onTestFinished(close);
  return { provider, aws };
}

const failures = {
  denied: awsQueryError("AccessDenied", "not authorized to perform: cloudwatch:GetMetricData", 403),
  throttled: awsQueryError("Throttling", "Rate exceeded"),
  unavailable: awsQueryError("InternalServiceFault", "no", 500),
  "hangs up": "hang up",
} as const satisfies Record<Failure, AwsAnswer | "hang up">;

metricProviderContract("CloudWatch", {
  cases: {
    readings: [
      { query: math("errors / requests"), reading: { kind: "value", value: 0.25 } },
      { query: math("100 * FILL(missing, 0) / requests"), reading: { kind: "value", value: 0 } },
      { query: math("missing / requests"), reading: { kind: "none" } },
      { query: math("errors / (requests - 8)"), reading: { kind: "none" } },
      { query: single("Missing"), reading: { kind: "none" } },
      {
        query: JSON.stringify([expression("SEARCH('{Shop,Deployment}', 'Sum')")]),
        reading: { kind: "several", count: 5 },
      },
    ],
    rejectedQueries: [
      { query: math("errors /"), message: "Error in expression 'value'" },
      { query: math("unknown / requests"), message: "Error in expression 'value'" },
      { query: "[]", message: "MetricDataQueries is required" },
    ],
    changingQuery: single("Clock"),
  },
  start: async () => open(await fakeAws(cloudWatchEndpoint(metrics)), () => new Date()),
  startFailing: async (failure) => open(await fakeAws(() => failures[failure])),
});

describe("the value is that of the last complete period, by default two minutes after its end", () => {
  test.for([
    { at: "12:00:30", value: "11:57:00", periods: 1 },
    { at: "12:00:59", value: "11:57:00", periods: 1 },
    { at: "12:01:00", value: "11:58:00", periods: 1 },
    { at: "12:01:00", value: "11:59:00", periods: 1, arrival: 60 },
    { at: "12:06:59", value: "11:55:00", periods: 5 },
    { at: "12:07:00", value: "12:00:00", periods: 5 },
  ])("at $at: that from $value of $periods minutes $arrival", async ({ at, value, periods, arrival }) => {
    const { provider } = await openWith(cloudWatchEndpoint(metrics));
    const [one] = JSON.parse(single("Clock")) as [ReturnType<typeof stat>];
    const query = JSON.stringify([{ ...one, metricStat: { ...one.metricStat, period: 60 * periods } }]);
    const seconds = new Date(`2026-11-20T${value}Z`).getTime() / 1000;
    const read = await provider.query(query, new Date(`2026-11-20T${at}Z`), arrival);
    expect(read).toMatchObject({ kind: "value", value: seconds });
  });

  test("and not an older one", async () => {
    const { provider } = await openWith(cloudWatchEndpoint(metrics));
    const at = (time: string) => new Date(`2026-11-20T${time}Z`);
    expect(await provider.query(math("sparse"), at("12:01:00"))).toMatchObject({ kind: "none" });
    expect(await provider.query(math("sparse"), at("12:02:00"))).toMatchObject({ kind: "value", value: 1 });
  });

  test("requested with ten periods before it, in the region and with the signature of the client", async () => {
    const { provider, aws } = await openWith(cloudWatchEndpoint(metrics));
    const written = { ...stat("errors", "Errors"), returnData: true };
    await provider.query(JSON.stringify([{ ...written, metricStat: { ...written.metricStat, unit: "Count" } }]));
    expect(aws.calls).toMatchObject([
      { operation: "GetMetricData", authorization: expect.stringContaining("/eu-west-1/monitoring/aws4_request") },
    ]);
    expect(JSON.parse(aws.calls[0]?.body ?? "")).toEqual({
      MetricDataQueries: [
        {
          Id: "errors",
          ReturnData: true,
          MetricStat: {
            Metric: { Namespace: "Shop", MetricName: "Errors", Dimensions: [{ Name: "Deployment", Value: "web" }] },
            Period: 60,
            Stat: "Sum",
            Unit: "Count",
          },
        },
      ],
      StartTime: new Date("2026-11-20T11:47:00Z").getTime() / 1000,
      EndTime: new Date("2026-11-20T11:58:00Z").getTime() / 1000,
      ScanBy: "TimestampDescending",
    });
  });

  test("of the period of a Metrics Insights query", async () => {
    const { provider, aws } = await openWith(() => ({ body: { MetricDataResults: [] } }));
    await provider.query(JSON.stringify([expression("SELECT SUM(Errors) FROM Shop", { period: 300 })]));
    expect(JSON.parse(aws.calls[0]?.body ?? "")).toMatchObject({
      MetricDataQueries: [{ Id: "value", Expression: "SELECT SUM(Errors) FROM Shop", Period: 300, ReturnData: true }],
      EndTime: new Date("2026-11-20T11:55:00Z").getTime() / 1000,
    });
  });
});

describe("an incomplete answer", () => {
  const point = { Timestamps: [new Date("2026-11-20T11:57:00Z").getTime() / 1000], Values: [1] };
  const complete = { Id: "one", Label: "one", ...point, StatusCode: "Complete" };
  const result = (StatusCode: string, more: object = {}) => ({
    MetricDataResults: [{ ...complete, StatusCode }],
    ...more,
  });
  test.for([
    { body: result("InternalError"), name: "Unreachable", message: "InternalError" },
    { body: result("PartialData"), name: "Unreachable", message: "PartialData" },
    { body: result("Forbidden"), name: "QueryRejected", message: "Forbidden" },
    { body: result("Complete", { NextToken: "more" }), name: "Unreachable", message: "a part of the result only" },
    {
      body: result("Complete", { Messages: [{ Value: "Maximum number of allowed metrics exceeded" }] }),
      name: "Unreachable",
      message: "a part of the result only: Maximum number of allowed metrics exceeded",
    },
  ])("$message is $name", async ({ body, name, message }) => {
    const { provider } = await openWith(() => ({ body }));
    const failure: unknown = await provider.query(single("Clock")).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name, message: expect.stringContaining(message) });
    expect(failure).toMatchObject({ message: expect.stringContaining("CloudWatch in eu-west-1") });
  });

  test("has messages, which are warnings if they are about a complete result", async () => {
    const Messages = [{ Code: "ArithmeticError", Value: "data points have been dropped" }, { Code: "Other" }, {}];
    const { provider } = await openWith(() => ({ body: { MetricDataResults: [{ ...complete, Messages }] } }));
    expect(await provider.query(single("Clock"))).toEqual({
      kind: "value",
      value: 1,
      at: noon,
      warnings: ["data points have been dropped", "Other", "unknown"],
    });
  });
});

test("without credentials a query is rejected", async () => {
  const aws = await fakeAws(cloudWatchEndpoint(metrics));
  onTestFinished(() => aws[Symbol.asyncDispose]());
  const credentials = () => Promise.reject(new Error("Could not load credentials from any providers"));
  const client = new CloudWatchClient({ ...aws.options, credentials });
  const provider = createCloudWatch({ client, name: "CloudWatch", now: () => noon });
  await expect(provider.query(single("Clock"))).rejects.toMatchObject({
    name: "QueryRejected",
    message: expect.stringContaining("Could not load credentials"),
  });
  expect(aws.calls).toEqual([]);
});
