import { describe, expect, test } from "vitest";
import { claim as releaseInFlight } from "../release/releases.ts";
import { recordStart, recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import { blamedRecord } from "../../../../functions/domain/workload/rollback/outcome.ts";
import { recordRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import type { HistoryEntry } from "../../../../functions/domain/workload/workload.ts";
import {
  after,
  image,
  inFlight,
  noon,
  target,
  updatingWorkload,
  workload,
  updateTarget,
  imageTarget,
} from "../../../support/workloads.ts";

const failedOnce: HistoryEntry = { version: "1.1.0", appliedAt: noon, status: "RolledBack" };

describe("recordStart", () => {
  test("claims, sets the image, and records the previous image and the start time", () => {
    const change = recordStart(workload(), { target: updateTarget, digests: null }, "e-1", noon);
    expect(change.image).toBe(target);
    expect(change.inFlight).toEqual({
      target: updateTarget,
      startedAt: noon,
      execution: "e-1",
      previousImage: image,
      digests: null,
      phase: "rollout",
    });
    expect(change.updateRecord).toEqual({
      currentVersion: "1.0.0",
      candidateVersion: "1.1.0",
      lastCheck: noon,
      lastUpdate: noon,
    });
    expect(change.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ["AutoUpdateAvailable", "True", "NewVersionFound"],
      ["AutoUpdateInProgress", "True", "UpdateStarted"],
    ]);
  });

  test("keeps the start time and the previous image if its own execution repeats it", () => {
    expect(recordStart(updatingWorkload(), { target: updateTarget, digests: null }, "e-1", after(5)).inFlight).toEqual(
      inFlight,
    );
  });

  test("replaces the claim of another execution", () => {
    expect(
      recordStart(updatingWorkload(), { target: updateTarget, digests: null }, "e-2", after(5)).inFlight?.execution,
    ).toBe("e-2");
  });
});

describe("recordSuccess", () => {
  test("sets the target's tag as current, resets the counters and keeps failed versions", () => {
    const before = updatingWorkload({
      updateRecord: { rollbackCount: 2, circuitOpen: true, failedVersions: ["1.0.5"] },
    });
    expect(recordSuccess(before, inFlight, after(3))).toMatchObject({
      inFlight: null,
      updateRecord: {
        currentVersion: "1.1.0",
        rollbackCount: 0,
        circuitOpen: false,
        versionHistory: [{ version: "1.1.0", appliedAt: noon, status: "Healthy" }],
      },
      conditions: [
        { type: "AutoUpdateAvailable", status: "False", reason: "UpToDate" },
        { type: "AutoUpdateInProgress", status: "False", reason: "UpdateComplete" },
      ],
    });
    expect(recordSuccess(before, inFlight, after(3)).updateRecord).not.toHaveProperty("failedVersions");
  });

  test("keeps the current version if the target has no tag", () => {
    const byDigest = { ...inFlight, target: imageTarget(`registry.example/shop/app@sha256:${"0".repeat(64)}`) };
    expect(recordSuccess(updatingWorkload(), byDigest, after(3)).updateRecord).not.toHaveProperty("currentVersion");
  });

  test("a rollback on request leaves the circuit and the count as they are", () => {
    const { updateRecord } = recordSuccess(updatingWorkload(), releaseInFlight, after(3));
    expect(updateRecord).not.toHaveProperty("rollbackCount");
    expect(updateRecord).not.toHaveProperty("circuitOpen");
  });
});

describe("recordRollback", () => {
  test("restores the image and suspects the target until the version before it is ready", () => {
    const change = recordRollback(updatingWorkload(), inFlight, "not ready", after(11));
    expect(change).toMatchObject({
      image,
      inFlight: { target: updateTarget, phase: "rollback", revertedAt: after(11), suspect: { reason: "not ready" } },
      conditions: [{ type: "AutoUpdateInProgress", status: "False", reason: "RolledBack" }],
    });
    expect(change.updateRecord).toBeUndefined();
  });

  test.for([
    { count: 0, max: 3, opens: false },
    { count: 1, max: 3, opens: false },
    { count: 2, max: 3, opens: true },
    { count: 1, max: 2, opens: true },
    { count: 0, max: 1, opens: true },
    { count: 5, max: 3, opens: true },
  ])(
    "after $count rollbacks with a maximum of $max, another rollback opens the circuit: $opens",
    ({ count, max, opens }) => {
      const before = updatingWorkload({ policy: { maxRollbacks: max }, updateRecord: { rollbackCount: count } });
      const { updateRecord } = blamedRecord(before, inFlight, "not ready", after(11));
      expect(updateRecord).toMatchObject({ rollbackCount: count + 1, circuitOpen: opens });
    },
  );

  test("does not count an attempt again that was counted before its claim was released", () => {
    const counted = { rollbackCount: 1, failedVersions: ["1.1.0"], versionHistory: [failedOnce] };
    const { updateRecord } = blamedRecord(
      updatingWorkload({ updateRecord: counted }),
      inFlight,
      "not ready",
      after(12),
    );
    expect(updateRecord).toEqual({ ...counted, circuitOpen: false });
  });

  test("dates a malformed start time by the rollback, and blames no version if the target has no tag", () => {
    const malformed = { ...inFlight, startedAt: "malformed", target: imageTarget("app") } as const;
    const { updateRecord } = blamedRecord(updatingWorkload(), malformed, "malformed", after(1));
    expect(updateRecord).toMatchObject({
      rollbackCount: 1,
      failedVersions: [],
      versionHistory: [{ version: "", appliedAt: after(1), status: "RolledBack" }],
    });
  });
});

test("recordSuccess keeps the digest that the ready pods report, if it is the chosen one", () => {
  const chosen = { ...inFlight, target: { ...updateTarget, digest: "sha256:chosen" } };
  const running = (digest: string) => [{ container: "app", image: target, digest }];
  const record = (digest: string) => recordSuccess(updatingWorkload(), chosen, after(1), null, running(digest));
  expect(record("sha256:chosen").runningDigest).toBe("sha256:chosen");
  expect(record("sha256:other")).not.toHaveProperty("runningDigest");
});

test("recordStart clears the gates that were closed: until then a schedule is open by them", () => {
  const start = { target: updateTarget, digests: null };
  const limits = { name: "limits", reason: "LimitReached", message: "1st of 2 that wait" };
  expect(recordStart(workload({ gates: [limits] }), start, "e-1", noon).gates).toEqual([]);
  expect(recordStart(workload(), start, "e-1", noon)).not.toHaveProperty("gates");
});
