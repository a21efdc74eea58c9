import { describe, expect, test } from "vitest";
import { bootcNodeAnnotations } from "../../../functions/domain/node-pool/annotations.ts";
import { updateDenials } from "./admission.ts";
import { testDeniedChanges } from "./admission-cases.ts";
import { bootcNode, bootedImage, type PoolSample } from "./admission-pool-samples.ts";
import { changed } from "./admission-samples.ts";

type Edit = (copy: PoolSample) => void;

const resource = "bootcnodes.node.bootc.dev";
const groups = ["pawl:node-updaters", "pawl:drainers", "pawl:node-agents"] as const;
const otherGroups = ["pawl:pollers", "pawl:recorders", "pawl:updaters"] as const;

function update(group: string | readonly string[], edit: Edit, oldObject = bootcNode): readonly string[] {
  return updateDenials(resource, group, oldObject, changed(oldObject, edit));
}

const annotate =
  (key: string): Edit =>
  ({ metadata }) =>
    void (metadata.annotations = { ...metadata.annotations, [key]: "new" });
const setSpec =
  (spec: object): Edit =>
  (it) =>
    void Object.assign(it.spec, spec);
const approve = setSpec({ desiredImageState: "Booted" });

describe("the annotation", () => {
  const { command, drainStartedAt, approvedAt } = bootcNodeAnnotations;
  const writers = (key: string): readonly string[] => {
    if (key === command) return ["pawl:node-agents"];
    return key === drainStartedAt || key === approvedAt
      ? ["pawl:node-updaters", "pawl:drainers"]
      : ["pawl:node-updaters"];
  };

  test.for(Object.values(bootcNodeAnnotations))("%s may be changed by its own groups only", (key) => {
    const denied = `pawl-bootc-nodes: change of ${key} denied; each group may change only its own annotations`;
    for (const group of [...groups, ...otherGroups])
      expect(update(group, annotate(key))).toEqual(writers(key).includes(group) ? [] : [denied]);
    const before = changed(bootcNode, annotate(key));
    for (const group of writers(key))
      expect(update(group, ({ metadata }) => void delete metadata.annotations?.[key], before)).toEqual([]);
  });

  test.for(["team.example/owner", "pawl.dev/execution", "xpawl.dev/emitted-events"])(
    "%s may not be changed by Pawl",
    (key) => {
      for (const group of groups) expect(update(group, annotate(key))).toHaveLength(1);
      expect(update("shop:owners", annotate(key))).toEqual([]);
    },
  );
});

describe("the approval of a reboot", () => {
  const withoutSlot = changed(
    bootcNode,
    ({ metadata }) => void delete metadata.annotations?.["bootc.dev/in-reboot-slot"],
  );
  const approved = changed(bootcNode, approve);
  const denied =
    "pawl-bootc-nodes: reboot approval denied; only the group pawl:drainers may approve a reboot, and only of a node with a reboot slot";

  test("is allowed to drainers, for a node with a slot", () => {
    expect(update("pawl:drainers", approve)).toEqual([]);
    expect(update("pawl:drainers", approve, withoutSlot)).toEqual([denied]);
  });

  test("is denied to other groups", () => {
    expect(update("pawl:node-updaters", approve)).toEqual([denied]);
    expect(update("pawl:node-agents", approve)).toContain(denied);
  });

  test("is denied together with another image", () => {
    const both = setSpec({ desiredImage: bootedImage, desiredImageState: "Booted" });
    expect(update("pawl:drainers", both)).toHaveLength(2);
    expect(update("pawl:node-updaters", setSpec({ desiredImage: bootedImage }), approved)).toEqual([
      "pawl-bootc-nodes: desiredImage change denied; only a node without an approved reboot may get another image",
    ]);
  });

  test("may be revoked, with or without another image", () => {
    const revoke = { desiredImageState: "Staged" };
    expect(update("pawl:node-updaters", setSpec(revoke), approved)).toEqual([]);
    expect(update("pawl:node-updaters", setSpec({ ...revoke, desiredImage: bootedImage }), approved)).toEqual([]);
    expect(update("pawl:node-updaters", setSpec({ pullSecretHash: "sha256:1" }), approved)).toEqual([]);
  });
});

describe("the spec", () => {
  const secret = { pullSecretRef: { name: "a", namespace: "b" }, pullSecretHash: "sha256:1" };

  test("image and pull secret may be changed by updaters only", () => {
    for (const edit of [setSpec({ desiredImage: bootedImage }), setSpec(secret)]) {
      expect(update("pawl:node-updaters", edit)).toEqual([]);
      for (const group of ["pawl:drainers", "pawl:node-agents", ...otherGroups])
        expect(update(group, edit)).toEqual([
          "pawl-bootc-nodes: spec change denied; each group may change only its own fields",
        ]);
    }
    expect(update("pawl:node-updaters", setSpec({ kernelArguments: [] }))).toHaveLength(1);
  });

  const message = "pawl-bootc-nodes: metadata change denied; only annotations may change";

  testDeniedChanges({ resource, sample: bootcNode, groups }, [
    { change: "labels", message, edit: (it) => void (it.metadata.labels = { a: "b" }) },
    { change: "finalizers", message, edit: (it) => void (it.metadata.finalizers = ["a.example/b"]) },
    { change: "ownerReferences", message, edit: (it) => void (it.metadata["ownerReferences"] = []) },
    { change: "an unknown field next to spec", message, edit: (it) => void Object.assign(it, { data: {} }) },
  ]);

  test("a user in all groups may change the fields of each", () => {
    for (const edit of [approve, setSpec({ desiredImage: bootedImage }), annotate(bootcNodeAnnotations.command)])
      expect(update(groups, edit)).toEqual([]);
  });
});
