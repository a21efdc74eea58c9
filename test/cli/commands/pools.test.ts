import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { digestA, digestB } from "../../domain/node-pool/pools.ts";
import type { ClusterFixture } from "../cluster-fixture.ts";
import { acquiredAt, nodesPath, poolsPath, startPoolsFixture } from "../node-pools/fixtures.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const workload = "apps/v1/namespaces/shop/deployments/workers";

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startPoolsFixture();
});
afterAll(() => fixture.close());

/** Returns the rows of the printed tables, with ` | ` between their cells. */
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
      expect.stringMatching(/^infra \| .*:9 \| - \| 0 \| 0 \| 0 \| 0 \| NotEvaluated \| /),
      expect.stringMatching(
        /^workers \| quay.*@sha256:b{12} \| sha256:b{12} \| 3 \| 1 \| 2 \| 0 \| Updating \| 1\/3 updated/,
      ),
    ]);
  });

  test("prints the nodes of one pool", async () => {
    const { stdout, status } = await fixture.pawl("pools", "workers");
    expect(status).toBe(0);
    expect(rowsOf(stdout).slice(2)).toEqual([
      "",
      "NODE | STATE | BOOTED | STAGED | SLOT | CORDONED | NEXT STEP | PROBLEM",
      "w1 | up-to-date | sha256:bbbbbbbbbbbb | - | - | - | -",
      expect.stringMatching(
        /^w2 \| staged \| sha256:a{12} \| sha256:b{12} \| acquired \w+ ago \| by Pawl \| 1 pod is evicted: shop\/web$/,
      ),
      "w3 | staged | sha256:aaaaaaaaaaaa | sha256:bbbbbbbbbbbb | - | - | all slots are in use",
    ]);
  });

  test("has complete digests with --json", async () => {
    const all = JSON.parse((await fixture.pawl("pools", "--json")).stdout) as readonly object[];
    expect(all).toMatchObject([
      { name: "infra", target: null },
      { name: "workers", target: digestB, nodeCount: 3 },
    ]);
    const one = JSON.parse((await fixture.pawl("pools", "bnp/workers", "--json")).stdout) as object;
    expect(one).toMatchObject({
      name: "workers",
      state: "Updating",
      nodes: [
        { node: "w1", booted: digestB },
        { node: "w2", booted: digestA, slot: { acquiredAt }, next: { step: "evict" } },
        { node: "w3", staged: digestB, next: { step: "wait" } },
      ],
    });
  });

  test("exits with 1 if it does not exist", async () => {
    const stderr = "pawl: node pool web not found; available: infra, workers\n";
    expect(await fixture.pawl("pools", "web")).toEqual({ stdout: "", stderr: stderr, status: 1 });
  });
});

describe("pawl plan", () => {
  const flags = () => ["--insecure-registry", fixture.registry];

  test("prints pools and their nodes with workloads, and changes nothing", async () => {
    const before = [await fixture.object(`${poolsPath}/infra`), await fixture.object(`${nodesPath}/w3`)];
    const { stdout, stderr, status } = await fixture.pawl("plan", ...flags());
    expect({ stderr, status }).toEqual({ stderr: expect.stringContaining(" evaluated: "), status: 1 });
    expect(rowsOf(stdout)).toEqual([
      "WORKLOAD | STATE | CURRENT | CANDIDATE | MESSAGE",
      expect.stringMatching(/^deployment\/shop\/workers \| Stalled \| 1\.0\.0 \| - \| /),
      "bootcnodepool/workers | Updating | - | sha256:bbbbbbbbbbbb | 2 of 3 nodes will change",
      expect.stringMatching(
        /^bootcnodepool\/infra \| UpToDate \| .* \| sha256:[0-9a-f]{12} \| its tag is resolved for the first time/,
      ),
      "",
      "NODE POOL | NODE | STATE | NEXT STEP",
      "workers | w2 | staged | 1 pod is evicted: shop/web",
      "workers | w3 | staged | all slots are in use",
      "",
      "NODE POOL | NODE | ITS DRAIN",
      "workers | w2 | shop/web has no controller: nothing creates it again",
      "",
      expect.stringMatching(/^Not considered: what a deployment says/),
    ]);
    const after = [await fixture.object(`${poolsPath}/infra`), await fixture.object(`${nodesPath}/w3`)];
    expect(after).toEqual(before);
  });

  test.for([
    { args: ["-n", "shop"], expected: ["deployment/shop/workers"] },
    { args: ["--no-node-pools"], expected: ["deployment/shop/workers"] },
    { args: ["-n", "nowhere", "--node-pools"], expected: ["bootcnodepool/infra", "bootcnodepool/workers"] },
  ])("$args shows $expected", async ({ args, expected }) => {
    const { stdout } = await fixture.pawl("plan", ...flags(), "--json", ...args);
    expect((JSON.parse(stdout) as { workload: string }[]).map((one) => one.workload)).toEqual(expected);
  });
});

