import { expect, test } from "vitest";
import { assessCanary, knownVerdict, strategyOf } from "../../functions/domain/canary.ts";
import { after, canaryInFlight, canarying, canaryPods, image, policy } from "../support/workloads.ts";

const unready = { ...canaryPods, readyReplicas: 0 };

test.for([
  { when: "it is ready", parts: {}, minutes: 1, kind: "ready" },
  { when: "it became ready late", parts: {}, minutes: 11, kind: "ready" },
  { when: "it is not ready", parts: { canary: unready }, minutes: 1, kind: "progressing" },
  { when: "it is not there yet", parts: { canary: null }, minutes: 1, kind: "progressing" },
  {
    when: "it still runs what ran before",
    parts: { canary: { ...canaryPods, image } },
    minutes: 1,
    kind: "progressing",
  },
  { when: "it is never ready", parts: { canary: unready }, minutes: 11, kind: "expired" },
  { when: "it is never there", parts: { canary: null }, minutes: 11, kind: "expired" },
  { when: "it was switched off", parts: { policy: { enabled: false } }, minutes: 1, kind: "expired" },
  { when: "a person promotes it", parts: { verdict: "promote" }, minutes: 1, kind: "promoted" },
  {
    when: "a person promotes it unready",
    parts: { verdict: "promote", canary: unready },
    minutes: 11,
    kind: "promoted",
  },
  { when: "a person aborts it", parts: { verdict: "abort" }, minutes: 1, kind: "expired" },
  { when: "a person aborts it unready", parts: { verdict: "abort", canary: unready }, minutes: 1, kind: "expired" },
] as const)("a canary where $when is $kind", ({ parts, minutes, kind }) => {
  expect(assessCanary(canarying(parts), canaryInFlight, after(minutes)).kind).toBe(kind);
});

test("what is aborted by hand says so", () => {
  const verdict = assessCanary(canarying({ verdict: "abort" }), canaryInFlight, after(1));
  expect(verdict).toEqual({ kind: "expired", reason: "aborted by hand" });
});

test("the rest of the workload does not matter to its canary", () => {
  const seen = canarying({ rollout: null });
  expect(assessCanary(seen, canaryInFlight, after(1)).kind).toBe("ready");
});

test("an update begins with a canary where one is asked for", () => {
  expect(strategyOf(policy)).toBe("rolling");
  expect(strategyOf({ ...policy, canary: { unit: "percent", amount: 10 } })).toBe("canary");
});

test.for([
  { when: "nothing is known", parts: {}, phase: "canary", known: null },
  { when: "its rollback was interrupted", parts: { verdict: "promote" }, phase: "rollback", known: "fail" },
  { when: "it was promoted before", parts: { verdict: "abort" }, phase: "rollout", known: "pass" },
  { when: "it was switched off", parts: { policy: { enabled: false } }, phase: "canary", known: "fail" },
  { when: "a person aborts it", parts: { verdict: "abort" }, phase: "canary", known: "fail" },
  { when: "a person promotes it", parts: { verdict: "promote" }, phase: "canary", known: "pass" },
] as const)("without a measurement, where $when: $known", ({ parts, phase, known }) => {
  expect(knownVerdict(canarying(parts), { ...canaryInFlight, phase })?.kind ?? null).toBe(known);
});
