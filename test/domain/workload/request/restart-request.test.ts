import { describe, expect, test } from "vitest";
import { answerRequest, decideRequest, requestRefusal } from "../../../../functions/domain/workload/request/request.ts";
import {
  updateAvailableEvent,
  updateStartedEvent,
  updateSucceededEvent,
} from "../../../../functions/domain/workload/event/events.ts";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import { restartRefusal, restartTarget } from "../../../../functions/domain/workload/request/restart-request.ts";
import { recordStart } from "../../../../functions/domain/workload/record/update-record.ts";
import { recordWithdrawal } from "../../../../functions/domain/workload/rollback/rollback.ts";
import {
  claw,
  completeRollout,
  image,
  inFlight,
  noon,
  updatingWorkload,
  workload,
  type WorkloadParts,
} from "../../../support/workloads.ts";
import { rollbackEvent, updateWithdrawnEvent } from "../../../../functions/domain/workload/event/revert-events.ts";
import { problemsOf } from "../../../support/problems.ts";

const request = { verb: "restart", argument: null, token: "t-1" };
const target = { kind: "restart", image, request: "00000000000000000000000000742d31" } as const;
const restart = { target, digests: null };
const asked = (parts: WorkloadParts = {}) => workload({ request, ...parts });

test("the target is the image that runs, with the token", () => {
  expect(restartTarget(image, request)).toEqual(target);
  expect(restartTarget(`${image}@sha256:${"a".repeat(64)}`, request)).toEqual(target);
  const [one, other] = ["a", "b"].map((end) => restartTarget(image, { ...request, token: `${"x".repeat(127)}${end}` }));
  expect(one).not.toEqual(other);
  expect(one?.request).toMatch(/^[0-9a-f]{32}$/);
});

test("is decided as a restart", () => {
  expect(decideRequest(asked())).toEqual({ kind: "update", target, isRequested: true });
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
    { if: "it is disabled", initial: workload({ policy: { optIn: "no" } }), reason: /disabled/ },
    {
      if: "a setting is invalid",
      initial: workload({ problems: problemsOf("a schedule is invalid") }),
      reason: /schedule/,
    },
    { if: "an update is in flight", initial: updatingWorkload(), reason: /is in flight; use pawl status/ },
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
});

test.for([
  { when: "it was answered", initial: workload(), failure: "nobody asks for this restart any more" },
  {
    when: "another is asked for",
    initial: asked({ request: { ...request, token: "t-2" } }),
    failure: "nobody asks for this restart any more",
  },
  { when: "the image is not known", initial: asked({ image: null }), failure: "nobody asks for this restart any more" },
  {
    when: "an update has begun",
    initial: asked({ inFlight }),
    failure: `an update to ${inFlight.target.image} is in flight; use pawl status to watch it`,
  },
])("does not start if $when", ({ initial, failure }) => {
  expect(preconditionFailure(initial, restart, noon)).toBe(failure);
});

test("is answered by the claim, and only once", () => {
  const answer = { token: "t-1", verb: "restart", result: "restart is requested: execution e-1" };
  expect(recordStart(asked(), restart, "e-1", noon)).toMatchObject({ answer, restart: noon });
  expect(recordStart(workload(), restart, "e-1", noon)).not.toHaveProperty("answer");
});

test("is refused if it ended before the claim", () => {
  const result = "refused: it was not restarted; ask again";
  expect(answerRequest(workload(), request)).toEqual({ answer: { token: "t-1", verb: "restart", result } });
});

test("its events name the image, and nothing of the request", () => {
  const events = [
    updateAvailableEvent(workload(), target),
    updateStartedEvent(target, "e-1"),
    updateSucceededEvent(target, "e-1"),
    rollbackEvent(workload(), target, "e-1", "not ready"),
    updateWithdrawnEvent(workload(), target, "e-1", "no pod was created"),
  ];
  expect(events.map(({ message }) => message)).toEqual([
    `A restart of ${image} is requested`,
    `Restarting ${image}, as requested (execution e-1)`,
    `Restarted ${image}, as requested (execution e-1)`,
    `The restart of ${image} failed: not ready; the image stays (execution e-1)`,
    `Withdrew the restart of ${image}: no pod was created (execution e-1)`,
  ]);
  for (const event of events) expect(event).toMatchObject({ version: "1.0.0", image });
});

test("is not tried again if no pod was created", () => {
  const claimed = { ...inFlight, phase: "restart", target, previousImage: null } as const;
  const change = recordWithdrawal(workload({ inFlight: claimed }), claimed, "NotStarted", "no pod was created", noon);
  expect(change).not.toHaveProperty("backOff");
  expect(change.updateRecord?.versionHistory?.at(-1)).toMatchObject({ status: "Withdrawn", image });
});
