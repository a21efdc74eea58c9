import { describe, expect, test } from "vitest";
import { policies, refusals } from "./admission.ts";
import { changed, claw } from "./admission-samples.ts";

type Claw = typeof claw;
type Edit = (copy: Claw) => void;
const groups = ["pawl:recorders", "pawl:updaters"];

function by(group: string, resource: string, edit: Edit): readonly string[] {
  return refusals({ operation: "UPDATE", resource, groups: [group], oldObject: claw, object: changed(claw, edit) });
}

describe("the spec of a Claw", () => {
  test.for<{ what: string; edit: Edit }>([
    { what: "its runtime", edit: ({ spec }) => void (spec["runtime"] = "nanoclaw") },
    { what: "its policy", edit: ({ spec }) => void (spec["autoUpdate"] = { enabled: false }) },
    { what: "a field added", edit: ({ spec }) => void (spec["image"] = "x") },
    { what: "all of it taken away", edit: (it) => void delete (it as Partial<Claw>).spec },
    { what: "a field beside it", edit: (it) => void Object.assign(it, { data: {} }) },
  ])("may not be changed in $what", ({ edit }) => {
    for (const group of groups) {
      expect(by(group, "claws.claw.prismer.ai", edit)).toEqual([
        expect.stringContaining("nothing of a Claw or StatefulCanary but"),
      ]);
    }
    expect(by("shop:owners", "claws.claw.prismer.ai", edit)).toEqual([]);
  });
});

test("a status that is written meanwhile is not held against Pawl", () => {
  expect(by("pawl:recorders", "claws.claw.prismer.ai", ({ status }) => void (status.phase = "Failed"))).toEqual([]);
});

describe("the status of a Claw", () => {
  const condition = (type: string) => ({ type, status: "True", reason: "UpdateStarted" });

  test.for<{ what: string; edit: Edit }>([
    { what: "bookkeeping", edit: ({ status }) => void (status.autoUpdate = { rollbackCount: 1 }) },
    { what: "bookkeeping, taken away", edit: ({ status }) => void delete status.autoUpdate },
    {
      what: "a condition of Pawl's",
      edit: ({ status }) => void status.conditions?.splice(1, 1, condition("AutoUpdateAvailable")),
    },
    { what: "another of them", edit: ({ status }) => void status.conditions?.push(condition("AutoUpdateInProgress")) },
    { what: "their order", edit: ({ status }) => void status.conditions?.reverse() },
  ])("may be changed in $what", ({ edit }) => {
    for (const group of groups) expect(by(group, "claws/status.claw.prismer.ai", edit)).toEqual([]);
  });

  test.for<{ what: string; edit: Edit; because: string }>([
    { what: "its phase", edit: ({ status }) => void (status.phase = "Failed"), because: "but autoUpdate" },
    { what: "its phase taken away", edit: ({ status }) => void delete status.phase, because: "but autoUpdate" },
    { what: "a field added", edit: ({ status }) => void Object.assign(status, { x: 1 }), because: "but autoUpdate" },
    {
      what: "a condition of others",
      edit: ({ status }) => void status.conditions?.splice(0, 1, condition("Ready")),
      because: "no conditions but",
    },
    {
      what: "a condition of others added",
      edit: ({ status }) => void status.conditions?.push(condition("Synced")),
      because: "no conditions but",
    },
    {
      what: "a condition of others taken away",
      edit: ({ status }) => void status.conditions?.shift(),
      because: "no conditions but",
    },
    {
      what: "all conditions taken away",
      edit: ({ status }) => void delete status.conditions,
      because: "no conditions but",
    },
  ])("may not be changed in $what", ({ edit, because }) => {
    for (const group of groups) {
      expect(by(group, "claws/status.claw.prismer.ai", edit)).toEqual([expect.stringContaining(because)]);
    }
    expect(by("shop:owners", "claws/status.claw.prismer.ai", edit)).toEqual([]);
  });

  test("is written for the first time", () => {
    const { status: _status, ...without } = claw;
    const request = {
      operation: "UPDATE",
      resource: "claws/status.claw.prismer.ai",
      groups: ["pawl:recorders"],
    } as const;
    const status = { autoUpdate: {}, conditions: [condition("AutoUpdateAvailable")] };
    expect(refusals({ ...request, oldObject: without, object: { ...without, status } })).toEqual([]);
  });
});

describe("a pod", () => {
  test.for([
    { whose: "a StatefulSet's", owners: [{ kind: "StatefulSet", apiVersion: "apps/v1" }], mayGo: true },
    { whose: "a ReplicaSet's", owners: [{ kind: "ReplicaSet", apiVersion: "apps/v1" }], mayGo: false },
    { whose: "a Job's", owners: [{ kind: "Job", apiVersion: "batch/v1" }], mayGo: false },
    {
      whose: "another StatefulSet's",
      owners: [{ kind: "StatefulSet", apiVersion: "apps.kruise.io/v1" }],
      mayGo: false,
    },
    { whose: "nobody's", owners: undefined, mayGo: false },
  ])("of $whose may be deleted: $mayGo", ({ owners, mayGo }) => {
    const oldObject = { metadata: { name: "app-0", ...(owners === undefined ? {} : { ownerReferences: owners }) } };
    const ask = (group: string) =>
      refusals({ operation: "DELETE", resource: "pods", groups: [group], oldObject, object: null });
    expect(ask("pawl:updaters")).toHaveLength(mayGo ? 0 : 1);
    expect(ask("system:nodes")).toEqual([]);
  });
});

describe("every policy", () => {
  test.for(policies.map((policy) => [policy.metadata.name, policy] as const))(
    "%s refuses what it cannot judge, to Pawl alone",
    ([, { spec }]) => {
      expect(spec.failurePolicy).toBe("Fail");
      expect(spec.matchConditions).toHaveLength(1);
    },
  );

  test("leaves somebody without any group alone", () => {
    const edit: Edit = ({ metadata }) => void (metadata.annotations = {});
    const object = changed(claw, edit);
    expect(
      refusals({ operation: "UPDATE", resource: "claws.claw.prismer.ai", groups: [], oldObject: claw, object }),
    ).toEqual([]);
  });
});
