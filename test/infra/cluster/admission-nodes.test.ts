import { describe, expect, test } from "vitest";
import { refusals } from "./admission.ts";
import { node, type PoolSample } from "./admission-pool-samples.ts";
import { changed } from "./admission-samples.ts";

type Edit = (copy: PoolSample) => void;

const updaters = "pawl:node-updaters";
const mark = "pawl.dev/cordoned-for";
const cordoned = changed(node, ({ spec }) => void (spec["unschedulable"] = true));
const taken = changed(
  cordoned,
  ({ metadata }) => void (metadata.annotations = { ...metadata.annotations, [mark]: "workers" }),
);
const markedOnly = changed(taken, ({ spec }) => void delete spec["unschedulable"]);

function ask(oldObject: object, object: object, group = updaters): readonly string[] {
  return refusals({
    operation: "UPDATE",
    resource: "nodes",
    groups: ["system:authenticated", group],
    oldObject,
    object,
  });
}

describe("the cordon of a Node", () => {
  test.for([
    { what: "is set together with the mark", from: node, to: taken },
    { what: "is set once more where the mark still stands", from: markedOnly, to: taken },
    { what: "is taken away together with the mark", from: taken, to: node },
    { what: "is left, and the mark taken away", from: taken, to: cordoned },
    { what: "was taken away by somebody, and the mark goes", from: markedOnly, to: node },
    { what: "is left as it is", from: cordoned, to: cordoned },
  ])("$what", ({ from, to }) => {
    expect(ask(from, to)).toEqual([]);
  });

  const explicit = changed(node, ({ spec }) => void (spec["unschedulable"] = false));
  const ofOthers = changed(taken, ({ metadata }) => void (metadata.annotations = { [mark]: "infra" }));
  const renamed = changed(
    taken,
    ({ metadata }) => void (metadata.annotations = { ...metadata.annotations, [mark]: "infra" }),
  );

  test.for([
    { what: "that somebody else has set is not taken away", from: cordoned, to: node, because: "may uncordon no Node" },
    { what: "nor is it in so many words", from: cordoned, to: explicit, because: "may uncordon no Node" },
    { what: "that somebody else has set gets no mark", from: cordoned, to: taken, because: "put its mark" },
    { what: "does not go without the mark", from: taken, to: markedOnly, because: "may uncordon no Node" },
    { what: "is not set without the mark", from: node, to: cordoned, because: "may cordon no Node" },
    { what: "is what a mark comes with", from: node, to: markedOnly, because: "put its mark" },
    { what: "keeps its mark", from: taken, to: renamed, because: "put its mark" },
    {
      what: "is no reason to touch another annotation",
      from: taken,
      to: ofOthers,
      because: "may change no annotation",
    },
  ])("$what", ({ from, to, because }) => {
    expect(ask(from, to)).toContainEqual(expect.stringContaining(because));
    expect(ask(from, to, "shop:owners")).toEqual([]);
  });
});

describe("of a Node", () => {
  const label =
    (labels: Record<string, string>): Edit =>
    ({ metadata }) =>
      void (metadata.labels = { ...metadata.labels, ...labels });

  test("the label for the agent is set and taken away", () => {
    const labelled = changed(node, label({ "bootc.dev/managed": "" }));
    expect([ask(node, labelled), ask(labelled, node)]).toEqual([[], []]);
  });

  test("what the server itself writes is not held against Pawl", () => {
    expect(
      ask(
        node,
        changed(node, ({ metadata }) => void Object.assign(metadata, { generation: 4, managedFields: [] })),
      ),
    ).toEqual([]);
  });

  test.for<{ what: string; because: string; edit: Edit }>([
    { what: "another label", because: "no label", edit: label({ "topology.kubernetes.io/zone": "x" }) },
    { what: "a label of its role", because: "no label", edit: label({ "node-role.kubernetes.io/worker": "no" }) },
    { what: "labels taken away", because: "no label", edit: ({ metadata }) => void delete metadata.labels },
    {
      what: "an annotation",
      because: "no annotation",
      edit: ({ metadata }) => void (metadata.annotations = { "pawl.dev/x": "" }),
    },
    {
      what: "annotations taken away",
      because: "no annotation",
      edit: ({ metadata }) => void delete metadata.annotations,
    },
    { what: "finalizers", because: "no metadata", edit: ({ metadata }) => void delete metadata.finalizers },
    { what: "owners", because: "no metadata", edit: ({ metadata }) => void (metadata["ownerReferences"] = []) },
    { what: "a taint added", because: "spec but unschedulable", edit: ({ spec }) => void (spec["taints"] = []) },
    { what: "taints taken away", because: "spec but unschedulable", edit: ({ spec }) => void delete spec["taints"] },
    { what: "its machine", because: "spec but unschedulable", edit: ({ spec }) => void (spec["providerID"] = "x") },
    { what: "a field added", because: "spec but unschedulable", edit: ({ spec }) => void (spec["configSource"] = {}) },
  ])("Pawl leaves alone: $what", ({ edit, because }) => {
    expect(ask(node, changed(node, edit))).toEqual([expect.stringContaining(because)]);
    expect(ask(node, changed(node, edit), "shop:owners")).toEqual([]);
  });

  test.for(["pawl:pollers", "pawl:recorders", "pawl:updaters", "pawl:analysts", "pawl:drainers", "pawl:node-agents"])(
    "%s changes nothing at all",
    (group) => {
      expect(ask(node, taken, group)).toEqual(["only pawl:node-updaters may change a Node"]);
    },
  );
});
