import { expect, test } from "vitest";
import type { NodeWrite } from "../../../functions/ports/node-pools.ts";
import { type GetHarness, bootcNodesPath, getObject, nodesPath, patch, readNode, write } from "./harness.ts";
import { digestB, imageA, imageB, createBootcNode, createNode, createPool, ownedBy } from "./fixtures.ts";
import { bootcNodeWrites, nodeWrites } from "./step-cases.ts";

/** The write of each step, and its conflicts. */
export function steps(harness: GetHarness): void {
  test.for(nodeWrites)("$step.kind is one write to the Node: $result", async ({ step, from, spec, expected }) => {
    const pool = await createPool(harness());
    await createNode(harness(), "w1", from, spec);
    const after = await write(harness(), pool, "w1", step);
    const object = await getObject(harness(), `${nodesPath}/${harness().uniqueName("w1")}`);
    expect(object).toMatchObject(expected(pool.name));
    expect(after).toEqual(await readNode(harness(), "w1"));
  });

  test.for(bootcNodeWrites)("$step.kind is one write to the BootcNode: $result", async ({ step, from, expected }) => {
    const pool = await createPool(harness());
    await createBootcNode(harness(), "w1", from);
    const after = await write(harness(), pool, "w1", step);
    const object = await getObject(harness(), `${bootcNodesPath}/${harness().uniqueName("w1")}`);
    const { annotations = {} } = object?.metadata ?? {};
    expect({ spec: object?.spec, annotations }).toEqual(expected);
    expect(after).toEqual(await readNode(harness(), "w1"));
  });

  test("create creates a BootcNode with the pool as its controller", async () => {
    const pool = await createPool(harness());
    await createNode(harness());
    const desired = { image: imageB, pullSecretRef: { name: "pull", namespace: "shop" }, pullSecretHash: "sha256:1" };
    const { bootcNode } = await harness().pools.write(pool, await readNode(harness(), "w1"), {
      kind: "create",
      desired,
    });
    expect(bootcNode).toEqual((await readNode(harness(), "w1")).bootcNode);
    expect(bootcNode).toMatchObject({
      owner: { name: pool.name, uid: pool.uid },
      desiredImage: imageB,
      desiredImageState: "Staged",
      pullSecretRef: desired.pullSecretRef,
      pullSecretHash: "sha256:1",
      requestedAt: harness().now,
      slot: null,
      bootedDigest: null,
      generation: 1,
    });
    const { metadata } = (await getObject(harness(), `${bootcNodesPath}/${harness().uniqueName("w1")}`)) ?? {};
    expect(metadata).toMatchObject({ ownerReferences: [{ controller: true, blockOwnerDeletion: false }] });
  });

  test("create is a Conflict if the BootcNode exists, which stays unchanged", async () => {
    const pool = await createPool(harness());
    const path = `${bootcNodesPath}/${harness().uniqueName("w1")}`;
    const joining = await readNode(harness(), "w1");
    await createBootcNode(harness());
    const before = await getObject(harness(), path);
    const step: NodeWrite = { kind: "create", desired: { image: imageB, pullSecretRef: null, pullSecretHash: null } };
    await expect(harness().pools.write(pool, joining, step)).rejects.toMatchObject({ name: "Conflict" });
    expect(await getObject(harness(), path)).toEqual(before);
  });

  test("delete deletes the BootcNode, and succeeds again", async () => {
    const pool = await createPool(harness());
    await createNode(harness());
    await createBootcNode(harness(), "w1", { metadata: { ownerReferences: ownedBy(pool) } });
    const node = await readNode(harness(), "w1");
    expect(await harness().pools.write(pool, node, { kind: "delete" })).toEqual({ ...node, bootcNode: null });
    expect(await getObject(harness(), `${bootcNodesPath}/${harness().uniqueName("w1")}`)).toBeNull();
    expect(await harness().pools.write(pool, node, { kind: "delete" })).toMatchObject({ bootcNode: null });
  });

  test("delete keeps a recreated BootcNode of the same name", async () => {
    const pool = await createPool(harness());
    await createBootcNode(harness());
    const before = await readNode(harness(), "w1");
    await harness().request("DELETE", `${bootcNodesPath}/${harness().uniqueName("w1")}`);
    await createBootcNode(harness(), "w1", { status: { booted: { image: imageB, imageDigest: digestB } } });
    await harness().pools.write(pool, before, { kind: "delete" });
    expect((await readNode(harness(), "w1")).bootcNode).toMatchObject({ bootedDigest: digestB });
  });

  test.for([...nodeWrites, ...bootcNodeWrites])(
    "$step.kind is a Conflict after another write, and writes nothing: $result",
    async ({ step }) => {
      const pool = await createPool(harness());
      await createNode(harness());
      await createBootcNode(harness());
      const stale = await readNode(harness(), "w1");
      const paths = [`${nodesPath}/${harness().uniqueName("w1")}`, `${bootcNodesPath}/${harness().uniqueName("w1")}`];
      for (const path of paths)
        await patch(harness(), path, { metadata: { annotations: { "example.com/other": "manual" } } });
      const before = await readNode(harness(), "w1");
      await expect(harness().pools.write(pool, stale, step)).rejects.toMatchObject({ name: "Conflict" });
      expect(await readNode(harness(), "w1")).toEqual(before);
    },
  );

  test.for([...nodeWrites, ...bootcNodeWrites])("$step.kind of deleted objects: $ifGone", async ({ step, ifGone }) => {
    const pool = await createPool(harness());
    await createNode(harness());
    await createBootcNode(harness());
    const stale = await readNode(harness(), "w1");
    for (const path of [nodesPath, bootcNodesPath])
      await harness().request("DELETE", `${path}/${harness().uniqueName("w1")}`);
    const outcome = await harness()
      .pools.write(pool, stale, step)
      .then(
        ({ node, bootcNode }) => (node === null || bootcNode === null ? "done" : "there"),
        (error: Error) => error.name,
      );
    expect(outcome).toBe(ifGone);
  });

  test("a step for objects that were missing when they were read has the same result", async () => {
    const pool = await createPool(harness());
    const absent = { name: harness().uniqueName("w1"), node: null, bootcNode: null };
    expect(await harness().pools.write(pool, absent, { kind: "unlabel" })).toEqual(absent);
    expect(await harness().pools.write(pool, absent, { kind: "release-slot" })).toEqual(absent);
    expect(await harness().pools.write(pool, absent, { kind: "delete" })).toEqual(absent);
    await expect(harness().pools.write(pool, absent, { kind: "approve", readyDaemonSets: [] })).rejects.toMatchObject({
      name: "Conflict",
    });
  });

  test("request-image without a pull secret removes the previous one", async () => {
    const pool = await createPool(harness());
    const pullSecretRef = { name: "pull", namespace: "shop" };
    await createBootcNode(harness(), "w1", { spec: { pullSecretRef, pullSecretHash: "sha256:1" } });
    const desired = { image: imageA, pullSecretRef: null, pullSecretHash: null };
    const step: NodeWrite = { kind: "request-image", desired, isNewImage: false, state: "Staged" };
    const { bootcNode } = await write(harness(), pool, "w1", step);
    expect(bootcNode).toMatchObject({ pullSecretRef: null, pullSecretHash: null });
  });
}
