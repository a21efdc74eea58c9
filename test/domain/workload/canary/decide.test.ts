import { describe, expect, test } from "vitest";
import { decide } from "../../../support/workloads/decide.ts";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import {
  canaryInFlight,
  canaryWorkload,
  noon,
  completeRollout,
  workload,
  updateTarget,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const tags = ["1.0.0", "1.1.0"];
const rollout = { ...completeRollout, image: "registry.example/shop/app:1.0.0" };

describe("an impossible canary is a problem and blocks updates", () => {
  const workloadWith = (amount: number, desiredReplicas: number) =>
    workload({ policy: { canary: { unit: "replicas", amount } }, rollout: { ...rollout, desiredReplicas } });

  test("allows as many canary replicas as there are", () => {
    expect(decide(workloadWith(3, 3), tags, noon)).toMatchObject({ kind: "update", target: updateTarget });
    expect(preconditionFailure(workloadWith(3, 3), { target: updateTarget, digests: null }, noon)).toBeNull();
  });

  test.for([
    { when: "more than the desired replicas", amount: 4, desired: 3, problem: "4 canary replicas exceed the 3" },
    { when: "no replicas", amount: 1, desired: 0, problem: "there are no replicas to run a canary on" },
  ])("$when", ({ amount, desired, problem }) => {
    const initial = workloadWith(amount, desired);
    const text = expect.stringContaining(`pawl.dev/canary: ${problem}`);
    const problems = [{ field: "pawl.dev/canary", code: "NotSupported", text }];
    expect(decide(initial, tags, noon)).toMatchObject({ kind: "problem", problems });
    expect(preconditionFailure(initial, { target: updateTarget, digests: null }, noon)).toContain(problem);
  });

  test("names the steps if its owner wrote these", () => {
    const size = { unit: "replicas", amount: 4 } as const;
    const steps = [{ kind: "replicas", size, analysis: null, durationSeconds: null }] as const;
    const stepped = workload({
      policy: { canary: size, canarySteps: steps },
      rollout: { ...rollout, desiredReplicas: 3 },
    });
    const text = expect.stringContaining("pawl.dev/canary-steps: 4 canary replicas exceed the 3");
    const problems = [{ field: "pawl.dev/canary-steps", text }];
    expect(decide(stepped, tags, noon)).toMatchObject({ kind: "problem", problems });
  });

  test("is not reported without a rollout or without a canary", () => {
    const canary = { unit: "replicas", amount: 9 } as const;
    expect(decide(workload({ policy: { canary }, rollout: null }), tags, noon)).toMatchObject({ kind: "update" });
    expect(decide(workload({ rollout: { ...rollout, desiredReplicas: 0 } }), tags, noon).kind).toBe("update");
  });

  test("is reported together with invalid settings", () => {
    const policy = { canary: { unit: "replicas", amount: 9 } } as const;
    const decision = decide(workload({ policy, problems: problemsOf("schedule: what?") }), tags, noon);
    expect(decision).toMatchObject({
      problems: [{ text: "schedule: what?" }, { text: expect.stringContaining("9 canary replicas") }],
    });
  });
});

describe("a canary in flight", () => {
  test.for([
    { when: "is unchanged", parts: {}, kind: "adopt" },
    {
      when: "is more than the desired replicas by now",
      parts: { rollout: { ...rollout, desiredReplicas: 0 } },
      kind: "adopt",
    },
    { when: "has a manually changed image", parts: { image: "registry.example/shop/app:hotfix" }, kind: "hold" },
  ])("that $when: $kind", ({ parts, kind }) => {
    expect(decide(canaryWorkload(parts), tags, noon)).toMatchObject(
      kind === "adopt" ? { kind, inFlight: canaryInFlight } : { kind, reason: "manual-change" },
    );
  });
});
