import { describe, expect, test } from "vitest";
import { answerRequest, decideRequest, requestRefusal } from "../../../functions/domain/workload/request.ts";
import { restartStartedEvent, rollbackEvent, updateAvailableEvent } from "../../../functions/domain/workload/events.ts";
import { preconditionFailure } from "../../../functions/domain/workload/preconditions.ts";
import { keepsImages, restartRefusal, restartTarget } from "../../../functions/domain/workload/restart-request.ts";
import { recordStart } from "../../../functions/domain/workload/update-record.ts";
import { recordWithdrawal } from "../../../functions/domain/workload/rollback.ts";
import {
  claw,
  completeRollout,
  image,
  inFlight,
  noon,
  updatingWorkload,
  workload,
  type WorkloadParts,
} from "../../support/workloads.ts";

const request = { verb: "restart", argument: null, token: "t-1" };
const target = `${image}@restart:00000000000000000000000000742d31`;
const restart = { image: target, isRestart: true };
const asked = (parts: WorkloadParts = {}) => workload({ request, ...parts });

test("the target is the image that runs, with the token", () => {
  expect(restartTarget(image, request)).toBe(target);
  expect(restartTarget(`${image}@sha256:${"a".repeat(64)}`, request)).toBe(target);
  expect(keepsImages(target)).toBe(true);
  expect(keepsImages(image)).toBe(false);
  const [one, other] = ["a", "b"].map((end) => restartTarget(image, { ...request, token: `${"x".repeat(127)}${end}` }));
  expect(one).not.toBe(other);
  expect(one).toMatch(/@restart:[0-9a-f]{32}$/);
});

test("is decided as a restart", () => {
  const version = target.slice(target.lastIndexOf(":1") + 1);
  expect(decideRequest(asked())).toEqual({ kind: "update", version, image: target, restart: true, isRequested: true });
  expect(requestRefusal(asked(), request)).toBeNull();
});

describe("is refused", () => {
  test.for([
    { if: "it has an argument", initial: workload(), argument: "1.2.0", reason: /^restart 1\.2\.0 is not a request/ },
    { if: "it is a Claw", initial: claw(), reason: /of this kind$/ },
    {
      if: "it is a CronJob",
      initial: workload({ rollout: { ...completeRollout, podsPer: "job" } }),
      reason: /CronJob/,
    },
    { if: "it is disabled", initial: workload({ policy: { enabled: false } }), reason: /disabled/ },
    { if: "a setting is invalid", initial: workload({ problems: ["a schedule is invalid"] }), reason: /schedule/ },
    { if: "an update is in flight", initial: updatingWorkload(), reason: /is in flight$/ },
    { if: "its image is not known", initial: workload({ image: null }), reason: /not known/ },
    { if: "its pods do not exist", initial: workload({ rollout: null }), reason: /not known/ },
    {
      if: "it is scaled to 0",
      initial: workload({ rollout: { ...completeRollout, desiredReplicas: 0 } }),
      reason: /scaled to 0/,
    },
  ])("if $if", ({ initial, argument = null, reason }) => {
    expect(restartRefusal(initial, argument)).toMatch(reason);
    const wrong = { ...request, argument };
    expect(decideRequest({ ...initial, request: wrong })).toEqual({ kind: "request", ...wrong });
    expect(requestRefusal(initial, wrong)).toMatch(reason);
  });

  test.for([
    { when: "the circuit is open", parts: { updateRecord: { circuitOpen: true } } },
    { when: "updates are paused", parts: { policy: { paused: true } } },
    { when: "only digests are tracked", parts: { source: null } },
  ])("not when $when", ({ parts }) => {
    expect(restartRefusal(workload(parts), null)).toBeNull();
    expect(preconditionFailure(asked(parts), restart, noon)).toBeNull();
  });
});

test.for([
  { when: "it was answered", initial: workload(), failure: "nobody asks for this restart any more" },
  {
    when: "another is asked for",
    initial: asked({ request: { ...request, token: "t-2" } }),
    failure: "nobody asks for this restart any more",
  },
  {
    when: "a person set another image",
    initial: asked({ image: "registry.example/shop/app:9" }),
    failure: "nobody asks for this restart any more",
  },
  { when: "the image is not known", initial: asked({ image: null }), failure: "nobody asks for this restart any more" },
  {
    when: "an update has begun",
    initial: asked({ inFlight }),
    failure: `an update to ${inFlight.targetImage} is in flight`,
  },
])("does not start if $when", ({ initial, failure }) => {
  expect(preconditionFailure(initial, restart, noon)).toBe(failure);
});

test("is answered by the claim, and only once", () => {
  const answer = { token: "t-1", verb: "restart", result: "restarted by execution e-1" };
  expect(recordStart(asked(), restart, "e-1", noon)).toMatchObject({ answer, restart: noon });
  expect(recordStart(workload(), restart, "e-1", noon)).not.toHaveProperty("answer");
});

test("is refused if it ended before the claim", () => {
  const result = "refused: it was not restarted; ask again";
  expect(answerRequest(workload(), request)).toEqual({ answer: { token: "t-1", verb: "restart", result } });
});

test("its events name the request", () => {
  expect(updateAvailableEvent(workload(), "1.0.0@restart:1", target).message).toMatch(/^A restart is requested: /);
  expect(restartStartedEvent(target, "e-1").message).toMatch(/^Restarting for a request: /);
  const failed = rollbackEvent(workload(), target, "e-1", "not ready").message;
  expect(failed).toMatch(/^The restart for .* failed: not ready; the image stays /);
});

test("is not tried again if no pod was created", () => {
  const claimed = { ...inFlight, phase: "restart", targetImage: target, previousImage: null } as const;
  const change = recordWithdrawal(workload({ inFlight: claimed }), claimed, "NotStarted", "no pod was created", noon);
  expect(change).not.toHaveProperty("backOff");
  expect(change.updateRecord?.versionHistory?.at(-1)).toMatchObject({ status: "Withdrawn", image });
});
