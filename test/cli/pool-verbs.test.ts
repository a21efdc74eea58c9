import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { digestA, digestB } from "../domain/node-pool/pools.ts";
import type { ClusterFixture } from "./cluster-fixture.ts";
import { nodesPath, poolsPath, startPoolsFixture } from "./pools-fixture.ts";

// Each starts processes, which on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000 });

const workload = "apps/v1/namespaces/shop/deployments/workers";

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startPoolsFixture();
});
afterAll(() => fixture.close());

/** The rows of the tables that were printed, each with single blanks between its cells. */
function rowsOf(stdout: string): readonly string[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/ {3,}/g, " | "));
}

describe("pawl pools", () => {
  test("shows every pool, one line each", async () => {
    const { stdout, stderr, status } = await fixture.pawl("pools");
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(rowsOf(stdout)).toEqual([
      "NAME | IMAGE | TARGET | NODES | UPDATED | UPDATING | DEGRADED | STATE | MESSAGE",
      expect.stringMatching(/^infra \| .*:9 \| - \| 0 \| 0 \| 0 \| 0 \| unresolved \| /),
      expect.stringMatching(
        /^workers \| quay.*@sha256:b{12} \| sha256:b{12} \| 3 \| 1 \| 2 \| 0 \| rolling-out \| 1\/3 updated/,
      ),
    ]);
  });

  test("shows the nodes of one", async () => {
    const { stdout, status } = await fixture.pawl("pools", "workers");
    expect(status).toBe(0);
    expect(rowsOf(stdout).slice(2)).toEqual([
      "",
      "NODE | STATE | BOOTED | STAGED | SLOT | CORDONED | NEXT | PROBLEM",
      "w1 | up-to-date | sha256:bbbbbbbbbbbb | - | - | - | -",
      expect.stringMatching(
        /^w2 \| staged \| sha256:a{12} \| sha256:b{12} \| taken \w+ ago \| by Pawl \| 1 pod is evicted: shop\/web$/,
      ),
      "w3 | staged | sha256:aaaaaaaaaaaa | sha256:bbbbbbbbbbbb | - | - | all slots are taken",
    ]);
  });

  test("has digests in full for machines", async () => {
    const all = JSON.parse((await fixture.pawl("pools", "--json")).stdout) as readonly object[];
    expect(all).toMatchObject([
      { name: "infra", target: null },
      { name: "workers", target: digestB, nodeCount: 3 },
    ]);
    const one = JSON.parse((await fixture.pawl("pools", "bnp/workers", "--json")).stdout) as object;
    expect(one).toMatchObject({
      name: "workers",
      state: "rolling-out",
      nodes: [
        { node: "w1", booted: digestB },
        { node: "w2", booted: digestA, slot: { takenAt: "2026-11-20T12:00:00Z" }, next: { step: "evict" } },
        { node: "w3", staged: digestB, next: { step: "wait" } },
      ],
    });
  });

  test("does not know one that is not there", async () => {
    const says = "pawl: there is no node pool web; there are infra, workers\n";
    expect(await fixture.pawl("pools", "web")).toEqual({ stdout: "", stderr: says, status: 1 });
  });
});

describe("pawl plan", () => {
  const flags = () => ["--insecure-registry", fixture.registry];

  test("shows pools and their nodes beside workloads, and changes nothing", async () => {
    const before = [await fixture.object(`${poolsPath}/infra`), await fixture.object(`${nodesPath}/w3`)];
    const { stdout, stderr, status } = await fixture.pawl("plan", ...flags());
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(rowsOf(stdout)).toEqual([
      "WORKLOAD | CURRENT | CANDIDATE | DECISION | REASON",
      expect.stringMatching(/^deployment\/shop\/workers \| 1\.0\.0 \| - \| problem \| /),
      expect.stringMatching(
        /^bootcnodepool\/infra \| .* \| sha256:[0-9a-f]{12} \| hold \| its tag is resolved for the first time/,
      ),
      "bootcnodepool/workers | - | sha256:bbbbbbbbbbbb | update | 2 of 3 nodes are to change",
      "",
      "NODE POOL | NODE | STATE | NEXT",
      "workers | w2 | staged | 1 pod is evicted: shop/web",
      "workers | w3 | staged | all slots are taken",
    ]);
    const after = [await fixture.object(`${poolsPath}/infra`), await fixture.object(`${nodesPath}/w3`)];
    expect(after).toEqual(before);
  });

  test.for([
    { args: ["-n", "shop"], shown: ["deployment/shop/workers"] },
    { args: ["--no-node-pools"], shown: ["deployment/shop/workers"] },
    { args: ["-n", "nowhere", "--node-pools"], shown: ["bootcnodepool/infra", "bootcnodepool/workers"] },
  ])("$args shows $shown", async ({ args, shown }) => {
    const { stdout } = await fixture.pawl("plan", ...flags(), "--json", ...args);
    expect((JSON.parse(stdout) as { workload: string }[]).map((one) => one.workload)).toEqual(shown);
  });
});

describe("pawl pause and resume", () => {
  const paused = async () => (await fixture.object(`${poolsPath}/workers`)).spec;

  test("set spec.rollout.paused of a pool, and leave its namesake alone", async () => {
    const name = "bootcnodepool/workers";
    const done = `${name}: paused: no node takes a slot, those that hold one go on\n`;
    expect(await fixture.pawl("pause", "pool/workers")).toEqual({ stdout: done, stderr: "", status: 0 });
    expect(await paused()).toMatchObject({ rollout: { paused: true } });
    expect(await fixture.annotations(workload)).not.toHaveProperty("pawl.dev/paused");

    const again = await fixture.pawl("pause", "BootcNodePool/workers");
    expect(again).toMatchObject({ stdout: `${name}: was paused already\n`, status: 0 });
    const json = await fixture.pawl("resume", "bnp/workers", "--json");
    expect(JSON.parse(json.stdout)).toEqual({ workload: name, paused: false, changed: true });
    expect(await paused()).toMatchObject({ rollout: { paused: false } });
  });

  test("mean the workload where no kind says otherwise", async () => {
    const { stdout } = await fixture.pawl("pause", "workers", "-n", "shop");
    expect(stdout).toBe("deployment/shop/workers: paused\n");
    expect(await paused()).not.toMatchObject({ rollout: { paused: true } });
  });

  test("do not know a pool that is not there", async () => {
    expect(await fixture.pawl("pause", "pool/web")).toMatchObject({ stdout: "", status: 1 });
  });
});
