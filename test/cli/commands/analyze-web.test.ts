import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { json, startScriptedServer } from "../../adapters/oci-registry/scripted-server.ts";
import { runPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const rates: Readonly<Record<string, number>> = { web: 0.02, "web-canary": 0.1 };
const names = ["--arg", "stable=web", "--arg", "canary=web-canary"];

/** Analyzes the JSON of a server that requires a login, once. */
async function analyze(metric: object, login: string | null = "let-me-in", jsonPath = "$.data['error rate']") {
  const directory = await mkdtemp(join(tmpdir(), "pawl-cli-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await using server = await startScriptedServer(({ path, authorization }, response) => {
    const service = new URL(path, "http://web").searchParams.get("service") ?? "";
    if (authorization !== "Bearer let-me-in") json(response, {}, {}, 401);
    else json(response, { data: { "error rate": rates[service] ?? null } });
  });
  const url = `http://${server.host}/rates?service={{args.set}}`;
  const file = join(directory, "analysis.json");
  await writeFile(file, JSON.stringify({ metrics: [{ name: "errors", web: { url, jsonPath }, ...metric }] }));
  await writeFile(join(directory, "login"), `${login}`);
  const option = `http://${server.host}/rates=${join(directory, "login")}`;
  return await runPawl(["analyze", file, "--once", ...names, ...(login === null ? [] : ["--metric-login", option])]);
}

test.for([
  { metric: { threshold: 0.15 }, status: 0, verdict: "pass: errors: 1 passed" },
  { metric: { threshold: 0.05 }, status: 1, verdict: "last: 0.1: result > 0.05" },
  { metric: { compare: { maxIncrease: "500%" } }, status: 0, verdict: "errors: 0.1; stable pods: 0.02\n" },
  { metric: { compare: { maxIncrease: "20%" } }, status: 1, verdict: "last: 0.1: over 20% above the baseline 0.02" },
])("pawl analyze measures JSON by its URL: $metric has the status $status", async ({ metric, status, verdict }) => {
  expect(await analyze(metric)).toMatchObject({ stderr: "", status, stdout: expect.stringContaining(verdict) });
});

test.for([
  { when: "no value", login: "let-me-in", path: "$.none", status: 3, shown: 'no value at $["none"]' },
  { when: "a value that is no number", login: "let-me-in", path: "$.data", status: 2, shown: "a number is required" },
  { when: "no login", login: null, path: "$.data", status: 3, shown: "401; no login is configured for it" },
  { when: "a wrong login", login: "wrong", path: "$.data", status: 3, shown: "401; correct the login in" },
])("$when ends with the status $status", async ({ login, path, status, shown }) => {
  const ran = await analyze({ threshold: 1 }, login, path);
  expect(ran.status).toBe(status);
  expect(ran.stdout + ran.stderr).toContain(shown);
});

test("pawl analyze asks Datadog for the last five minutes, with the keys of the deployment", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-cli-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const asked: URL[] = [];
  await using server = createServer(({ url, headers }, response) => {
    asked.push(new URL(`${url}`, "http://datadog"));
    const hasKeys = headers["dd-api-key"] === "a" && headers["dd-application-key"] === "b";
    json(
      response,
      hasKeys
        ? {
            series: [
              {
                pointlist: [
                  [1, 0.5],
                  [2, 0.01],
                ],
              },
            ],
          }
        : { errors: ["Forbidden"] },
      {},
      hasKeys ? 200 : 403,
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/query`;
  const query = "sum:trace.http.request.errors{kube_deployment:{{args.canary}}}.as_rate()";
  const url = `${origin}?query=${query}&from={{now-5m}}&to={{now}}`;
  const file = join(directory, "analysis.json");
  const metric = { name: "errors", web: { url, jsonPath: "$.series[0].pointlist[-1][1]" }, threshold: 0.05 };
  await writeFile(file, JSON.stringify({ metrics: [metric] }));
  await writeFile(
    join(directory, "login"),
    JSON.stringify({ headers: { "DD-API-KEY": "a", "DD-APPLICATION-KEY": "b" } }),
  );
  const login = ["--metric-login", `${origin}=${join(directory, "login")}`];
  const ran = await runPawl(["analyze", file, "--once", ...names, ...login]);
  expect(ran).toMatchObject({ stderr: "", status: 0, stdout: expect.stringContaining("errors: 1 passed") });
  const [parameters] = asked.map(({ searchParams }) => Object.fromEntries(searchParams));
  expect(parameters?.["query"]).toBe("sum:trace.http.request.errors{kube_deployment:web-canary}.as_rate()");
  expect(Number(parameters?.["to"]) - Number(parameters?.["from"])).toBe(300);
});
