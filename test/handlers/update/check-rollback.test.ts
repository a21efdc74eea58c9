import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { checkRollback } from "../../../functions/handlers/check-rollback.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { Conflict } from "../../../functions/ports/errors.ts";
import { once } from "../../support/fake-ports.ts";
import {
  claw,
  clawRepository,
  completeRollout,
  image,
  inFlight,
  noon,
  rollingBack,
  target,
  failingUpdate,
  workload,
  imageTarget,
} from "../../support/workloads.ts";
import { around, expectSelectable, step, withNewUid, writesNothing } from "../steps.ts";

const check = { ...step, executionStartedAt: noon.toISOString(), reason: "not ready after 600 s" };
const verdict = { ...step, verdict: "expired", reason: "not ready after 600 s" };
const brokenAtAll = { broken: new Set([image, target]) };
test("a rollback holds its claim until the pods are ready, frees stuck ones at each check, and then ends", async () => {
  const ports = around(failingUpdate(), brokenAtAll);
  expect(await rollBack(ports, verdict)).toEqual({ kind: "reverting", reason: "not ready after 600 s" });
  expect(ports.cluster.get()).toMatchObject({ image, inFlight: { phase: "rollback", revertedAt: noon } });
  const first = await checkRollback(ports, check);
  expect(first).toEqual({ kind: "progressing", waitSeconds: 15, reason: "0 of 3 replicas ready" });
  expectSelectable("CheckRollback", first);
  ports.pass(15);
  ports.cluster.put({ ...ports.cluster.get(), rollout: { ...completeRollout, image } });
  const second = await checkRollback(ports, check);
  expect(second).toEqual({
    kind: "progressing",
    waitSeconds: 15,
    reason: "1.0.0 is ready, and has to stay so for 60 s",
  });
  ports.pass(60);
  const last = await checkRollback(ports, check);
  expect(last).toEqual({ kind: "rolled-back", waitSeconds: 0, reason: "not ready after 600 s" });
  expectSelectable("CheckRollback", last);
  expect(ports.cluster.get()).toMatchObject({ inFlight: null, updateRecord: { rollbackCount: 1 } });
  expect(ports.cluster.stuckPodDeletions).toEqual([null, null, null]);
  expect(ports.cluster.events().map((event) => `${event.reason} ${event.key}`)).toEqual([
    "AutoUpdateStarting e-1",
    "AutoUpdateRollback e-1",
  ]);
});

test("past its deadline the previous version is not healthy either: nothing is blamed, and it counts", async () => {
  const ports = around(failingUpdate(), brokenAtAll);
  await rollBack(ports, verdict);
  ports.pass(601);
  const reason =
    "not ready after 600 s; 1.0.0 is not healthy either: 1.0.0 was not ready 600 s later: 0 of 3 replicas ready";
  expect(await checkRollback(ports, check)).toEqual({ kind: "withdrawn", waitSeconds: 0, reason });
  expect(ports.cluster.get()).toMatchObject({
    inFlight: null,
    updateRecord: {
      rollbackCount: 1,
      failedVersions: [],
      versionHistory: [{ version: "1.1.0", status: "Withdrawn", reason }],
    },
  });
});

test("an execution that is lost meanwhile is adopted, and ends the same, with its Events once and the first reason", async () => {
  const ports = around(failingUpdate(), brokenAtAll);
  await rollBack(ports, verdict);
  await checkRollback(ports, check);
  const next = { ...check, execution: "e-2", adopting: true };
  expect(await adoptUpdate(ports, next)).toMatchObject({ kind: "adopted" });
  expect(await checkReadiness(ports, next)).toMatchObject({ kind: "expired" });
  expect(await checkRollback(ports, check)).toMatchObject({ kind: "superseded" });
  expect(await rollBack(ports, { ...next, verdict: "expired", reason: "its rollback was interrupted" })).toEqual({
    kind: "reverting",
    reason: "not ready after 600 s",
  });
  ports.pass(601);
  const { kind, reason } = await checkRollback(ports, { ...next, reason: "its rollback was interrupted" });
  expect([kind, reason]).toEqual(["withdrawn", expect.stringMatching(/^not ready after 600 s; 1.0.0 is not healthy/)]);
  expect(ports.cluster.get()).toMatchObject({ inFlight: null, updateRecord: { rollbackCount: 1 } });
  expect(ports.cluster.events().map((event) => `${event.reason} ${event.key}`)).toEqual([
    "AutoUpdateStarting e-1",
    "AutoUpdateRollback e-1",
    "AutoUpdateWithdrawn e-1",
  ]);
});

describe("writes nothing if", () => {
  test.for([
    { when: "the workload is deleted", initial: null },
    { when: "the workload is recreated", initial: withNewUid(workload({ inFlight: rollingBack })) },
    { when: "its AutoUpdate is deleted", initial: workload() },
    { when: "the claim is not that of a rollback", initial: failingUpdate() },
  ])("$when: superseded", async ({ initial }) => {
    const result = await checkRollback(around(initial, { atMoment: writesNothing }), check);
    expect(result).toMatchObject({ kind: "superseded", waitSeconds: 0, reason: expect.stringMatching(/./) });
  });
});

test("a Claw whose operator has the failed image by default: the rollback ends, and its condition says so", async () => {
  const failed = { version: "1.1.0", appliedAt: noon, status: "RolledBack" as const };
  const initial = claw({
    inFlight: rollbackOf({ ...inFlight, target: imageTarget(`${clawRepository}:1.1.0`) }, { startedAt: "malformed" }),
    updateRecord: { failedVersions: ["1.1.0"], rollbackCount: 1, versionHistory: [failed] },
  });
  const unchanged = "StatefulSet agents/helper still has the image";
  const ports = around(initial, {
    atMoment(moment) {
      if (moment === "before deleteStuckPods") throw new Conflict(unchanged);
    },
  });
  const input = { ...check, workload: initial.ref, target: imageTarget(`${clawRepository}:1.1.0`) };
  expect(await checkRollback(ports, input)).toEqual({ kind: "progressing", waitSeconds: 15, reason: unchanged });
  ports.pass(1201);
  const reason = `not ready after 600 s; ${unchanged}`;
  expect(await checkRollback(ports, input)).toEqual({ kind: "rolled-back", waitSeconds: 0, reason });
  expect(ports.cluster.get("u-2")).toMatchObject({ inFlight: null, updateRecord: { rollbackCount: 1 } });
});

test("any other conflict of a deletion is repeated", async () => {
  const ports = around(workload({ inFlight: rollingBack }), {
    atMoment: once("before deleteStuckPods", () => {
      throw new Conflict("the pod has changed");
    }),
  });
  await expect(checkRollback(ports, check)).rejects.toMatchObject({ name: "Conflict" });
  expect(await checkRollback(ports, check)).not.toMatchObject({ kind: "progressing" });
});
