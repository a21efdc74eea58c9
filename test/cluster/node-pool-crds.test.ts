import { afterAll, beforeAll, expect, test } from "vitest";
import { bootcNodesPath, openBench, type PoolBench, poolsPath } from "../contracts/node-pools/bench.ts";
import { imageA, makeBootcNode, makePool, poolSpec } from "../contracts/node-pools/fixtures.ts";
import { installCrd } from "../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";

const { image } = poolSpec;

describeOnRealCluster("the schemas of BootcNodePool and BootcNode", () => {
  let bench: PoolBench;

  beforeAll(async () => {
    const kubeConfig = realKubeConfig();
    await installCrd(kubeConfig, "bootc-node-pool");
    await installCrd(kubeConfig, "bootc-node");
    bench = await openBench({ kubeConfig, budgets: "policy/v1beta1" });
  });
  afterAll(() => bench.close());

  test.for([
    { what: "no image", spec: { nodeSelector: {} } },
    { what: "an empty reference", spec: { ...poolSpec, image: { ref: "" } } },
    { what: "another reboot policy", spec: { ...poolSpec, disruption: { rebootPolicy: "Never" } } },
    { what: "another agent", spec: { ...poolSpec, agent: "Cron" } },
    { what: "less than no time", spec: { ...poolSpec, rollout: { drainTimeoutSeconds: -1 } } },
    { what: "a window without a duration", spec: { ...poolSpec, rollout: { windows: [{ schedule: "0 22 * * *" }] } } },
    { what: "a pull secret without a namespace", spec: { ...poolSpec, pullSecretRef: { name: "pull" } } },
  ])("a pool with $what is refused", async ({ spec }) => {
    const body = { ...kind("BootcNodePool"), metadata: { name: bench.named("refused") }, spec };
    const { code, text } = await bench.request("POST", poolsPath, { body });
    expect({ code, text }).toEqual({ code: 422, text: expect.stringContaining("spec.") });
  });

  test.for([
    { what: "no image", spec: {} },
    { what: "an empty image", spec: { desiredImage: "" } },
    { what: "another state", spec: { desiredImage: imageA, desiredImageState: "Applied" } },
  ])("a BootcNode with $what is refused", async ({ spec }) => {
    const body = { ...kind("BootcNode"), metadata: { name: bench.named("refused") }, spec };
    const { code, text } = await bench.request("POST", bootcNodesPath, { body });
    expect({ code, text }).toEqual({ code: 422, text: expect.stringContaining("spec.desiredImage") });
  });

  test("what is left out takes its default, and an amount may be any text: its pool is Degraded then", async () => {
    const rollout = { maxUnavailable: "banana" };
    const pool = await makePool(bench, "odd", { image, rollout, disruption: {} });
    expect(pool.problems).toHaveLength(2);
    const { body } = await bench.request("GET", `${poolsPath}/${pool.name}`);
    const defaults = { paused: false, preStageWhilePaused: true, haltThreshold: 2 };
    expect(body.spec).toEqual({
      image,
      rollout: { ...rollout, ...defaults },
      disruption: { rebootPolicy: "RebootOnly" },
      agent: "Daemon",
    });
    expect((await makeBootcNode(bench, "w1")).spec).toEqual({ desiredImage: imageA, desiredImageState: "Staged" });
  });

  test("the status is a subresource, and keeps what a later daemon says of an image", async () => {
    const booted = { image: imageA, imageDigest: "sha256:1", usrOverlay: true };
    const status = { booted, conditions: [{ type: "Idle", status: "True", reason: "Idle", message: "" }] };
    await makeBootcNode(bench, "w2", { status });
    const path = `${bootcNodesPath}/${bench.named("w2")}`;
    const contentType = "application/merge-patch+json";
    const body = { spec: { desiredImageState: "Booted" }, status: { booted: { image: "other" } } };
    expect((await bench.request("PATCH", path, { body, contentType })).body).toMatchObject({
      metadata: { generation: 2 },
      spec: { desiredImageState: "Booted" },
      status,
    });
  });

  test("kubectl get shows how far a pool is", async () => {
    const pool = await makePool(bench, "shown", { ...poolSpec, rollout: { paused: true } });
    const conditions = [
      { type: "UpToDate", status: "False", reason: "Paused", message: "1/3 updated" },
      { type: "Degraded", status: "True", reason: "NodeDegraded", message: "w1" },
    ] as const;
    const counts = { nodeCount: 3, updatedCount: 1, updatingCount: 1, degradedCount: 1 };
    await bench.pools.saveStatus(pool, { ...pool.status, ...counts, targetDigest: "sha256:1", conditions });
    const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
    const { text } = await bench.request("GET", `${poolsPath}/${pool.name}`, { accept });
    const { columnDefinitions, rows } = JSON.parse(text) as {
      readonly columnDefinitions: readonly { readonly name: string }[];
      readonly rows: readonly [{ readonly cells: readonly unknown[] }];
    };
    expect(columnDefinitions.map(({ name }, index) => [name, rows[0].cells[index]])).toEqual([
      ["Name", pool.name],
      ["Image", image.ref],
      ["Target", "sha256:1"],
      ["Nodes", 3],
      ["Updated", 1],
      ["Updating", 1],
      ["Degraded", 1],
      ["UpToDate", "False"],
      ["Reason", "Paused"],
      ["Health", "NodeDegraded"],
      ["Paused", true],
      ["Age", expect.any(String)],
    ]);
  });
});

function kind(name: string) {
  return { apiVersion: "node.bootc.dev/v1alpha1", kind: name };
}
