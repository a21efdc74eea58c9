import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const history = ["1.0.0 Healthy 2026-11-20T12:00:00Z", `prod@${digest} RolledBack 2026-11-20T13:00:00Z`];
const tripped = {
  "pawl.dev/circuit-open": "true",
  "pawl.dev/rollback-count": "3",
  "pawl.dev/failed-versions": "1.1.0,1.2.0",
  "pawl.dev/held": "the circuit is open",
  "pawl.dev/version-history": history.join("\n"),
};
const web = "apps/v1/namespaces/shop/deployments/web";
const helper = "claw.prismer.ai/v1alpha1/namespaces/agents/claws/helper";

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({}, () => [
    builtIn("Deployment", "web", "example.com/shop/web:1.0.0", tripped),
    builtIn("Deployment", "cart", "example.com/shop/cart:1.0.0"),
    {
      apiVersion: "claw.prismer.ai/v1alpha1",
      kind: "Claw",
      metadata: { name: "helper", namespace: "agents" },
      spec: { runtime: "openclaw", autoUpdate: { enabled: true } },
      status: { autoUpdate: { circuitOpen: true, rollbackCount: 1 } },
    },
  ]);
});
afterAll(() => fixture.close());

describe("pawl history", () => {
  test("prints the newest last", async () => {
    const { stdout, status } = await fixture.pawl("history", "shop/web");
    const rows = stdout.trimEnd().split("\n").slice(1);
    expect(rows.map((row) => row.replace(/ +/g, " "))).toEqual([
      history[0],
      "prod@sha256:0123456789ab RolledBack 2026-11-20T13:00:00Z",
    ]);
    expect(status).toBe(0);
    const json = await fixture.pawl("history", "shop/web", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject([
      { version: "1.0.0" },
      { version: `prod@${digest}`, appliedAt: "2026-11-20T13:00:00Z" },
    ]);
  });

  test("exits with 1 if there are none", async () => {
    const ran = await fixture.pawl("history", "cart", "-n", "shop", "--json");
    expect(ran).toMatchObject({ stdout: "[]\n", status: 1 });
    expect(ran.stderr).toContain("deployment/shop/cart");
  });
});

describe("pawl reset", () => {
  test("closes the circuit once, and forgets failed versions if requested", async () => {
    const done = await fixture.pawl("reset", "shop/web");
    const stdout = "deployment/shop/web: circuit closed, 3 rollbacks no longer counted\n";
    expect(done).toEqual({ stdout: stdout, stderr: "", status: 0 });
    const after = await fixture.annotations(web);
    expect(after["pawl.dev/failed-versions"]).toBe("1.1.0,1.2.0");
    for (const key of ["circuit-open", "rollback-count", "held"]) expect(after).not.toHaveProperty(`pawl.dev/${key}`);

    expect(await fixture.pawl("reset", "shop/web")).toMatchObject({ stdout: "", status: 1 });

    const forgot = await fixture.pawl("reset", "shop/web", "--forget-failed", "--json");
    expect(JSON.parse(forgot.stdout)).toEqual({
      workload: "deployment/shop/web",
      done: ["forgot that 1.1.0, 1.2.0 failed"],
    });
    expect(await fixture.annotations(web)).not.toHaveProperty("pawl.dev/failed-versions");
  });

  test("closes the circuit of a Claw", async () => {
    const { stdout, status } = await fixture.pawl("reset", "claw/agents/helper");
    expect({ stdout, status }).toEqual({
      stdout: "claw/agents/helper: circuit closed, 1 rollback no longer counted\n",
      status: 0,
    });
    const after = await fixture.pawl("status", "-n", "agents", "--json");
    expect(JSON.parse(after.stdout)).toMatchObject([{ circuit: "closed", rollbacks: 0 }]);
  });
});

describe("pawl pause and resume", () => {
  test.for([
    { argument: "shop/web", path: web, name: "deployment/shop/web" },
    { argument: "agents/helper", path: helper, name: "claw/agents/helper" },
  ])("set pawl.dev/paused on $name and remove it", async ({ argument, path, name }) => {
    expect(await fixture.pawl("pause", argument)).toEqual({ stdout: `${name}: paused\n`, stderr: "", status: 0 });
    expect(await fixture.annotations(path)).toMatchObject({ "pawl.dev/paused": "true" });
    expect(await fixture.pawl("pause", argument)).toMatchObject({ stdout: `${name}: already paused\n`, status: 0 });
    expect(await fixture.pawl("resume", argument)).toMatchObject({ stdout: `${name}: resumed\n`, status: 0 });
    expect(await fixture.annotations(path)).not.toHaveProperty("pawl.dev/paused");
    const json = await fixture.pawl("resume", argument, "--json");
    expect(JSON.parse(json.stdout)).toEqual({ workload: name, paused: false, changed: false });
  });
});
