import { describe, expect, test } from "vitest";
import { recordSuccess } from "../../../functions/handlers/record-success.ts";
import { once } from "../../support/fake-ports.ts";
import { after, inFlight, noon, target, updatingWorkload, workload } from "../../support/workloads.ts";
import { around, expectSelectable, withNewUid, step, writesNothing } from "../steps.ts";

const healthy = { version: "1.1.0", appliedAt: noon, status: "Healthy" } as const;

test("records the running version, closes the circuit, releases the claim and emits an event", async () => {
  const ports = around(
    updatingWorkload({ updateRecord: { rollbackCount: 2, circuitOpen: true, failedVersions: ["1.0.5"] } }),
  );
  const result = await recordSuccess(ports, step);
  expect(result).toMatchObject({ kind: "recorded" });
  expect(ports.cluster.get()).toMatchObject({
    image: target,
    inFlight: null,
    updateRecord: {
      currentVersion: "1.1.0",
      rollbackCount: 0,
      circuitOpen: false,
      failedVersions: ["1.0.5"],
      versionHistory: [healthy],
    },
  });
  expect(ports.cluster.events()).toMatchObject([
    { type: "Normal", reason: "AutoUpdateStarting", key: "e-1" },
    { type: "Normal", reason: "AutoUpdateComplete", key: "e-1" },
  ]);
  expect(ports.published).toMatchObject([{ type: "Update Succeeded", execution: "e-1", version: "1.1.0" }]);
  expectSelectable("RecordSuccess", result);
});

test("reports success if its work is already done", async () => {
  const ports = around(workload({ image: target, updateRecord: { versionHistory: [healthy] } }), { now: after(1) });
  expect(await recordSuccess(ports, step)).toMatchObject({ kind: "recorded" });
  expect(ports.cluster.get().updateRecord.versionHistory).toEqual([healthy]);
});

describe("writes nothing if", () => {
  test.for([
    { when: "the workload is deleted", initial: null },
    { when: "the workload is recreated", initial: withNewUid(updatingWorkload()) },
    { when: "the annotations are removed", initial: workload({ image: target }) },
    {
      when: "it was rolled back",
      initial: workload({ updateRecord: { versionHistory: [{ ...healthy, status: "RolledBack" }] } }),
    },
    {
      when: "another execution holds the claim",
      initial: updatingWorkload({ inFlight: { ...inFlight, execution: "e-2" } }),
    },
    { when: "the image is changed manually", initial: updatingWorkload({ image: "app:hotfix" }) },
  ])("$when", async ({ initial }) => {
    const result = await recordSuccess(around(initial, { atMoment: writesNothing }), step);
    expect(result).toMatchObject({ kind: "superseded", reason: expect.stringMatching(/./) });
    expectSelectable("RecordSuccess", result);
  });
});

test("a change between read and write is a Conflict, and nothing is written", async () => {
  const ports = around(updatingWorkload(), {
    atMoment: once("before change", () => ports.cluster.put(updatingWorkload())),
  });
  await expect(recordSuccess(ports, step)).rejects.toMatchObject({ name: "Conflict" });
  expect(ports.cluster.get().inFlight).toEqual(inFlight);
  expect(ports.published).toEqual([]);
});
