import { describe, expect, test } from "vitest";
import { assessCanary } from "../../../functions/domain/workload/canary/canary.ts";
import { assessWorkload } from "../../../functions/domain/workload/readiness.ts";
import {
  after,
  canaryInFlight,
  canaryWorkload,
  completeRollout,
  inFlight,
  updatingWorkload,
  type WorkloadParts,
} from "../../support/workloads.ts";

describe("past the deadline, not ready", () => {
  const problems = ['pawl.dev/health-timeout "45 m": is not a duration'];
  const paused = ["spec.paused: the Deployment is paused, so an update would not roll out; resume it"];
  const late = { ...completeRollout, readyReplicas: 2 };
  test.for<{ when: string; parts: WorkloadParts; startedAt?: "malformed"; verdict: string }>([
    { when: "every setting is valid", parts: {}, verdict: "expired" },
    { when: "the health timeout cannot be parsed", parts: { problems }, verdict: "progressing" },
    { when: "its owner paused the Deployment", parts: { problems: paused }, verdict: "progressing" },
    {
      when: "a setting is invalid, and its owner opted out",
      parts: { problems, policy: { enabled: false } },
      verdict: "expired",
    },
    {
      when: "a setting is invalid, and the start is no time",
      parts: { problems },
      startedAt: "malformed",
      verdict: "expired",
    },
  ])("$when: $verdict", ({ parts, startedAt = inFlight.startedAt, verdict }) => {
    const subject = updatingWorkload({ rollout: late, ...parts });
    const readiness = assessWorkload(subject, { ...inFlight, startedAt }, after(11), null);
    expect(readiness.kind).toBe(verdict);
    const canary = canaryWorkload({ ...parts, canary: late });
    expect(assessCanary(canary, { ...canaryInFlight, startedAt }, after(11)).kind).toBe(verdict);
  });

  test("what withholds the verdict is the reason", () => {
    expect(assessWorkload(updatingWorkload({ rollout: late, problems }), inFlight, after(11), null)).toEqual({
      kind: "progressing",
      waitSeconds: 60,
      reason: `not judged until it is fixed: ${problems.join("; ")}`,
    });
  });

  test("what became ready meanwhile is ready, also with an invalid setting", () => {
    expect(assessWorkload(updatingWorkload({ problems }), inFlight, after(11), null).kind).toBe("ready");
  });
});
