import { describe, expect, test } from "vitest";
import { assessReadiness, hasFailingPods } from "../../../../functions/domain/workload/update/readiness.ts";
import { recordStart } from "../../../../functions/domain/workload/record/update-record.ts";
import type { Rollout } from "../../../../functions/domain/workload/workload.ts";
import { restartInFlight } from "../../../support/digest-workloads.ts";
import {
  after,
  completeRollout,
  image,
  inFlight,
  noon,
  target,
  workload,
  updateTarget,
} from "../../../support/workloads.ts";

/** Three replicas, of which no pod runs the target yet. */
const blocked: Rollout = { ...completeRollout, updatedReplicas: 0, oldReplicas: 3 };

describe("past the deadline", () => {
  const createFailure = 'pods "app-5d9" is forbidden: exceeded quota: pods=3';
  test.for([
    { when: "no pod of the new revision was created", rollout: blocked, verdict: "not-started" },
    {
      when: "an old pod is unavailable too",
      rollout: { ...blocked, readyReplicas: 2 },
      verdict: "not-started",
    },
    {
      when: "all pods that could be created are available",
      rollout: { ...blocked, updatedReplicas: 1, oldReplicas: 2 },
      verdict: "not-started",
    },
    {
      when: "a pod of the new revision is not available",
      rollout: { ...blocked, updatedReplicas: 1 },
      verdict: "expired",
    },
    {
      when: "the node of that pod does not answer",
      rollout: { ...blocked, updatedReplicas: 1 },
      excused: 1,
      verdict: "not-started",
    },
    {
      when: "the nodes of fewer pods do not answer",
      rollout: { ...blocked, updatedReplicas: 1, oldReplicas: 4 },
      excused: 1,
      verdict: "expired",
    },
    {
      when: "no node takes that pod, and an old one fails too",
      rollout: { ...blocked, updatedReplicas: 1, readyReplicas: 2 },
      excused: 1,
      failing: 0,
      verdict: "not-started",
    },
    {
      when: "its controller does not recreate a pod that it has deleted",
      rollout: { ...blocked, updatedReplicas: 1, oldReplicas: 1, readyReplicas: 1 },
      failing: 0,
      verdict: "not-started",
    },
    {
      when: "that pod fails, and an old one too",
      rollout: { ...blocked, updatedReplicas: 1, readyReplicas: 2 },
      failing: 1,
      verdict: "expired",
    },
  ])("$when: $verdict", ({ rollout, excused = 0, failing, verdict }) => {
    expect(
      assessReadiness(rollout, workload(), inFlight, after(11), {
        excused,
        ...(failing === undefined ? {} : { failing }),
      }).kind,
    ).toBe(verdict);
  });

  test("the reason names why no pod was created", () => {
    expect(assessReadiness({ ...blocked, createFailure }, workload(), inFlight, after(11))).toEqual({
      kind: "not-started",
      reason: `not ready after 600 s: 0 of 3 replicas updated: ${createFailure}`,
    });
    const pending = { ...completeRollout, readyReplicas: 2, createFailure };
    expect(assessReadiness(pending, workload(), inFlight, after(1))).toMatchObject({
      reason: `2 of 3 replicas ready: ${createFailure}`,
    });
  });
});

test.for([
  { when: "there is no rollout", rollout: null, failing: false },
  { when: "a pod of the target is unavailable", rollout: { ...completeRollout, readyReplicas: 2 }, failing: true },
  {
    when: "the pods run another image",
    rollout: { ...completeRollout, image, readyReplicas: 2 },
    failing: false,
  },
  { when: "the image is unknown", rollout: { ...completeRollout, image: null, readyReplicas: 2 }, failing: false },
  {
    when: "its controller has not observed the change",
    rollout: { ...completeRollout, observedGeneration: 1, readyReplicas: 2 },
    failing: false,
  },
] as const)("hasFailingPods if $when: $failing", ({ rollout, failing }) => {
  expect(hasFailingPods(rollout, target)).toBe(failing);
});

