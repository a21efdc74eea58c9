import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { StreamMessage, WorkloadDetail, WorkloadRow } from "../../../cli/dashboard/model.ts";
import { openDashboard } from "../../../cli/dashboard/open-dashboard.ts";
import { buildAssets } from "../../../infra/bundles/page-assets.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";
import { canaryWorkload, installation, pollLease, startCanary } from "./canary-in-flight.ts";
import { signIn } from "./sign-in.ts";

const hostile = "1.0.0‮<img src=x onerror=alert(1)>\u001B[31m";
const web = "apps/v1/namespaces/shop/deployments/web";

let fixture: ClusterFixture;
let dashboard: Awaited<ReturnType<typeof openDashboard>>;
let cookie: string;
let origin: string;

beforeAll(async () => {
  fixture = await startClusterFixture({ "shop/web": ["1.0.0", "1.1.0"] }, (registry) => [
    builtIn("Deployment", "web", `${registry}/shop/web:1.0.0`, { "pawl.dev/health-timeout": "5m" }),
    withoutOptIn(builtIn("Deployment", "owned", `${registry}/shop/web:1.0.0`)),
    autoUpdate("Deployment", "owned", {}, { suspend: true, policy: { versionConstraint: "^1" } }),
    ...canaryWorkload(registry),
    pollLease("2026-11-20T12:00:00.000000Z"),
    builtIn("Deployment", "evil", `${registry}/shop/web:1.0.0`),
    autoUpdate("Deployment", "evil", { currentVersion: hostile, holdReason: hostile, availableVersion: hostile }),
  ]);
  await startCanary(fixture, [0.5]);
  dashboard = await openDashboard({
    kubeconfig: fixture.kubeconfig,
    insecureRegistry: [fixture.registry],
    port: 0,
    clock: { now: () => new Date(), waitScale: 1 },
  });
  ({
    at: origin,
    own: { cookie },
  } = await signIn(dashboard.url));
});
afterAll(async () => {
  await dashboard.close();
  await fixture.close();
});

function withoutOptIn(object: ReturnType<typeof builtIn>) {
  return { ...object, metadata: { ...object.metadata, annotations: {} } };
}

function get(path: string, headers: Readonly<Record<string, string>> = { cookie }): Promise<Response> {
  return fetch(`${origin}${path}`, { headers });
}

/** `fetch` sets the header Host itself. */
function statusFor(headers: Readonly<Record<string, string>>, path = "/api/plan", method = "GET"): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(`${origin}${path}`, { method, headers }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  })
    .once("error", reject)
    .end();
  return promise;
}

