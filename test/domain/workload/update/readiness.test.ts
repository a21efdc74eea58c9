import { describe, expect, test } from "vitest";
import {
  assessReadiness,
  nextCheckSeconds,
  missingCondition,
} from "../../../../functions/domain/workload/update/readiness.ts";
import { restartInFlight } from "../../../support/digest-workloads.ts";
import { after, claw, completeRollout, image, inFlight, policy, target, workload } from "../../../support/workloads.ts";

describe("assessReadiness", () => {
  const rolling = { ...completeRollout, updatedReplicas: 1 };
  const failing = { ...rolling, oldReplicas: 3 };
  test.for([
    { when: "the rollout is complete", rollout: completeRollout, verdict: "ready" },
    {
      when: "the controller has not observed the change",
      rollout: { ...completeRollout, observedGeneration: 1 },
      verdict: "waiting",
    },
    { when: "only old pods are ready", rollout: { ...completeRollout, image }, verdict: "progressing" },
    {
      when: "the template has no container of that name",
      rollout: { ...completeRollout, image: null },
      verdict: "progressing",
    },
    { when: "one replica is updated", rollout: rolling, verdict: "progressing" },
    { when: "two of three are ready", rollout: { ...completeRollout, readyReplicas: 2 }, verdict: "progressing" },
    {
      when: "an old replica is still running",
      rollout: { ...completeRollout, oldReplicas: 1 },
      verdict: "progressing",
    },
    {
      when: "more replicas than desired are ready",
      rollout: { ...completeRollout, desiredReplicas: 2 },
      verdict: "ready",
    },
    {
      when: "the same image is spelled differently",
      rollout: { ...completeRollout, image: "registry.example/shop/app:1.1.0" },
      verdict: "ready",
    },
    { when: "the object is missing before the deadline", rollout: null, verdict: "progressing" },
    { when: "the object is missing after the deadline", rollout: null, minutes: 15, verdict: "not-started" },
    { when: "the deadline is reached exactly", rollout: rolling, minutes: 10, verdict: "progressing" },
    { when: "the deadline has passed", rollout: failing, minutes: 10.1, verdict: "expired" },
    { when: "it became ready after the deadline", rollout: completeRollout, minutes: 11, verdict: "ready" },
    {
      when: "an old pod terminates",
      rollout: { ...completeRollout, terminatingReplicas: 1 },
      verdict: "progressing",
    },
    {
      when: "an old pod still terminates at the deadline",
      rollout: { ...completeRollout, terminatingReplicas: 1 },
      minutes: 10.1,
      verdict: "ready",
    },
    { when: "the timeout is longer", rollout: rolling, minutes: 25, timeout: 1800, verdict: "progressing" },
  ])("$when: $verdict", ({ rollout, minutes = 1, timeout = 600, verdict }) => {
    const subject = workload({ policy: { healthTimeoutSeconds: timeout } });
    expect(assessReadiness(rollout, subject, inFlight, after(minutes)).kind).toBe(verdict);
  });

  test("expires immediately with a malformed start time, even if ready", () => {
    const malformed = { ...inFlight, startedAt: "malformed" } as const;
    expect(assessReadiness(completeRollout, claw(), malformed, after(1))).toEqual({
      kind: "expired",
      reason: "the update-started annotation is not an RFC3339 time",
    });
  });

  test("expires if auto-update is disabled", () => {
    const verdict = assessReadiness(completeRollout, workload({ policy: { optIn: "no" } }), inFlight, after(1));
    expect(verdict).toEqual({ kind: "expired", reason: "auto-update was disabled" });
  });

  test("names the pods that terminate", () => {
    const rollout = { ...completeRollout, terminatingReplicas: 2 };
    expect(assessReadiness(rollout, workload(), inFlight, after(1))).toEqual({
      kind: "progressing",
      waitSeconds: 15,
      reason: "2 replicas are still terminating",
    });
  });

  test("names the missing condition when it expires", () => {
    const verdict = assessReadiness({ ...completeRollout, readyReplicas: 2 }, workload(), inFlight, after(11));
    expect(verdict).toEqual({ kind: "expired", reason: "not ready after 600 s: 2 of 3 replicas ready" });
  });
});