describe("a DaemonSet", () => {
  const complete: Rollout = { ...completeRollout, podsPer: "node" };
  const missingOne: Rollout = { ...complete, updatedReplicas: 2, readyReplicas: 2, oldReplicas: 1 };
  test.for([
    { when: "one node does not answer", rollout: missingOne, excused: 1, minutes: 1, verdict: "ready" },
    { when: "one pod is not replaced yet", rollout: missingOne, minutes: 1, verdict: "progressing" },
    {
      when: "one pod is not ready on a node that answers",
      rollout: { ...complete, readyReplicas: 2 },
      minutes: 11,
      verdict: "expired",
    },
    {
      when: "a second pod is missing",
      rollout: { ...missingOne, readyReplicas: 1 },
      excused: 1,
      minutes: 11,
      verdict: "expired",
    },
    {
      when: "as many are unavailable as before",
      rollout: { ...complete, readyReplicas: 2 },
      before: 1,
      minutes: 11,
      verdict: "ready",
    },
    {
      when: "as many are unavailable as before, and the others may follow",
      rollout: { ...complete, readyReplicas: 2 },
      before: 1,
      minutes: 9,
      verdict: "progressing",
    },
    {
      when: "more are unavailable than before",
      rollout: { ...complete, readyReplicas: 1 },
      before: 1,
      minutes: 11,
      verdict: "expired",
    },
    {
      when: "its controller waits for a pod that was unavailable before",
      rollout: { ...complete, updatedReplicas: 1, readyReplicas: 2, oldReplicas: 2 },
      before: 1,
      minutes: 11,
      verdict: "not-started",
    },
    {
      when: "its controller waits for a pod that was unavailable before, and one of two pods is an old one that is ready",
      rollout: { ...complete, desiredReplicas: 2, updatedReplicas: 1, readyReplicas: 1, oldReplicas: 1 },
      before: 1,
      minutes: 11,
      verdict: "not-started",
    },
    {
      when: "as many are unavailable as before, and a new pod has crashed",
      rollout: { ...complete, readyReplicas: 2 },
      before: 1,
      crashed: 1,
      minutes: 11,
      verdict: "expired",
    },
    {
      when: "the pod that replaced one that was unavailable before has crashed",
      rollout: { ...complete, desiredReplicas: 2, updatedReplicas: 1, readyReplicas: 1, oldReplicas: 1 },
      before: 1,
      crashed: 1,
      minutes: 11,
      verdict: "expired",
    },
    {
      when: "no node answers",
      rollout: { ...complete, updatedReplicas: 0, readyReplicas: 0, oldReplicas: 3 },
      excused: 3,
      minutes: 11,
      verdict: "not-started",
    },
  ])("$when, after $minutes minutes: $verdict", ({ rollout, excused = 0, crashed = 0, before, minutes, verdict }) => {
    const claim = before === undefined ? inFlight : { ...inFlight, unavailableBefore: before };
    expect(assessReadiness(rollout, workload(), claim, after(minutes), { excused, crashed }).kind).toBe(verdict);
  });

  test("pods with the previous digest are not excused", () => {
    const claim = { ...restartInFlight, unavailableBefore: 1 };
    const rollout = { ...complete, readyReplicas: 2 };
    const stale = "a new pod still runs the previous digest";
    expect(assessReadiness(rollout, workload(), claim, after(11), { stale }).kind).toBe("expired");
    expect(assessReadiness(rollout, workload(), claim, after(11)).kind).toBe("ready");
  });

  test.for([
    [{ ...complete, image, readyReplicas: 2 }, 1],
    [{ ...complete, image, readyReplicas: 4 }, undefined],
    [{ ...complete, image, readyReplicas: 1, updatedReplicas: 2, oldReplicas: 1 }, 1],
    [{ ...complete, image, readyReplicas: 2, updatedReplicas: 1, oldReplicas: 2 }, undefined],
    [{ ...complete, image, readyReplicas: 2, generation: 2, observedGeneration: 1 }, undefined],
    [{ ...completeRollout, image, readyReplicas: 2 }, 1],
    [{ ...completeRollout, image, readyReplicas: 0, podsPer: "job" }, undefined],
    [null, undefined],
  ] as const)("recordStart notes how many pods are unavailable: %#", ([rollout, unavailable]) => {
    const { inFlight: claim } = recordStart(
      workload({ rollout }),
      { target: updateTarget, digests: null },
      "e-1",
      noon,
    );
    expect(claim.unavailableBefore).toBe(unavailable);
  });
});
