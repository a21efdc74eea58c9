import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";
import { spawnPawl } from "../run-pawl.ts";
import { imageTarget } from "../../support/workloads.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const inFlight = {
  phase: "Applied",
  strategy: "Rolling",
  holder: "arn:one",
  execution: "shop-cart-2.1.0-abc",
  expiresAt: "2026-11-20T12:25:00Z",
  target: imageTarget("example.com/shop/cart:2.1.0"),
  previousImage: "example.com/shop/cart:2.0.0",
  targetGeneration: 1,
  startedAt: "2026-11-20T12:00:00Z",
};

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const byDigest = {
  "pawl.dev/auto-update": "false",
  "image-updater.eznix86.github.io/enabled": "true",
};

function withAnnotations<T extends { readonly metadata: object }>(object: T, annotations: object) {
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Of a workload whose bake time began 10.5 minutes ago. */
function bakingStatus(targetUID: string): object {
  const began = new Date(Date.now() - 10.5 * 60_000).toISOString().replace(/\.\d+/, "");
  const counts = { passes: 2, failures: 0, inconclusive: 0, errors: 1, consecutiveErrors: 1, consecutiveSuccesses: 0 };
  const measurements = [
    { metric: "errors", at: "2026-11-20T12:10:00Z", verdict: "pass", value: 0.002 },
    { metric: "errors", at: "2026-11-20T12:11:00Z", verdict: "pass", value: 0.004 },
    { metric: "errors", at: "2026-11-20T12:12:00Z", verdict: "error", note: "the query returned nothing" },
  ];
  const metrics = [{ name: "errors", ...counts, measuredAt: "2026-11-20T12:12:00Z" }];
  return {
    currentVersion: "2.0.0",
    update: { ...inFlight, targetUID, bakingSince: began },
    analysis: { startedAt: began, metrics, measurements },
  };
}

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture(
    { "shop/web": ["1.0.0", "1.1.0", "2.0.0"], "shop/news": ["prod"] },
    (registry) => [
      builtIn("Deployment", "web", `${registry}/shop/web:1.0.0`, { "pawl.dev/version-constraint": "^1" }),
      builtIn("Deployment", "lost", `${registry}/shop/lost:1.0.0`),
      builtIn("Deployment", "search", `${registry}/shop/web:1.0.0`, { "pawl.dev/version-constraint": "^one" }),
      builtIn("StatefulSet", "cart", "example.com/shop/cart:2.1.0"),
      autoUpdate("StatefulSet", "cart"),
      builtIn("StatefulSet", "baking", "example.com/shop/cart:2.1.0", { "pawl.dev/bake-time": "30m" }),
      autoUpdate("StatefulSet", "baking"),
      autoUpdate("Deployment", "deleted"),
      builtIn("Deployment", "asked", `${registry}/shop/web:1.0.0`),
      withAnnotations(autoUpdate("Deployment", "asked"), { "pawl.dev/request": "reset failed t-1" }),
      builtIn("DaemonSet", "news", `${registry}/shop/news:prod`, byDigest),
      autoUpdate("DaemonSet", "news", { digests: { deployed: { app: digest } } }),
      builtIn("Deployment", "quiet", `${registry}/shop/web:1.0.0`, { "pawl.dev/auto-update": "false" }),
      {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: { name: "pawl-poll", namespace: "kube-system" },
        spec: {},
      },
      {
        apiVersion: "claw.prismer.ai/v1alpha1",
        kind: "Claw",
        metadata: { name: "helper", namespace: "agents", annotations: { "pawl.dev/paused": "true" } },
        spec: { runtime: "openclaw", autoUpdate: { enabled: true } },
      },
    ],
  );
  const { uid } = (await fixture.object("apps/v1/namespaces/shop/statefulsets/cart")).metadata;
  await fixture.writeStatus("statefulset-cart", {
    currentVersion: "2.0.0",
    update: { ...inFlight, targetUID: uid },
  });
  const baking = await fixture.object("apps/v1/namespaces/shop/statefulsets/baking");
  await fixture.writeStatus("statefulset-baking", bakingStatus(baking.metadata.uid));
});
afterAll(() => fixture.close());