describe("what is refused", () => {
  test.for([
    { when: "there is no cookie", headers: {}, status: 401 },
    { when: "the host is forged", headers: { host: "evil.example" }, status: 403 },
    { when: "the origin is forged", headers: { origin: "https://evil.example" }, status: 403 },
  ])("$when: $status", async ({ headers, status }) => {
    expect(await statusFor({ ...(status === 403 ? { cookie } : {}), ...headers })).toBe(status);
  });

  test("a write to anything but the session", async () => {
    expect(await statusFor({ cookie, origin }, "/api/plan", "POST")).toBe(405);
  });

  test("a wrong token, and one in a GET", async () => {
    const wrong = await fetch(`${origin}/session`, { method: "POST", headers: { origin }, body: "x".repeat(10_000) });
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([401, null]);
    expect((await get("/session")).status).toBe(401);
  });

  test.for(["/assets/../package.json", "/api/toString", "/api/__proto__", "/api/", "/nothing"])(
    "%s does not exist",
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

test("the page has at most 120 KB, compressed", async () => {
  const assets = [...(await buildAssets()).values()];
  const bytes = assets.map(({ body }) => gzipSync(body).length).reduce((one, other) => one + other);
  expect(assets).toHaveLength(4);
  expect(bytes).toBeLessThan(120_000);
});

test("the page loads scripts and styles from its own origin only, and is shown in no frame", async () => {
  const { headers } = await get("/", {});
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers.get("cache-control")).toBe("no-store");
});

/** Reads the stream until a message satisfies `isLast`. */
async function readStream(isLast: (message: StreamMessage) => boolean): Promise<StreamMessage> {
  const response = await get("/api/stream");
  let text = "";
  for await (const part of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += part;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events.filter((one) => one.startsWith("data: "))) {
      const message = JSON.parse(event.slice("data: ".length)) as StreamMessage;
      if (isLast(message)) return message;
    }
  }
  throw new Error("the stream has ended");
}

const rowIn = (message: StreamMessage, key: string): WorkloadRow | undefined =>
  "workloads" in message ? message.workloads.find((row) => row.key === key) : undefined;

describe("the stream", () => {
  test("begins with all workloads", async () => {
    const message = await readStream((one) => rowIn(one, "deployment/shop/web") !== undefined);
    expect(rowIn(message, "deployment/shop/web")).toMatchObject({ current: "1.0.0", namespace: "shop", name: "web" });
  });

  test("says when Pawl polled last, and who", async () => {
    const message = await readStream((one) => one.kind === "polls" && one.polls !== null);
    const polls = { lastAt: "2026-11-20T12:00:00Z", by: installation, isRunning: true, nextAt: null };
    expect(message).toEqual({ kind: "polls", polls: { ...polls, overdueAt: "2026-11-20T12:15:00Z" } });
  });

  test("shows text of others without what controls a terminal or the direction of text", async () => {
    const message = await readStream((one) => rowIn(one, "deployment/shop/evil") !== undefined);
    const available = rowIn(message, "deployment/shop/evil")?.available ?? "";
    expect(available).toBe(String.raw`1.0.0\u202e<img src=x onerror=alert(1)>\u001b[31m`);
  });

  test("shows a change", async () => {
    const isPaused = (message: StreamMessage) => rowIn(message, "deployment/shop/web")?.reason === "Suspended";
    const seen = readStream(isPaused);
    await fixture.annotate(web, { "pawl.dev/paused": "true" });
    expect(rowIn(await seen, "deployment/shop/web")?.state).toBe("Held");
    await fixture.annotate(web, { "pawl.dev/paused": "false" });
  });

  test("shows a new opt-in, and a deleted workload", async () => {
    await fixture.create("apps/v1/namespaces/shop/deployments", {
      ...(builtIn("Deployment", "late", `${fixture.registry}/shop/web:1.0.0`, { "pawl.dev/auto-update": "true" }) as {
        metadata: { name: string };
      }),
      status: {},
    });
    await readStream((one) => rowIn(one, "deployment/shop/late") !== undefined);
    const gone = readStream((one) => one.kind === "changed" && one.gone.includes("deployment/shop/late"));
    await fixture.remove("apps/v1/namespaces/shop/deployments/late");
    expect(await gone).toMatchObject({ gone: ["deployment/shop/late"] });
  });
});

describe("actions", () => {
  const post = (at: string, body: object, headers: Readonly<Record<string, string>>) =>
    fetch(`${at}/api/action`, { method: "POST", headers, body: JSON.stringify(body) });
  const pause = { verb: "pause", target: "deployment/shop/web" };

  test("are off by default", async () => {
    const refused = await post(origin, pause, { cookie, origin });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { error: "actions are off; start it with --allow-actions" },
    ]);
  });

  describe("if they are allowed", () => {
    let allowing: typeof dashboard;
    let own: Readonly<Record<string, string>>;
    let at: string;
    beforeAll(async () => {
      allowing = await openDashboard({
        kubeconfig: fixture.kubeconfig,
        port: 0,
        allowActions: true,
        clock: { now: () => new Date(), waitScale: 1 },
      });
      ({ at, own } = await signIn(allowing.url));
      await vi.waitFor(async () => {
        expect((await fetch(`${at}/api/workload?key=deployment/shop/web`, { headers: own })).status).toBe(200);
      });
    });
    afterAll(() => allowing.close());

    test("a workload is paused, and resumed", async () => {
      expect(await (await post(at, pause, own)).json()).toEqual({ isRefused: false, message: "paused" });
      expect(await (await post(at, pause, own)).json()).toEqual({ isRefused: true, message: "already paused" });
      expect((await fixture.annotations(web))["pawl.dev/paused"]).toBe("true");
      expect(await (await post(at, { ...pause, verb: "resume" }, own)).json()).toMatchObject({ message: "resumed" });
    });

    test("a request is written for the next poll, and one that makes no sense is refused", async () => {
      const evil = { verb: "push", target: "deployment/shop/evil", argument: "1.1.0" };
      const requested = (await (await post(at, evil, own)).json()) as { message: string };
      expect(requested.message).toMatch(/^requested: the next poll/);
      const record = "pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-evil";
      expect((await fixture.annotations(record))["pawl.dev/request"]).toMatch(/^push 1\.1\.0 [\da-f-]{36}$/);
      expect(await (await post(at, { ...evil, verb: "abort", argument: null }, own)).json()).toMatchObject({
        isRefused: true,
      });
    });

    test("without an origin, a cookie or a body it is refused, and nothing is written", async () => {
      const { cookie: ownCookie = "" } = own;
      expect((await post(at, pause, { cookie: ownCookie })).status).toBe(403);
      expect((await post(at, pause, { origin: at })).status).toBe(401);
      expect((await post(at, { verb: "delete", target: "deployment/shop/web" }, own)).status).toBe(400);
      expect((await fixture.annotations(web))["pawl.dev/paused"]).not.toBe("true");
    });

    test("an unknown workload is an error that names it", async () => {
      const failed = await post(at, { ...pause, target: "deployment/shop/none" }, own);
      expect([failed.status, await failed.json()]).toEqual([
        500,
        { error: "deployment/shop/none does not exist, or Pawl does not update it" },
      ]);
    });
  });
});

