import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { bindArgs } from "../../../functions/domain/analysis/template.ts";
import { openPrometheus } from "../../../functions/adapters/prometheus/open.ts";
import type { MetricProvider } from "../../../functions/ports/metric-provider.ts";
import { queryMetric } from "../../../functions/workflows/query-metric.ts";
import { spawnPawl } from "../../cli/run-pawl.ts";
import { metricProviderContract } from "../../contracts/metric-provider.ts";
import { promQl } from "../../contracts/promql.ts";
import { analysis } from "../../domain/analysis/samples.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { type Exporter, startExporter } from "../../support/real/exporter.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { type RealPrometheus, startRealPrometheus } from "../../support/real/real-prometheus.ts";

metricProviderContract("Prometheus", {
  cases: promQl,
  async start() {
    const prometheus = await startRealPrometheus();
    return { provider: await openSource(prometheus.url), close: async () => prometheus[Symbol.asyncDispose]() };
  },
  startFailing: null,
});

const access = {
  login: null,
  kubeConfig: async () => realKubeConfig(),
  credentials: { accessKeyId: "", secretAccessKey: "" },
  now: () => new Date(),
};

/** The share of failed requests, also correct while the counter of failed requests is absent. */
const errorRate = `(sum(rate(http_requests_total{app="{{args.name}}",code=~"5.."}[4s])) or vector(0))
  / sum(rate(http_requests_total{app="{{args.name}}"}[4s]))`;

/** The query of the seed's article, which returns no series while the service is healthy. */
const filtered = `${errorRate} > 0.01`;

/** The traffic of `good` and `failing` is constant; each of the others belongs to one test. */
const apps = ["idle", "good", "turning", "failing"] as const;
type App = (typeof apps)[number];

