import { describe, expect, test } from "vitest";
import {
  foreignRecords,
  isRecordedFor,
  ownRecords,
  recordTargetOf,
} from "../../../../functions/adapters/kubernetes/auto-update/status/record-target.ts";

const now = recordTargetOf("u-1", "r-1", "registry.example/shop/app:1.0.0");
const status = {
  target: now,
  currentVersion: "1.0.0",
  failedVersions: ["1.1.0"],
  circuitOpen: true,
  lastRequest: { token: "t", verb: "retry", result: "done", at: "2026-11-20T12:00:00Z" },
};

describe("the records of a status", () => {
  test.for([
    { of: "this workload", target: now, foreign: null, isCurrent: true },
    { of: "the version before this one", target: undefined, foreign: null, isCurrent: false },
    { of: "an earlier workload", target: { ...now, uid: "u-0" }, foreign: "an earlier workload of this name" },
    { of: "a backup", target: { ...now, uid: "u-0", recordUID: "r-0" }, foreign: null, isCurrent: false },
    {
      of: "another repository",
      target: { ...now, repository: "registry.example/shop/other" },
      foreign: "the repository registry.example/shop/other",
    },
    {
      of: "a workload of which no tag was tracked",
      target: { uid: "u-1", recordUID: "r-1" },
      foreign: null,
      isCurrent: true,
    },
  ])("of $of: $foreign", ({ target, foreign, isCurrent = false }) => {
    const found = target === undefined ? { ...status, target: undefined } : { ...status, target };
    expect(foreignRecords(found as typeof status, now)).toBe(foreign);
    expect(isRecordedFor(found as typeof status, now)).toBe(isCurrent);
    const own = ownRecords(found as typeof status, now);
    expect(own.failedVersions).toEqual(foreign === null ? ["1.1.0"] : undefined);
    expect(own.lastRequest).toEqual(status.lastRequest);
  });

  test("start again in another repository, and return with it", () => {
    const other = recordTargetOf("u-1", "r-1", "registry.example/shop/other:2.0.0");
    const moved = ownRecords(status, other);
    expect(moved).toEqual({
      lastRequest: status.lastRequest,
      earlier: { repository: now.repository, failedVersions: ["1.1.0"] },
    });
    const back = ownRecords({ ...moved, target: other, failedVersions: ["2.1.0"] }, now);
    expect(back).toMatchObject({
      failedVersions: ["1.1.0"],
      earlier: { repository: other.repository, failedVersions: ["2.1.0"] },
    });
  });

  test("are about no repository if the image is no reference, or no tag is tracked", () => {
    for (const image of [null, "not an image"])
      expect(recordTargetOf("u", "r", image)).toEqual({ uid: "u", recordUID: "r" });
  });
});
