import { expect, test } from "vitest";
import { type At, look, nodesPath, patch, poolsPath, readNode, readPool } from "./bench.ts";
import { digestA, digestB, imageA, imageB, makeBootcNode, makeNode, makePool, ownedBy, setReady } from "./fixtures.ts";

/** What is read of pools, Nodes and BootcNodes. */
export function reading(at: At): void {
  test("a pool is read as it is written", async () => {
    const rollout = { maxUnavailable: "25%", paused: true, drainTimeoutSeconds: 600 };
    const nodeSelector = { matchExpressions: [{ key: "tier", operator: "In", values: ["front"] }] };
    const pool = await makePool(at(), "workers", {
      nodeSelector,
      image: { ref: imageA },
      rollout,
      dependsOn: ["first"],
    });
    expect(pool).toMatchObject({
      name: at().named("workers"),
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
        rebootTimeoutSeconds: null,
        dependsOn: ["first"],
        rebootPolicy: "RebootOnly",
        agent: "Daemon",
      },
      status: { observedGeneration: 0, targetDigest: null, nodeCount: 0, conditions: [] },
    });
    expect(await at().pools.read(pool)).toEqual(pool);
  });

  test("what cannot be read is a problem of its pool, and of no other", async () => {
    const spec = { nodeSelector: {}, image: { ref: imageA } };
    await makePool(at(), "sound", spec);
    await makePool(at(), "broken", { ...spec, rollout: { maxUnavailable: "banana" } });
    expect((await readPool(at(), "broken")).problems).toEqual([expect.stringContaining("rollout.maxUnavailable")]);
    expect((await readPool(at(), "sound")).problems).toEqual([]);
  });

  test("a pool that is gone, or whose name another has taken, is not there", async () => {
    const pool = await makePool(at());
    await at().request("DELETE", `${poolsPath}/${pool.name}`);
    expect(await at().pools.read(pool)).toBeNull();
    const another = await makePool(at());
    expect(another.uid).not.toBe(pool.uid);
    expect(await at().pools.read(pool)).toBeNull();
    expect(await at().pools.read(another)).toEqual(another);
  });

  test("a pool that its finalizer holds is being deleted", async () => {
    const finalizers = ["bootc.dev/pool-cleanup"];
    const pool = await makePool(at(), "workers", undefined, { finalizers });
    expect(pool).toMatchObject({ isBeingDeleted: false, hasFinalizer: true });
    await at().request("DELETE", `${poolsPath}/${pool.name}`);
    expect(await readPool(at(), "workers")).toMatchObject({ isBeingDeleted: true, hasFinalizer: true, uid: pool.uid });
  });

  test("a Node and a BootcNode of one name are one, and either may be missing", async () => {
    const pool = await makePool(at());
    const labels = { "example.com/pool": "workers" };
    await makeNode(at(), "w1", { labels }, { providerID: "aws:///eu-west-1a/i-0123", unschedulable: true });
    await makeNode(at(), "w2");
    await makeBootcNode(at(), "w1", { metadata: { ownerReferences: ownedBy(pool) } });
    await makeBootcNode(at(), "w3");
    expect(await readNode(at(), "w1")).toMatchObject({
      node: { labels, unschedulable: true, ready: true, cordonedFor: null, providerId: "aws:///eu-west-1a/i-0123" },
      bootcNode: { owner: { name: pool.name, uid: pool.uid }, desiredImage: imageA, desiredImageState: "Staged" },
    });
    expect(await readNode(at(), "w2")).toMatchObject({ node: { providerId: null }, bootcNode: null });
    expect(await readNode(at(), "w3")).toMatchObject({ node: null, bootcNode: { owner: null } });
  });

  test.for([
    { status: "True", ready: true },
    { status: "False", ready: false },
    { status: "Unknown", ready: false },
  ])("a Node whose Ready condition is $status", async ({ status, ready }) => {
    await makeNode(at());
    await setReady(at(), "w1", status);
    expect((await readNode(at(), "w1")).node).toMatchObject({ ready });
  });

  test("an outline has of a Node what its metadata says, and the BootcNode whole", async () => {
    const annotations = { "pawl.dev/cordoned-for": "workers" };
    await makeNode(at(), "w1", { labels: { role: "worker" }, annotations }, { providerID: "i-1", unschedulable: true });
    await setReady(at(), "w1", "False");
    await makeBootcNode(at(), "w1", { status: { booted: { image: imageB, imageDigest: digestB } } });
    const whole = await readNode(at(), "w1");
    const outline = (await at().pools.nodes("outline")).find(({ name }) => name === whole.name);
    expect(whole.node).toMatchObject({ cordonedFor: "workers", unschedulable: true, ready: false, providerId: "i-1" });
    const unknown = { unschedulable: false, ready: true, providerId: null };
    expect(outline).toEqual({ ...whole, node: { ...whole.node, ...unknown } });
  });

  test("of the cordoned Nodes there are no others, each whole and with its BootcNode", async () => {
    await makeNode(at(), "w1", { labels: { role: "worker" } }, { providerID: "i-1", unschedulable: true });
    await makeNode(at(), "w2");
    for (const name of ["w1", "w2", "w3"]) await makeBootcNode(at(), name);
    const own = (await at().pools.nodes("cordoned")).filter(({ name }) => name.startsWith(at().named("")));
    expect(own).toEqual([await readNode(at(), "w1")]);
  });

  test("what the agent says is read from the status, and what Pawl remembers from annotations", async () => {
    const idle = { type: "Idle", status: "False", reason: "Staged", message: "waits" };
    const degraded = { type: "Degraded", status: "True", reason: "Error", message: "stage failed" };
    const annotations = {
      "bootc.dev/in-reboot-slot": "",
      "bootc.dev/was-cordoned": "false",
      "pawl.dev/slot-taken": "2026-11-20T11:00:00Z",
      "pawl.dev/image-asked": "2026-11-20T10:00:00Z",
      "pawl.dev/told": "Staged",
    };
    const status = {
      booted: { image: imageA, imageDigest: digestA, version: "9.4", softRebootCapable: true },
      staged: { image: imageB, imageDigest: digestB },
      conditions: [idle, degraded],
    };
    await makeBootcNode(at(), "w1", { spec: { desiredImageState: "Booted" }, status, metadata: { annotations } });
    expect((await readNode(at(), "w1")).bootcNode).toMatchObject({
      desiredImageState: "Booted",
      bootedDigest: digestA,
      stagedDigest: digestB,
      rollbackDigest: null,
      isObserved: true,
      idle: { activity: "Staged" },
      error: "stage failed",
      told: "Staged",
      askedAt: new Date("2026-11-20T10:00:00Z"),
      slot: { wasCordoned: false, takenAt: new Date("2026-11-20T11:00:00Z"), nodeUid: null, approvedAt: null },
    });
  });

  test("what was told of a node is remembered, whatever else was written since", async () => {
    await makeNode(at());
    await makeBootcNode(at());
    const node = await readNode(at(), "w1");
    await patch(at(), `/apis/node.bootc.dev/v1alpha1/bootcnodes/${node.name}`, { spec: { desiredImage: imageB } });
    await at().pools.remember(node, "Staging");
    expect((await readNode(at(), "w1")).bootcNode).toMatchObject({ told: "Staging", desiredImage: imageB });
    await at().request("DELETE", `/apis/node.bootc.dev/v1alpha1/bootcnodes/${node.name}`);
    await at().pools.remember(node, "Staged");
    expect(await readNode(at(), "w1")).toMatchObject({ bootcNode: null });
    await at().pools.remember(await readNode(at(), "w1"), "Staged");
    expect(await look(at(), `${nodesPath}/${node.name}`)).not.toBeNull();
  });
}
