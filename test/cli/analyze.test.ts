import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { answerAsPrometheus } from "../adapters/prometheus/scripted-prometheus.ts";
import { json, scripted, type Scripted } from "../adapters/oci-registry/scripted.ts";
import { runPawl } from "./run-pawl.ts";

// Each starts processes, which on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000 });

let directory: string;
let prometheus: Scripted;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-cli-"));
  prometheus = await scripted((heard, response) => {
    const query = new URL(heard.path, "http://prometheus").searchParams.get("query");
    const data = { resultType: "scalar", result: [1, "1"] };
    if (query === "warned") json(response, { status: "success", data, warnings: ["only a part"] });
    else if (query === "broken") json(response, { status: "error", error: "boom" }, {}, 500);
    else if (query === "private" && heard.authorization !== "Bearer let-me-in") json(response, {}, {}, 401);
    else if (query === "private") json(response, { status: "success", data });
    else answerAsPrometheus(heard, response);
  });
});
afterAll(async () => {
  await prometheus[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function written(text: string): Promise<string> {
  const path = join(directory, crypto.randomUUID());
  await writeFile(path, text);
  return path;
}

interface Analyzed {
  readonly query?: string;
  readonly metric?: object;
  readonly rest?: object;
  readonly args?: readonly string[];
}

/** Analyzes one metric, once unless the arguments say otherwise. */
async function analyzed({ query = "vector(0.25)", metric = {}, rest = {}, args = ["--once"] }: Analyzed) {
  const metrics = [{ name: "share", query, threshold: 0.3, ...metric }];
  const file = await written(JSON.stringify({ interval: "1s", metrics, ...rest }));
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
      verdict: "fail: share: 1 failures, 0 allowed; the last: 7: result > 0.3",
    },
    {
      query: "nobody_counts_this_total",
      metric: {},
      status: 1,
      line: "inconclusive  share: the query returned nothing",
      verdict: "inconclusive: share: 1 inconclusive, 0 allowed; the last: the query returned nothing",
    },
    {
      query: "0 / 0",
      metric: {},
      status: 1,
      line: "inconclusive  share: the query returned NaN",
      verdict: "inconclusive: ",
    },
    {
      query: "broken",
      metric: {},
      status: 3,
      line: "error         share: Prometheus at http",
      verdict: "error: share: 1 e",
    },
  ])("$query: status $status", async ({ query, metric, status, line, verdict }) => {
    const ran = await analyzed({ query, metric });
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
    const ran = await analyzed({ rest: { count: 2 }, args: [] });
    expect(ran.stdout.split("\n").map((line) => line.replace(/^\S+Z {2}/, ""))).toEqual([
      "pass          share: 0.25",
      "pass          share: 0.25",
      "pass: share: 2 passed, 0 failed",
      "",
    ]);
  });

  test("measures so many times as it is told, and prints one JSON document", async () => {
    const dry = { name: "dry", query: "vector(-3)", failureCondition: "result < 0", dryRun: true };
    const share = { name: "share", query: "vector(0.25)", threshold: 0.3 };
    const rest = { initialDelay: "1h", metrics: [share, dry] };
    const ran = await analyzed({ rest, args: ["--count", "1", "--json"] });
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

  test("puts arguments into queries, and says on stderr what Prometheus warns of", async () => {
    const ran = await analyzed({
      query: "{{args.q}}",
      metric: { threshold: 1 },
      args: ["--once", "--arg", "q=warned"],
    });
    expect(ran).toMatchObject({ stderr: "pawl: share: only a part\n", status: 0 });
  });

  test("shows the token it is given", async () => {
    const token = await written("let-me-in\n");
    const metric = { threshold: 1 };
    const args = ["--once", "--bearer-token-file", token];
    expect((await analyzed({ query: "private", metric, args })).status).toBe(0);
    expect(await analyzed({ query: "private", metric })).toMatchObject({ status: 3, stdout: "" });
  });

  test("asks the Prometheus that the file names", async () => {
    const metrics = `[{ name: share, query: vector(0.25), threshold: 0.3 }]`;
    const file = await written(`# in YAML\nprometheus: http://${prometheus.host}\nmetrics: ${metrics}\n`);
    expect((await runPawl(["analyze", file, "--once"])).status).toBe(0);
  });
});

describe.concurrent("pawl analyze takes for wrong input, and says why on stderr,", () => {
  test.for([
    { when: "a query that is none", given: { query: "sum(" }, says: "parse error" },
    { when: "an argument that is unknown", given: { query: "{{args.name}}" }, says: '"args.name" is unknown' },
    { when: "every problem of the file", given: { rest: { count: 0, interval: "1" } }, says: "count: 0 must be" },
    { when: "an argument without a value", given: { args: ["--arg", "name"] }, says: "name=value" },
    { when: "a count of 0", given: { args: ["--count", "0"] }, says: "1 to 999" },
    { when: "--once with --count", given: { args: ["--once", "--count", "2"] }, says: "--count" },
    { when: "another address", given: { args: ["--prometheus", "prom:9090"] }, says: "--prometheus: " },
    {
      when: "a Service",
      given: { args: ["--prometheus", "service://m/prom:web"] },
      says: "-n m port-forward service/prom",
    },
  ])("$when", async ({ given, says }) => {
    const ran = await analyzed(given);
    expect(ran).toMatchObject({ stdout: "", status: 2 });
    expect(ran.stderr).toMatch(/^pawl: .*\n$/);
    expect(ran.stderr).toContain(says);
  });

  test.for([
    { when: "a file that is not there", file: async () => "/none", says: "/none cannot be read" },
    { when: "a file that is not YAML", file: async () => written("a: [1"), says: "is not YAML" },
    {
      when: "no Prometheus at all",
      file: async () => written("metrics: [{ name: a, query: up, threshold: 1 }]"),
      says: "Name one with --prometheus",
    },
  ])("$when", async ({ file, says }) => {
    const ran = await runPawl(["analyze", await file()]);
    expect(ran).toMatchObject({ stdout: "", status: 2 });
    expect(ran.stderr).toContain(says);
  });
});
