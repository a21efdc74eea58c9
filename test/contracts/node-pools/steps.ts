import { expect, test } from "vitest";
import type { NodeWrite } from "../../../functions/ports/node-pools.ts";
import { type At, bootcNodesPath, look, nodesPath, patch, readNode, write } from "./bench.ts";
import { digestB, imageA, imageB, makeBootcNode, makeNode, makePool, ownedBy } from "./fixtures.ts";
import { bootcNodeWrites, nodeWrites } from "./step-cases.ts";

/** What each step writes, and that it writes nothing on what has changed. */
export function steps(at: At): void {
  test.for(nodeWrites)("$step.kind is one write to the Node: $what", async ({ step, from, spec, written }) => {
    const pool = await makePool(at());
    await makeNode(at(), "w1", from, spec);
    const after = await write(at(), pool, "w1", step);
    const object = await look(at(), `${nodesPath}/${at().named("w1")}`);
    expect(object).toMatchObject(written(pool.name));
    expect(after).toEqual(await readNode(at(), "w1"));
  });

  test.for(bootcNodeWrites)("$step.kind is one write to the BootcNode: $what", async ({ step, from, written }) => {
    const pool = await makePool(at());
    await makeBootcNode(at(), "w1", from);
    const after = await write(at(), pool, "w1", step);
    const object = await look(at(), `${bootcNodesPath}/${at().named("w1")}`);
    const { annotations = {} } = object?.metadata ?? {};
    expect({ spec: object?.spec, annotations }).toEqual(written);
    expect(after).toEqual(await readNode(at(), "w1"));
  });

  test("create makes a BootcNode that the pool owns", async () => {
    const pool = await makePool(at());
    await makeNode(at());
    const asks = { image: imageB, pullSecretRef: { name: "pull", namespace: "shop" }, pullSecretHash: "sha256:1" };
    const { bootcNode } = await at().pools.write(pool, await readNode(at(), "w1"), { kind: "create", asks });
    expect(bootcNode).toEqual((await readNode(at(), "w1")).bootcNode);
    expect(bootcNode).toMatchObject({
      owner: { name: pool.name, uid: pool.uid },
      desiredImage: imageB,
      desiredImageState: "Staged",
      pullSecretRef: asks.pullSecretRef,
      pullSecretHash: "sha256:1",
      askedAt: at().now,
      slot: null,
      bootedDigest: null,
      generation: 1,
    });
    const { metadata } = (await look(at(), `${bootcNodesPath}/${at().named("w1")}`)) ?? {};
    expect(metadata).toMatchObject({ ownerReferences: [{ controller: true, blockOwnerDeletion: false }] });
  });

  test("create is a Conflict where there is one of the name, which stays as it is", async () => {
    const pool = await makePool(at());
    const path = `${bootcNodesPath}/${at().named("w1")}`;
    const joining = await readNode(at(), "w1");
    await makeBootcNode(at());
    const before = await look(at(), path);
    const step: NodeWrite = { kind: "create", asks: { image: imageB, pullSecretRef: null, pullSecretHash: null } };
    await expect(at().pools.write(pool, joining, step)).rejects.toMatchObject({ name: "Conflict" });
    expect(await look(at(), path)).toEqual(before);
  });

  test("delete takes the BootcNode away, once and for all", async () => {
    const pool = await makePool(at());
    await makeNode(at());
    await makeBootcNode(at(), "w1", { metadata: { ownerReferences: ownedBy(pool) } });
    const node = await readNode(at(), "w1");
    expect(await at().pools.write(pool, node, { kind: "delete" })).toEqual({ ...node, bootcNode: null });
    expect(await look(at(), `${bootcNodesPath}/${at().named("w1")}`)).toBeNull();
    expect(await at().pools.write(pool, node, { kind: "delete" })).toMatchObject({ bootcNode: null });
  });

  test("delete leaves another BootcNode of the name", async () => {
    const pool = await makePool(at());
    await makeBootcNode(at());
    const before = await readNode(at(), "w1");
    await at().request("DELETE", `${bootcNodesPath}/${at().named("w1")}`);
    await makeBootcNode(at(), "w1", { status: { booted: { image: imageB, imageDigest: digestB } } });
    await at().pools.write(pool, before, { kind: "delete" });
    expect((await readNode(at(), "w1")).bootcNode).toMatchObject({ bootedDigest: digestB });
  });

  test.for([...nodeWrites, ...bootcNodeWrites])(
    "$step.kind is a Conflict where somebody has written since, and writes nothing: $what",
    async ({ step }) => {
      const pool = await makePool(at());
      await makeNode(at());
      await makeBootcNode(at());
      const stale = await readNode(at(), "w1");
      const paths = [`${nodesPath}/${at().named("w1")}`, `${bootcNodesPath}/${at().named("w1")}`];
      for (const path of paths) await patch(at(), path, { metadata: { annotations: { "example.com/other": "hand" } } });
      const before = await readNode(at(), "w1");
      await expect(at().pools.write(pool, stale, step)).rejects.toMatchObject({ name: "Conflict" });
      expect(await readNode(at(), "w1")).toEqual(before);
    },
  );

  test.for([...nodeWrites, ...bootcNodeWrites])("$step.kind of what is gone: $whenGone", async ({ step, whenGone }) => {
    const pool = await makePool(at());
    await makeNode(at());
    await makeBootcNode(at());
    const stale = await readNode(at(), "w1");
    for (const path of [nodesPath, bootcNodesPath]) await at().request("DELETE", `${path}/${at().named("w1")}`);
    const outcome = await at()
      .pools.write(pool, stale, step)
      .then(
        ({ node, bootcNode }) => (node === null || bootcNode === null ? "done" : "there"),
        (error: Error) => error.name,
      );
    expect(outcome).toBe(whenGone);
  });

  test("a step for what was gone when it was read is the same", async () => {
    const pool = await makePool(at());
    const gone = { name: at().named("w1"), node: null, bootcNode: null };
    expect(await at().pools.write(pool, gone, { kind: "unlabel" })).toEqual(gone);
    expect(await at().pools.write(pool, gone, { kind: "free-slot" })).toEqual(gone);
    expect(await at().pools.write(pool, gone, { kind: "delete" })).toEqual(gone);
    await expect(at().pools.write(pool, gone, { kind: "approve" })).rejects.toMatchObject({ name: "Conflict" });
  });

  test("an ask without a secret takes the former secret away", async () => {
    const pool = await makePool(at());
    const pullSecretRef = { name: "pull", namespace: "shop" };
    await makeBootcNode(at(), "w1", { spec: { pullSecretRef, pullSecretHash: "sha256:1" } });
    const asks = { image: imageA, pullSecretRef: null, pullSecretHash: null };
    const step: NodeWrite = { kind: "ask", asks, isNewImage: false, state: "Staged" };
    const { bootcNode } = await write(at(), pool, "w1", step);
    expect(bootcNode).toMatchObject({ pullSecretRef: null, pullSecretHash: null });
  });
}
