import { describe, expect, test } from "vitest";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import {
  after,
  canaryPods,
  canaryWorkload,
  completeRollout,
  inFlight,
  target,
  updatingWorkload,
} from "../../support/workloads.ts";
import { around, expectSelectable, writesNothing } from "../steps.ts";
import { canaryStep, checkStep } from "./canary-steps.ts";

const moving = { ...completeRollout, readyReplicas: 1 };
const none = { ...completeRollout, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0 };

/** Returns a workload whose canary was promoted and still serves. */
function promoted(parts: Parameters<typeof updatingWorkload>[0] = {}): Workload {
  return updatingWorkload({ canary: canaryPods, ...parts, policy: { canary: { unit: "replicas", amount: 1 } } });
}

describe("CheckReadiness, while a promoted canary serves", () => {
  test.for([
    { when: "all new pods are available", of: promoted(), kind: "scale-down", waitSeconds: 30 },
    {
      when: "old pods only terminate",
      of: promoted({ rollout: { ...completeRollout, terminatingReplicas: 1 } }),
      kind: "scale-down",
      waitSeconds: 30,
    },
    { when: "it is scaled to 0", of: promoted({ rollout: none }), kind: "scale-down", waitSeconds: 0 },
    { when: "a new pod is not available", of: promoted({ rollout: moving }), kind: "progressing", waitSeconds: 15 },
    { when: "a person aborts it", of: promoted({ verdict: "abort" }), kind: "fail", waitSeconds: 0 },
    { when: "it was removed", of: promoted({ canary: null }), kind: "ready", waitSeconds: 0 },
  ])("if $when: $kind in $waitSeconds s", async ({ of, kind, waitSeconds }) => {
    const ports = around(of, { now: after(1), atMoment: writesNothing });
    const result = await checkReadiness(ports, checkStep);
    expect(result).toMatchObject({ kind, waitSeconds });
    expectSelectable("CheckReadiness", result);
  });

  test("waits as long as its policy says, and keeps the claim", async () => {
    const initial = promoted();
    const ports = around({ ...initial, policy: { ...initial.policy, scaleDownDelaySeconds: 0 } }, { now: after(1) });
    const reason = "all new pods are available: the canary is removed in 0 s";
    expect(await checkReadiness(ports, checkStep)).toEqual({ kind: "scale-down", waitSeconds: 0, reason });
    expect(ports.cluster.get().inFlight).toEqual(inFlight);
  });
});

describe("ApplyUpdate, after the scale-down delay", () => {
  const step = { ...canaryStep, step: "scale-down" } as const;

  test.for(["canary", "rolling"] as const)(
    "removes the canary, also repeated, with the strategy %s",
    async (strategy) => {
      const ports = around(promoted(), { now: after(1) });
      const input = { ...step, strategy, adopting: strategy === "rolling" };
      const result = await applyUpdate(ports, input);
      expect(result).toMatchObject({ kind: "applied", waitSeconds: 15, reason: "removed the canary" });
      expectSelectable("ApplyUpdate", result);
      expect(await applyUpdate(ports, input)).toMatchObject({ kind: "applied" });
      expect(ports.cluster.get()).toMatchObject({ image: target, canary: null, inFlight });
      expect(ports.published).toEqual([]);
      expect(await checkReadiness(ports, checkStep)).toMatchObject({ kind: "ready" });
    },
  );

  test.for([
    { when: "a new pod is not available any more", of: promoted({ rollout: moving }), kind: "applied" },
    {
      when: "the promotion is not written",
      of: promoted({ inFlight: { ...inFlight, isApplied: false } }),
      kind: "applied",
    },
    { when: "it is not promoted", of: canaryWorkload(), kind: "applied" },
    { when: "a person set another image", of: promoted({ image: "app:hotfix" }), kind: "superseded" },
    { when: "the update is over", of: promoted({ inFlight: null }), kind: "superseded" },
  ])("writes nothing if $when", async ({ of, kind }) => {
    const ports = around(of, { now: after(1), atMoment: writesNothing });
    expect(await applyUpdate(ports, step)).toMatchObject({ kind });
  });
});

test("a promotion that is adopted before it was written keeps its canary", async () => {
  const ports = around(promoted({ inFlight: { ...inFlight, isApplied: false } }), { now: after(1) });
  await adoptUpdate(ports, { ...canaryStep, execution: "e-2", strategy: "rolling", adopting: true });
  expect(ports.cluster.get()).toMatchObject({
    image: target,
    canary: { image: target },
    inFlight: { phase: "rollout" },
  });
});
