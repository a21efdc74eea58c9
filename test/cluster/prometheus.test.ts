import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
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

/** What `good` and `failing` have stays as it is; the others belong to one test each. */
const apps = ["idle", "good", "turning", "failing"] as const;
type App = (typeof apps)[number];

describe.concurrent("pawl analyze, and what a real Prometheus has scraped", () => {
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
  async function analyzed(query: string, app: string, args: readonly string[] = ["--once"], { url } = prometheus) {
    const file = join(directory, `${randomUUID()}.json`);
    await writeFile(
      file,
      JSON.stringify({ interval: "1s", metrics: [{ name: "error-rate", query, threshold: 0.01 }] }),
    );
    const ran = await runPawl(["analyze", file, "--prometheus", url, "--arg", `name=${app}`, ...args]);
    return { status: ran.status, says: ran.stdout.split("\n").at(-2) ?? ran.stderr };
  }

  function serve(app: App, succeeded: number, failed: number): void {
    exporters.get(app)?.serve({ succeeded, failed });
  }

  async function shareIs(what: string, app: App, accepts: (share: number) => boolean): Promise<void> {
    const source = await sourceAt(prometheus.url);
    const query = errorRate.replaceAll("{{args.name}}", app);
    await eventually(`the share of failed requests is ${what}`, async () => {
      const reading = await source.query(query);
      return reading.kind === "value" && accepts(reading.value);
    });
  }

  test("without traffic nothing is decided", async ({ expect }) => {
    serve("idle", 10, 0);
    await shareIs("known", "idle", (share) => share === 0);
    serve("idle", 0, 0);
    await shareIs("not known", "idle", Number.isNaN);
    const says = expect.stringContaining("returned NaN");
    expect(await analyzed(errorRate, "idle")).toMatchObject({ status: 1, says });
  });

  test("what fails is seen, and that it no longer does", async ({ expect }) => {
    serve("turning", 90, 10);
    await shareIs("high", "turning", (share) => share > 0.05);
    const says = expect.stringMatching(/^fail: .*result > 0.01/);
    expect(await analyzed(errorRate, "turning")).toMatchObject({ status: 1, says });
    serve("turning", 100, 0);
    await shareIs("0 again", "turning", (share) => share === 0);
    expect(await analyzed(errorRate, "turning")).toMatchObject({ status: 0 });
  });

  test("while nothing has failed its counter is absent, and the analysis passes", async ({ expect }) => {
    await shareIs("0", "good", (share) => share === 0);
    const source = await sourceAt(prometheus.url);
    expect(await source.query(`http_requests_total{app="good",code="500"}`)).toMatchObject({ kind: "none" });
    expect(await analyzed(errorRate, "good", ["--count", "3"])).toEqual({
      status: 0,
      says: "pass: error-rate: 3 passed, 0 failed",
    });
  });

  test("a comparison inside of the query hides that all is well", async ({ expect }) => {
    await shareIs("0", "good", (share) => share === 0);
    const says = expect.stringContaining("returned nothing");
    expect(await analyzed(filtered, "good")).toMatchObject({ status: 1, says });
  });

  test("of a service that is not there nothing is known", async ({ expect }) => {
    const says = expect.stringContaining("returned nothing");
    expect(await analyzed(errorRate, "other")).toMatchObject({ status: 1, says });
  });

  test("series that nobody has added up are several", async ({ expect }) => {
    const source = await sourceAt(prometheus.url);
    await eventually("both counters are there", async () => {
      const reading = await source.query(`count(http_requests_total{app="failing"})`);
      return reading.kind === "value" && reading.value === 2;
    });
    expect(await source.query(`http_requests_total{app="failing"}`)).toMatchObject({ kind: "several", count: 2 });
  });

  test("a Prometheus that is away is an error, and is back afterwards", async ({ expect }) => {
    const own = stack.use(await startRealPrometheus());
    await own.stop();
    const says = expect.stringContaining("ECONNREFUSED");
    expect(await analyzed("vector(0)", "web", ["--once"], own)).toMatchObject({ status: 3, says });
    await own.start();
    expect(await analyzed("vector(0)", "web", ["--once"], own)).toMatchObject({ status: 0 });
  });
});

describeOnRealCluster("the service proxy of a real API server", () => {
  test("says of a Service that is not there that it is not", async ({ expect }) => {
    const address = addressOf("service://default/nobody:9090");
    const source = await openMetricSource(address, settings(address));
    await expect(source.query("up")).rejects.toMatchObject({
      name: "QueryRefused",
      message: expect.stringMatching(/404: services "nobody" not found/),
    });
  });

  test("says of a Service without endpoints that none is available", async ({ expect }) => {
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
