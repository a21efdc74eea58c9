import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import { decideWithoutTags } from "../../../../functions/domain/workload/decision/decide.ts";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import { recordStart, recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import { recordRollback, resumeRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import {
  digest,
  restartingWorkload,
  restartInFlight,
  restartTarget,
  tagAndDigestWorkload,
} from "../../../support/digest-workloads.ts";
import {
  after,
  canaryWorkload,
  image,
  inFlight,
  noon,
  target,
  updatingWorkload,
  workload,
  updateTarget,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const rollback = rollbackOf(inFlight, { isApplied: false });
const hotfix = "registry.example/shop/app:hotfix";
const pushed = (argument: string | null) => ({ request: { verb: "push", argument, token: "t-1" } });

describe("resumeRollback", () => {
  test.for([
    { when: "the target runs", runs: target, previous: image, restored: { image } },
    { when: "the previous image runs again", runs: image, previous: image, restored: {} },
    { when: "a person set another image", runs: hotfix, previous: image, restored: {} },
    { when: "no image is set", runs: null, previous: image, restored: {} },
    { when: "no previous image is known", runs: target, previous: null, restored: {} },
  ])("if $when: $restored", ({ runs, previous, restored }) => {
    const claim = { ...rollback, previousImage: previous };
    const change = resumeRollback(updatingWorkload({ image: runs, inFlight: claim }), claim, noon);
    expect(change).toEqual({ inFlight: { ...claim, isApplied: true, revertedAt: noon }, canary: null, ...restored });
  });

  test.for([
    { rollsBackDigests: true, pins: { app: digest(1) } },
    { rollsBackDigests: false, pins: undefined },
  ])("of a restart pins $pins if its owner wants it: $rollsBackDigests", ({ rollsBackDigests, pins }) => {
    const claim = rollbackOf(restartInFlight, { isApplied: false });
    const initial = restartingWorkload({ inFlight: claim, policy: { rollsBackDigests } });
    const change = resumeRollback(initial, claim, noon);
    expect(change.pins).toEqual(pins);
    expect(change).not.toHaveProperty("image");
  });

  test("names the recorded digests for kubernetes-image-updater", () => {
    const claim = { ...rollback, digests: { app: digest(2) } };
    const initial = tagAndDigestWorkload({ image: target, inFlight: claim });
    expect(resumeRollback(initial, claim, noon)).toMatchObject({ image, digests: { deployed: { app: digest(1) } } });
  });
});

describe("recordStart of a restart", () => {
  const restart = { target: restartTarget, digests: { app: digest(2) } };
  test.for([
    { when: "it was not written", claim: { isApplied: false }, expected: noon },
    { when: "it was written", claim: { isApplied: true }, expected: undefined },
    {
      when: "its start is malformed",
      claim: { isApplied: false, startedAt: "malformed" as const },
      expected: undefined,
    },
  ])("that is claimed restarts at $expected if $when", ({ claim, expected }) => {
    const initial = restartingWorkload({ inFlight: { ...restartInFlight, ...claim }, restartedAt: null });
    const change = recordStart(initial, restart, "e-1", after(5));
    expect(change.restart).toEqual(expected);
    expect(change.digests).toEqual({ deployed: { app: digest(2) }, reverted: null });
  });
});

describe("a push", () => {
  const open = { circuitOpen: true, rollbackCount: 3, failedVersions: ["1.1.0"], currentVersion: "1.2.0" };

  test.for([
    { when: "a person asks for this version", parts: pushed("1.1.0"), failure: null },
    {
      when: "it is disabled",
      parts: { ...pushed("1.1.0"), policy: { optIn: "no" as const } },
      failure: "auto-update is disabled; set pawl.dev/auto-update=true",
    },
    { when: "a setting is invalid", parts: { ...pushed("1.1.0"), problems: problemsOf("no") }, failure: "no" },
    {
      when: "it runs already",
      parts: { ...pushed("1.1.0"), image: target },
      failure: "1.1.0 is already running; use pawl restart to recreate its pods",
    },
    {
      when: "another repository is tracked",
      parts: { ...pushed("1.1.0"), source: "other:1.0.0", updateRecord: open },
      failure: "the circuit is open",
    },
    { when: "no tag is tracked", parts: { ...pushed("1.1.0"), source: null }, failure: "the workload now tracks null" },
    {
      when: "its AutoUpdate was deleted",
      parts: { record: { ...workload().record, state: "missing" as const } },
      failure: "the AutoUpdate does not exist any more",
    },
  ])("is refused with $failure if $when", ({ parts, failure }) => {
    expect(preconditionFailure(workload(parts), { target: updateTarget, digests: null }, noon)).toBe(failure);
  });

  test("is answered by its claim, once", () => {
    const answer = { token: "t-1", verb: "push", result: "update to 1.1.0 is requested: execution e-1" };
    expect(recordStart(workload(pushed("1.1.0")), { target: updateTarget, digests: null }, "e-1", noon)).toMatchObject({
      answer,
    });
    expect(
      recordStart(workload(pushed("1.3.0")), { target: updateTarget, digests: null }, "e-1", noon),
    ).not.toHaveProperty("answer");
    expect(recordStart(workload(), { target: updateTarget, digests: null }, "e-1", noon)).not.toHaveProperty("answer");
  });

  test("that becomes healthy closes the circuit, and only what is newer than the last version is applied", () => {
    const { updateRecord } = recordSuccess(updatingWorkload({ updateRecord: open }), inFlight, after(5));
    const closed = { circuitOpen: false, rollbackCount: 0 };
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", minimumVersion: "1.2.0", ...closed });
  });

  test("that becomes healthy on a Claw keeps its higher version, the only one it has", () => {
    const claw = updatingWorkload({
      updateRecord: open,
      record: { ...updatingWorkload().record, resourceVersion: null },
    });
    expect(recordSuccess(claw, inFlight, after(5)).updateRecord).toMatchObject({ currentVersion: "1.2.0" });
    expect(recordSuccess(claw, inFlight, after(5)).updateRecord).not.toHaveProperty("minimumVersion");
  });
});

test.for([
  {
    when: "asked to",
    request: { verb: "abort", argument: null, token: "t-1" },
    answer: { token: "t-1", verb: "abort", result: "the canary is removed" },
  },
  { when: "stopped", request: null, answer: undefined },
])("a canary is removed when $when: $answer", ({ request, answer }) => {
  const initial = canaryWorkload({ request, verdict: "abort" });
  expect(recordRollback(initial, { ...inFlight, phase: "canary" }, "aborted", after(1)).answer).toEqual(answer);
});

test.for([
  {
    when: "another installation holds the claim",
    parts: { record: { ...workload().record, claimedElsewhereUntil: after(5) }, image: hotfix },
    decision: { kind: "adopt" },
  },
  {
    when: "a request waits while another installation holds the claim",
    parts: { record: { ...workload().record, claimedElsewhereUntil: after(5) }, ...pushed("1.3.0") },
    decision: { kind: "adopt" },
  },
  {
    when: "a canary was left",
    parts: { inFlight: null, isCanaryLeft: true },
    decision: { kind: "hold", reason: "canary-left" },
  },
  { when: "a push is refused", parts: pushed("1.1.0"), decision: { kind: "request", verb: "push" } },
])("a poll decides $decision if $when", ({ parts, decision }) => {
  expect(decideWithoutTags(updatingWorkload(parts), noon)).toMatchObject(decision);
});
