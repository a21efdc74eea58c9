import { describe, expect, test } from "vitest";
import { recentEndEvents } from "../../../functions/domain/workload/event/lost-events.ts";
import type { BackOff } from "../../../functions/domain/workload/workload.ts";
import { Conflict } from "../../../functions/ports/errors.ts";
import { once } from "../../support/fake-ports.ts";
import {
  claw,
  image,
  inFlight,
  noon,
  target,
  failingUpdate,
  workload,
  updateTarget,
  imageTarget,
} from "../../support/workloads.ts";
import { around, expectSelectable, withNewUid, step, writesNothing, revert } from "../steps.ts";

const rollBackStep = { ...step, verdict: "expired", reason: "1 of 3 replicas ready" };
const firstBackOff: BackOff = {
  reason: "NotStarted",
  message: "no pod",
  target: updateTarget,
  attempts: 1,
  until: noon,
  execution: null,
};
const withdrawn = { version: "1.1.0", appliedAt: noon, status: "Withdrawn" } as const;
const rolledBack = { version: "1.1.0", appliedAt: noon, status: "RolledBack" } as const;

test("restores the previous image, counts the failure, deletes stuck pods and emits an event", async () => {
  const ports = around(failingUpdate());
  const result = await revert(ports, rollBackStep);
  expect(result).toMatchObject({ kind: "rolled-back", reason: "1 of 3 replicas ready" });
  expect(ports.cluster.get()).toMatchObject({
    image,
    inFlight: null,
    updateRecord: { rollbackCount: 1, circuitOpen: false, failedVersions: ["1.1.0"], versionHistory: [rolledBack] },
  });
  expect(ports.cluster.stuckPodDeletions).toHaveLength(2);
  expect(ports.cluster.events()).toMatchObject([
    { type: "Normal", reason: "AutoUpdateStarting", key: "e-1" },
    { type: "Warning", reason: "AutoUpdateRollback", message: expect.stringContaining(`to ${image}: 1 of 3`) },
  ]);
  expect(ports.published).toMatchObject([{ type: "Update Rolled Back", execution: "e-1", version: "1.1.0" }]);
  expectSelectable("RollBack", result);
});

test("a Claw without a previous target returns to its operator's default", async () => {
  const initial = claw({ image: target, inFlight: { ...inFlight, previousImage: null } });
  const ports = around(initial);
  expect(await revert(ports, { ...rollBackStep, workload: initial.ref })).toMatchObject({ kind: "rolled-back" });
  expect(ports.cluster.get("u-2")).toMatchObject({ image: null, inFlight: null });
  expect(ports.cluster.events()).toMatchObject([
    { reason: "AutoUpdateStarting" },
    { message: expect.stringContaining("to the default image") },
  ]);
});

test.for([
  { earlier: 0, max: 3, kind: "rolled-back" },
  { earlier: 1, max: 3, kind: "rolled-back" },
  { earlier: 2, max: 3, kind: "circuit-tripped" },
  { earlier: 0, max: 1, kind: "circuit-tripped" },
])("after $earlier of at most $max rollbacks: $kind", async ({ earlier, max, kind }) => {
  const ports = around(failingUpdate({ policy: { maxRollbacks: max }, updateRecord: { rollbackCount: earlier } }));
  expect(await revert(ports, rollBackStep)).toMatchObject({ kind });
  expect(ports.cluster.get().updateRecord).toMatchObject({
    rollbackCount: earlier + 1,
    circuitOpen: kind === "circuit-tripped",
  });
});

test.for([
  { verdict: "withdraw", reason: "Withdrawn" },
  { verdict: "not-started", reason: "NotStarted" },
])("verdict $verdict: reverts, and neither counts nor blames the version", async ({ verdict, reason }) => {
  const ports = around(failingUpdate({ updateRecord: { rollbackCount: 2 } }));
  const result = await revert(ports, { ...rollBackStep, verdict });
  expect(result).toMatchObject({ kind: "withdrawn", reason: "1 of 3 replicas ready" });
  expect(ports.cluster.get()).toMatchObject({
    image,
    inFlight: null,
    updateRecord: { rollbackCount: 2, circuitOpen: false, failedVersions: [], versionHistory: [withdrawn] },
    backOff: { reason, target: updateTarget, attempts: 1 },
  });
  expect(ports.cluster.stuckPodDeletions).toHaveLength(1);
  expect(ports.published).toMatchObject([{ type: "Update Withdrawn", execution: "e-1", version: "1.1.0" }]);
  expect(await revert(ports, { ...rollBackStep, verdict })).toEqual(result);
  expect(ports.cluster.get().backOff).toMatchObject({ attempts: 1 });
});

