import { describe, expect, test } from "vitest";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { updateDenial } from "./admission.ts";
import { testDeniedChanges } from "./cases.ts";
import { changed, claw } from "./samples.ts";

type Claw = typeof claw;

const groups = ["pawl:recorders", "pawl:updaters"];
const claws = "claws.claw.prismer.ai";
const clawStatus = "claws/status.claw.prismer.ai";

describeOnRealCluster("the policy pawl-claw-spec", () => {
  const message = "pawl-claw-spec: change denied; only the metadata of a Claw or StatefulCanary may change";

  testDeniedChanges({ resource: claws, sample: claw, groups }, [
    { change: "runtime", message, edit: ({ spec }) => void (spec["runtime"] = "nanoclaw") },
    { change: "autoUpdate", message, edit: ({ spec }) => void (spec["autoUpdate"] = { enabled: false }) },
    { change: "a field added", message, edit: ({ spec }) => void (spec["image"] = "x") },
    { change: "spec removed", message, edit: (it) => void delete (it as Partial<Claw>).spec },
  ]);
});

describeOnRealCluster("the policy pawl-claw-status", () => {
  const condition = (type: string) => ({
    type,
    status: "True",
    reason: "UpdateStarted",
    lastTransitionTime: "2026-11-20T12:00:00Z",
    message: "",
  });

  describe.for(groups)("lets %s change", (group) => {
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
    ])("$change", async ({ edit }) => {
      expect(await updateDenial(clawStatus, group, claw, changed(claw, edit))).toBeNull();
    });

    test("all of it for the first time", async () => {
      const { status: _status, ...without } = claw;
      const status = { autoUpdate: {}, conditions: [condition("AutoUpdateAvailable")] };
      expect(
        await updateDenial<Partial<Claw> & typeof without>(clawStatus, group, without, { ...without, status }),
      ).toBeNull();
    });
  });

  const fields = "pawl-claw-status: status change denied; only autoUpdate and conditions may change";
  const conditions =
    "pawl-claw-status: condition change denied; only AutoUpdateAvailable, AutoUpdateInProgress, AutoUpdateHeld, AutoUpdateBackOff, AutoUpdateValid and RequestHandled may change";

  testDeniedChanges({ resource: clawStatus, sample: claw, groups }, [
    { change: "phase", message: fields, edit: ({ status }) => void (status.phase = "Failed") },
    { change: "phase removed", message: fields, edit: ({ status }) => void delete status.phase },
    { change: "a field added", message: fields, edit: ({ status }) => void (status.message = "x") },
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
});
