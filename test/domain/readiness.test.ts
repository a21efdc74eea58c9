import { describe, expect, test } from "vitest";
import { assessReadiness, nextCheckSeconds, whatIsMissing } from "../../functions/domain/readiness.ts";
import { restartInFlight } from "../support/followed.ts";
import { after, image, inFlight, policy, settled, target } from "../support/workloads.ts";

describe("assessReadiness", () => {
  const rolling = { ...settled, updatedReplicas: 1 };
  test.for([
    { when: "everything has settled", rollout: settled, verdict: "ready" },
    {
      when: "the controller has not seen the change",
      rollout: { ...settled, observedGeneration: 1 },
      verdict: "progressing",
    },
    { when: "old pods are still ready", rollout: { ...settled, image }, verdict: "progressing" },
    {
      when: "no container of that name is in the template",
      rollout: { ...settled, image: null },
      verdict: "progressing",
    },
    { when: "one replica is updated", rollout: rolling, verdict: "progressing" },
    { when: "two of three are ready", rollout: { ...settled, readyReplicas: 2 }, verdict: "progressing" },
    { when: "an old replica still stands", rollout: { ...settled, oldReplicas: 1 }, verdict: "progressing" },
    { when: "more replicas than desired are ready", rollout: { ...settled, desiredReplicas: 2 }, verdict: "ready" },
    {
      when: "it is scaled to zero",
      rollout: { ...settled, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 },
      verdict: "ready",
    },
    {
      when: "the same image is spelled otherwise",
      rollout: { ...settled, image: "registry.example/shop/app:1.1.0" },
      verdict: "ready",
    },
    { when: "the object is missing before the deadline", rollout: null, verdict: "progressing" },
    { when: "the object is missing after the deadline", rollout: null, minutes: 15, verdict: "expired" },
    { when: "the deadline is reached to the second", rollout: rolling, minutes: 10, verdict: "progressing" },
    { when: "the deadline has passed", rollout: rolling, minutes: 10.1, verdict: "expired" },
    { when: "it became ready after the deadline", rollout: settled, minutes: 11, verdict: "ready" },
    { when: "the timeout is longer", rollout: rolling, minutes: 25, timeout: 1800, verdict: "progressing" },
  ])("$when: $verdict", ({ rollout, minutes = 1, timeout = 600, verdict }) => {
    const asked = { ...policy, healthTimeoutSeconds: timeout };
    expect(assessReadiness(rollout, inFlight, asked, after(minutes)).kind).toBe(verdict);
  });

  test("a start that cannot be read is given up at once, ready or not", () => {
    const unreadable = { ...inFlight, startedAt: "malformed" } as const;
    expect(assessReadiness(settled, unreadable, policy, after(1))).toEqual({
      kind: "expired",
      reason: "the update-started annotation is not an RFC3339 time",
    });
  });

  test("switching auto-update off gives the update up", () => {
    const verdict = assessReadiness(settled, inFlight, { ...policy, enabled: false }, after(1));
    expect(verdict).toEqual({ kind: "expired", reason: "auto-update was switched off" });
  });

  test("an expired update says what was still missing", () => {
    const verdict = assessReadiness({ ...settled, readyReplicas: 2 }, inFlight, policy, after(11));
    expect(verdict).toEqual({ kind: "expired", reason: "not ready after 600 s: 2 of 3 replicas ready" });
  });
});

describe("assessReadiness of a restart", () => {
  const stale = "a new pod still runs what was there before";
  test.for([
    { when: "everything has settled, whatever its template names", rollout: { ...settled, image }, verdict: "ready" },
    { when: "its controller has not seen it", rollout: { ...settled, observedGeneration: 1 }, verdict: "progressing" },
    { when: "a replica is not ready", rollout: { ...settled, readyReplicas: 2 }, minutes: 11, verdict: "expired" },
    { when: "pods run what was there before", rollout: settled, stale, verdict: "progressing" },
    { when: "pods run what was there before for too long", rollout: settled, stale, minutes: 11, verdict: "expired" },
    { when: "what runs its pods is gone", rollout: null, verdict: "progressing" },
  ])("$when: $verdict", ({ rollout, minutes = 1, stale: found = null, verdict }) => {
    const assessed = assessReadiness(rollout, restartInFlight, policy, after(minutes), found);
    expect(assessed.kind).toBe(verdict);
    expect("reason" in assessed ? assessed.reason : "").toContain(found ?? "");
  });

  test("counts come before what pods run: those that are about to go run the old", () => {
    const assessed = assessReadiness({ ...settled, oldReplicas: 1 }, restartInFlight, policy, after(1), stale);
    expect(assessed).toMatchObject({ reason: "1 old replicas still stand" });
  });
});

test.for([
  [null, { ...settled, image }, null],
  [target, { ...settled, image }, `the pod template runs ${image}`],
] as const)("whatIsMissing where %s is asked for", ([asked, rollout, missing]) => {
  expect(whatIsMissing(rollout, asked)).toBe(missing);
});

test.for([
  [{ ...settled, observedGeneration: 1 }, "its controller has not seen the change yet"],
  [{ ...settled, image }, `the pod template runs ${image}`],
  [{ ...settled, image: null }, "the pod template runs no such container"],
  [{ ...settled, updatedReplicas: 2 }, "2 of 3 replicas updated"],
  [{ ...settled, oldReplicas: 2 }, "2 old replicas still stand"],
  [{ ...settled, readyReplicas: 0 }, "0 of 3 replicas ready"],
  [null, "the object that runs the pods does not exist"],
  [settled, null],
] as const)("whatIsMissing %#: %s", ([rollout, missing]) => {
  expect(whatIsMissing(rollout, target)).toBe(missing);
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
  ] as const)("after %i s it waits %i s", ([elapsed, wait]) => {
    expect(nextCheckSeconds(elapsed, policy)).toBe(wait);
  });

  test("ten minutes take fewer than twenty checks", () => {
    let [elapsed, checks] = [0, 0];
    for (; elapsed <= policy.healthTimeoutSeconds; checks += 1) elapsed += nextCheckSeconds(elapsed, policy);
    expect(checks).toBeLessThan(20);
  });
});