describe("pawl pause and resume", () => {
  const poolSpec = async () => (await fixture.object(`${poolsPath}/workers`)).spec;

  test("set spec.rollout.paused of a pool, and nothing on the workload of the same name", async () => {
    const name = "bootcnodepool/workers";
    const done = `${name}: paused: no node acquires a slot; nodes with a slot continue\n`;
    expect(await fixture.pawl("pause", "pool/workers")).toEqual({ stdout: done, stderr: "", status: 0 });
    expect(await poolSpec()).toMatchObject({ rollout: { paused: true } });
    expect(await fixture.annotations(workload)).not.toHaveProperty("pawl.dev/paused");

    const again = await fixture.pawl("pause", "BootcNodePool/workers");
    expect(again).toMatchObject({ stdout: `${name}: already paused\n`, status: 0 });
    const json = await fixture.pawl("resume", "bnp/workers", "--json");
    expect(JSON.parse(json.stdout)).toEqual({ workload: name, paused: false, changed: true });
    expect(await poolSpec()).toMatchObject({ rollout: { paused: false } });
  });

  test("apply to the workload if no kind is given", async () => {
    const { stdout } = await fixture.pawl("pause", "workers", "-n", "shop");
    expect(stdout).toBe("deployment/shop/workers: paused\n");
    expect(await poolSpec()).not.toMatchObject({ rollout: { paused: true } });
  });

  test("exit with 1 if the pool does not exist", async () => {
    expect(await fixture.pawl("pause", "pool/web")).toMatchObject({ stdout: "", status: 1 });
  });
});

describe("pawl promote and abort", () => {
  test("write a request to a pool, which its rollout handles", async () => {
    const { stdout, status } = await fixture.pawl("promote", "bnp/workers", "--full", "--no-wait", "--json");
    const { token, ...sent } = JSON.parse(stdout) as { token: string };
    expect(sent).toMatchObject({ workload: "bootcnodepool/workers", request: "promote full", status: "requested" });
    expect(status).toBe(0);
    const requested = async () => (await fixture.annotations(`${poolsPath}/workers`))["pawl.dev/request"];
    expect(await requested()).toBe(`promote full ${token}`);
    const late = await fixture.pawl("abort", "bnp/workers", "--timeout", "0s", "--reason", "it is slow");
    expect(late).toMatchObject({ stdout: "", status: 1, stderr: expect.stringContaining("the request stays") });
    expect(await requested()).toMatch(/^abort \S+\nmessage it is slow$/);
  });

  test("exit with 1 if the pool does not exist", async () => {
    expect(await fixture.pawl("abort", "pool/web")).toMatchObject({ stdout: "", status: 1 });
  });
});

describe("pawl explain", () => {
  test("explains a node pool: its settings, the next poll and each node", async () => {
    const { stdout, status } = await fixture.pawl("explain", "bootcnodepool/workers");
    expect(status).toBe(0);
    for (const line of [
      /^bootcnodepool\/workers\n +state: +Updating: 1\/3 updated/,
      /target: +sha256:b{12}\n/,
      /nodes: +1 of 3 run the target/,
      /next poll: +Updating: /,
      /Policy, from the spec of the BootcNodePool:\n(.*\n)*slots +1\n/,
      /Nodes that will change:\nNODE +STATE +NEXT STEP\nw2 +staged +1 pod is evicted/,
    ])
      expect(stdout).toMatch(line);
    const { stdout: json } = await fixture.pawl("explain", "bnp/workers", "-o", "json");
    expect(JSON.parse(json)).toMatchObject({ status: { target: digestB, state: "Updating" }, nextWindow: null });
  });

  test("says which pools exist", async () => {
    const { stderr, status } = await fixture.pawl("explain", "bootcnodepool/none");
    expect({ stderr, status }).toEqual({
      stderr: "pawl: node pool none not found; available: infra, workers\n",
      status: 1,
    });
  });
});
