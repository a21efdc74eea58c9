import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import { isSameRepository } from "../../../../functions/domain/image/reference.ts";
import { adopt } from "../../../../functions/domain/workload/update/adopt.ts";
import { checkClaim, withdrawalChange } from "../../../../functions/domain/workload/update/claim.ts";
import { createHistoryEntry } from "../../../../functions/domain/workload/record/history.ts";
import { describeAnswer } from "../../../../functions/domain/workload/request/person-request.ts";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import { answerRequest, pushRefusal, requestedVerdict } from "../../../../functions/domain/workload/request/request.ts";
import {
  digest,
  restartingWorkload,
  restartInFlight,
  restartTarget,
  tagAndDigestWorkload,
} from "../../../support/digest-workloads.ts";
import {
  after,
  canaryInFlight,
  canaryWorkload,
  image,
  inFlight,
  rollingBack,
  noon,
  ownRecord,
  target,
  updatingWorkload,
  workload,
  imageTarget,
  updateTarget,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const hotfix = "registry.example/shop/app:hotfix";
const asked = (verb: string, argument: string | null = null) => ({ verb, argument, token: "t-1" });

describe("withdrawalChange", () => {
  const ends = { inFlight: null, canary: null, verdict: null };
  const nightly = { ...canaryInFlight, target: imageTarget("registry.example/shop/app:nightly") };
  test.for([
    { when: "the workload was deleted", subject: null, change: null },
    { when: "nothing is in flight", subject: workload(), change: null },
    { when: "it was promoted", subject: updatingWorkload({ image: hotfix }), change: null },
    { when: "nothing was changed", subject: canaryWorkload(), change: null },
    {
      when: "another execution holds it",
      subject: canaryWorkload({ image: hotfix, inFlight: { ...canaryInFlight, execution: "e-2" } }),
      change: null,
    },
    {
      when: "the workload has its claim in itself",
      subject: canaryWorkload({ image: hotfix, record: ownRecord }),
      change: { ...ends, updateRecord: { currentVersion: "1.1.0" } },
    },
    { when: "its target has no version", subject: canaryWorkload({ image: hotfix, inFlight: nightly }), change: ends },
  ])("if $when: $change", ({ subject, change }) => {
    expect(withdrawalChange(subject, "e-1")).toEqual(change);
  });
});

describe("a claim that was not applied", () => {
  test("is adopted with the digests of its tags", () => {
    const claim = { ...inFlight, isApplied: false };
    expect(adopt(tagAndDigestWorkload({ inFlight: claim }), "e-2", updateTarget, noon)).toMatchObject({
      change: { image: target, digests: { deployed: { app: digest(1) } } },
    });
    const restart = { ...restartInFlight, isApplied: false };
    expect(
      adopt(restartingWorkload({ inFlight: restart, digests: undefined }), "e-2", restartTarget, after(1)),
    ).toMatchObject({
      change: { restart: after(1), digests: { deployed: { app: digest(2) } } },
    });
  });

  test("keeps its start if its own execution repeats the adoption", () => {
    const claim = { ...inFlight, isApplied: false };
    const initial = updatingWorkload({ image, inFlight: claim });
    expect(adopt(initial, "e-1", updateTarget, after(1))).toMatchObject({ change: { inFlight: { startedAt: noon } } });
  });

  test("of a canary is adopted without an image, and of a malformed start with nothing", () => {
    for (const claim of [
      { ...canaryInFlight, isApplied: false },
      { ...inFlight, isApplied: false, startedAt: "malformed" as const },
    ]) {
      expect(adopt(canaryWorkload({ inFlight: claim }), "e-1", updateTarget, noon)).not.toHaveProperty("change.image");
    }
  });

  test("is held if no image is set, or if no previous image is known and the target runs", () => {
    const claim = { ...inFlight, isApplied: false, previousImage: null };
    expect(checkClaim(updatingWorkload({ image: null, inFlight: claim }), "e-1", updateTarget).kind).toBe("held");
    expect(checkClaim(updatingWorkload({ image: target, inFlight: claim }), "e-1", updateTarget).kind).toBe("held");
    expect(checkClaim(updatingWorkload({ image: hotfix, inFlight: claim }), "e-1", updateTarget).kind).toBe("lost");
  });
});

test("a history entry names its execution and reason only if there is one", () => {
  const manual = createHistoryEntry({ ...inFlight, execution: null }, "Healthy", noon);
  expect(manual).not.toHaveProperty("execution");
  expect(createHistoryEntry(inFlight, "RolledBack", noon, "late")).toMatchObject({ execution: "e-1", reason: "late" });
});

test("a restart needs its AutoUpdate", () => {
  const record = { ...workload().record, state: "missing" as const };
  const restart = { target: restartTarget, digests: null };
  expect(preconditionFailure(restartingWorkload({ inFlight: null, record }), restart, noon)).toMatch(/does not exist/);
});

test.for([
  ["app:1", "docker.io/library/app:2", true],
  ["app:1", "other:1", false],
  ["app:1", "ghcr.io/library/app:1", false],
  ["Not/An/Image", "app:1", false],
  ["app:1", "Not/An/Image", false],
] as const)("%s and %s are of one repository: %o", ([one, other, isSame]) => {
  expect(isSameRepository(one, other)).toBe(isSame);
});

test.for([
  { when: "the version is no tag", version: "a b", parts: {}, reason: /^"a b": / },
  { when: "nothing is tracked", version: "1.1.0", parts: { source: null }, reason: "the workload tracks no tag" },
  { when: "another update is in flight", version: "1.2.0", parts: { inFlight }, reason: null },
  { when: "the version before the update is asked for", version: "1.0.0", parts: { inFlight }, reason: null },
  {
    when: "its rollback is in flight",
    version: "1.1.0",
    parts: { inFlight: rollbackOf(inFlight) },
    reason: null,
  },
  { when: "a setting is invalid", version: "1.1.0", parts: { problems: problemsOf("a", "b") }, reason: "a; b" },
  { when: "nothing is known to run", version: "1.1.0", parts: { image: null, rollout: null }, reason: null },
])("a push is refused with $reason if $when", ({ version, parts, reason }) => {
  expect(pushRefusal(workload(parts), version) ?? "may").toMatch(reason ?? "may");
});

test("the verdict that a person asks for is that of an update; only a canary is promoted", () => {
  const requests = [asked("promote"), asked("promote", "full"), asked("abort"), asked("abort", "full"), asked("reset")];
  expect(requests.map((request) => requestedVerdict(request, canaryInFlight))).toEqual([
    "continue",
    "promote",
    "abort",
    null,
    null,
  ]);
  expect(requests.map((request) => requestedVerdict(request, inFlight))).toEqual([null, null, "abort", null, null]);
  expect(
    [null, rollingBack, { ...inFlight, execution: null }].map((one) => requestedVerdict(asked("abort"), one)),
  ).toEqual([null, null, null]);
  expect(requestedVerdict(null, canaryInFlight)).toBeNull();
});

test.for([
  { request: asked("reset", "all"), parts: {}, result: /^refused: reset all is not a request/ },
  {
    request: asked("reset"),
    parts: { updateRecord: { rollbackCount: 2 } },
    result: "2 failed attempts no longer counted",
  },
  { request: asked("push", "1.1.0"), parts: {}, result: "refused: 1.1.0 was not applied; ask again" },
  { request: asked("push"), parts: {}, result: /^refused: no version is given/ },
  { request: asked("retry"), parts: { image: null, rollout: null }, result: "every newer version is tried again" },
  { request: asked("retry", "1.1.0"), parts: {}, result: "1.1.0 had not failed; newer versions are tried again" },
  { request: asked(""), parts: {}, result: /^refused: not a request/ },
])("$request.verb $request.argument is answered $result", ({ request, parts, result }) => {
  const { answer } = answerRequest(workload(parts), request);
  expect(answer?.result).toMatch(result);
  expect(answer && describeAnswer(answer)).not.toMatch(/^refused/);
});
