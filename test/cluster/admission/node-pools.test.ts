import { expect, test } from "vitest";
import { claimAnnotation, poolFinalizer } from "../../../functions/domain/node-pool/pool/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, type Groups, updateDenial } from "./admission.ts";
import { testDeniedChanges } from "./cases.ts";
import { pool, type PoolSample } from "./pool-samples.ts";
import { changed } from "./samples.ts";

const resource = "bootcnodepools.node.bootc.dev";

function update(before: PoolSample, after: PoolSample, groups: Groups = "pawl:node-updaters"): Promise<string | null> {
  return updateDenial(resource, groups, before, after);
}

const claimed = changed(pool, ({ metadata }) => {
  metadata.annotations = { ...metadata.annotations, [claimAnnotation]: "workers-1" };
  metadata.finalizers = [...(metadata.finalizers ?? []), poolFinalizer];
});

describeOnRealCluster("the policy pawl-node-pools", () => {
  test("lets node-updaters add and remove the claim and the finalizer", async () => {
    expect(await update(pool, claimed)).toBeNull();
    expect(await update(claimed, pool)).toBeNull();
  });

  test("lets them add the claim if there are neither annotations nor finalizers", async () => {
    const bare = changed(pool, ({ metadata }) => {
      delete metadata.annotations;
      delete metadata.finalizers;
    });
    const claimedBare = changed(bare, ({ metadata }) => {
      metadata.annotations = { [claimAnnotation]: "workers-1" };
      metadata.finalizers = [poolFinalizer];
    });
    expect(await update(bare, claimedBare)).toBeNull();
    expect(await update(claimedBare, bare)).toBeNull();
  });

  const spec = "pawl-node-pools: spec change denied";
  const metadata = "pawl-node-pools: metadata change denied";
  const finalizers = "pawl-node-pools: finalizer change denied";

  testDeniedChanges({ resource, sample: pool, groups: ["pawl:node-updaters"] }, [
    { change: "image", message: spec, edit: (it) => void (it.spec["image"] = { ref: "x" }) },
    { change: "rollout.paused", message: spec, edit: (it) => void (it.spec["rollout"] = { paused: true }) },
    { change: "a field added", message: spec, edit: (it) => void (it.spec["dependsOn"] = ["other"]) },
    {
      change: "another annotation",
      message: metadata,
      edit: (it) => void (it.metadata.annotations = { "team.example/owner": "me" }),
    },
    {
      change: "another annotation of Pawl",
      message: metadata,
      edit: (it) => void (it.metadata.annotations = { ...it.metadata.annotations, "pawl.dev/emitted-events": "x" }),
    },
    { change: "labels", message: metadata, edit: (it) => void (it.metadata.labels = { a: "b" }) },
    {
      change: "another finalizer removed",
      message: finalizers,
      edit: (it) => void (it.metadata.finalizers = []),
    },
    {
      change: "another finalizer added",
      message: finalizers,
      edit: (it) => void it.metadata.finalizers?.push("a.example/b"),
    },
  ]);

  test.for(["pawl:pollers", "pawl:recorders", "pawl:drainers", "pawl:node-agents"])(
    "lets not %s update a pool",
    async (group) => {
      expect(await update(pool, claimed, [group, anything])).toBe(
        "pawl-node-pools: update denied; only the group pawl:node-updaters may update BootcNodePools",
      );
    },
  );
});