test.for([
  { when: "the first of a series", backOff: null, type: "Warning" },
  { when: "a later one", backOff: firstBackOff, type: "Normal" },
  { when: "the first of another target", backOff: { ...firstBackOff, target: imageTarget(image) }, type: "Warning" },
])("a withdrawal that is $when is a $type, in each step", async ({ backOff, type }) => {
  const ports = around(failingUpdate({ backOff, updateRecord: { lastUpdate: noon } }));
  await revert(ports, { ...rollBackStep, verdict: "withdraw" });
  expect(ports.cluster.events().at(-1)).toMatchObject({ type, reason: "AutoUpdateWithdrawn" });
  expect(recentEndEvents(ports.cluster.get(), noon)).toMatchObject([{ type, reason: "AutoUpdateWithdrawn" }]);
});

describe("its work is already done", () => {
  const parts = { updateRecord: { rollbackCount: 1, failedVersions: ["1.1.0"], versionHistory: [rolledBack] } };
  test.for([
    { when: "it reports the rollback", initial: workload(parts), kind: "rolled-back" },
    {
      when: "it reports the open circuit",
      initial: workload({ updateRecord: { ...parts.updateRecord, circuitOpen: true } }),
      kind: "circuit-tripped",
    },
    { when: "the workload is disabled", initial: workload({ policy: { optIn: "no" as const } }), kind: "rolled-back" },
    {
      when: "the workload is disabled and its circuit open",
      initial: workload({ policy: { optIn: "no" as const }, updateRecord: { circuitOpen: true } }),
      kind: "rolled-back",
    },
  ])("$when: $kind", async ({ initial, kind }) => {
    const ports = around(initial);
    expect(await revert(ports, rollBackStep)).toMatchObject({ kind });
    expect(ports.cluster.get()).toEqual(initial);
    expect(ports.published).toMatchObject([{ type: "Update Rolled Back" }]);
  });
});

describe("while the owner of the pods still has the failed image", () => {
  test.for([
    { when: "the update failed", parts: {}, count: 1 },
    { when: "auto-update is disabled", parts: { policy: { optIn: "no" as const } }, count: 0 },
  ])("it keeps the in-flight annotations, and retries until the pods are deleted: $when", async ({ parts, count }) => {
    const operatorIsSlow = once("before deleteStuckPods", () => {
      throw new Conflict("the StatefulSet still requests it");
    });
    const ports = around(failingUpdate(parts), { atMoment: operatorIsSlow });
    await expect(revert(ports, rollBackStep)).rejects.toMatchObject({ name: "Conflict" });
    expect(ports.cluster.get()).toMatchObject({ image, inFlight: { execution: "e-1", phase: "rollback" } });
    expect(await revert(ports, rollBackStep)).toMatchObject({ kind: "rolled-back" });
    expect(new Set(ports.cluster.stuckPodDeletions)).toEqual(new Set([null]));
    expect(ports.cluster.get()).toMatchObject({ image, inFlight: null, updateRecord: { rollbackCount: count } });
  });
});

describe("writes nothing if", () => {
  const lost = [
    { when: "the workload is deleted", initial: null },
    { when: "the workload is recreated", initial: withNewUid(failingUpdate()) },
    { when: "the annotations are removed", initial: workload({ image: target }) },
    {
      when: "auto-update and the annotations are removed",
      initial: workload({ image: target, policy: { optIn: "no" as const } }),
    },
    {
      when: "another execution holds the claim",
      initial: failingUpdate({ inFlight: { ...inFlight, execution: "e-2" } }),
    },
    { when: "the image is changed manually", initial: failingUpdate({ image: "app:hotfix" }) },
  ];
  test.for(lost)("$when: superseded", async ({ initial }) => {
    const result = await revert(around(initial, { atMoment: writesNothing }), rollBackStep);
    expect(result).toMatchObject({
      kind: "superseded",
      reason: expect.stringMatching(/not found|no longer|held|changed/),
    });
    expectSelectable("RollBack", result);
  });

  test.for(lost)("$when: after a refusal", async ({ initial }) => {
    const result = await revert(around(initial, { atMoment: writesNothing }), {
      ...rollBackStep,
      verdict: "refused",
    });
    expect(result).toMatchObject({ kind: "superseded" });
  });
});
