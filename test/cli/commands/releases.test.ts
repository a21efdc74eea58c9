import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ReleaseStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";
import { recordReleases } from "../recorded-releases.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const at = "2026-11-20T12:00:00Z";
const image = (version: string) => `example.com/shop/web:${version}`;

let fixture: ClusterFixture;
let releases: readonly ReleaseStatus[];

beforeAll(async () => {
  fixture = await startClusterFixture({}, () => [
    builtIn("Deployment", "web", image("1.0.0")),
    autoUpdate("Deployment", "web"),
    builtIn("Deployment", "cart", "example.com/shop/cart:1.0.0"),
    autoUpdate("Deployment", "cart"),
  ]);
  const [first, second] = await recordReleases(fixture, "web", [image("1.0.0"), image("1.1.0")]);
  const failed = { ...second, number: 3, version: "1.2.0", hash: "h3", revision: "gone", result: "Failed" } as const;
  releases = [first, { ...second, by: "pawl" }, failed];
  await fixture.writeStatus("deployment-web", { releases });
});
afterAll(() => fixture.close());

describe("pawl releases", () => {
  test("prints the newest last, and whose snapshot was deleted", async () => {
    const { stdout, status } = await fixture.pawl("releases", "shop/web");
    expect(stdout.trimEnd().replaceAll(/ +/g, " ").split("\n").slice(1)).toEqual([
      `1 1.0.0 Succeeded hand ${at} ${releases[0]?.revision} -`,
      `2 1.1.0 Succeeded pawl ${at} ${releases[1]?.revision} -`,
      `3 1.2.0 Failed hand ${at} gone (none) -`,
    ]);
    expect(status).toBe(0);
  });

  test("prints JSON", async () => {
    const { stdout } = await fixture.pawl("releases", "shop/web", "--json");
    const [first, , last] = JSON.parse(stdout) as readonly object[];
    expect(first).toEqual({ ...releases[0], digests: null, rolledBackFrom: null, hasSnapshot: true });
    expect(last).toMatchObject({ number: 3, hasSnapshot: false });
  });

  test("prints YAML and names", async () => {
    const [yaml, json, names] = [
      await fixture.pawl("releases", "shop/web", "-o", "yaml"),
      await fixture.pawl("releases", "shop/web", "-o", "json"),
      await fixture.pawl("releases", "shop/web", "-o", "name"),
    ];
    expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
    expect(names.stdout).toBe("1\n2\n3\n");
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

  test.for(["json", "yaml"])("prints both templates with -o %s", async (format) => {
    const { stdout } = await fixture.pawl("diff", "shop/web", "2", "1", "-o", format);
    expect(format === "yaml").toBe(stdout.startsWith("from: "));
    expect(parse(stdout)).toMatchObject({
      from: "release 2 (1.1.0)",
      to: "release 1 (1.0.0)",
      before: { metadata: { labels: { app: "web" } } },
      after: { spec: { containers: [{ image: image("1.0.0") }] } },
    });
  });

  test.for([
    { args: ["1", "1"], message: "have the same pod template", code: 1 },
    { args: ["9"], message: "there is no release 9", code: 2 },
    { args: ["3", "1"], message: "release 3 has no snapshot any more: gone was deleted", code: 1 },
  ])("$args: $message", async ({ args, message, code }) => {
    const { stderr, status } = await fixture.pawl("diff", "shop/web", ...args);
    expect([stderr, status]).toEqual([expect.stringContaining(message), code]);
  });

  test("exits with 1 without releases", async () => {
    const { stderr, status } = await fixture.pawl("diff", "shop/cart");
    expect([stderr, status]).toEqual([expect.stringContaining("has no releases"), 1]);
  });
});
