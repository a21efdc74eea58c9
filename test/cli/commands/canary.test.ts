import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { formatAnalysisState } from "../../../functions/domain/analysis/state.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { noon } from "../../support/workloads.ts";
import { builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const outcome = { verdict: "pass", value: 0.002, note: null } as const;
const canary = {
  "pawl.dev/canary": "1",
  "pawl.dev/target-image": "example.com/shop/web:1.1.0",
  "pawl.dev/update-phase": "Canary",
  "pawl.dev/update-started": "2026-11-20T12:00:00Z",
  "pawl.dev/execution": "shop-web-1-1-0-abc",
  "pawl.dev/previous-image": "example.com/shop/web:1.0.0",
  "pawl.dev/analysis": formatAnalysisState(measure(startAnalysis(noon), "error-rate", outcome, noon)),
};
const promoted = { ...canary, "pawl.dev/update-phase": "HealthCheck" };
const path = (name: string) => `apps/v1/namespaces/shop/deployments/${name}`;

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({}, () => [
    builtIn("Deployment", "web", "example.com/shop/web:1.0.0", canary),
    builtIn("Deployment", "cart", "example.com/shop/web:1.1.0", promoted),
    builtIn("Deployment", "idle", "example.com/shop/web:1.0.0"),
  ]);
});
afterAll(() => fixture.close());

describe.for([
  { verb: "promote", message: "the canary is promoted in its next check" },
  { verb: "abort", message: "the canary is rolled back in its next check" },
])("pawl $verb", ({ verb, message }) => {
  test("writes the verdict for the canary in flight", async () => {
    const result = await fixture.pawl(verb, "shop/web");
    expect(result).toEqual({ stdout: `deployment/shop/web: ${message}\n`, stderr: "", status: 0 });
    expect(await fixture.annotations(path("web"))).toMatchObject({ "pawl.dev/canary-verdict": verb });
    const json = await fixture.pawl(verb, "shop/web", "--json");
    expect(JSON.parse(json.stdout)).toEqual({ workload: "deployment/shop/web", verdict: verb });
  });

  test.for(["cart", "idle"])("exits with 1 if no canary is in flight: %s", async (name) => {
    const result = await fixture.pawl(verb, `shop/${name}`);
    const stderr = `pawl: deployment/shop/${name}: no canary in flight\n`;
    expect(result).toEqual({ stdout: "", stderr, status: 1 });
    expect(await fixture.annotations(path(name))).not.toHaveProperty("pawl.dev/canary-verdict");
    const json = await fixture.pawl(verb, `shop/${name}`, "--json");
    expect(JSON.parse(json.stdout)).toEqual({ workload: `deployment/shop/${name}`, verdict: null });
  });
});

test("pawl status shows the phase of a canary and its last measurement", async () => {
  const { stdout } = await fixture.pawl("status");
  expect(stdout).toContain("Canary 1.1.0, error-rate = 0.002: pass (shop-web-1-1-0-abc)");
  expect(stdout).toContain("HealthCheck 1.1.0 (shop-web-1-1-0-abc)");
});

test("pawl local rejects an invalid Prometheus address before it starts anything", async () => {
  const result = await fixture.pawl("local", "--prometheus", "http://localhost:9090", "--prometheus", "not an address");
  expect(result).toMatchObject({ stdout: "", stderr: expect.stringContaining("--prometheus"), status: 2 });
});