test("pawl plan shows what would be done, errors included, and changes nothing", async () => {
  const web = "apps/v1/namespaces/shop/deployments/web";
  const before = await fixture.annotations(web);
  const { stdout, stderr, status } = await fixture.pawl("plan", "--insecure-registry", fixture.registry);
  const counts = "3 Stalled, 2 Updating, 1 Waiting, 1 Held, 2 Behind";
  expect({ stderr, status }).toEqual({ stderr: `pawl: 9 evaluated: ${counts}\n`, status: 1 });
  const [table = "", footer] = stdout.trimEnd().split("\n\n");
  expect(footer).toMatch(/^Not considered: what a deployment says: .*; name its pawl\.json with -c$/);
  const [header, ...rows] = table.split("\n");
  expect(header).toMatch(/^WORKLOAD +STATE +CURRENT +CANDIDATE +MESSAGE$/);
  // What needs a person comes first.
  const states = rows.map((row) => row.split(/ +/)[1]);
  expect([...new Set(states)]).toEqual(["Stalled", "Updating", "Waiting", "Held", "Behind"]);
  expect(rows.map((row) => row.split(/ {3,}/).slice(0, 4).join(" ")).sort()).toEqual([
    "autoupdate/shop/deployment-deleted Stalled - -",
    "claw/agents/helper Held latest -",
    expect.stringMatching(/^daemonset\/shop\/news Behind prod@sha256:0123456789ab prod@sha256:[0-9a-f]{12}$/),
    "deployment/shop/asked Waiting 1.0.0 -",
    "deployment/shop/lost Stalled 1.0.0 -",
    "deployment/shop/search Stalled 1.0.0 -",
    "deployment/shop/web Behind 1.0.0 1.1.0",
    "statefulset/shop/baking Updating 2.0.0 2.1.0",
    "statefulset/shop/cart Updating 2.0.0 2.1.0",
  ]);
  expect(stdout).toMatch(/shop\/asked .* requested: reset failed$/m);
  expect(stdout).not.toContain("\u001b");
  expect(await fixture.annotations(web)).toEqual(before);
});

test("pawl plan --json lists the workloads of the given namespaces", async () => {
  const { stdout } = await fixture.pawl("plan", "-n", "agents", "-n", "nowhere", "--json");
  expect(JSON.parse(stdout)).toMatchObject([{ workload: "claw/agents/helper", state: "Held", reason: "Suspended" }]);
});

test("pawl status shows every workload, one line each", async () => {
  const { stdout, stderr, status } = await fixture.pawl("status");
  const rows = stdout.trimEnd().split("\n").slice(1);
  expect(status).toBe(0);
  const states = rows.map((row) => row.split(/ +/)[1] ?? "");
  const counts = Map.groupBy(states, (state) => state);
  // What needs a person comes first, and each state is in one block.
  expect(states[0]).toBe("Stalled");
  expect(states.filter((state, index) => state !== states[index - 1])).toEqual([...counts.keys()]);
  const summary = [...counts].map(([state, { length }]) => `${length} ${state}`).join(", ");
  expect(stderr).toBe(`pawl: 9 workloads: ${summary}\n`);
  expect(rows.map((row) => row.replace(/ .*/, "")).sort()).toEqual([
    "autoupdate/shop/deployment-deleted",
    "claw/agents/helper",
    "daemonset/shop/news",
    "deployment/shop/asked",
    "deployment/shop/lost",
    "deployment/shop/search",
    "deployment/shop/web",
    "statefulset/shop/baking",
    "statefulset/shop/cart",
  ]);
  expect(rows.find((row) => row.includes("news"))).toMatch(/ {3,}prod@sha256:0123456789ab {3,}/);
  expect(rows.find((row) => row.includes("shop/cart"))).toMatch(/ Updating .* updating to 2\.1\.0/);
  expect(rows.find((row) => row.includes("search"))).toContain('pawl.dev/version-constraint "^one"');
  expect(rows.find((row) => row.includes("helper"))).toMatch(/ Held .*pawl\.dev\/paused is set$/);
  expect(rows.find((row) => row.includes("asked"))).toMatch(/ requested, and not handled yet: reset failed$/);
  expect(rows.find((row) => row.includes("deleted"))).toContain("Deployment shop/deleted does not exist");
});

test("pawl status loads the client of Kubernetes, and nothing that it does not need", async () => {
  const preload = new URL("../../runtime/record-loaded-modules.ts", import.meta.url).href;
  const env = { KUBECONFIG: fixture.kubeconfig, NODE_OPTIONS: `--import ${preload}` };
  const { stdout } = await spawnPawl(["status", "-o", "name"], { env });
  const loaded = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as readonly string[];
  expect(loaded).toContain("@kubernetes/client-node");
  expect(loaded.filter((name) => !/^@kubernetes|^adapters\/(kubernetes|connection)/.test(name))).toEqual([]);
});

