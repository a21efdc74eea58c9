import { describe, expect, test } from "vitest";
import {
  claimBackOff,
  describeBackOff,
  endBackOff,
  isBackingOff,
  liftBackOff,
  nextBackOff,
  withNewerVersion,
} from "../../../../functions/domain/workload/update/back-off.ts";
import { backOffGate } from "../../../../functions/domain/gates/back-off.ts";
import { passGates } from "../../../../functions/domain/gates/gates.ts";
import { replaceTag } from "../../../../functions/domain/image/reference.ts";
import { answerRequest } from "../../../../functions/domain/workload/request/request.ts";
import { recordRefusal } from "../../../../functions/domain/workload/rollback/rollback.ts";
import { recordStart, recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import { type Decision, hold } from "../../../../functions/domain/workload/decision/decision.ts";
import type { BackOff } from "../../../../functions/domain/workload/workload.ts";
import { digest } from "../../../support/digest-workloads.ts";
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
import { versionOfTarget } from "../../../../functions/domain/workload/target/target.ts";
import { problemsOf } from "../../../support/problems.ts";

const first: BackOff = {
  reason: "Refused",
  message: "denied",
  target: updateTarget,
  attempts: 1,
  until: after(1),
  execution: null,
  previousImage: image,
};
const failed: BackOff = { ...first, reason: "Failed", message: "a bug", attempts: 3, until: after(4) };

describe("the next back-off", () => {
  test.for([
    { when: "none before", before: null, attempts: 1, minutes: 1 },
    { when: "one before", before: first, attempts: 2, minutes: 2 },
    { when: "one for another reason before", before: { ...first, reason: "Withdrawn" }, attempts: 2, minutes: 2 },
    { when: "five before", before: { ...first, attempts: 5 }, attempts: 6, minutes: 32 },
    { when: "six before", before: { ...first, attempts: 6 }, attempts: 7, minutes: 60 },
    { when: "thousands before", before: { ...first, attempts: 5000 }, attempts: 5001, minutes: 60 },
    { when: "unexpected errors before", before: { ...failed, attempts: 2 }, attempts: 1, minutes: 1 },
    { when: "another image before", before: { ...first, previousImage: "app:0.9.0" }, attempts: 1, minutes: 1 },
  ] as const)("with $when lasts $minutes min", ({ before, attempts, minutes }) => {
    const backOff = nextBackOff(workload({ backOff: before }), updateTarget, "Refused", "denied", noon);
    expect(backOff).toEqual({ ...first, attempts, until: after(minutes) });
  });

  const restart = { kind: "digest", image, digest: digest(1) } as const;

  describe("of a version and a restart that fail in turn", () => {
    const ofVersion = { target: updateTarget, attempts: 6, until: after(32) };
    const ofRestart = { target: restart, attempts: 2, until: after(2) };
    const newer = imageTarget(replaceTag(image, "1.2.0"));
    const otherRestart = { ...restart, digest: digest(2) };

    test.for([
      { next: restart, before: { ...first, ...ofVersion }, attempts: 1, other: ofVersion },
      { next: restart, before: { ...first, ...ofVersion, other: ofRestart }, attempts: 3, other: ofVersion },
      { next: updateTarget, before: { ...first, ...ofRestart, other: ofVersion }, attempts: 7, other: ofRestart },
      { next: updateTarget, before: { ...first, ...ofVersion, other: ofRestart }, attempts: 7, other: ofRestart },
      { next: newer, before: { ...first, ...ofRestart, other: ofVersion }, attempts: 1, other: ofRestart },
      { next: newer, before: { ...first, ...ofVersion, other: ofRestart }, attempts: 1, other: ofRestart },
      { next: otherRestart, before: { ...first, ...ofVersion, other: ofRestart }, attempts: 1, other: ofVersion },
      { next: otherRestart, before: { ...first, ...ofRestart, other: ofVersion }, attempts: 1, other: ofVersion },
    ])("counts each target for itself: attempt $attempts of $next.image", ({ next, before, attempts, other }) => {
      const backOff = nextBackOff(workload({ backOff: before }), next, "Refused", "denied", noon);
      const until = after(2 ** (attempts - 1) > 60 ? 60 : 2 ** (attempts - 1));
      expect(backOff).toEqual({ ...first, target: next, attempts, until, other });
    });

    const both = { ...first, ...ofRestart, other: ofVersion };
    test.for([
      { of: updateTarget, at: after(3), isHeld: true, said: "attempt 6" },
      { of: updateTarget, at: after(33), isHeld: false },
      { of: restart, at: after(1), isHeld: true, said: "attempt 2" },
      { of: restart, at: after(3), isHeld: false },
      { of: newer, at: noon, isHeld: false },
    ])("holds each for its own time: $of.image at $at: $isHeld", ({ of, at, isHeld, said = "" }) => {
      const waiting = workload({ backOff: both });
      expect(isBackingOff(waiting, of, at)).toBe(isHeld);
      const decision = passGates(waiting, { kind: "update", target: of }, at, backOffGate);
      expect([decision.kind, JSON.stringify(decision).includes(said)]).toEqual([isHeld ? "hold" : "update", true]);
    });

    test("lifts both", () => {
      expect(liftBackOff(updatingWorkload({ backOff: both })).backOff).not.toHaveProperty("other");
    });
  });

  test.for([
    { of: "a version", backOff: first, isRestart: true, isEnded: false },
    { of: "the same restart", backOff: { ...first, target: restart }, isRestart: true, isEnded: false },
    { of: "another version", backOff: { ...first, target: imageTarget(image) }, isRestart: false, isEnded: true },
    { of: "nothing", backOff: null, isRestart: true, isEnded: false },
  ])("of $of is ended by the start of a restart ($isRestart), or an update: $isEnded", (one) => {
    const { backOff, isRestart, isEnded } = one;
    const started = recordStart(
      workload({ backOff }),
      { target: isRestart ? restart : updateTarget, digests: null },
      "e-1",
      noon,
    );
    expect(started.backOff === null).toBe(isEnded);
  });

  test.for([
    { of: "a version", backOff: first, isEnded: false },
    { of: "the restart", backOff: { ...first, target: restart }, isEnded: true },
  ])("of $of is ended by the success of a restart: $isEnded", ({ backOff, isEnded }) => {
    const claim = { ...inFlight, target: restart, phase: "restart" } as const;
    expect(recordSuccess(workload({ backOff, inFlight: claim }), claim, noon).backOff === null).toBe(isEnded);
  });

  test.for([
    { when: "nothing is in flight", parts: {}, previousImage: image },
    { when: "a claim has replaced it", parts: { image: target, inFlight }, previousImage: image },
    { when: "a restart changes none", parts: { inFlight: { ...inFlight, previousImage: null } } },
    { when: "its owner names each image", parts: { requestedImage: target } },
  ])("knows the image before it if $when: $previousImage", ({ parts, previousImage }) => {
    expect(nextBackOff(workload(parts), updateTarget, "Refused", "denied", noon).previousImage).toBe(previousImage);
  });

  test("has a message of at most 1024 characters", () => {
    const { message } = nextBackOff(workload(), updateTarget, "NotStarted", "x".repeat(5000), noon);
    expect(message).toBe(`${"x".repeat(1023)}…`);
  });
});

const hotfix = replaceTag(image, "hotfix");
const { previousImage: _previousImage, ...recordedEarlier } = first;
const update: Decision = { kind: "update", target: updateTarget };
const text = "1.1.0 is not applied (attempt 1, tried again at 2026-11-20T12:01:00Z): denied";

describe("an update", () => {
  test.for<{ what: string; backOff: BackOff | null; decision: Decision; isHeld: boolean; at?: Date }>([
    { what: "without a back-off", backOff: null, decision: update, isHeld: false },
    { what: "whose back-off lies ahead", backOff: first, decision: update, isHeld: true },
    { what: "whose back-off has passed", backOff: first, decision: update, isHeld: false, at: after(1) },
    { what: "after three unexpected errors", backOff: failed, decision: update, isHeld: true, at: after(9) },
    { what: "to another version", backOff: first, decision: { ...update, target: imageTarget(image) }, isHeld: false },
    { what: "that a person pushed", backOff: first, decision: { ...update, isRequested: true }, isHeld: false },
    { what: "that is none", backOff: first, decision: { kind: "problem", problems: problemsOf("x") }, isHeld: false },
  ])("$what is held: $isHeld", ({ backOff, decision, isHeld, at = noon }) => {
    const detail = backOff === null ? "" : describeBackOff(backOff);
    const held = { kind: "hold", reason: "back-off", detail, target: updateTarget };
    expect(passGates(workload({ backOff }), decision, at, backOffGate)).toEqual(isHeld ? held : decision);
  });

  test.for([
    { what: "none", backOff: null, expected: false },
    { what: "one ahead", backOff: first, expected: true },
    { what: "one of another image", backOff: { ...first, target: imageTarget(image) }, expected: false },
    { what: "one that has passed", backOff: { ...first, until: noon }, expected: false },
    { what: "one before a person set another image", backOff: first, parts: { image: hotfix }, expected: false },
    { what: "three unexpected errors before that", backOff: failed, parts: { image: hotfix }, expected: false },
    { what: "a claim on another image", backOff: first, parts: { image: hotfix, inFlight }, expected: true },
    { what: "an image that is not known", backOff: first, parts: { image: null }, expected: true },
    { what: "a record of an earlier release", backOff: recordedEarlier, parts: { image: hotfix }, expected: true },
  ])("is backing off with $what: $expected", ({ backOff, parts = {}, expected }) => {
    expect(isBackingOff(workload({ backOff, ...parts }), updateTarget, noon)).toBe(expected);
  });
});

describe("the adoption of a claim", () => {
  const ended = { ...first, execution: "e-1" };
  test.for([
    { when: "nothing is backing off", backOff: null, expected: null },
    { when: "its own execution has failed", backOff: ended, expected: text },
    { when: "another execution has failed", backOff: { ...ended, execution: "e-0" }, expected: null },
    { when: "the attempt released its claim", backOff: first, expected: null },
    { when: "its back-off has passed", backOff: { ...ended, until: noon }, expected: null },
  ])("if $when is held: $expected", ({ backOff, expected }) => {
    expect(claimBackOff(updatingWorkload({ backOff }), inFlight, noon)?.detail ?? null).toBe(expected);
  });

  test("of a person is not held", () => {
    expect(claimBackOff(updatingWorkload({ backOff: first }), { ...inFlight, execution: null }, noon)).toBeNull();
  });
});

test.for<{ what: string; found: Decision; version: string | null }>([
  {
    what: "a newer version",
    found: { ...update, target: imageTarget(replaceTag(image, "1.2.0")) },
    version: "1.2.0",
  },
  {
    what: "an older version",
    found: { ...update, target: imageTarget(replaceTag(image, "1.0.1")) },
    version: null,
  },
  {
    what: "a newer digest",
    found: { ...update, target: { kind: "digest", image: target, digest: digest(3) } },
    version: `1.1.0@${digest(3)}`,
  },
  { what: "its own target", found: update, version: null },
  { what: "nothing newer", found: hold("no-newer-version", "none"), version: null },
])("a stalled claim beside $what names $version", ({ found, version }) => {
  const named = withNewerVersion(hold("back-off", text), inFlight, found, "container").target;
  expect(named && versionOfTarget(named)).toBe(version);
});

test("a back-off ends, and is lifted for a claim without forgetting the execution that failed", () => {
  expect(endBackOff(workload())).toEqual({});
  expect(endBackOff(workload({ backOff: first }))).toEqual({ backOff: null });
  expect(liftBackOff(workload())).toEqual({});
  expect(liftBackOff(workload({ backOff: first }))).toEqual({ backOff: null });
  const held = { ...failed, execution: "e-1" };
  const lifted = { ...held, attempts: 1, until: new Date(0) };
  expect(liftBackOff(updatingWorkload({ backOff: held }))).toEqual({ backOff: lifted });
  expect(claimBackOff(updatingWorkload({ backOff: lifted }), inFlight, noon)).toBeNull();
});

describe("a back-off of 1.1.0", () => {
  const waiting = workload({ backOff: first });

  test("is kept by the next attempt, and ends with an update to another version or a success", () => {
    expect(recordStart(waiting, { target: updateTarget, digests: null }, "e-2", noon)).not.toHaveProperty("backOff");
    expect(recordStart(waiting, { target: imageTarget(image), digests: null }, "e-2", noon)).toHaveProperty(
      "backOff",
      null,
    );
    expect(recordSuccess(updatingWorkload({ backOff: first }), inFlight, noon)).toHaveProperty("backOff", null);
  });

  test("is counted by the next refusal, which releases the claim and blames nothing", () => {
    const claimed = updatingWorkload({ backOff: first, inFlight: { ...inFlight, isApplied: false } });
    const change = recordRefusal(claimed, { ...inFlight, isApplied: false }, "denied", noon);
    const backOff = { ...first, attempts: 2, until: after(2) };
    expect(change).toMatchObject({ backOff, lastReported: { held: describeBackOff(backOff) } });
    expect(change).not.toHaveProperty("updateRecord");
  });

  test.for([
    { verb: "reset", result: "1.1.0 is tried again at once" },
    { verb: "retry", result: "every newer version is tried again" },
  ])("ends by $verb", ({ verb, result }) => {
    const change = answerRequest(waiting, { verb, argument: null, token: "t-1" });
    expect(change).toMatchObject({ backOff: null, answer: { token: "t-1", verb, result } });
  });
});
