import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const at = "2026-11-20T12:00:00Z";
const image = (version: string) => `example.com/shop/web:${version}`;
const entry = { by: "hand", result: "Succeeded", at } as const;
const releases = [
  { ...entry, number: 1, version: "1.0.0", image: image("1.0.0"), hash: "h1", revision: "web-1" },
  { ...entry, number: 2, version: "1.1.0", image: image("1.1.0"), hash: "h2", revision: "web-2", by: "pawl" },
  { ...entry, number: 3, version: "1.2.0", image: image("1.2.0"), hash: "h3", revision: "gone", result: "Failed" },
];
const replicaSet = (name: string, version: string, number: number) => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: {
    name,
    namespace: "shop",
    labels: { app: "web" },
    annotations: { "deployment.kubernetes.io/revision": String(number) },
    ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "" }],
  },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web", "pod-template-hash": name } },
      spec: { containers: [{ name: "app", image: image(version) }] },
    },
  },
});

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({}, () => [
    builtIn("Deployment", "web", image("1.1.0")),
    autoUpdate("Deployment", "web", { releases }),
    builtIn("Deployment", "cart", "example.com/shop/cart:1.0.0"),
    autoUpdate("Deployment", "cart"),
  ]);
  const { metadata } = await fixture.object("apps/v1/namespaces/shop/deployments/web");
  for (const [name, version, number] of [
    ["web-1", "1.0.0", 1],
    ["web-2", "1.1.0", 2],
  ] as const) {
    const set = replicaSet(name, version, number);
    set.metadata.ownerReferences[0]!.uid = metadata.uid;
    await fixture.create("apps/v1/namespaces/shop/replicasets", { ...set, status: {} });
  }
});
afterAll(() => fixture.close());

describe("pawl releases", () => {
  test("prints the newest last, and whose snapshot was deleted", async () => {
    const { stdout, status } = await fixture.pawl("releases", "shop/web");
    expect(stdout.trimEnd().replaceAll(/ +/g, " ").split("\n").slice(1)).toEqual([
      `1 1.0.0 Succeeded hand ${at} web-1 -`,
      `2 1.1.0 Succeeded pawl ${at} web-2 -`,
      `3 1.2.0 Failed hand ${at} gone (deleted) -`,
    ]);
    expect(status).toBe(0);
  });

  test("prints JSON", async () => {
    const { stdout } = await fixture.pawl("releases", "shop/web", "--json");
    const [first, , last] = JSON.parse(stdout) as readonly object[];
    expect(first).toEqual({ ...releases[0], digests: null, rolledBackFrom: null, hasSnapshot: true });
    expect(last).toMatchObject({ number: 3, hasSnapshot: false });
  });

  test("exits with 1 without releases", async () => {
    const { stderr, status } = await fixture.pawl("releases", "shop/cart");
    expect([stderr, status]).toEqual([expect.stringContaining("no releases"), 1]);
  });
});

describe("pawl diff", () => {
  test("prints the difference between two releases", async () => {
    const { stdout, status } = await fixture.pawl("diff", "shop/web", "1", "2");
    expect(stdout).toContain("--- release 1 (1.0.0)\n+++ release 2 (1.1.0)\n@@ -");
    expect(stdout).toContain(`-      image: ${image("1.0.0")}\n+      image: ${image("1.1.0")}\n`);
    expect(status).toBe(0);
  });

  test("prints both templates as JSON", async () => {
    const { stdout } = await fixture.pawl("diff", "shop/web", "2", "1", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      from: "release 2 (1.1.0)",
      to: "release 1 (1.0.0)",
      before: { metadata: { labels: { app: "web" } } },
      after: { spec: { containers: [{ image: image("1.0.0") }] } },
    });
  });

  test.for([
    { args: ["1", "1"], message: "have the same pod template", code: 1 },
    { args: ["9"], message: "there is no release 9", code: 2 },
    { args: ["3", "1"], message: "gone of release 3 was deleted", code: 1 },
  ])("$args: $message", async ({ args, message, code }) => {
    const { stderr, status } = await fixture.pawl("diff", "shop/web", ...args);
    expect([stderr, status]).toEqual([expect.stringContaining(message), code]);
  });

  test("exits with 1 without releases", async () => {
    const { stderr, status } = await fixture.pawl("diff", "shop/cart");
    expect([stderr, status]).toEqual([expect.stringContaining("has no releases"), 1]);
  });
});

describe("pawl rollback", () => {
  test.for([
    { args: ["--to", "3"], message: "release 3 has failed" },
    { args: ["--to", "7"], message: "there is no release 7; recorded are 1, 2, 3" },
  ])("is refused: $message", async ({ args, message }) => {
    const { stderr, status } = await fixture.pawl("rollback", "shop/web", ...args);
    expect([stderr, status]).toEqual([expect.stringContaining(message), 1]);
  });

  test("writes a request", async () => {
    const { status } = await fixture.pawl("rollback", "shop/web", "--to", "1", "--no-wait");
    const written = await fixture.annotations("pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-web");
    expect([status, written["pawl.dev/request"]]).toEqual([0, expect.stringMatching(/^rollback 1 [0-9a-f-]{36}$/)]);
  });
});
