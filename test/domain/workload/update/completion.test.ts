import { emptyUpdateRecord } from "../../../../functions/domain/workload/record/update-record.ts";
import {
  isCancelled,
  recordedAttempt,
  recordedRevert,
  isOutcomeRecorded,
} from "../../../../functions/domain/workload/update/completion.ts";
import type { HistoryEntry } from "../../../../functions/domain/workload/workload.ts";
import {
  digestWorkload,
  restartingWorkload,
  restartInFlight,
  restartTarget,
} from "../../../support/digest-workloads.ts";
import { noon, after, image, inFlight, updatingWorkload, updateTarget } from "../../../support/workloads.ts";
import { expect, test, describe } from "vitest";

const failedOnce: HistoryEntry = { version: "1.1.0", appliedAt: noon, status: "RolledBack" };

describe("recordedRevert", () => {
  test.for([
    { when: "no history", history: [], recorded: null },
    { when: "this attempt", history: [failedOnce], recorded: "RolledBack" },
    {
      when: "an earlier attempt at the same version",
      history: [{ ...failedOnce, appliedAt: after(-60) }],
      recorded: null,
    },
    { when: "another version", history: [{ ...failedOnce, version: "1.0.5" }], recorded: null },
    { when: "a success", history: [{ ...failedOnce, status: "Healthy" as const }], recorded: null },
  ])("$when: $recorded", ({ history, recorded }) => {
    expect(recordedRevert({ ...emptyUpdateRecord, versionHistory: history }, inFlight)).toBe(recorded);
  });

  test("compares only the version if the start time is malformed", () => {
    const history = [{ ...failedOnce, appliedAt: after(3) }];
    expect(
      recordedRevert({ ...emptyUpdateRecord, versionHistory: history }, { ...inFlight, startedAt: "malformed" }),
    ).toBe("RolledBack");
  });
});

test("identifies a restart by its tag and its digest", () => {
  const history: readonly HistoryEntry[] = [{ ...failedOnce, version: `prod@${restartTarget.digest}` }];
  const updateRecord = { versionHistory: history };
  expect(recordedRevert({ ...emptyUpdateRecord, ...updateRecord }, restartInFlight)).toBe("RolledBack");
  expect(isOutcomeRecorded(digestWorkload({ updateRecord }), restartTarget, "RolledBack")).toBe(true);
  expect(
    isOutcomeRecorded(
      digestWorkload({ updateRecord: { versionHistory: [{ ...failedOnce, version: "prod" }] } }),
      restartTarget,
      "RolledBack",
    ),
  ).toBe(false);
});

const off = { policy: { optIn: "no" as const } };
test.for([
  { when: "its claim is not released", initial: updatingWorkload({ ...off, image }), cancelled: false },
  { when: "the target image is still set", initial: updatingWorkload({ ...off, inFlight: null }), cancelled: false },
  { when: "it is enabled", initial: updatingWorkload({ image, inFlight: null }), cancelled: false },
])("isCancelled when $when: $cancelled", ({ initial, cancelled }) => {
  expect(isCancelled(initial, updateTarget)).toBe(cancelled);
});

test("isCancelled for a disabled restart, whose image has no digest", () => {
  expect(isCancelled(restartingWorkload({ ...off, inFlight: null }), restartTarget)).toBe(true);
});

describe("recordedAttempt", () => {
  const complete: HistoryEntry = { ...failedOnce, execution: "e-1", reason: "not ready" };
  test.for([
    { when: "no history", history: [], attempt: null },
    { when: "a reverted attempt", history: [complete], attempt: { execution: "e-1", reason: "not ready" } },
    { when: "a success", history: [{ ...complete, status: "Healthy" as const }], attempt: null },
    { when: "another version", history: [{ ...complete, version: "1.0.9" }], attempt: null },
    { when: "a kind that records no execution", history: [failedOnce], attempt: null },
    { when: "a kind that records no reason", history: [{ ...failedOnce, execution: "e-1" }], attempt: null },
  ])("of $when: $attempt", ({ history, attempt }) => {
    expect(recordedAttempt(updatingWorkload({ updateRecord: { versionHistory: history } }), updateTarget)).toEqual(
      attempt,
    );
  });
});
