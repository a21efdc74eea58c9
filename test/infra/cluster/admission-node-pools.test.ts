import { describe, expect, test } from "vitest";
import { claimAnnotation, poolFinalizer } from "../../../functions/domain/node-pool/annotations.ts";
import { updateDenials } from "./admission.ts";
import { testDeniedChanges } from "./admission-cases.ts";
import { pool } from "./admission-pool-samples.ts";
import { changed } from "./admission-samples.ts";

const resource = "bootcnodepools.node.bootc.dev";

function update(oldObject: object, object: object, group = "pawl:node-updaters"): readonly string[] {
  return updateDenials(resource, group, oldObject, object);
}

const claimed = changed(pool, ({ metadata }) => {
  metadata.annotations = { ...metadata.annotations, [claimAnnotation]: "workers-1" };
  metadata.finalizers = [...(metadata.finalizers ?? []), poolFinalizer];
});

describe("a BootcNodePool", () => {
  test("the claim and the finalizer may be added and removed", () => {
    expect([update(pool, claimed), update(claimed, pool)]).toEqual([[], []]);
  });

  test("the claim may be added if there are neither annotations nor finalizers", () => {
    const bare = changed(pool, ({ metadata }) => {
      delete metadata.annotations;
      delete metadata.finalizers;
    });
    const claimedBare = changed(bare, ({ metadata }) => {
      metadata.annotations = { [claimAnnotation]: "workers-1" };
      metadata.finalizers = [poolFinalizer];
    });
    expect([update(bare, claimedBare), update(claimedBare, bare)]).toEqual([[], []]);
  });

  const spec = "pawl-node-pools: spec change denied";
  const metadata = "pawl-node-pools: metadata change denied";
  const finalizers = "pawl-node-pools: finalizer change denied";

  testDeniedChanges({ resource, sample: pool, groups: ["pawl:node-updaters"] }, [
    { change: "image", message: spec, edit: (it) => void (it.spec["image"] = { ref: "x" }) },
    { change: "rollout.paused", message: spec, edit: (it) => void (it.spec["rollout"] = { paused: true }) },
    { change: "a field added", message: spec, edit: (it) => void (it.spec["dependsOn"] = []) },
    { change: "spec removed", message: spec, edit: (it) => void delete (it as Partial<{ spec: object }>).spec },
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

  test.for(["pawl:pollers", "pawl:recorders", "pawl:drainers", "pawl:node-agents"])("%s may not update it", (group) => {
    expect(update(pool, claimed, group)).toEqual([
      "pawl-node-pools: update denied; only the group pawl:node-updaters may update BootcNodePools",
    ]);
  });
});
