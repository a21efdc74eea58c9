import { describe, expect, test } from "vitest";
import { decide } from "../support/decide.ts";
import { whyNotApply } from "../../functions/domain/why-not-apply.ts";
import { canaryInFlight, canarying, noon, settled, target, workload } from "../support/workloads.ts";

const tags = ["1.0.0", "1.1.0"];
const rollout = { ...settled, image: "registry.example/shop/app:1.0.0" };

describe("a canary that cannot be made is a problem, and nothing is updated", () => {
  const seenWith = (amount: number, desiredReplicas: number) =>
    workload({ policy: { canary: { unit: "replicas", amount } }, rollout: { ...rollout, desiredReplicas } });

  test("as many as there are is none", () => {
    expect(decide(seenWith(3, 3), tags, noon)).toMatchObject({ kind: "update", image: target });
    expect(whyNotApply(seenWith(3, 3), target)).toBeNull();
  });

  test.for([
    { when: "more than there are", amount: 4, desired: 3, problem: "4 canary replicas are more than the 3" },
    { when: "none there", amount: 1, desired: 0, problem: "there are no replicas to make a canary of" },
  ])("$when", ({ amount, desired, problem }) => {
    const seen = seenWith(amount, desired);
    const problems = [expect.stringContaining(`pawl.dev/canary: ${problem}`)];
    expect(decide(seen, tags, noon)).toEqual({ kind: "problem", problems });
    expect(whyNotApply(seen, target)).toContain(problem);
  });

  test("is not said of a workload without pods to count, nor of one that wants no canary", () => {
    const canary = { unit: "replicas", amount: 9 } as const;
    expect(decide(workload({ policy: { canary }, rollout: null }), tags, noon)).toMatchObject({ kind: "update" });
    expect(decide(workload({ rollout: { ...rollout, desiredReplicas: 0 } }), tags, noon).kind).toBe("update");
  });

  test("is said beside what cannot be read", () => {
    const policy = { canary: { unit: "replicas", amount: 9 } } as const;
    const decision = decide(workload({ policy, problems: ["schedule: what?"] }), tags, noon);
    expect(decision).toMatchObject({ problems: ["schedule: what?", expect.stringContaining("9 canary replicas")] });
  });
});

describe("a canary in flight", () => {
  test.for([
    { when: "stands", parts: {}, kind: "adopt" },
    { when: "is more than there are by now", parts: { rollout: { ...rollout, desiredReplicas: 0 } }, kind: "adopt" },
    { when: "was overtaken by a person's image", parts: { image: "registry.example/shop/app:hotfix" }, kind: "hold" },
  ])("that $when: $kind", ({ parts, kind }) => {
    expect(decide(canarying(parts), tags, noon)).toMatchObject(
      kind === "adopt" ? { kind, inFlight: canaryInFlight } : { kind, reason: "changed-by-hand" },
    );
  });
});
