import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { PersonRequest } from "../../../functions/domain/workload/request/person-request.ts";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { answerRequests } from "../answer-requests.ts";
import { inFlight as claimed } from "../../support/workloads.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const history = [
  { version: "1.0.0", result: "Healthy", startedAt: "2026-11-20T12:00:00Z" },
  {
    version: `prod@${digest}`,
    kind: "digest",
    result: "RolledBack",
    startedAt: "2026-11-20T13:00:00Z",
    finishedAt: "2026-11-20T13:10:00Z",
    image: "example.com/shop/web:prod",
    reason: "not ready after 10 m",
    execution: "shop-web-prod-abc",
  },
];
const tripped = {
  circuitOpen: true,
  rollbackCount: 3,
  failedVersions: ["1.1.0", "1.2.0"],
  holdReason: "the circuit is open",
  history,
};
const web = "apps/v1/namespaces/shop/deployments/web";
const helper = "claw.prismer.ai/v1alpha1/namespaces/agents/claws/helper";
const autoUpdates = "pawl.dev/v1alpha1/namespaces/shop/autoupdates";

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({}, () => [
    builtIn("Deployment", "web", "example.com/shop/web:1.0.0"),
    autoUpdate("Deployment", "web", tripped),
    builtIn("Deployment", "cart", "example.com/shop/cart:1.0.0"),
    autoUpdate("Deployment", "unused"),
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

function pawl(...args: readonly string[]) {
  return answerRequests(fixture.cluster, () => fixture.pawl(...args));
}

describe("pawl history", () => {
  test("prints the newest first", async () => {
    const { stdout, status } = await fixture.pawl("history", "shop/web");
    const rows = stdout.trimEnd().split("\n").slice(1);
    expect(rows.map((row) => row.replace(/ +/g, " "))).toEqual([
      "prod@sha256:0123456789ab RolledBack 2026-11-20T13:00:00Z example.com/shop/web:prod shop-web-prod-abc not ready after 10 m",
      "1.0.0 Healthy 2026-11-20T12:00:00Z - -",
    ]);
    expect(status).toBe(0);
    const json = await fixture.pawl("history", "shop/web", "--json");
    expect(JSON.parse(json.stdout)).toEqual([
      {
        version: `prod@${digest}`,
        kind: "digest",
        status: "RolledBack",
        appliedAt: "2026-11-20T13:00:00Z",
        finishedAt: "2026-11-20T13:10:00Z",
        image: "example.com/shop/web:prod",
        reason: "not ready after 10 m",
        execution: "shop-web-prod-abc",
      },
      {
        version: "1.0.0",
        kind: null,
        status: "Healthy",
        appliedAt: "2026-11-20T12:00:00Z",
        finishedAt: null,
        image: null,
        reason: null,
        execution: null,
      },
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
    expect(await pawl("reset", "shop/web")).toEqual({
      stdout: "deployment/shop/web: circuit closed, 3 failed attempts no longer counted\n",
      stderr: "pawl: deployment/shop/web: the next poll handles it\n",
      status: 0,
    });
    const closed = await fixture.object(`${autoUpdates}/deployment-web`);
    expect(closed.status).toMatchObject({ circuitOpen: false, rollbackCount: 0, failedVersions: ["1.1.0", "1.2.0"] });
    expect(closed.status).not.toHaveProperty("holdReason");

    const again = await fixture.pawl("reset", "shop/web");
    expect(again).toMatchObject({ stdout: "", stderr: expect.stringContaining("nothing to reset"), status: 1 });

    const forgot = await pawl("reset", "shop/web", "--forget-failed", "--json");
    expect(JSON.parse(forgot.stdout)).toEqual({
      workload: "deployment/shop/web",
      request: "reset failed",
      token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "handled",
      result: "forgot that 1.1.0, 1.2.0 failed",
    });
    expect((await fixture.object(`${autoUpdates}/deployment-web`)).status).toMatchObject({ failedVersions: [] });
  });

  test("closes the circuit of a Claw, which has the request and the answer itself", async () => {
    expect(await pawl("reset", "claw/agents/helper")).toMatchObject({
      stdout: "claw/agents/helper: circuit closed, 1 failed attempt no longer counted\n",
      status: 0,
    });
    const after = await fixture.pawl("status", "-n", "agents", "--json");
    expect(JSON.parse(after.stdout)).toMatchObject([
      { circuit: "closed", rollbacks: 0, request: null, lastRequest: { verb: "reset" } },
    ]);
    const { status, metadata } = await fixture.object(helper);
    const [token] = (metadata.annotations?.["pawl.dev/request"] ?? "").split(" ").slice(-1);
    expect(status).toMatchObject({
      conditions: [{ type: "RequestHandled", reason: "Done", message: expect.stringContaining(`${token} reset: `) }],
    });
  });
});

describe("a request", () => {
  test("needs an AutoUpdate, which the next poll creates", async () => {
    const ran = await fixture.pawl("push", "shop/cart", "1.1.0");
    expect(ran).toMatchObject({ stdout: "", status: 1 });
    expect(ran.stderr).toMatch(/^pawl: deployment\/shop\/cart: it has no AutoUpdate yet; the next poll creates it/);
  });

  test("of an AutoUpdate without a target says what is wrong with it", async () => {
    const ran = await fixture.pawl("retry", "au/shop/deployment-unused");
    expect(ran).toMatchObject({ stdout: "", status: 1 });
    expect(ran.stderr).toContain("autoupdate/shop/deployment-unused: spec.targetRef: Deployment shop/unused");
  });

  test("of a node pool that has no such request is invalid", async () => {
    const ran = await fixture.pawl("restart", "bootcnodepool/workers");
    expect(ran).toMatchObject({
      stdout: "",
      stderr: expect.stringContaining("a node pool has no restart; use promote, abort, retry"),
      status: 2,
    });
  });

  test("that is not handled in time stays, and the exit code is 1", async () => {
    const ran = await fixture.pawl("retry", "shop/web", "--timeout", "0s", "--json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ request: "retry", status: "timeout" });
    expect(ran.status).toBe(1);
    const { metadata } = await fixture.object(`${autoUpdates}/deployment-web`);
    expect(metadata.annotations?.["pawl.dev/request"]).toBe(`retry ${JSON.parse(ran.stdout).token}`);
  });

  test.for([
    { status: "Healthy", code: 0, result: "1.5.0 is healthy" },
    { status: "RolledBack", code: 1, result: "1.5.0 ended RolledBack" },
    { status: null, code: 124, result: "no verdict in time; it continues: " },
  ] as const)("with --wait ends with the verdict: $code", async ({ status, code, result }) => {
    const answer = ({ request, updateRecord }: Workload): Change => {
      const { token, verb } = request as PersonRequest;
      const entry = { version: "1.5.0", appliedAt: new Date(), status: status ?? "Healthy" };
      const versionHistory = [...updateRecord.versionHistory, entry];
      const inFlight = status === null ? { inFlight: claimed } : { updateRecord: { versionHistory } };
      return { ...inFlight, answer: { token, verb, result: "update to 1.5.0 is requested: execution e-1" } };
    };
    const args = ["push", "shop/web", "1.5.0", "--wait", "--timeout", status === null ? "5s" : "1m"];
    const ran = await answerRequests(fixture.cluster, () => fixture.pawl(...args), answer);
    expect(ran.status).toBe(code);
    expect(ran.stderr).toContain("deployment/shop/web: update to 1.5.0 is requested");
    expect(`${ran.stdout}${ran.stderr}`).toContain(`deployment/shop/web: ${result}`);
    expect(ran.stdout === "").toBe(code !== 0);
  });

  test("rejects an invalid timeout before anything is written", async () => {
    const ran = await fixture.pawl("retry", "shop/web", "--timeout", "soon");
    expect(ran).toMatchObject({ stdout: "", stderr: expect.stringContaining("--timeout"), status: 2 });
  });
});

describe("pawl pause and resume", () => {
  test.for([
    { argument: "shop/cart", path: "apps/v1/namespaces/shop/deployments/cart", name: "deployment/shop/cart" },
    { argument: "agents/helper", path: helper, name: "claw/agents/helper" },
  ])("set pawl.dev/paused on $name, which has no AutoUpdate, and remove it", async ({ argument, path, name }) => {
    expect(await fixture.pawl("pause", argument)).toEqual({ stdout: `${name}: paused\n`, stderr: "", status: 0 });
    expect(await fixture.annotations(path)).toMatchObject({ "pawl.dev/paused": "true" });
    expect(await fixture.pawl("pause", argument)).toMatchObject({ stdout: `${name}: already paused\n`, status: 0 });
    expect(await fixture.pawl("resume", argument)).toMatchObject({ stdout: `${name}: resumed\n`, status: 0 });
    expect(await fixture.annotations(path)).not.toHaveProperty("pawl.dev/paused");
    const json = await fixture.pawl("resume", argument, "--json");
    expect(JSON.parse(json.stdout)).toEqual({ workload: name, paused: false, changed: false });
  });

  test("suspend an AutoUpdate, and change nothing else", async () => {
    const before = await fixture.object(web);
    expect(await fixture.pawl("pause", "shop/web")).toMatchObject({ stdout: "deployment/shop/web: paused\n" });
    const suspended = await fixture.object(`${autoUpdates}/deployment-web`);
    expect(suspended.spec).toMatchObject({ suspend: true });
    expect((await fixture.object(web)).metadata.annotations).toEqual(before.metadata.annotations);
    expect(await fixture.pawl("resume", "shop/web")).toMatchObject({ stdout: "deployment/shop/web: resumed\n" });
    expect((await fixture.object(`${autoUpdates}/deployment-web`)).spec).not.toHaveProperty("suspend");
  });

  test("resume ends a pause by annotation too", async () => {
    await fixture.annotate(web, { "pawl.dev/paused": "true" });
    expect(await fixture.pawl("resume", "shop/web")).toMatchObject({ stdout: "deployment/shop/web: resumed\n" });
    expect(await fixture.annotations(web)).not.toHaveProperty("pawl.dev/paused");
  });
});
