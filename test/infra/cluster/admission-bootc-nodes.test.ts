import { describe, expect, test } from "vitest";
import { slotAnnotations } from "../../../functions/domain/node-pool/names.ts";
import { refusals } from "./admission.ts";
import { bootcNode, owner, type PoolSample, runs, wanted } from "./admission-pool-samples.ts";
import { changed } from "./admission-samples.ts";

type Edit = (copy: PoolSample) => void;

const resource = "bootcnodes.node.bootc.dev";
const groups = ["pawl:node-updaters", "pawl:drainers", "pawl:node-agents"] as const;
const others = ["pawl:pollers", "pawl:recorders", "pawl:updaters"] as const;

function ask(group: string, edit: Edit, oldObject = bootcNode): readonly string[] {
  return refusals({ operation: "UPDATE", resource, groups: [group], oldObject, object: changed(oldObject, edit) });
}

const write =
  (key: string): Edit =>
  ({ metadata }) =>
    void (metadata.annotations = { ...metadata.annotations, [key]: "new" });
const say =
  (spec: object): Edit =>
  (it) =>
    void Object.assign(it.spec, spec);
const approve = say({ desiredImageState: "Booted" });

describe("the annotation", () => {
  const { command, drainSince, approvedAt } = slotAnnotations;
  const writers = (key: string): readonly string[] => {
    if (key === command) return ["pawl:node-agents"];
    return key === drainSince || key === approvedAt ? ["pawl:node-updaters", "pawl:drainers"] : ["pawl:node-updaters"];
  };

  test.for(Object.values(slotAnnotations))("%s is written by its own group, and by no other", (key) => {
    for (const group of [...groups, ...others]) {
      const refused = [`this group of Pawl may not change these annotations of a BootcNode: ${key}`];
      expect(ask(group, write(key))).toEqual(writers(key).includes(group) ? [] : refused);
    }
    const before = changed(bootcNode, write(key));
    for (const group of writers(key))
      expect(ask(group, ({ metadata }) => void delete metadata.annotations?.[key], before)).toEqual([]);
  });

  test.for(["team.example/owner", "pawl.dev/execution", "xpawl.dev/told"])("%s is not Pawl's", (key) => {
    for (const group of groups) expect(ask(group, write(key))).toHaveLength(1);
    expect(ask("shop:owners", write(key))).toEqual([]);
  });
});

describe("a node is let reboot", () => {
  const free = changed(bootcNode, ({ metadata }) => void delete metadata.annotations?.["bootc.dev/in-reboot-slot"]);
  const approved = changed(bootcNode, approve);
  const only = "only pawl:drainers may let a node reboot, and only one that holds a slot";

  test("by a drainer, in its slot", () => {
    expect(ask("pawl:drainers", approve)).toEqual([]);
    expect(ask("pawl:drainers", approve, free)).toEqual([only]);
  });

  test("by nobody else", () => {
    expect(ask("pawl:node-updaters", approve)).toEqual([only]);
    expect(ask("pawl:node-agents", approve)).toContain(only);
  });

  test("into what it has been asked for before, and not into another image", () => {
    const both = say({ desiredImage: runs, desiredImageState: "Booted" });
    expect(ask("pawl:drainers", both)).toHaveLength(2);
    expect(ask("pawl:node-updaters", say({ desiredImage: runs }), approved)).toEqual([
      "Pawl may let no node reboot into an image that it is just asked for",
    ]);
  });

  test("until that is called off, or another image asked for", () => {
    expect(ask("pawl:node-updaters", say({ desiredImageState: "Staged" }), approved)).toEqual([]);
    expect(ask("pawl:node-updaters", say({ desiredImage: runs, desiredImageState: "Staged" }), approved)).toEqual([]);
    expect(ask("pawl:node-updaters", say({ pullSecretHash: "sha256:1" }), approved)).toEqual([]);
  });
});

describe("the spec", () => {
  const secret = { pullSecretRef: { name: "a", namespace: "b" }, pullSecretHash: "sha256:1" };

  test("is asked of a node by an updater alone", () => {
    for (const edit of [say({ desiredImage: runs }), say(secret)]) {
      expect(ask("pawl:node-updaters", edit)).toEqual([]);
      for (const group of ["pawl:drainers", "pawl:node-agents", ...others])
        expect(ask(group, edit)).toEqual([
          "this group of Pawl may change nothing of a BootcNode's spec but its own part",
        ]);
    }
    expect(ask("pawl:node-updaters", say({ kernelArguments: [] }))).toHaveLength(1);
  });

  test.for<{ what: string; edit: Edit }>([
    { what: "a label", edit: ({ metadata }) => void (metadata.labels = { a: "b" }) },
    { what: "a finalizer", edit: ({ metadata }) => void (metadata.finalizers = ["a.example/b"]) },
    { what: "its owner", edit: ({ metadata }) => void (metadata["ownerReferences"] = []) },
    { what: "a field beside it", edit: (it) => void Object.assign(it, { data: {} }) },
  ])("is all that there is besides annotations: not $what", ({ edit }) => {
    for (const group of groups)
      expect(ask(group, edit)).toEqual(["Pawl may change no metadata of a BootcNode but annotations"]);
  });

  test("is whosever part it is for a user that is in all groups", () => {
    const all = (edit: Edit) =>
      refusals({ operation: "UPDATE", resource, groups, oldObject: bootcNode, object: changed(bootcNode, edit) });
    for (const edit of [approve, say({ desiredImage: runs }), write(slotAnnotations.command)])
      expect(all(edit)).toEqual([]);
  });
});

describe("a BootcNode", () => {
  const made = (ownerReferences: readonly object[] | undefined, desiredImageState = "Staged") => ({
    metadata: { name: "worker-1", ...(ownerReferences === undefined ? {} : { ownerReferences }) },
    spec: { desiredImage: wanted, desiredImageState },
  });
  const creating = (object: object) =>
    refusals({ operation: "CREATE", resource, groups: ["pawl:node-updaters"], oldObject: null, object });
  const deleting = (oldObject: object) =>
    refusals({ operation: "DELETE", resource, groups: ["pawl:node-updaters"], oldObject, object: null });

  test("of a pool is made and taken away", () => {
    expect([creating(made([owner])), deleting(made([owner])), deleting(made([owner], "Booted"))]).toEqual([[], [], []]);
  });

  test("of anybody else is neither", () => {
    for (const it of [
      made(undefined),
      made([]),
      made([{ ...owner, kind: "Machine" }]),
      made([{ ...owner, apiVersion: "v1" }]),
    ])
      expect([creating(it).length, deleting(it).length]).toEqual([1, 1]);
  });

  test("is made without leave to reboot", () => {
    expect(creating(made([owner], "Booted"))).toEqual(["Pawl may create no BootcNode with leave to reboot"]);
  });
});