describe.concurrent("pawl analyze with a real Prometheus", () => {
  const stack = new AsyncDisposableStack();
  const exporters = new Map<App, Exporter>();
  let prometheus: RealPrometheus;
  let directory: string;

  beforeAll(async () => {
    for (const app of apps) exporters.set(app, stack.use(await startExporter({ app })));
    serve("good", 100, 0);
    serve("failing", 90, 10);
    prometheus = stack.use(await startRealPrometheus([...exporters.values()].map(({ target }) => target)));
    directory = await mkdtemp(join(tmpdir(), "pawl-analysis-"));
    stack.defer(() => rm(directory, { recursive: true }));
  });

  afterAll(() => stack.disposeAsync());

  /** Runs `pawl analyze` on the query; `--once` unless the arguments say otherwise. */
  async function analyze(query: string, app: string, args: readonly string[] = ["--once"], { url } = prometheus) {
    const file = join(directory, `${randomUUID()}.json`);
    await writeFile(
      file,
      JSON.stringify({ interval: "1s", metrics: [{ name: "error-rate", query, threshold: 0.01 }] }),
    );
    const result = await spawnPawl(["analyze", file, "--prometheus", url, "--arg", `name=${app}`, ...args]);
    return { status: result.status, output: result.stdout.split("\n").at(-2) ?? result.stderr };
  }

  function serve(app: App, succeeded: number, failed: number): void {
    exporters.get(app)?.serve({ succeeded, failed });
  }

  async function waitForShare(state: string, app: App, accepts: (share: number) => boolean): Promise<void> {
    const source = await openSource(prometheus.url);
    const query = errorRate.replaceAll("{{args.name}}", app);
    await eventually(`the share of failed requests is ${state}`, async () => {
      const reading = await source.query(query);
      return reading.kind === "value" && accepts(reading.value);
    });
  }

  test("the analysis has no verdict without traffic", async ({ expect }) => {
    serve("idle", 10, 0);
    await waitForShare("known", "idle", (share) => share === 0);
    serve("idle", 0, 0);
    await waitForShare("not known", "idle", Number.isNaN);
    const output = expect.stringContaining("returned NaN");
    expect(await analyze(errorRate, "idle")).toMatchObject({ status: 3, output });
  });

  test("the analysis fails during failures and passes after they stop", async ({ expect }) => {
    serve("turning", 90, 10);
    await waitForShare("high", "turning", (share) => share > 0.05);
    const output = expect.stringMatching(/^fail: .*result > 0.01/);
    expect(await analyze(errorRate, "turning")).toMatchObject({ status: 1, output });
    serve("turning", 100, 0);
    await waitForShare("0 again", "turning", (share) => share === 0);
    expect(await analyze(errorRate, "turning")).toMatchObject({ status: 0 });
  });

  test("the analysis passes while the counter of failures is absent", async ({ expect }) => {
    await waitForShare("0", "good", (share) => share === 0);
    const source = await openSource(prometheus.url);
    expect(await source.query(`http_requests_total{app="good",code="500"}`)).toMatchObject({ kind: "none" });
    expect(await analyze(errorRate, "good", ["--count", "3"])).toEqual({
      status: 0,
      output: "pass: error-rate: 3 passed, 0 failed",
    });
  });

  test("a comparison in the query removes the result of a healthy service", async ({ expect }) => {
    await waitForShare("0", "good", (share) => share === 0);
    const output = expect.stringContaining("returned nothing");
    expect(await analyze(filtered, "good")).toMatchObject({ status: 3, output });
  });

  test("a comparison measures both sides at the same moment", async ({ expect }) => {
    await waitForShare("10 %", "failing", (share) => share > 0.05);
    await waitForShare("0", "good", (share) => share === 0);
    const source = await openSource(prometheus.url);
    const compare = async (canary: App, stable: string) => {
      const query = errorRate.replaceAll("args.name", "args.set");
      const metrics = [{ name: "error-rate", query, compare: { maxIncrease: "0%" } }];
      const spec = bindArgs(analysis({ metrics }), { canary, stable });
      const [metric] = Array.isArray(spec) ? [] : spec.metrics;
      return metric && (await queryMetric(source, metric)).outcome;
    };
    expect(await compare("failing", "failing")).toMatchObject({ verdict: "pass" });
    expect(await compare("good", "failing")).toMatchObject({ verdict: "pass", value: 0 });
    expect(await compare("failing", "good")).toMatchObject({ verdict: "inconclusive" });
    expect(await compare("failing", "other")).toMatchObject({
      verdict: "error",
      note: expect.stringContaining("nothing"),
    });
  });

  test("a missing service returns no series", async ({ expect }) => {
    const output = expect.stringContaining("returned nothing");
    expect(await analyze(errorRate, "other")).toMatchObject({ status: 3, output });
  });

  test("series that are not aggregated are counted", async ({ expect }) => {
    const source = await openSource(prometheus.url);
    await eventually("both counters exist", async () => {
      const reading = await source.query(`count(http_requests_total{app="failing"})`);
      return reading.kind === "value" && reading.value === 2;
    });
    expect(await source.query(`http_requests_total{app="failing"}`)).toMatchObject({ kind: "several", count: 2 });
  });

  test("a Prometheus that is down is an error until it restarts", async ({ expect }) => {
    const otherPrometheus = stack.use(await startRealPrometheus());
    await otherPrometheus.stop();
    const output = expect.stringContaining("ECONNREFUSED");
    expect(await analyze("vector(0)", "web", ["--once"], otherPrometheus)).toMatchObject({ status: 3, output });
    await otherPrometheus.start();
    expect(await analyze("vector(0)", "web", ["--once"], otherPrometheus)).toMatchObject({ status: 0 });
  });
});

describeOnRealCluster("the service proxy of a real API server", () => {
  test("reports that a Service does not exist", async ({ expect }) => {
    const source = await openPrometheus("service://default/missing:9090", access);
    await expect(source.query("up")).rejects.toMatchObject({
      name: "QueryRejected",
      message: expect.stringMatching(/404: services "missing" not found/),
    });
  });

  test("reports that a Service has no endpoints", async ({ expect }) => {
    // Every cluster has this Service, which does not expose this port.
    const source = await openPrometheus("service://default/kubernetes:9090", access);
    await expect(source.query("up")).rejects.toMatchObject({ name: "Unreachable" });
  });
});

function openSource(url: string): Promise<MetricProvider> {
  return openPrometheus(url, access);
}