describe("documents", () => {
  test("one workload in full", async () => {
    const detail = (await (await get("/api/workload?key=deployment/shop/web")).json()) as WorkloadDetail;
    expect(detail).toMatchObject({ activeState: null, update: null, history: [], problems: [] });
    expect(detail.policySource).toBe("annotations of the workload");
    expect(detail.policy).toEqual(
      expect.arrayContaining([
        { name: "enabled", value: "yes", from: "pawl.dev/auto-update" },
        { name: "health timeout", value: "5m0s", from: "pawl.dev/health-timeout" },
        { name: "rollbacks that open the circuit", value: "3", from: "default" },
      ]),
    );
  });

  test("settings that an AutoUpdate has are named by its fields", async () => {
    const detail = (await (await get("/api/workload?key=deployment/shop/owned")).json()) as WorkloadDetail;
    expect(detail.policy).toEqual(
      expect.arrayContaining([
        { name: "enabled", value: "yes", from: "spec.policy" },
        { name: "paused", value: "yes", from: "spec.suspend" },
        { name: "version constraint", value: "^1", from: "spec.policy.versionConstraint" },
        { name: "schedule", value: "every poll", from: "default" },
      ]),
    );
  });

  test("the steps of a canary in flight, its criteria, and the difference to a release", async () => {
    const detail = (await (await get("/api/workload?key=deployment/shop/canary")).json()) as WorkloadDetail;
    expect(detail.steps).toMatchObject([
      { what: "canary of 1", state: "done", until: null },
      { what: "pause of 2m0s", state: "active", waitsFor: "time", until: "2026-11-20T12:02:00Z" },
      { what: "canary of 50%", state: "next", waitsFor: null },
    ]);
    expect(detail.criteria).toEqual([
      {
        metric: "errors",
        conditions: ["passes if result < 0.01", "fails more than 20% above the stable pods"],
        thresholds: [0.01],
      },
    ]);
    expect(detail.measurements).toMatchObject([{ metric: "errors", verdict: "fail", value: 0.5 }]);
    expect(detail.row.progress).toMatchObject({ step: "canary 2/3 (1 replica)", ends: { as: "end of the pause" } });
    expect(detail.executionsUrl).toMatch(/:execution:pawl-production:$/);
    const pod = { pod: expect.stringMatching(/^canary-/), image: `${fixture.registry}/shop/web:1.0.0`, restarts: 0 };
    expect(detail.pods).toContainEqual(expect.objectContaining({ ...pod, node: expect.any(String) }));
    const refused = await get("/api/diff?key=deployment/shop/canary&from=1");
    expect([refused.status, await refused.json()]).toEqual([
      500,
      { error: "deployment/shop/canary: there is no release 1" },
    ]);
  });

  test("what the next poll would do to one workload, with each tag", async () => {
    const next = await (await get("/api/next?key=deployment/shop/web")).json();
    expect(next).toMatchObject({
      state: "Behind",
      candidate: "1.1.0",
      tags: [
        { tag: "1.1.0", reason: null },
        { tag: "1.0.0", reason: expect.any(String) },
      ],
    });
    expect((await get("/api/next?key=deployment/shop/none")).status).toBe(404);
    expect((await get("/api/diff?key=deployment/shop/none")).status).toBe(404);
  });

  test("a workload that does not exist", async () => {
    const missing = await get("/api/workload?key=deployment/shop/none");
    expect([missing.status, await missing.json()]).toEqual([404, { error: "/api/workload: not found" }]);
  });

  test("the next poll", async () => {
    const plan = await (await get("/api/plan")).json();
    expect(plan).toMatchObject({
      rows: expect.arrayContaining([
        expect.objectContaining({ workload: "deployment/shop/web", state: "Behind", candidate: "1.1.0" }),
      ]),
      registries: [{ host: fixture.registry, asked: expect.any(Number), failed: 0, rateLimit: null, lastError: null }],
    });
  });

  test("no node pools", async () => {
    expect(await (await get("/api/pools")).json()).toEqual([]);
    expect((await get("/api/pool?key=workers")).status).toBe(404);
  });
});
