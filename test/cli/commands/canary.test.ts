import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { toAnalysisStatus } from "../../../functions/adapters/kubernetes/auto-update/status/analysis-status.ts";
import { recordPromotion } from "../../../functions/domain/workload/canary/record.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { recordRollback } from "../../../functions/domain/workload/rollback/rollback.ts";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import type { InFlight } from "../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { noon, imageTarget } from "../../support/workloads.ts";
import { answerRequests } from "../answer-requests.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const outcome = { verdict: "pass", value: 0.002, note: null } as const;
const canary = {
  phase: "Applied",
  strategy: "Canary",
  hasCanary: true,
  holder: "arn:one",
  execution: "shop-web-1-1-0-abc",
  expiresAt: "2026-11-20T12:25:00Z",
  target: imageTarget("example.com/shop/web:1.1.0"),
  previousImage: "example.com/shop/web:1.0.0",
  targetGeneration: 1,
  startedAt: "2026-11-20T12:00:00Z",
};
const analysis = toAnalysisStatus(measure(startAnalysis(noon), "error-rate", outcome, noon));
const names = ["web", "search", "cart", "idle"];

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({}, () =>
    names.flatMap((name) => [
      builtIn("Deployment", name, `example.com/shop/web:${name === "cart" ? "1.1.0" : "1.0.0"}`, {
        "pawl.dev/canary": "1",
      }),
      autoUpdate("Deployment", name),
    ]),
  );
  const write = async (name: string, update: object) => {
    const { uid } = (await fixture.object(`apps/v1/namespaces/shop/deployments/${name}`)).metadata;
    await fixture.writeStatus(`deployment-${name}`, { update: { ...update, targetUID: uid }, analysis });
  };
  await write("web", canary);
  await write("search", canary);
  await write("cart", { ...canary, strategy: "Rolling" });
});
afterAll(() => fixture.close());

function requestOf(name: string) {
  return fixture.annotations(`pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-${name}`);
}

test("pawl status shows the phase of a canary and its last measurement", async () => {
  const { stdout } = await fixture.pawl("status", "-o", "wide");
  expect(stdout).toContain("Canary 1.1.0, error-rate = 0.002: pass (shop-web-1-1-0-abc)");
  expect(stdout).toContain("HealthCheck 1.1.0 (shop-web-1-1-0-abc)");
});

test("pawl promote writes nothing if the canary is not paused", async () => {
  const before = await requestOf("web");
  const ran = await fixture.pawl("promote", "shop/web");
  const reason = "the canary is not paused; use pawl promote --full to update all replicas now";
  expect(ran).toEqual({ stdout: "", stderr: `pawl: deployment/shop/web: ${reason}\n`, status: 1 });
  expect(await requestOf("web")).toEqual(before);
});

describe.for<{
  verb: string;
  args: string[];
  asked: string;
  name: string;
  step: (workload: Workload, inFlight: InFlight) => Change;
  result: string;
}>([
  {
    verb: "promote",
    args: ["promote", "--full"],
    asked: "promote full",
    name: "web",
    step: (workload, inFlight) => recordPromotion(workload, inFlight, noon),
    result: "the canary is promoted, although it is not ready: the canary does not exist",
  },
  {
    verb: "abort",
    args: ["abort"],
    asked: "abort",
    name: "search",
    step: (workload, inFlight) => recordRollback(workload, inFlight, "aborted manually", noon),
    result: "the canary is removed",
  },
])("pawl $asked", ({ verb, args, asked, name, step, result }) => {
  const missing =
    verb === "abort"
      ? "no update is in flight; use pawl rollback to restore an earlier release"
      : "no canary is in flight; use pawl push to start an update";

  test.for(verb === "abort" ? ["idle"] : ["cart", "idle"])(
    "exits with 1 and writes nothing without one: %s",
    async (other) => {
      const ran = await fixture.pawl(verb, `shop/${other}`);
      const stderr = `pawl: deployment/shop/${other}: ${missing}\n`;
      expect(ran).toEqual({ stdout: "", stderr, status: 1 });
      expect(await requestOf(other)).not.toHaveProperty("pawl.dev/request");
      const json = await fixture.pawl(verb, `shop/${other}`, "--json");
      expect(JSON.parse(json.stdout)).toMatchObject({ status: "refused", result: missing });
    },
  );

  test("writes the request without waiting", async () => {
    const ran = await fixture.pawl(...args, `shop/${name}`, "--no-wait");
    const stdout = `deployment/shop/${name}: the next check of the update handles it\n`;
    expect(ran).toEqual({ stdout, stderr: "", status: 0 });
    expect(await requestOf(name)).toMatchObject({
      "pawl.dev/request": expect.stringMatching(new RegExp(`^${asked} [0-9a-f-]{36}$`)),
    });
    const statuses = JSON.parse((await fixture.pawl("status", "--json")).stdout) as { name: string }[];
    expect(statuses.find((status) => status.name === name)).toMatchObject({ request: asked, lastRequest: null });
  });

  test("waits for the execution of the canary", async () => {
    const ran = await answerRequests(
      fixture.cluster,
      () => fixture.pawl(...args, `shop/${name}`),
      (workload) => (workload.inFlight === null ? null : step(workload, workload.inFlight)),
    );
    expect(ran).toEqual({
      stdout: `deployment/shop/${name}: ${result}\n`,
      stderr:
        `pawl: it replaces a request that was not handled: ${asked}\n` +
        `pawl: deployment/shop/${name}: the next check of the update handles it\n`,
      status: 0,
    });
  });
});

test.for([
  { option: "--prometheus", valid: "http://localhost:9090", invalid: "not an address" },
  { option: "--cloudwatch-region", valid: "eu-central-1", invalid: "frankfurt" },
])("pawl local rejects an invalid $option before it starts anything", async ({ option, valid, invalid }) => {
  const result = await fixture.pawl("local", option, valid, option, invalid);
  expect(result).toMatchObject({ stdout: "", stderr: expect.stringContaining(`${option}: `), status: 2 });
});
