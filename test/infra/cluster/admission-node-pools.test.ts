import { describe, expect, test } from "vitest";
import { claimAnnotation, poolFinalizer } from "../../../functions/domain/node-pool/names.ts";
import { refusals } from "./admission.ts";
import { pool, type PoolSample } from "./admission-pool-samples.ts";
import { changed } from "./admission-samples.ts";

type Edit = (copy: PoolSample) => void;

function ask(oldObject: object, object: object, group = "pawl:node-updaters"): readonly string[] {
  return refusals({
    operation: "UPDATE",
    resource: "bootcnodepools.node.bootc.dev",
    groups: [group],
    oldObject,
    object,
  });
}

const claimed = changed(pool, ({ metadata }) => {
  metadata.annotations = { ...metadata.annotations, [claimAnnotation]: "workers-1" };
  metadata.finalizers = [...(metadata.finalizers ?? []), poolFinalizer];
});

describe("a BootcNodePool", () => {
  test("is claimed, held, and let go again", () => {
    expect([ask(pool, claimed), ask(claimed, pool)]).toEqual([[], []]);
  });

  test("is claimed where it has neither annotations nor finalizers", () => {
    const bare = changed(pool, ({ metadata }) => {
      delete metadata.annotations;
      delete metadata.finalizers;
    });
    const held = changed(bare, ({ metadata }) => {
      metadata.annotations = { [claimAnnotation]: "workers-1" };
      metadata.finalizers = [poolFinalizer];
    });
    expect([ask(bare, held), ask(held, bare)]).toEqual([[], []]);
  });

  test.for<{ what: string; because: string; edit: Edit }>([
    { what: "what is to run", because: "not change the spec", edit: ({ spec }) => void (spec["image"] = { ref: "x" }) },
    { what: "a pause", because: "not change the spec", edit: ({ spec }) => void (spec["rollout"] = { paused: true }) },
    { what: "a field added", because: "not change the spec", edit: ({ spec }) => void (spec["dependsOn"] = []) },
    {
      what: "all of it",
      because: "not change the spec",
      edit: (it) => void delete (it as Partial<{ spec: object }>).spec,
    },
    {
      what: "another annotation",
      because: "no metadata",
      edit: ({ metadata }) => void (metadata.annotations = { "team.example/owner": "me" }),
    },
    {
      what: "another annotation of Pawl's",
      because: "no metadata",
      edit: ({ metadata }) => void (metadata.annotations = { ...metadata.annotations, "pawl.dev/told": "x" }),
    },
    { what: "a label", because: "no metadata", edit: ({ metadata }) => void (metadata.labels = { a: "b" }) },
    { what: "another's finalizer", because: "no finalizer", edit: ({ metadata }) => void (metadata.finalizers = []) },
    {
      what: "another finalizer",
      because: "no finalizer",
      edit: ({ metadata }) => void metadata.finalizers?.push("a.example/b"),
    },
  ])("keeps $what", ({ edit, because }) => {
    expect(ask(pool, changed(pool, edit))).toEqual([expect.stringContaining(because)]);
    expect(ask(pool, changed(pool, edit), "shop:owners")).toEqual([]);
  });

  test.for(["pawl:pollers", "pawl:recorders", "pawl:drainers", "pawl:node-agents"])("is claimed by no %s", (group) => {
    expect(ask(pool, claimed, group)).toEqual(["only pawl:node-updaters may change a BootcNodePool"]);
  });
});
