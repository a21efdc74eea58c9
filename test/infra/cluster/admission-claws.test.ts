import { describe, expect, test } from "vitest";
import { policies, updateDenials } from "./admission.ts";
import { testDeniedChanges } from "./admission-cases.ts";
import { changed, claw } from "./admission-samples.ts";

type Claw = typeof claw;

const groups = ["pawl:recorders", "pawl:updaters"];
const claws = "claws.claw.prismer.ai";
const clawStatus = "claws/status.claw.prismer.ai";

function update(group: string, resource: string, edit: (copy: Claw) => void): readonly string[] {
  return updateDenials(resource, group, claw, changed(claw, edit));
}

describe("the spec of a Claw", () => {
  const message = "pawl-claw-spec: change denied; only the metadata of a Claw or StatefulCanary may change";

  testDeniedChanges({ resource: claws, sample: claw, groups }, [
    { change: "runtime", message, edit: ({ spec }) => void (spec["runtime"] = "nanoclaw") },
    { change: "autoUpdate", message, edit: ({ spec }) => void (spec["autoUpdate"] = { enabled: false }) },
    { change: "a field added", message, edit: ({ spec }) => void (spec["image"] = "x") },
    { change: "spec removed", message, edit: (it) => void delete (it as Partial<Claw>).spec },
    { change: "an unknown field next to spec", message, edit: (it) => void Object.assign(it, { data: {} }) },
  ]);
});

test("a status that changed in between does not deny a write", () => {
  expect(update("pawl:recorders", claws, ({ status }) => void (status.phase = "Failed"))).toEqual([]);
});

describe("the status of a Claw", () => {
  const condition = (type: string) => ({ type, status: "True", reason: "UpdateStarted" });

  test.for<{ change: string; edit: (copy: Claw) => void }>([
    { change: "autoUpdate", edit: ({ status }) => void (status.autoUpdate = { rollbackCount: 1 }) },
    { change: "autoUpdate removed", edit: ({ status }) => void delete status.autoUpdate },
    {
      change: "AutoUpdateAvailable",
      edit: ({ status }) => void status.conditions?.splice(1, 1, condition("AutoUpdateAvailable")),
    },
    ...["AutoUpdateInProgress", "AutoUpdateHeld", "AutoUpdateBackOff", "AutoUpdateValid", "RequestHandled"].map(
      (type) => ({
        change: `${type} added`,
        edit: ({ status }: Claw) => void status.conditions?.push(condition(type)),
      }),
    ),
    { change: "the order of conditions", edit: ({ status }) => void status.conditions?.reverse() },
  ])("$change is allowed", ({ edit }) => {
    for (const group of groups) expect(update(group, clawStatus, edit)).toEqual([]);
  });

  const fields = "pawl-claw-status: status change denied; only autoUpdate and conditions may change";
  const conditions =
    "pawl-claw-status: condition change denied; only AutoUpdateAvailable, AutoUpdateInProgress, AutoUpdateHeld, AutoUpdateBackOff, AutoUpdateValid and RequestHandled may change";

  testDeniedChanges({ resource: clawStatus, sample: claw, groups }, [
    { change: "phase", message: fields, edit: ({ status }) => void (status.phase = "Failed") },
    { change: "phase removed", message: fields, edit: ({ status }) => void delete status.phase },
    { change: "a field added", message: fields, edit: ({ status }) => void Object.assign(status, { x: 1 }) },
    {
      change: "a condition of the operator",
      message: conditions,
      edit: ({ status }) => void status.conditions?.splice(0, 1, condition("Ready")),
    },
    {
      change: "another condition added",
      message: conditions,
      edit: ({ status }) => void status.conditions?.push(condition("Synced")),
    },
    {
      change: "a condition of the operator removed",
      message: conditions,
      edit: ({ status }) => void status.conditions?.shift(),
    },
    { change: "conditions removed", message: conditions, edit: ({ status }) => void delete status.conditions },
  ]);

  test("may be written for the first time", () => {
    const { status: _status, ...without } = claw;
    const status = { autoUpdate: {}, conditions: [condition("AutoUpdateAvailable")] };
    expect(updateDenials(clawStatus, "pawl:recorders", without, { ...without, status })).toEqual([]);
  });
});

describe("every policy", () => {
  test.for(policies.map((policy) => [policy.metadata.name, policy] as const))(
    "%s denies requests of Pawl, and only these, if its evaluation fails",
    ([, { spec }]) => {
      expect(spec.failurePolicy).toBe("Fail");
      expect(spec.matchConditions).toHaveLength(1);
    },
  );

  test("admits a user without groups", () => {
    const object = changed(claw, ({ metadata }) => void (metadata.annotations = {}));
    expect(updateDenials(claws, [], claw, object)).toEqual([]);
  });
});
