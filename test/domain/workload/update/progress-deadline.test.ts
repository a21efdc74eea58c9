import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextObservation } from "../../../../functions/domain/workload/policy/observation.ts";
import type { Observation } from "../../../../functions/domain/workload/policy/observation-kinds.ts";
import { observeRollout, podDeadlineSeconds } from "../../../../functions/domain/workload/update/progress-deadline.ts";
import { assessReadiness } from "../../../../functions/domain/workload/update/readiness.ts";
import type { RolloutUpdate } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { Rollout } from "../../../../functions/domain/workload/workload.ts";
import { propertyRuns } from "../../../support/property-runs.ts";
import { after, completeRollout, inFlight, noon, policy, workload } from "../../../support/workloads.ts";

const template = "t-1";
const started: Rollout = { ...completeRollout, template, updatedReplicas: 1, oldReplicas: 2, readyReplicas: 2 };
const noted = { kind: "observed", at: noon, template, remaining: 3, desired: 3 } as const;

describe("since when a rollout is judged", () => {
  test.for<{ when: string; rollout: Partial<Rollout>; noted?: Observation | null; at: Date; remaining: number }>([
    { when: "nothing is noted", rollout: {}, noted: null, at: after(5), remaining: 3 },
    { when: "nothing has changed", rollout: {}, at: noon, remaining: 3 },
    { when: "a pod became available", rollout: { readyReplicas: 3 }, at: after(5), remaining: 2 },
    { when: "an available pod is lost", rollout: { readyReplicas: 1 }, at: noon, remaining: 3 },
    { when: "it was scaled", rollout: { desiredReplicas: 2 }, at: after(5), remaining: 2 },
    { when: "another template is rolled out", rollout: { template: "t-2" }, at: after(5), remaining: 3 },
    { when: "it waited", rollout: {}, noted: { kind: "waiting", reason: "paused" }, at: after(5), remaining: 3 },
    {
      when: "the version before counted no pods",
      rollout: { readyReplicas: 3 },
      noted: { kind: "observed", at: noon, template },
      at: noon,
      remaining: 2,
    },
  ])("$when", ({ rollout, noted: before = noted, at, remaining }) => {
    expect(observeRollout({ ...started, ...rollout }, before ?? undefined, after(5))).toMatchObject({ at, remaining });
  });

  test("is not known where it cannot be noted", () => {
    expect(observeRollout(completeRollout, noted, noon)).toBeNull();
    expect(observeRollout(null, noted, noon)).toBeNull();
  });
});

test.for([
  { minReadySeconds: undefined, seconds: 600 },
  { minReadySeconds: 900, seconds: 1500 },
])("a pod that must be ready for $minReadySeconds s has $seconds s", ({ minReadySeconds, seconds }) => {
  const rollout = minReadySeconds === undefined ? completeRollout : { ...completeRollout, minReadySeconds };
  expect(podDeadlineSeconds(policy, rollout)).toBe(seconds);
  expect(podDeadlineSeconds(policy, null)).toBe(600);
});

type Order = "one after the other" | "beside the old ones";

/** Returns the replica counts of a rollout after `seconds`. Each of the pods takes its own duration, from when the one before is ready. */
function rolloutAt(seconds: number, pods: readonly number[], order: Order): Rollout {
  const desired = pods.length;
  let ready = 0;
  let end = 0;
  for (const duration of pods) {
    end += duration;
    if (end <= seconds) ready += 1;
    else break;
  }
  const isComplete = ready === desired;
  const updated = Math.min(desired, ready + 1);
  const counts =
    order === "one after the other"
      ? { oldReplicas: desired - updated, readyReplicas: isComplete ? desired : desired - 1 }
      : { oldReplicas: desired - ready, readyReplicas: desired };
  return { ...completeRollout, template, desiredReplicas: desired, updatedReplicas: updated, ...counts };
}

/** Runs all checks of an update until there is a verdict. */
function judge(pods: readonly number[], order: Order): { readonly kind: string; readonly seconds: number } {
  let claim: RolloutUpdate = inFlight;
  for (let seconds = 15; ;) {
    const rollout = rolloutAt(seconds, pods, order);
    const now = new Date(noon.getTime() + seconds * 1000);
    const verdict = assessReadiness(rollout, workload(), claim, now);
    if (verdict.kind !== "progressing") return { kind: verdict.kind, seconds };
    const observation = nextObservation({ rollout, inFlight: claim }, verdict, now);
    if (observation !== null) claim = { ...claim, observation };
    seconds += verdict.waitSeconds;
  }
}

describe("in a simulated rollout", () => {
  const order = fc.constantFrom<Order>("one after the other", "beside the old ones");
  const healthy = fc.array(fc.integer({ min: 1, max: policy.healthTimeoutSeconds }), { minLength: 1, maxLength: 40 });

  test("no version is blamed whose pods are each ready in time, however many there are", () => {
    fc.assert(
      fc.property(healthy, order, (pods, how) => {
        expect(judge(pods, how).kind).toBe("ready");
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  test("a pod that never becomes ready fails its version, a health timeout and two checks after it began", () => {
    fc.assert(
      fc.property(healthy, fc.nat(), order, (pods, index, how) => {
        const broken = index % pods.length;
        const begins = pods.slice(0, broken).reduce((sum, one) => sum + one, 0);
        const { kind, seconds } = judge(pods.with(broken, Infinity), how);
        expect(kind).toBe("expired");
        expect(seconds).toBeLessThanOrEqual(begins + policy.healthTimeoutSeconds + 2 * 60);
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  test.for([
    { what: "a StatefulSet of 40", pods: 40, each: 210, order: "one after the other" as const },
    { what: "a Deployment of 10 with maxSurge 1", pods: 10, each: 90, order: "beside the old ones" as const },
  ])("$what is updated", ({ pods, each, order: how }) => {
    expect(judge(Array<number>(pods).fill(each), how).kind).toBe("ready");
  });
});
