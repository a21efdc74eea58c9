import { backOffGate } from "../../../../functions/domain/gates/back-off.ts";
import { passGates } from "../../../../functions/domain/gates/gates.ts";
import { describe, expect, test } from "vitest";
import {
  describeBackOff,
  liftBackOff,
  nextBackOff,
  withResumedBackOff,
} from "../../../../functions/domain/workload/update/back-off.ts";
import { isQuarantined, quarantineHold } from "../../../../functions/domain/workload/update/quarantine.ts";
import { planCheckRecord, recordCheck } from "../../../../functions/domain/workload/record/record-check.ts";
import { type Hold, hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { answerRequest } from "../../../../functions/domain/workload/request/request.ts";
import { recordStart } from "../../../../functions/domain/workload/record/update-record.ts";
import { fromEpoch } from "../../../../functions/domain/text/rfc3339.ts";
import type { CheckDecision } from "../../../../functions/ports/check-recorder.ts";
import type { BackOff, Workload } from "../../../../functions/domain/workload/workload.ts";
import {
  after,
  image,
  inFlight,
  noon,
  target,
  updatingWorkload,
  workload,
  type WorkloadParts,
  updateTarget,
  imageTarget,
} from "../../../support/workloads.ts";

const backOff: BackOff = {
  reason: "Quarantined",
  message: "m",
  target: imageTarget(image),
  attempts: 1,
  until: after(15),
  execution: null,
  previousImage: image,
};
const retry = { verb: "retry", argument: null, token: "t" } as const;

describe("a workload is in quarantine", () => {
  test.for<{ when: string; parts: WorkloadParts; minutes?: number; expected: boolean }>([
    { when: "until its back-off ends", parts: { backOff }, expected: true },
    { when: "while an update is in flight too", parts: { backOff, inFlight, image: target }, expected: true },
    { when: "not after that", parts: { backOff }, minutes: 15, expected: false },
    { when: "not without one", parts: {}, expected: false },
    { when: "not for another reason", parts: { backOff: { ...backOff, reason: "Refused" } }, expected: false },
    { when: "not once its owner sets another image", parts: { backOff, image: target }, expected: false },
    { when: "not for a request that needs no evaluation", parts: { backOff, request: retry }, expected: false },
    {
      when: "for a request that another installation's claim delays",
      parts: {
        backOff,
        request: retry,
        record: { resourceVersion: "r", state: "observed", isManaged: true, claimedElsewhereUntil: after(5) },
      },
      expected: true,
    },
  ])("$when", ({ parts, minutes = 0, expected }) => {
    expect(isQuarantined(workload(parts), after(minutes))).toBe(expected);
  });
});

test("it lasts 15 minutes, twice as long each time, and at most an hour", () => {
  const minutes: number[] = [];
  let quarantined = workload();
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const { change } = recordCheck(quarantined, quarantineHold(quarantined, "Runtime.ExitError"), noon);
    const recorded = change?.backOff as BackOff;
    minutes.push((recorded.until.getTime() - noon.getTime()) / 60_000);
    quarantined = workload({ backOff: recorded });
    expect(isQuarantined(quarantined, noon)).toBe(true);
  }
  expect(minutes).toEqual([15, 30, 60, 60]);
});

test("it is a series of its own", () => {
  const refused: BackOff = { ...backOff, reason: "Refused", attempts: 6 };
  expect(nextBackOff(workload({ backOff: refused }), imageTarget(image), "Quarantined", "m", noon)).toMatchObject({
    attempts: 1,
  });
  expect(nextBackOff(workload({ backOff }), imageTarget(image), "Refused", "m", noon)).toMatchObject({ attempts: 1 });
});

