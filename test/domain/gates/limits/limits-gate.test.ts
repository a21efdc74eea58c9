import { describe, expect, test } from "vitest";
import { isHeldByGate } from "../../../../functions/domain/gates/gates.ts";
import { limitsHold, type StartWait } from "../../../../functions/domain/gates/limits/limits-gate.ts";
import type { Blocker } from "../../../../functions/domain/gates/limits/start-facts.ts";
import { decidedState } from "../../../../functions/domain/state/decided-state.ts";
import { planCheckRecord } from "../../../../functions/domain/workload/record/record-check.ts";
import { after, noon, updateTarget, workload } from "../../../support/workloads.ts";

const update = { kind: "update", target: updateTarget } as const;
const full = (position: number | null, by: "total" | "namespace" | "repository" = "total"): StartWait => ({
  kind: "full",
  by,
  position,
});

function blocker(name: string, hasFailed = false): Blocker {
  const place = { namespace: "shop", repository: "r/app", versions: ["1.1.0"], wave: 0 };
  return { uid: name, name, ...place, hasFailed };
}

describe("a workload that waits for a place says", () => {
  test.for<{ wait: StartWait; message: string; reason?: string; liftedBy?: string }>([
    { wait: full(7), message: "7th of 41 that wait: at most 10 workloads are updated at a time" },
    { wait: full(1), message: "1st of 41 that wait: at most 10 workloads are updated at a time" },
    { wait: full(12), message: "12th of 41 that wait: at most 10 workloads are updated at a time" },
    { wait: full(22), message: "22nd of 41 that wait: at most 10 workloads are updated at a time" },
    { wait: full(33), message: "33rd of 41 that wait: at most 10 workloads are updated at a time" },
    { wait: full(null), message: "behind 100 that wait: at most 10 workloads are updated at a time" },
    {
      wait: full(2, "namespace"),
      message: "2nd of 41 that wait: its namespace has as many updates as limits.perNamespace allows",
    },
    {
      wait: full(2, "repository"),
      message: "2nd of 41 that wait: its repository has as many updates as limits.perRepository allows",
    },
    {
      wait: { kind: "wave", blockers: [blocker("deployment/b"), blocker("deployment/a")] },
      reason: "EarlierWave",
      message: "an earlier wave has yet to run 1.1.0: deployment/a, deployment/b",
    },
    {
      wait: { kind: "wave", blockers: [blocker("deployment/a"), blocker("deployment/b", true)] },
      reason: "EarlierWaveFailed",
      message: "1.1.0 has failed in an earlier wave: deployment/b",
      liftedBy: "pawl retry of deployment/b",
    },
    {
      wait: { kind: "unknown", reason: "ListExecutions: denied" },
      reason: "LimitsUnknown",
      message: "how many updates are in progress is not known: ListExecutions: denied",
    },
    { wait: { kind: "nominated" }, message: "it waits for a place, which the next poll assigns" },
  ])("$message", ({ wait, message, reason = "LimitReached", liftedBy = "pawl push" }) => {
    const held = limitsHold(update, wait, { waiting: 41, max: 10 }, after(-5));
    const gate = { name: "limits", reason, message, since: "2026-11-20T11:55:00Z", liftedBy };
    expect(held).toMatchObject({ reason: "limited", detail: message, target: updateTarget, gates: [gate] });
  });
});

test("its wait is recorded with its start, and its state is Waiting", () => {
  const subject = workload();
  const held = limitsHold({ ...update, available: "1.2.0" }, full(7), { waiting: 41, max: 10 }, after(-5));
  expect(isHeldByGate(held)).toBe(true);
  expect(held.available).toBe("1.2.0");
  expect(decidedState(subject, held, noon)).toMatchObject({ state: "Waiting", reason: "LimitReached" });
  const { change } = planCheckRecord(subject, held, noon);
  expect(change?.gates).toMatchObject([{ name: "limits", since: after(-5) }]);
  const { change: again } = planCheckRecord({ ...subject, gates: change?.gates ?? [] }, held, after(5));
  expect(again?.gates).toBeUndefined();
});
