import { CustomObjectsApi } from "@kubernetes/client-node";
import { beforeAll, describe, expect, test } from "vitest";
import { createClusterScopedApi } from "../../../functions/adapters/kubernetes/cluster-scoped.ts";
import { poolResource } from "../../../functions/adapters/kubernetes/node-pools/resources.ts";
import { createRequestOptions } from "../../../functions/adapters/kubernetes/requests.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { createDenial, updateDenial } from "./admission.ts";
import { bootcNode, owner, pool, type PoolSample } from "./pool-samples.ts";
import { changed } from "./samples.ts";

const nodes = "bootcnodes.node.bootc.dev";
const statuses = "bootcnodepools/status.node.bootc.dev";
const updaters = "pawl:node-updaters";
const hex = (letter: string) => `sha256:${letter.repeat(64)}`;
const os = (letter: string) => `quay.io/example/os@${hex(letter)}`;
const [target, previous, good, running, forged] = [os("b"), os("c"), os("1"), os("d"), os("e")];
const foreign = `evil.example/os@${hex("b")}`;
const status = {
  targetDigest: hex("b"),
  targetRef: "quay.io/example/os:stable",
  lastKnownGoodImage: good,
  rollbackImage: previous,
};

/** A BootcNode that runs `running`, and an owner that exists. */
type Owned = PoolSample & { readonly status: object };

async function createOwned(name: string, ref: string, poolStatus?: object): Promise<Owned> {
  const api = createClusterScopedApi(realKubeConfig().makeApiClient(CustomObjectsApi), createRequestOptions());
  const spec = { nodeSelector: { matchLabels: { pool: name } }, image: { ref } };
  const { metadata } = await api.create<{ metadata: { uid: string } }>(poolResource, { metadata: { name }, spec });
  if (poolStatus !== undefined) await api.patch(poolResource, name, { status: poolStatus }, "status");
  const ownerReferences = [{ ...owner, name, uid: metadata.uid, controller: true }];
  const booted = { image: "quay.io/example/os:1", imageDigest: hex("d") };
  return { ...bootcNode, metadata: { ...bootcNode.metadata, name, ownerReferences }, status: { booted } };
}

function request(before: Owned, desiredImage: string): Promise<string | null> {
  const after = changed(before, (it) => void (it.spec["desiredImage"] = desiredImage));
  return updateDenial(nodes, updaters, before, after);
}

function create(sample: Owned, desiredImage: string): Promise<string | null> {
  const { status: _, ...object } = changed(sample, (it) => void (it.spec["desiredImage"] = desiredImage));
  return createDenial(nodes, updaters, object);
}

describeOnRealCluster("the policy pawl-node-images", () => {
  let byTag: Owned;
  let byDigest: Owned;
  let unresolved: Owned;

  beforeAll(async () => {
    byTag = await createOwned("images-by-tag", status.targetRef, status);
    byDigest = await createOwned("images-by-digest", `quay.io/example/os:stable@${hex("b")}`, {
      ...status,
      targetDigest: hex("e"),
    });
    unresolved = await createOwned("images-unresolved", status.targetRef);
    // The API server reads pools from a cache.
    for (const one of [byTag, byDigest, unresolved])
      await eventually("the pool is in its cache", async () => (await create(one, forged)) !== null);
    await eventually("its status is too", async () => (await create(byTag, target)) === null);
  });

  test("lets updaters request only images of the pool", async () => {
    for (const image of [target, previous, good]) {
      expect(await create(byTag, image), image).toBeNull();
      expect(await request(byTag, image), image).toBeNull();
      expect(await create(byDigest, image), image).toBeNull();
    }
    expect(await request(byTag, running)).toBeNull();
    expect(await create(byTag, running)).toMatch(/^pawl-node-images: /);
    for (const image of [forged, foreign, "quay.io/example/os:stable", `quay.io/example/other@${hex("b")}`])
      for (const one of [byTag, byDigest])
        expect(await request(one, image)).toBe(
          `pawl-node-images: desiredImage ${image} denied; only the target of BootcNodePool ${String(one.metadata["name"])}, an image that its status records as good, or the one that the node runs may be requested or booted`,
        );
  });

  test("denies every image but the running one before the tag of a pool was resolved", async () => {
    expect(await create(unresolved, target)).toMatch(/^pawl-node-images: /);
    expect(await request(unresolved, running)).toBeNull();
  });

  test("lets drainers approve only an image of the pool, and everything else of such a node pass", async () => {
    const wrong = changed(byTag, (it) => void (it.spec["desiredImage"] = forged));
    const approve = (before: Owned) =>
      updateDenial(
        nodes,
        "pawl:drainers",
        before,
        changed(before, (it) => void (it.spec["desiredImageState"] = "Booted")),
      );
    expect(await approve(byTag)).toBeNull();
    expect(await approve(wrong)).toMatch(/^pawl-node-images: /);
    const release = changed(wrong, ({ metadata }) => void delete metadata.annotations?.["bootc.dev/in-reboot-slot"]);
    expect(await updateDenial(nodes, updaters, wrong, release)).toBeNull();
    const approved = changed(wrong, (it) => void (it.spec["desiredImageState"] = "Booted"));
    const revoked = changed(approved, (it) => void (it.spec["desiredImageState"] = "Staged"));
    expect(await updateDenial(nodes, updaters, approved, revoked)).toBeNull();
  });
});

describeOnRealCluster("the policy pawl-node-pool-targets", () => {
  const before = { ...pool, status };
  const update = (changes: object, sample: typeof before = before) =>
    updateDenial(statuses, updaters, sample, { ...sample, status: { ...sample.status, ...changes } });

  describe("denies node-updaters to choose an image by the status of a pool", () => {
    test.for([
      {
        changes: { targetDigest: hex("e") },
        message: "targetDigest or targetRef denied; only the group pawl:recorders",
      },
      { changes: { targetRef: "quay.io/example/os:other" }, message: "targetDigest or targetRef denied" },
      { changes: { lastKnownGoodImage: forged }, message: "lastKnownGoodImage denied; only the target" },
      { changes: { rollbackImage: forged }, message: "rollbackImage denied; only the last known good image" },
      { changes: { rollbackImage: target }, message: "rollbackImage denied" },
    ])("$message", async ({ changes, message }) => {
      expect(await update(changes)).toContain(`pawl-node-pool-targets: change of ${message}`);
    });
  });

  test("allows what a rollout records, and recorders to resolve a tag", async () => {
    const changes = [
      { lastKnownGoodImage: target, rollbackImage: good },
      { lastKnownGoodImage: previous },
      { deployedDigest: hex("b"), nodeCount: 1 },
    ];
    for (const one of changes) expect(await update(one)).toBeNull();
    const resolved = { ...before, status: { ...status, targetDigest: hex("e") } };
    expect(await updateDenial(statuses, "pawl:recorders", before, resolved)).toBeNull();
    const byDigest = { ...before, spec: { ...pool.spec, image: { ref: `quay.io/example/os:1@${hex("e")}` } } };
    const { ref: targetRef } = byDigest.spec.image;
    expect(await update({ targetDigest: hex("e"), targetRef }, byDigest)).toBeNull();
    expect(await update({ targetDigest: hex("f"), targetRef }, byDigest)).toContain("targetDigest or targetRef denied");
  });
});
