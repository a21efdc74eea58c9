import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { respondAsPrometheus } from "../../adapters/prometheus/scripted-prometheus.ts";
import { json, startScriptedServer, type ScriptedServer } from "../../adapters/oci-registry/scripted-server.ts";
import { runPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const logins = new Set(["Bearer let-me-in", `Basic ${Buffer.from("pawl:let-me-in").toString("base64")}`]);

let directory: string;
let prometheus: ScriptedServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-cli-"));
  prometheus = await startScriptedServer((request, response) => {
    const query = new URL(request.path, "http://prometheus").searchParams.get("query");
    const data = { resultType: "scalar", result: [1, "1"] };
    if (query === "warning") json(response, { status: "success", data, warnings: ["partial result"] });
    else if (query === "info") json(response, { status: "success", data, infos: ["not a counter"] });
    else if (query === "broken") json(response, { status: "error", error: "boom" }, {}, 500);
    else if (query === "private" && !logins.has(request.authorization ?? "")) json(response, {}, {}, 401);
    else if (query === "private") json(response, { status: "success", data });
    else respondAsPrometheus(request, response);
  });
});
afterAll(async () => {
  await prometheus[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function writeTemporary(text: string): Promise<string> {
  const path = join(directory, crypto.randomUUID());
  await writeFile(path, text);
  return path;
}

interface AnalysisRun {
  readonly query?: string;
  readonly metric?: object;
  readonly rest?: object;
  readonly args?: readonly string[];
}

/** Analyzes one metric; once by default. */
async function analyze({ query = "vector(0.25)", metric = {}, rest = {}, args = ["--once"] }: AnalysisRun) {
  const metrics = [{ name: "share", query, threshold: 0.3, ...metric }];
  const file = await writeTemporary(JSON.stringify({ interval: "1s", metrics, ...rest }));
  return await runPawl(["analyze", file, "--prometheus", `http://${prometheus.host}`, ...args]);
}

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;

describe.concurrent("pawl analyze measures once", () => {
  test.for([
    {
      query: "vector(0.25)",
      metric: {},
      status: 0,
      line: "pass          share: 0.25",
      verdict: "pass: share: 1 passed",
    },
    {
      query: "vector(7)",
      metric: { query: `label_replace(vector(7), "a", "é +%&#?!'()*/", "", "")` },
      status: 1,
      line: "fail          share: 7: result > 0.3",
      verdict: "fail: share: 1 failures, 0 allowed; last: 7: result > 0.3",
    },
    {
      query: "missing_metric_total",
      metric: {},
      status: 3,
      line: "error         share: the query returned nothing",
      verdict: "error: share: 1 errors in a row, 0 allowed; last: the query returned nothing",
    },
    {
      query: "0 / 0",
      metric: {},
      status: 3,
      line: "error         share: the query returned NaN",
      verdict: "error: ",
    },
    {
      query: "broken",
      metric: {},
      status: 3,
      line: "error         share: Prometheus at http",
      verdict: "error: share: 1 e",
    },
  ])("$query: status $status", async ({ query, metric, status, line, verdict }) => {
    const ran = await analyze({ query, metric });
    expect(ran).toMatchObject({ stderr: "", status });
    const [first = "", second = "", ...others] = ran.stdout.split("\n");
    expect(first).toMatch(new RegExp(`^${time}  `));
    expect(first).toContain(`Z  ${line}`);
    expect(second).toContain(verdict);
    expect(others).toEqual([""]);
  });
});

describe.concurrent("pawl analyze", () => {
  test("measures all intervals of the file, here two", async () => {
    const ran = await analyze({ rest: { count: 2 }, args: [] });
    expect(ran.stdout.split("\n").map((line) => line.replace(/^\S+Z {2}/, ""))).toEqual([
      "pass          share: 0.25",
      "pass          share: 0.25",
      "METRIC   MEASUREMENTS   LAST   MIN    MAX",
      "share    ▁▁             0.25   0.25   0.25",
      "pass: share: 2 passed, 0 failed",
      "",
    ]);
  });

  test("measures --count times, and prints one JSON document", async () => {
    const dry = { name: "dry", query: "vector(-3)", failureCondition: "result < 0", dryRun: true };
    const share = { name: "share", query: "vector(0.25)", threshold: 0.3 };
    const rest = { initialDelay: "1h", metrics: [share, dry] };
    const ran = await analyze({ rest, args: ["--count", "1", "--json"] });
    expect(ran).toMatchObject({ stderr: "", status: 0 });
    const at = expect.stringMatching(time);
    expect(JSON.parse(ran.stdout)).toEqual({
      verdict: "pass",
      reason: "share: 1 passed, 0 failed",
      measurements: [
        { metric: "share", at, dryRun: false, verdict: "pass", value: 0.25, note: null },
        { metric: "dry", at, dryRun: true, verdict: "fail", value: -3, note: "-3: result < 0" },
      ],
    });
  });

  test("substitutes arguments in queries, and prints infos of Prometheus to stderr", async () => {
    const metric = { threshold: 1 };
    const ran = await analyze({ query: "{{args.q}}", metric, args: ["--once", "--arg", "q=info"] });
    expect(ran).toMatchObject({ stderr: "pawl: share: not a counter\n", status: 0 });
  });

  test("measures nothing by an answer with a warning", async () => {
    const ran = await analyze({ query: "warning", metric: { threshold: 1 }, args: ["--once"] });
    expect(ran).toMatchObject({
      stdout: expect.stringContaining("the answer has a warning: partial result"),
      status: 3,
    });
  });

  test.for(["let-me-in\n", JSON.stringify({ username: "pawl", password: "let-me-in" })])(
    "sends the login of the file: %s",
    async (login) => {
      const metric = { threshold: 1 };
      const file = await writeTemporary(login);
      const at = (host: string) => ["--once", "--metric-login", `http://${host}=${file}`];
      expect((await analyze({ query: "private", metric, args: at(prometheus.host) })).status).toBe(0);
      const refused = { status: 3, stdout: "", stderr: expect.stringContaining("401; no login is configured for it") };
      expect(await analyze({ query: "private", metric, args: at("127.0.0.1:1") })).toMatchObject(refused);
      expect(await analyze({ query: "private", metric })).toMatchObject(refused);
    },
  );

  test("runs a template of Argo Rollouts", async () => {
    const provider = { prometheus: { address: `http://${prometheus.host}`, query: "{{args.q}}" } };
    const metrics = [{ name: "share", failureCondition: "result[0] > 0.3", provider }];
    const spec = { args: [{ name: "q" }], metrics };
    const file = await writeTemporary(
      JSON.stringify({ apiVersion: "argoproj.io/v1alpha1", kind: "AnalysisTemplate", spec }),
    );
    const run = (value: string) => runPawl(["analyze", file, "--once", "--arg", `q=vector(${value})`]);
    expect(await run("0.25")).toMatchObject({ status: 0, stdout: expect.stringContaining("share: 0.25") });
    expect(await run("-3")).toMatchObject({ status: 0 });
    expect(await runPawl(["analyze", file, "--once"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('"args.q" is unknown'),
    });
  });

  test("queries the Prometheus of the file", async () => {
    const metrics = `[{ name: share, query: vector(0.25), threshold: 0.3 }]`;
    const file = await writeTemporary(`# in YAML\nprometheus: http://${prometheus.host}\nmetrics: ${metrics}\n`);
    expect((await runPawl(["analyze", file, "--once"])).status).toBe(0);
  });
});

describe.concurrent("pawl analyze rejects as invalid input, with a reason on stderr,", () => {
  test.for([
    { when: "an invalid query", given: { query: "sum(" }, message: "parse error" },
    { when: "an unknown argument", given: { query: "{{args.name}}" }, message: '"args.name" is unknown' },
    { when: "every problem of the file", given: { rest: { count: 0, interval: "1" } }, message: "count: 0 is not" },
    { when: "an argument without a value", given: { args: ["--arg", "name"] }, message: "name=value" },
    { when: "a count of 0", given: { args: ["--count", "0"] }, message: "1 to 999" },
    { when: "--once with --count", given: { args: ["--once", "--count", "2"] }, message: "--count" },
    { when: "a login without a file", given: { args: ["--metric-login", "https://p.example"] }, message: "=file" },
    {
      when: "a login for no address",
      given: { args: ["--metric-login", "p.example=/f"] },
      message: '"p.example" is not the address of a Prometheus',
    },
    {
      when: "a login over plain HTTP",
      given: { args: ["--metric-login", "http://p.example=/f"] },
      message: "http://p.example would receive the login in clear text",
    },
    {
      when: "a login in a file that does not exist",
      given: { args: ["--metric-login", "https://p.example=/none"] },
      message: "--metric-login: /none is not readable: ENOENT",
    },
    {
      when: "a file without a login",
      given: { args: ["--metric-login", "https://p.example=/dev/null"] },
      message: "--metric-login: /dev/null: the text is not a login",
    },
    { when: "another address", given: { args: ["--prometheus", "prom:9090"] }, message: "--prometheus: " },
    {
      when: "a Service",
      given: { args: ["--prometheus", "service://m/prom:web"] },
      message: "-n m port-forward service/prom",
    },
  ])("$when", async ({ given, message }) => {
    const ran = await analyze(given);
    expect(ran).toMatchObject({ stdout: "", status: 2 });
    expect(ran.stderr).toMatch(/^pawl: .*\n$/);
    expect(ran.stderr).toContain(message);
  });

  test.for([
    { when: "a file that does not exist", file: async () => "/none", message: "/none is invalid" },
    { when: "a file that is not YAML", file: async () => writeTemporary("a: [1"), message: "is not YAML" },
    {
      when: "no Prometheus",
      file: async () => writeTemporary("metrics: [{ name: a, query: up, threshold: 1 }]"),
      message: "set --prometheus",
    },
  ])("$when", async ({ file, message }) => {
    const ran = await runPawl(["analyze", await file()]);
    expect(ran).toMatchObject({ stdout: "", status: 2 });
    expect(ran.stderr).toContain(message);
  });
});