describe("assessReadiness of a restart", () => {
  const stale = "a new pod still runs the previous digest";
  test.for([
    {
      when: "the rollout is complete, with any image in its template",
      rollout: { ...completeRollout, image },
      verdict: "ready",
    },
    {
      when: "its controller has not observed it",
      rollout: { ...completeRollout, observedGeneration: 1 },
      verdict: "waiting",
    },
    {
      when: "a replica is not ready",
      rollout: { ...completeRollout, readyReplicas: 2 },
      minutes: 11,
      verdict: "expired",
    },
    { when: "pods run the previous digest", rollout: completeRollout, stale, verdict: "progressing" },
    {
      when: "pods run the previous digest past the deadline",
      rollout: completeRollout,
      stale,
      minutes: 11,
      verdict: "expired",
    },
    { when: "the object that manages its pods is missing", rollout: null, verdict: "progressing" },
  ])("$when: $verdict", ({ rollout, minutes = 1, stale: found = null, verdict }) => {
    const assessed = assessReadiness(rollout, workload(), restartInFlight, after(minutes), { stale: found });
    expect(assessed.kind).toBe(verdict);
    expect("reason" in assessed ? assessed.reason : "").toContain(found ?? "");
  });

  test("evaluates counts before pods: terminating pods run the previous digest", () => {
    const assessed = assessReadiness({ ...completeRollout, oldReplicas: 1 }, workload(), restartInFlight, after(1), {
      stale,
    });
    expect(assessed).toMatchObject({ reason: "1 old replicas are still running" });
  });
});

test.for([
  [null, { ...completeRollout, image }, null],
  [target, { ...completeRollout, image }, `the pod template runs ${image}`],
] as const)("missingCondition of a rollout for %s", ([expectedImage, rollout, missing]) => {
  expect(missingCondition(rollout, expectedImage)).toBe(missing);
});

test.for([
  [{ ...completeRollout, observedGeneration: 1 }, "the controller has not observed the change yet"],
  [{ ...completeRollout, image }, `the pod template runs ${image}`],
  [{ ...completeRollout, image: null }, "the pod template runs no such container"],
  [{ ...completeRollout, updatedReplicas: 2 }, "2 of 3 replicas updated"],
  [{ ...completeRollout, oldReplicas: 2 }, "2 old replicas are still running"],
  [{ ...completeRollout, readyReplicas: 0 }, "0 of 3 replicas ready"],
  [null, "the object that manages the pods does not exist"],
  [completeRollout, null],
] as const)("missingCondition %#: %s", ([rollout, missing]) => {
  expect(missingCondition(rollout, target)).toBe(missing);
});

describe("nextCheckSeconds", () => {
  test.for([
    [0, 15],
    [105, 15],
    [120, 15],
    [135, 23],
    [240, 60],
    [500, 60],
    [570, 31],
    [600, 1],
  ] as const)("after %i s the next check is in %i s", ([elapsed, wait]) => {
    expect(nextCheckSeconds(elapsed, policy.healthTimeoutSeconds - elapsed)).toBe(wait);
  });

  test("checks fewer than 20 times in ten minutes", () => {
    let [elapsed, checks] = [0, 0];
    for (; elapsed <= policy.healthTimeoutSeconds; checks += 1) {
      elapsed += nextCheckSeconds(elapsed, policy.healthTimeoutSeconds - elapsed);
    }
    expect(checks).toBeLessThan(20);
  });
});

test.for([
  { when: "its controller has not observed the last change", observedGeneration: 1, verdict: "waiting" },
  { when: "its controller has observed it, and a replica is not ready", observedGeneration: 2, verdict: "expired" },
])("long after the deadline, when $when: $verdict", ({ observedGeneration, verdict }) => {
  const rollout = { ...completeRollout, readyReplicas: 2, observedGeneration };
  expect(assessReadiness(rollout, workload(), inFlight, after(90)).kind).toBe(verdict);
});

test.for([601, 3600, 86_400])("%i s after the start, past the deadline, the next check is in 15 s", (elapsed) => {
  expect(nextCheckSeconds(elapsed, policy.healthTimeoutSeconds - elapsed)).toBe(15);
});

describe("when its window has ended, and onWindowEnd is rollBack", () => {
  const windows = [{ schedule: "0 12 * * *", durationSeconds: 60 }];
  const subject = workload({ policy: { windows, rollsBackAtWindowEnd: true } });
  const { rollout: incomplete } = workload({ rollout: { ...completeRollout, updatedReplicas: 1 } });
  test.for([
    { when: "an update goes back without blame", rollout: incomplete, of: inFlight, verdict: "withdraw" },
    { when: "an update that is complete stays", rollout: completeRollout, of: inFlight, verdict: "ready" },
    { when: "a restart continues", rollout: incomplete, of: restartInFlight, verdict: "progressing" },
    {
      when: "an update that is in time continues",
      rollout: incomplete,
      of: inFlight,
      minutes: 0.5,
      verdict: "progressing",
    },
  ])("$when", ({ rollout, of, minutes = 2, verdict }) => {
    expect(assessReadiness(rollout, subject, of, after(minutes)).kind).toBe(verdict);
  });
});
