import { expect, test } from "vitest";
import { eventually } from "../../support/control-plane/eventually.ts";
import { type GetHarness, getObject, nodesPath, patch, poolsPath, readNode, readPool } from "./harness.ts";
import {
  digestA,
  digestB,
  imageA,
  imageB,
  createBootcNode,
  createNode,
  createPool,
  ownedBy,
  setReady,
} from "./fixtures.ts";

/** Reads of pools, Nodes and BootcNodes. */
export function reads(harness: GetHarness): void {
  test("a pool is read as it is written", async () => {
    const rollout = { maxUnavailable: "25%", paused: true, drainTimeoutSeconds: 600 };
    const nodeSelector = { matchExpressions: [{ key: "tier", operator: "In", values: ["front"] }] };
    const pool = await createPool(harness(), "workers", {
      nodeSelector,
      image: { ref: imageA },
      rollout,
      dependsOn: ["first"],
      allowEmpty: true,
    });
    expect(pool).toMatchObject({
      name: harness().uniqueName("workers"),
      generation: 1,
      isBeingDeleted: false,
      hasFinalizer: false,
      execution: null,
      problems: [],
      spec: {
        nodeSelector,
        imageRef: imageA,
        maxUnavailable: { unit: "percent", amount: 25 },
        haltThreshold: { unit: "nodes", amount: 2 },
        paused: true,
        preStageWhilePaused: true,
        drainTimeoutSeconds: 600,
        rebootTimeoutSeconds: 900,
        minReadySeconds: 60,
        dependsOn: ["first"],
        allowEmpty: true,
        rebootPolicy: "RebootOnly",
        agent: "Daemon",
      },
      status: { observedGeneration: 0, targetDigest: null, nodeCount: 0, conditions: [] },
    });
    expect(await harness().pools.read(pool)).toEqual(pool);
  });

  test("a node that runs a pod of etcd is known", async () => {
    await createNode(harness(), "etcd-1");
    const metadata = { name: harness().uniqueName("etcd"), labels: { component: "etcd" } };
    const containers = [{ name: "etcd", image: "registry.invalid:5000/etcd:1.0.0" }];
    const body = { metadata, spec: { containers, nodeName: harness().uniqueName("etcd-1") } };
    await eventually("the pod is created", () => harness().create("/api/v1/namespaces/kube-system/pods", body));
    await createNode(harness(), "etcd-2");
    const found = await harness().pools.etcdNodes();
    expect(found).toContain(harness().uniqueName("etcd-1"));
    expect(found).not.toContain(harness().uniqueName("etcd-2"));
  });

  test("an invalid field is a problem of only its pool", async () => {
    const spec = { nodeSelector: {}, image: { ref: imageA } };
    await createPool(harness(), "valid", spec);
    await createPool(harness(), "invalid", { ...spec, rollout: { maxUnavailable: "banana" } });
    expect((await readPool(harness(), "invalid")).problems).toEqual([
      expect.stringContaining("rollout.maxUnavailable"),
    ]);
    expect((await readPool(harness(), "valid")).problems).toEqual([]);
  });

  test("a deleted or recreated pool is null", async () => {
    const pool = await createPool(harness());
    await harness().request("DELETE", `${poolsPath}/${pool.name}`);
    expect(await harness().pools.read(pool)).toBeNull();
    const another = await createPool(harness());
    expect(another.uid).not.toBe(pool.uid);
    expect(await harness().pools.read(pool)).toBeNull();
    expect(await harness().pools.read(another)).toEqual(another);
  });

  test("a deleted pool with a finalizer is being deleted", async () => {
    const finalizers = ["bootc.dev/pool-cleanup"];
    const pool = await createPool(harness(), "workers", undefined, { finalizers });
    expect(pool).toMatchObject({ isBeingDeleted: false, hasFinalizer: true });
    await harness().request("DELETE", `${poolsPath}/${pool.name}`);
    expect(await readPool(harness(), "workers")).toMatchObject({
      isBeingDeleted: true,
      hasFinalizer: true,
      uid: pool.uid,
    });
  });

  test("a Node and a BootcNode of one name are joined, and either may be missing", async () => {
    const pool = await createPool(harness());
    const labels = { "example.com/pool": "workers" };
    await createNode(harness(), "w1", { labels }, { providerID: "aws:///eu-west-1a/i-0123", unschedulable: true });
    await createNode(harness(), "w2");
    await createBootcNode(harness(), "w1", { metadata: { ownerReferences: ownedBy(pool) } });
    await createBootcNode(harness(), "w3");
    expect(await readNode(harness(), "w1")).toMatchObject({
      node: { labels, unschedulable: true, ready: true, cordonedByPool: null, providerId: "aws:///eu-west-1a/i-0123" },
      bootcNode: { owner: { name: pool.name, uid: pool.uid }, desiredImage: imageA, desiredImageState: "Staged" },
    });
    expect(await readNode(harness(), "w2")).toMatchObject({ node: { providerId: null }, bootcNode: null });
    expect(await readNode(harness(), "w3")).toMatchObject({ node: null, bootcNode: { owner: null } });
  });

  test.for([
    { status: "True", ready: true },
    { status: "False", ready: false },
    { status: "Unknown", ready: false },
  ])("a Node whose Ready condition is $status: ready $ready", async ({ status, ready }) => {
    await createNode(harness());
    await setReady(harness(), "w1", status);
    expect((await readNode(harness(), "w1")).node).toMatchObject({ ready });
  });

  test("the metadata scope returns the metadata of a Node and the complete BootcNode", async () => {
    const annotations = { "pawl.dev/cordoned-by-pool": "workers" };
    await createNode(
      harness(),
      "w1",
      { labels: { role: "worker" }, annotations },
      { providerID: "i-1", unschedulable: true },
    );
    await setReady(harness(), "w1", "False");
    await createBootcNode(harness(), "w1", { status: { booted: { image: imageB, imageDigest: digestB } } });
    const full = await readNode(harness(), "w1");
    const metadataOnly = (await harness().pools.listNodes("metadata")).find(({ name }) => name === full.name);
    expect(full.node).toMatchObject({
      cordonedByPool: "workers",
      unschedulable: true,
      ready: false,
      providerId: "i-1",
    });
    expect(full.node?.readyChangedAt).toEqual(new Date("2026-11-20T11:00:00Z"));
    const placeholders = {
      unschedulable: false,
      ready: true,
      readyChangedAt: null,
      conditions: null,
      providerId: null,
    };
    expect(full.node?.conditions).toEqual({ Ready: "False" });
    expect(metadataOnly).toEqual({ ...full, node: { ...full.node, ...placeholders } });
  });

  test("the cordoned scope returns only cordoned Nodes, complete and with their BootcNodes", async () => {
    await createNode(harness(), "w1", { labels: { role: "worker" } }, { providerID: "i-1", unschedulable: true });
    await createNode(harness(), "w2");
    for (const name of ["w1", "w2", "w3"]) await createBootcNode(harness(), name);
    const own = (await harness().pools.listNodes("cordoned")).filter(({ name }) =>
      name.startsWith(harness().uniqueName("")),
    );
    expect(own).toEqual([await readNode(harness(), "w1")]);
  });

  test("the agent's report is read from the status, and the state of Pawl from annotations", async () => {
    const idle = { type: "Idle", status: "False", reason: "Staged", message: "waits" };
    const degraded = { type: "Degraded", status: "True", reason: "Error", message: "stage failed" };
    const annotations = {
      "bootc.dev/in-reboot-slot": "",
      "bootc.dev/was-cordoned": "false",
      "pawl.dev/slot-acquired-at": "2026-11-20T11:00:00Z",
      "pawl.dev/image-requested-at": "2026-11-20T10:00:00Z",
      "pawl.dev/emitted-events": "Staged",
    };
    const status = {
      booted: { image: imageA, imageDigest: digestA, version: "9.4", softRebootCapable: true },
      staged: { image: imageB, imageDigest: digestB },
      conditions: [idle, degraded],
    };
    await createBootcNode(harness(), "w1", {
      spec: { desiredImageState: "Booted" },
      status,
      metadata: { annotations },
    });
    expect((await readNode(harness(), "w1")).bootcNode).toMatchObject({
      desiredImageState: "Booted",
      bootedDigest: digestA,
      stagedDigest: digestB,
      rollbackDigest: null,
      isObserved: true,
      idle: { activity: "Staged" },
      error: "stage failed",
      emittedEvents: "Staged",
      requestedAt: new Date("2026-11-20T10:00:00Z"),
      slot: { wasCordoned: false, acquiredAt: new Date("2026-11-20T11:00:00Z"), nodeUid: null, approvedAt: null },
    });
  });

  test("emitted Events of a node are recorded despite other writes", async () => {
    await createNode(harness());
    await createBootcNode(harness());
    const node = await readNode(harness(), "w1");
    await patch(harness(), `/apis/node.bootc.dev/v1alpha1/bootcnodes/${node.name}`, { spec: { desiredImage: imageB } });
    await harness().pools.recordEmittedEvents(node, "Staging");
    expect((await readNode(harness(), "w1")).bootcNode).toMatchObject({
      emittedEvents: "Staging",
      desiredImage: imageB,
    });
    await harness().request("DELETE", `/apis/node.bootc.dev/v1alpha1/bootcnodes/${node.name}`);
    await harness().pools.recordEmittedEvents(node, "Staged");
    expect(await readNode(harness(), "w1")).toMatchObject({ bootcNode: null });
    await harness().pools.recordEmittedEvents(await readNode(harness(), "w1"), "Staged");
    expect(await getObject(harness(), `${nodesPath}/${node.name}`)).not.toBeNull();
  });
}