test.for([
  { ago: 125, annotation: null, holderIdentity: null, said: /^pawl: last poll \d+m\d*s? ago\n/ },
  {
    ago: 60,
    annotation: "pawl-production 3600",
    holderIdentity: null,
    said: /^pawl: last poll .* ago by pawl-production, next in 5\dm/,
  },
  {
    ago: 7200,
    annotation: "pawl-production 300",
    holderIdentity: "pawl-production p-1",
    said: /^pawl: last poll 12\dm ago by pawl-production, after one every 5m: overdue; "pawl doctor" says why\n/,
  },
])("pawl status and pawl explain say when Pawl polled last: $ago seconds ago", async (given) => {
  const { ago, annotation, holderIdentity, said } = given;
  const renewTime = new Date(Date.now() - ago * 1000).toISOString().replace("Z", "000Z");
  const spec = { holderIdentity, renewTime, acquireTime: renewTime, leaseDurationSeconds: 60 };
  const metadata = { annotations: { "pawl.dev/poll": annotation } };
  await fixture.edit("coordination.k8s.io/v1/namespaces/kube-system/leases/pawl-poll", { metadata, spec });
  expect((await fixture.pawl("status")).stderr).toMatch(said);
  expect((await fixture.pawl("status", "-o", "json")).stderr).toMatch(said);
  expect((await fixture.pawl("status", "shop/web")).stderr).toBe("");
  const explained = await fixture.pawl("explain", "shop/web", "--insecure-registry", fixture.registry);
  expect(/^ {2}polls: +(last poll.*\n)/m.exec(explained.stdout)?.[1]).toMatch(
    new RegExp(said.source.replace("^pawl: ", "^")),
  );
});

describe("pawl status of one workload", () => {
  test("prints the step, the time left, and the last measurements", async () => {
    const { stdout, stderr, status } = await fixture.pawl("status", "shop/baking");
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    const [table = "", progress, chart, last = ""] = stdout.split("\n\n");
    expect(table).toContain("are watched, on 2.1.0; errors = nothing: error");
    expect(progress).toMatch(/^Step: {7}bake time\nTime left: {2}(19|20)m, until the end of the bake time$/);
    expect(chart).toMatch(/^METRIC .*\nerrors {3}▁█· {12}0.004 {3}0.002 {3}0.004$/);
    expect(last.trimEnd().split("\n").slice(1)).toEqual([
      "2026-11-20T12:10:00Z   errors   pass     0.002",
      "2026-11-20T12:11:00Z   errors   pass     0.004",
      "2026-11-20T12:12:00Z   errors   error    -       the query returned nothing",
    ]);
  });

  test("prints one JSON document with --json", async () => {
    const { stdout } = await fixture.pawl("status", "shop/baking", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      workload: "statefulset/shop/baking",
      inFlight: { phase: "Baking" },
      progress: { step: "bake time", left: { until: "end of the bake time" }, waitsFor: null },
      measurements: [{ value: 0.002 }, { value: 0.004 }, { value: null, note: "the query returned nothing" }],
    });
  });

  test("prints the table only, without an update", async () => {
    const { stdout } = await fixture.pawl("status", "shop/web");
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
    const { stdout: json } = await fixture.pawl("status", "shop/web", "--json");
    expect(JSON.parse(json)).toMatchObject({ name: "web", progress: null, measurements: [] });
  });

  test("exits with 1 for a workload that does not exist", async () => {
    expect(await fixture.pawl("status", "shop/nothing")).toMatchObject({ stdout: "", status: 1 });
  });
});

test("pawl status --json has complete digests", async () => {
  const { stdout } = await fixture.pawl("status", "-n", "shop", "--json");
  const news = (JSON.parse(stdout) as { name: string }[]).find(({ name }) => name === "news");
  expect(news).toMatchObject({
    tracks: ["digest"],
    running: `prod@${digest}`,
    digests: { app: digest },
    pinned: null,
  });
});

describe("without workloads and node pools", () => {
  test.for(["status", "plan"])("pawl %s prints a message", async (verb) => {
    const plain = await fixture.pawl(verb, "-n", "nowhere");
    expect(plain).toEqual({
      stdout: "",
      stderr: "pawl: no workloads with Pawl enabled: namespace nowhere not found\n",
      status: 0,
    });
    const json = await fixture.pawl(verb, "-n", "nowhere", "--json");
    expect(json).toEqual({ stdout: "[]\n", stderr: "", status: 0 });
  });

  test("pawl pools prints a message for a cluster without the CRD", async () => {
    const message = "pawl: no node pools: the cluster has no BootcNodePool\n";
    expect(await fixture.pawl("pools")).toEqual({ stdout: "", stderr: message, status: 0 });
    expect(await fixture.pawl("pools", "--json")).toEqual({ stdout: "[]\n", stderr: "", status: 0 });
    expect(await fixture.pawl("pools", "workers")).toMatchObject({ stdout: "", status: 1 });
  });

  test("pawl plan mentions node pools if they are included", async () => {
    const { stderr } = await fixture.pawl("plan", "-n", "nowhere", "--node-pools");
    expect(stderr).toBe("pawl: no workloads with Pawl enabled, and no node pools: namespace nowhere not found\n");
  });
});
