import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMetricSource } from "../../functions/adapters/prometheus/open.ts";
import type { MetricSource } from "../../functions/ports/metric-source.ts";
import { addressOf } from "../adapters/prometheus/open.ts";
import { runPawl } from "../cli/run-pawl.ts";
import { metricSourceContract } from "../contracts/metric-source.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { type Exporter, startExporter } from "../support/exporter.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";
import { type RealPrometheus, startRealPrometheus } from "../support/real-prometheus.ts";

metricSourceContract("Prometheus", async () => {
  const prometheus = await startRealPrometheus();
  return { source: await sourceAt(prometheus.url), close: async () => prometheus[Symbol.asyncDispose]() };
});

/** The share of failed requests, right also while no request has failed and their counter is absent. */
const errorRate = `(sum(rate(http_requests_total{app="{{args.name}}",code=~"5.."}[4s])) or vector(0))
  / sum(rate(http_requests_total{app="{{args.name}}"}[4s]))`;

/** What the seed's article writes: while all is well it gives nothing. */
const filtered = `${errorRate} > 0.01`;

let exporter: Exporter;
let prometheus: RealPrometheus;
let directory: string;
beforeAll(async () => {
  exporter = await startExporter({ app: "web" });
  prometheus = await startRealPrometheus([exporter.target]);
  directory = await mkdtemp(join(tmpdir(), "pawl-analysis-"));
});
afterAll(async () => {
  await prometheus[Symbol.asyncDispose]();
  await exporter[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** Runs `pawl analyze` on the query; `--once` unless the arguments say otherwise. */
async function analyzed(query: string, args: readonly string[] = ["--once"], app = "web") {
  const file = join(directory, "analysis.json");
  await writeFile(file, JSON.stringify({ interval: "1s", metrics: [{ name: "error-rate", query, threshold: 0.01 }] }));
  const ran = await runPawl(["analyze", file, "--prometheus", prometheus.url, "--arg", `name=${app}`, ...args]);
  return { status: ran.status, says: ran.stdout.split("\n").at(-2) ?? ran.stderr };
}

async function sharesAre(what: string, accepts: (share: number) => boolean): Promise<void> {
  const source = await sourceAt(prometheus.url);
  const query = errorRate.replaceAll("{{args.name}}", "web");
  await eventually(`the share of failed requests is ${what}`, async () => {
    const reading = await source.query(query);
    return reading.kind === "value" && accepts(reading.value);
  });
}

test("without traffic nothing is decided", async () => {
  exporter.serve({ succeeded: 10, failed: 0 });
  await sharesAre("known", (share) => share === 0);
  exporter.serve({ succeeded: 0, failed: 0 });
  await sharesAre("not known", Number.isNaN);
  expect(await analyzed(errorRate)).toMatchObject({ status: 1, says: expect.stringContaining("returned NaN") });
});

test("while nothing has failed its counter is absent, and the analysis passes", async () => {
  exporter.serve({ succeeded: 100, failed: 0 });
  await sharesAre("0", (share) => share === 0);
  const source = await sourceAt(prometheus.url);
  expect(await source.query(`http_requests_total{code="500"}`)).toMatchObject({ kind: "none" });
  expect(await analyzed(errorRate, ["--count", "3"])).toEqual({
    status: 0,
    says: "pass: error-rate: 3 passed, 0 failed",
  });
});

test("a comparison inside of the query hides that all is well", async () => {
  expect(await analyzed(filtered)).toMatchObject({ status: 1, says: expect.stringContaining("returned nothing") });
});

test("what fails is seen, and that it no longer does", async () => {
  exporter.serve({ succeeded: 90, failed: 10 });
  await sharesAre("high", (share) => share > 0.05);
  expect(await analyzed(errorRate)).toMatchObject({ status: 1, says: expect.stringMatching(/^fail: .*result > 0.01/) });
  exporter.serve({ succeeded: 100, failed: 0 });
  await sharesAre("0 again", (share) => share === 0);
  expect(await analyzed(errorRate)).toMatchObject({ status: 0 });
});

test("of a service that is not there nothing is known", async () => {
  expect(await analyzed(errorRate, ["--once"], "other")).toMatchObject({
    status: 1,
    says: expect.stringContaining("returned nothing"),
  });
});

test("series that nobody has added up are several", async () => {
  exporter.serve({ succeeded: 90, failed: 10 });
  const source = await sourceAt(prometheus.url);
  await eventually("both counters are there", async () => {
    const reading = await source.query("count(http_requests_total)");
    return reading.kind === "value" && reading.value === 2;
  });
  expect(await source.query("http_requests_total")).toMatchObject({ kind: "several", count: 2 });
});

test("a Prometheus that is away is an error, and is back afterwards", async () => {
  await prometheus.stop();
  expect(await analyzed("vector(0)")).toMatchObject({ status: 3, says: expect.stringContaining("ECONNREFUSED") });
  await prometheus.start();
  expect(await analyzed("vector(0)")).toMatchObject({ status: 0 });
});

describeOnRealCluster("the service proxy of a real API server", () => {
  test("says of a Service that is not there that it is not", async () => {
    const address = addressOf("service://default/nobody:9090");
    const source = await openMetricSource(address, settings(address));
    await expect(source.query("up")).rejects.toMatchObject({
      name: "QueryRefused",
      message: expect.stringMatching(/404: services "nobody" not found/),
    });
  });

  test("says of a Service without endpoints that none is available", async () => {
    // Every cluster has this Service; nothing listens on this port of it.
    const address = addressOf("service://default/kubernetes:9090");
    const source = await openMetricSource(address, settings(address));
    await expect(source.query("up")).rejects.toMatchObject({ name: "Unreachable" });
  });
});

async function sourceAt(url: string): Promise<MetricSource> {
  const address = addressOf(url);
  return await openMetricSource(address, settings(address));
}

function settings(address: ReturnType<typeof addressOf>) {
  return {
    allowed: [address],
    login: async () => null,
    kubeConfig: async () => realKubeConfig(),
    credentials: { accessKeyId: "", secretAccessKey: "" },
    now: () => new Date(),
  };
}
