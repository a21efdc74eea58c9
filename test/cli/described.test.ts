import { describe, expect, test } from "vitest";
import { plannedWorkload } from "../../cli/workloads/planned.ts";
import { statusOf } from "../../cli/workloads/status.ts";
import { measure, startAnalysis } from "../../functions/domain/analysis/measure.ts";
import { Unreachable } from "../../functions/adapters/errors.ts";
import type { Decision } from "../../functions/domain/decision.ts";
import { canarying, claw, image, inFlight, noon, target, updating, workload } from "../support/workloads.ts";

const digest = `sha256:${"ab".repeat(32)}`;

describe("a plan tells of a decision", () => {
  const held = {
    kind: "hold",
    reason: "circuit-open",
    detail: "the circuit is open",
    version: "1.1.0",
    image: "app:1.1.0",
  } as const;
  test.for<{ when: string; about?: typeof workload; decision: Decision; planned: object }>([
    {
      when: "to update",
      decision: { kind: "update", version: "1.1.0", image: target },
      planned: { current: "1.0.0", candidate: "1.1.0", decision: "update", hold: null },
    },
    {
      when: "to hold",
      decision: held,
      planned: { candidate: "1.1.0", decision: "hold", hold: "circuit-open", reason: held.detail },
    },
    {
      when: "that cannot be made",
      decision: { kind: "problem", problems: ["one", "two"] },
      planned: { candidate: null, decision: "problem", reason: "one; two" },
    },
    {
      when: "made before",
      about: updating,
      decision: { kind: "adopt", inFlight },
      planned: {
        current: "1.0.0",
        candidate: "1.1.0",
        decision: "in-flight",
        reason: "started 2026-11-20T12:00:00Z by execution e-1",
      },
    },
    {
      when: "made by hand, at a time that cannot be read",
      about: updating,
      decision: { kind: "adopt", inFlight: { ...inFlight, execution: null, startedAt: "malformed" } },
      planned: { decision: "in-flight", reason: "started at a time that cannot be read by hand" },
    },
  ])("$when", ({ about = workload, decision, planned }) => {
    expect(plannedWorkload({ workload: about(), decision, act: "none" })).toMatchObject(planned);
  });

  test("that an error kept from being made", () => {
    const planned = plannedWorkload({ workload: workload(), error: new Unreachable("no answer") });
    expect(planned).toMatchObject({ workload: "deployment/shop/app", decision: "error", reason: "no answer" });
  });
});

describe("a status tells", () => {
  test.for([
    { when: "the tag", parts: { image }, running: "1.0.0" },
    { when: "the digest", parts: { image: `registry.example/app@${digest}` }, running: digest },
    { when: "what has neither", parts: { image: "registry.example/app" }, running: null },
  ])("$when of what runs", ({ parts, running }) => {
    expect(statusOf(workload(parts)).running).toBe(running);
  });

  test("what a Claw runs whose image nobody set, and that its pods are not there", () => {
    expect(statusOf(claw())).toMatchObject({ workload: "claw/agents/helper", running: null });
  });

  test("the update in flight", () => {
    const since = { startedAt: "2026-11-20T12:00:00Z", execution: "e-1", previous: image };
    const mark = { phase: "HealthCheck", target, ...since, measured: null };
    expect(statusOf(updating()).inFlight).toEqual(mark);
    expect(statusOf(canarying()).inFlight).toEqual({ ...mark, phase: "Canary" });
    const rollback = { ...inFlight, phase: "rollback" } as const;
    expect(statusOf(updating({ inFlight: rollback })).inFlight).toEqual({ ...mark, phase: "RollingBack" });
    const malformed = statusOf(updating({ inFlight: { ...inFlight, startedAt: "malformed" } }));
    expect(malformed.inFlight?.startedAt).toBeNull();
  });

  test("what a canary was measured at last, and nothing of that once it was promoted", () => {
    const outcome = { verdict: "fail", value: 0.5, note: null } as const;
    const analysis = measure(startAnalysis(noon), "error-rate", outcome, noon);
    expect(statusOf(canarying({ analysis })).inFlight?.measured).toBe("error-rate = 0.5: fail");
    expect(statusOf(updating({ analysis })).inFlight?.measured).toBeNull();
  });

  test("the bookkeeping", () => {
    const bookkeeping = { circuitOpen: true, rollbackCount: 3, failedVersions: ["1.1.0"], lastCheck: noon };
    expect(statusOf(workload({ bookkeeping }))).toMatchObject({
      circuit: "open",
      rollbacks: 3,
      maxRollbacks: 3,
      failedVersions: ["1.1.0"],
      lastCheck: "2026-11-20T12:00:00Z",
      lastUpdate: null,
    });
  });

  test.for([
    { when: "what is wrong now", problems: ["now"], problem: "then", told: ["now"] },
    { when: "what a poll has announced", problems: [], problem: "then", told: ["then"] },
    { when: "nothing", problems: [], problem: null, told: [] },
  ])("of problems $when", ({ problems, problem, told }) => {
    expect(statusOf(workload({ problems, announced: { held: null, problem } })).problems).toEqual(told);
  });
});
