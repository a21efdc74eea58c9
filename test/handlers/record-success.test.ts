import { describe, expect, test } from "vitest";
import { recordSuccess } from "../../functions/handlers/record-success.ts";
import { once } from "../support/fake-ports.ts";
import { after, inFlight, noon, target, updating, workload } from "../support/workloads.ts";
import { around, expectSelectable, recreated, step, writesNothing } from "./steps.ts";

const healthy = { version: "1.1.0", appliedAt: noon, status: "Healthy" } as const;

test("records what runs, closes the circuit, lets go of the claim and tells it", async () => {
  const ports = around(updating({ bookkeeping: { rollbackCount: 2, circuitOpen: true, failedVersions: ["1.0.5"] } }));
  const answer = await recordSuccess(ports, step);
  expect(answer).toMatchObject({ kind: "recorded" });
  expect(ports.cluster.get()).toMatchObject({
    image: target,
    inFlight: null,
    bookkeeping: {
      currentVersion: "1.1.0",
      rollbackCount: 0,
      circuitOpen: false,
      failedVersions: ["1.0.5"],
      versionHistory: [healthy],
    },
  });
  expect(ports.cluster.events()).toMatchObject([{ type: "Normal", reason: "AutoUpdateComplete", key: "e-1" }]);
  expect(ports.published).toMatchObject([{ type: "Update Succeeded", execution: "e-1", version: "1.1.0" }]);
  expectSelectable("RecordSuccess", answer);
});

test("finds its own work done and reports success", async () => {
  const ports = around(workload({ image: target, bookkeeping: { versionHistory: [healthy] } }), { now: after(1) });
  expect(await recordSuccess(ports, step)).toMatchObject({ kind: "recorded" });
  expect(ports.cluster.get().bookkeeping.versionHistory).toEqual([healthy]);
});

describe("touches nothing where", () => {
  test.for([
    { when: "it is gone", seen: null },
    { when: "another has taken its name", seen: recreated(updating()) },
    { when: "the marks were taken away", seen: workload({ image: target }) },
    {
      when: "it was rolled back",
      seen: workload({ bookkeeping: { versionHistory: [{ ...healthy, status: "RolledBack" }] } }),
    },
    { when: "another execution holds the claim", seen: updating({ inFlight: { ...inFlight, execution: "e-2" } }) },
    { when: "a person changed the image", seen: updating({ image: "app:hotfix" }) },
  ])("$when", async ({ seen }) => {
    const answer = await recordSuccess(around(seen, { atMoment: writesNothing }), step);
    expect(answer).toMatchObject({ kind: "superseded", reason: expect.stringMatching(/./) });
    expectSelectable("RecordSuccess", answer);
  });
});

test("a change between reading and writing is a Conflict, and nothing is written", async () => {
  const ports = around(updating(), { atMoment: once("before change", () => ports.cluster.put(updating())) });
  await expect(recordSuccess(ports, step)).rejects.toMatchObject({ name: "Conflict" });
  expect(ports.cluster.get().inFlight).toEqual(inFlight);
  expect(ports.published).toEqual([]);
});