describe("the back-off before a quarantine", () => {
  const stalled: BackOff = { ...backOff, reason: "Failed", target: updateTarget, attempts: 3, until: noon };
  const update = { kind: "update", target: updateTarget } as const;
  const heldByTag = hold("no-newer-version", "nothing");

  /** Returns the workload after its check was recorded. */
  function recorded(before: Workload, decision: CheckDecision, now: Date): Workload {
    const { change } = planCheckRecord(before, decision, now);
    return { ...before, ...(change?.backOff === undefined ? {} : { backOff: change.backOff }) };
  }
  const quarantined = recorded(workload({ backOff: stalled }), quarantineHold(workload(), null), noon);
  const twice = recorded(quarantined, quarantineHold(quarantined, null), after(15));

  test("is kept, also if it is repeated", () => {
    expect(quarantined.backOff).toMatchObject({ reason: "Quarantined", attempts: 1, suspended: stalled });
    expect(twice.backOff).toMatchObject({ attempts: 2, until: after(45), suspended: stalled });
    expect(withResumedBackOff(quarantined, after(14))).toBe(quarantined);
    const without = workload({ backOff });
    expect(withResumedBackOff(without, after(60))).toBe(without);
  });

  test.for([quarantined, twice])("continues after it: what was stalled waits for a person", (before) => {
    const resumed = withResumedBackOff(before, after(45));
    expect(resumed.backOff).toEqual(stalled);
    const held = passGates(resumed, update, after(45), backOffGate);
    expect(held).toMatchObject({ kind: "hold", reason: "back-off", detail: expect.stringContaining("pawl retry") });
    const { change, events } = planCheckRecord(before, held as Hold, after(45));
    expect(change).toMatchObject({ backOff: stalled, lastReported: { held: describeBackOff(stalled) } });
    expect(events).toMatchObject([{ type: "Normal" }]);
  });

  test("continues to count its attempts", () => {
    const refused: BackOff = { ...stalled, reason: "Refused", attempts: 5 };
    const before = recorded(workload({ backOff: refused }), quarantineHold(workload(), null), noon);
    expect(recorded(before, update, after(15)).backOff).toEqual(refused);
    expect(nextBackOff(before, updateTarget, "Refused", "denied", after(15))).toMatchObject({ attempts: 6 });
    expect(recordStart(before, { target: updateTarget, digests: null }, "e-1", noon)).not.toHaveProperty("backOff");
  });

  test("ends if its target was observed, and if its owner sets another image", () => {
    expect(recorded(quarantined, heldByTag, after(15)).backOff).toBeNull();
    const changed = workload({ backOff: stalled, image: "app:0.9.0" });
    expect(nextBackOff(changed, imageTarget("app:0.9.0"), "Quarantined", "m", noon)).not.toHaveProperty("suspended");
  });

  test("is lifted by a retry; the failed execution of a claim stays known", () => {
    expect(liftBackOff(quarantined)).toEqual({ backOff: null });
    const claimed = updatingWorkload({ backOff: { ...stalled, execution: "e-1" } });
    const before = recorded(claimed, quarantineHold(claimed, null), noon);
    const { backOff: lifted } = liftBackOff(before);
    expect(lifted).toMatchObject({ reason: "Failed", attempts: 1, until: fromEpoch(0), execution: "e-1" });
    expect(lifted).not.toHaveProperty("suspended");
    expect(answerRequest(before, retry)).toMatchObject({ backOff: lifted });
  });
});

test("the record says what happened and what to do, and one Event is emitted", () => {
  const { change, events } = recordCheck(workload(), quarantineHold(workload(), "Runtime.OutOfMemory"), noon);
  const text = describeBackOff(change?.backOff as BackOff);
  expect(text).toMatch(
    /^polls leave it out until 2026-11-20T12:15:00Z \(time 1\): .*Runtime\.OutOfMemory.*"pawl retry"/,
  );
  expect(events).toMatchObject([{ type: "Warning", reason: "AutoUpdateBackOff", message: text }]);
});

test.for([
  { when: "idle", parts: {}, target: imageTarget(image), execution: null },
  { when: "without an image", parts: { image: null }, target: imageTarget(image), execution: null },
  { when: "without any", parts: { image: null, source: null }, target: imageTarget("unknown"), execution: null },
])("$when: the target is $target.image", ({ parts, target: named, execution }) => {
  expect(quarantineHold(workload(parts), null).ended).toMatchObject({ target: named, execution });
});

test("the failed execution of a claim stays known, so that it is not counted again", () => {
  const failed = updatingWorkload({ backOff: { ...backOff, reason: "Refused", execution: "e-1" } });
  expect(quarantineHold(failed, null).ended?.execution).toBe("e-1");
  expect(quarantineHold(updatingWorkload(), null).ended?.execution).toBeNull();
});
