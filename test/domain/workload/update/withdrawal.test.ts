import { expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import { recordWithdrawal } from "../../../../functions/domain/workload/rollback/rollback.ts";
import { digest, restartingWorkload, restartInFlight } from "../../../support/digest-workloads.ts";
import {
  after,
  canaryInFlight,
  canaryWorkload,
  image,
  inFlight,
  noon,
  target,
  updatingWorkload,
  updateTarget,
} from "../../../support/workloads.ts";

const reason = "no pod of the new revision exists";
const entry = { version: "1.1.0", appliedAt: noon, status: "Withdrawn", finishedAt: after(11), reason };

test("restores the previous image, neither counts nor blames the version, and backs off", () => {
  const initial = updatingWorkload({ updateRecord: { rollbackCount: 2, failedVersions: ["1.0.9"] } });
  expect(recordWithdrawal(initial, inFlight, "NotStarted", reason, after(11))).toMatchObject({
    image,
    inFlight: rollbackOf(inFlight, { isApplied: true, revertedAt: after(11) }),
    canary: null,
    updateRecord: { versionHistory: [{ ...entry, image: target, execution: "e-1" }] },
    backOff: {
      reason: "NotStarted",
      message: reason,
      target: updateTarget,
      attempts: 1,
      until: after(12),
      execution: null,
    },
    lastReported: { held: expect.stringContaining(reason) },
    conditions: [{ type: "AutoUpdateInProgress", status: "False", reason: "Withdrawn", message: reason }],
  });
});

test("repeated, it is recorded once, and the back-off does not grow", () => {
  const versionHistory = [{ ...entry, status: "Withdrawn" as const }];
  const change = recordWithdrawal(
    updatingWorkload({ updateRecord: { versionHistory } }),
    inFlight,
    "NotStarted",
    reason,
    after(12),
  );
  expect(change.updateRecord).toEqual({ versionHistory });
  expect(change).not.toHaveProperty("backOff");
});

test("a canary is removed, and the digests of the stable replicas are kept", () => {
  const initial = canaryWorkload();
  const claim = { ...canaryInFlight, digests: { app: digest(2) } };
  const change = recordWithdrawal(initial, claim, "Withdrawn", "no data for 15 minutes", after(20));
  expect(change).toMatchObject({ image, canary: null, backOff: { reason: "Withdrawn", target: updateTarget } });
  expect(change).not.toHaveProperty("digests");
});

test("a restart has no image to restore; its digest counts as new again", () => {
  const change = recordWithdrawal(restartingWorkload(), restartInFlight, "NotStarted", reason, after(11));
  expect(change).toMatchObject({ digests: { deployed: { app: digest(1) } }, inFlight: { phase: "rollback" } });
  expect(change).not.toHaveProperty("image");
});

test.for([
  { when: "a person aborted it", parts: { verdict: "abort" as const }, failedVersions: ["1.1.0"] },
  { when: "its owner disabled it", parts: { policy: { optIn: "no" as const } }, failedVersions: undefined },
])("if $when, that takes precedence", ({ parts, failedVersions }) => {
  const change = recordWithdrawal(updatingWorkload(parts), inFlight, "Withdrawn", reason, after(1));
  expect(change.updateRecord?.failedVersions).toEqual(failedVersions);
  expect(change).not.toHaveProperty("backOff");
});
