import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { expect, onTestFinished, test } from "vitest";
import { createCloudWatch } from "../../../functions/adapters/aws/cloudwatch/metric-data.ts";
import { startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { parseAnalysis } from "../../../functions/domain/analysis/parse-analysis.ts";
import { runAnalysis } from "../../../functions/workflows/workload-update/run-analysis.ts";
import { fakeAws } from "../../support/aws/aws-services.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { inFlight, noon, workload } from "../../support/workloads.ts";
import { cloudWatchEndpoint } from "../../support/aws/cloudwatch-endpoint.ts";

const errorsBefore = (end: Date) => (time: number) => (time * 1000 < end.getTime() ? 100 : 0);

test.for([60, 300])("a run that begins when a fix is rolled out measures nothing before it: %i s", async (period) => {
  const start = new Date("2026-11-20T12:00:20Z");
  const incident = { namespace: "Shop", metricName: "Errors", dimensions: "", valueAt: errorsBefore(start) };
  let now = start;
  const aws = await fakeAws(cloudWatchEndpoint([incident]));
  const client = new CloudWatchClient(aws.options);
  onTestFinished(async () => {
    client.destroy();
    await aws[Symbol.asyncDispose]();
  });
  const provider = createCloudWatch({ client, name: "CloudWatch", now: () => now });
  const metricStat = { metric: { namespace: "Shop", metricName: "Errors" }, period, stat: "Sum" };
  const cloudWatch = { metricDataQueries: [{ id: "errors", metricStat }] };
  const spec = parseAnalysis({ count: 3, metrics: [{ name: "errors", cloudWatch, threshold: 1 }] });
  if (Array.isArray(spec)) throw new Error(spec.map(({ reason }) => reason).join());
  const ports = { ...fakePorts({}), now: () => now, metricProvider: async () => provider };
  const claim = { kind: "held", workload: workload(), inFlight } as const;
  let { state, assessment } = await runAnalysis(ports, claim, spec, null);
  for (let steps = 0; assessment.kind === "running" && steps < 20; steps++) {
    now = new Date(now.getTime() + assessment.waitSeconds * 1000);
    ({ state, assessment } = await runAnalysis(ports, claim, spec, state));
  }
  expect(assessment).toEqual({ kind: "pass", reason: "errors: 3 passed, 0 failed" });
});

test("two metrics of one CronJob create their Jobs one after the other: each looks whether another one runs", async () => {
  const job = { name: "smoke-test" };
  const spec = parseAnalysis({ metrics: ["first", "second"].map((name) => ({ name, job })) });
  if (Array.isArray(spec)) throw new Error(spec.map(({ reason }) => reason).join());
  const ports = fakePorts({});
  const running: string[] = [];
  let most = 0;
  const cluster = {
    ...ports.cluster,
    async startHook(...[of, hook]: Parameters<typeof ports.cluster.startHook>) {
      running.push(hook.name);
      most = Math.max(most, running.length);
      await new Promise((resolve) => setImmediate(resolve));
      running.pop();
      return ports.cluster.startHook(of, hook);
    },
  };
  const begun = startAnalysis(noon);
  const claim = { kind: "held", workload: workload({ analysis: begun }), inFlight } as const;
  await runAnalysis({ ...ports, cluster }, claim, spec, begun);
  expect([ports.cluster.hookJobs.length, most]).toEqual([2, 1]);
});
