import { afterAll, beforeAll, expect, test } from "vitest";
import { bootcNodesPath, openHarness, type PoolHarness, poolsPath } from "../../contracts/node-pools/harness.ts";
import { imageA, createBootcNode, createPool, poolSpec } from "../../contracts/node-pools/fixtures.ts";
import { installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";

const { image } = poolSpec;

describeOnRealCluster("the schemas of BootcNodePool and BootcNode", () => {
  let harness: PoolHarness;

  beforeAll(async () => {
    const kubeConfig = realKubeConfig();
    await installCrd(kubeConfig, "bootc-node-pool");
    await installCrd(kubeConfig, "bootc-node");
    harness = await openHarness(kubeConfig);
  });
  afterAll(() => harness.close());

  test.for([
    { when: "no image", spec: { nodeSelector: {} } },
    { when: "an empty reference", spec: { ...poolSpec, image: { ref: "" } } },
    { when: "another reboot policy", spec: { ...poolSpec, disruption: { rebootPolicy: "Never" } } },
    { when: "another agent", spec: { ...poolSpec, agent: "Cron" } },
    { when: "a negative timeout", spec: { ...poolSpec, rollout: { drainTimeoutSeconds: -1 } } },
    { when: "a negative soak", spec: { ...poolSpec, rollout: { minReadySeconds: -1 } } },
    { when: "a window without a duration", spec: { ...poolSpec, rollout: { windows: [{ schedule: "0 22 * * *" }] } } },
    { when: "a pull secret without a namespace", spec: { ...poolSpec, pullSecretRef: { name: "pull" } } },
  ])("a pool with $when is rejected", async ({ spec }) => {
    const body = { ...typeOf("BootcNodePool"), metadata: { name: harness.uniqueName("rejected") }, spec };
    const { code, text } = await harness.request("POST", poolsPath, { body });
    expect({ code, text }).toEqual({ code: 422, text: expect.stringContaining("spec.") });
  });

  test.for([
    { when: "no image", spec: {} },
    { when: "an empty image", spec: { desiredImage: "" } },
    { when: "another state", spec: { desiredImage: imageA, desiredImageState: "Applied" } },
  ])("a BootcNode with $when is rejected", async ({ spec }) => {
    const body = { ...typeOf("BootcNode"), metadata: { name: harness.uniqueName("rejected") }, spec };
    const { code, text } = await harness.request("POST", bootcNodesPath, { body });
    expect({ code, text }).toEqual({ code: 422, text: expect.stringContaining("spec.desiredImage") });
  });

  test("omitted fields are defaulted, and an invalid amount is admitted but degrades its pool", async () => {
    const rollout = { maxUnavailable: "banana" };
    const pool = await createPool(harness, "odd", { image, rollout, disruption: {} });
    expect(pool.problems).toHaveLength(2);
    const { body } = await harness.request("GET", `${poolsPath}/${pool.name}`);
    const defaults = {
      paused: false,
      preStageWhilePaused: true,
      haltThreshold: 2,
      onHalt: "Hold",
      onDrainTimeout: "Report",
    };
    expect(body.spec).toEqual({
      image,
      rollout: { ...rollout, ...defaults },
      disruption: { rebootPolicy: "RebootOnly" },
      agent: "Daemon",
    });
    expect((await createBootcNode(harness, "w1")).spec).toEqual({ desiredImage: imageA, desiredImageState: "Staged" });
  });

  test("the status is a subresource, and keeps unknown fields of an image", async () => {
    const booted = { image: imageA, imageDigest: "sha256:1", usrOverlay: true };
    const status = { booted, conditions: [{ type: "Idle", status: "True", reason: "Idle", message: "" }] };
    await createBootcNode(harness, "w2", { status });
    const path = `${bootcNodesPath}/${harness.uniqueName("w2")}`;
    const contentType = "application/merge-patch+json";
    const body = { spec: { desiredImageState: "Booted" }, status: { booted: { image: "other" } } };
    expect((await harness.request("PATCH", path, { body, contentType })).body).toMatchObject({
      metadata: { generation: 2 },
      spec: { desiredImageState: "Booted" },
      status,
    });
  });

  test("kubectl get shows the progress of a pool", async () => {
    const pool = await createPool(harness, "shown", { ...poolSpec, rollout: { paused: true } });
    const conditions = [
      { type: "UpToDate", status: "False", reason: "Paused", message: "1/3 updated" },
      { type: "Degraded", status: "True", reason: "NodeDegraded", message: "w1" },
    ] as const;
    const counts = { nodeCount: 3, updatedCount: 1, updatingCount: 1, degradedCount: 1 };
    await harness.pools.saveStatus(pool, { ...pool.status, ...counts, targetDigest: "sha256:1", conditions });
    const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
    const { text } = await harness.request("GET", `${poolsPath}/${pool.name}`, { accept });
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

function typeOf(name: string) {
  return { apiVersion: "node.bootc.dev/v1alpha1", kind: name };
}
