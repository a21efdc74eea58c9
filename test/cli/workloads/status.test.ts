import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { planWorkload } from "../../../cli/workloads/plan.ts";
import { statusOf } from "../../../cli/workloads/status.ts";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { Unreachable } from "../../../functions/ports/errors.ts";
import type { Decision } from "../../../functions/domain/workload/decision/decision.ts";
import {
  canaryWorkload,
  claw,
  image,
  inFlight,
  noon,
  target,
  updatingWorkload,
  workload,
  updateTarget,
} from "../../support/workloads.ts";
import { problemsOf } from "../../support/problems.ts";

const digest = `sha256:${"ab".repeat(32)}`;

describe("a plan shows a decision", () => {
  const held = {
    kind: "hold",
    reason: "circuit-open",
    detail: "the circuit is open",
    target: { kind: "image", image: "app:1.1.0" },
  } as const;
  test.for<{ when: string; create?: typeof workload; decision: Decision; planned: object }>([
    {
      when: "to update",
      decision: { kind: "update", target: updateTarget },
      planned: { current: "1.0.0", candidate: "1.1.0", state: "Behind", reason: "UpdateDue" },
    },
    {
      when: "to hold",
      decision: held,
      create: () => workload({ updateRecord: { circuitOpen: true } }),
      planned: { candidate: "1.1.0", state: "CircuitOpen" },
    },
    {
      when: "prevented by problems",
      decision: { kind: "problem", problems: problemsOf("one", "two") },
      planned: { candidate: null, state: "Stalled", message: "one; two" },
    },
    {
      when: "to adopt an update",
      create: updatingWorkload,
      decision: { kind: "adopt", inFlight },
      planned: {
        current: "1.0.0",
        candidate: "1.1.0",
        state: "Updating",
        message: "updating to 1.1.0; started 2026-11-20T12:00:00Z by execution e-1",
      },
    },
    {
      when: "to adopt a manual update with an invalid start time",
      create: updatingWorkload,
      decision: { kind: "adopt", inFlight: { ...inFlight, execution: null, startedAt: "malformed" } },
      planned: { state: "Updating", message: "updating to 1.1.0; started at an invalid time manually" },
    },
  ])("$when", ({ create = workload, decision, planned }) => {
    expect(planWorkload({ workload: create(), decision, action: "none" }, noon)).toMatchObject(planned);
  });

  test("prevented by an error", () => {
    const planned = planWorkload({ workload: workload(), error: new Unreachable("no answer") }, noon);
    expect(planned).toMatchObject({
      workload: "deployment/shop/app",
      state: "NotEvaluated",
      reason: "EvaluationFailed",
      message: "no answer",
    });
  });
});

describe("a status shows", () => {
  test.for([
    { when: "the tag", parts: { image }, running: "1.0.0" },
    { when: "the digest", parts: { image: `registry.example/app@${digest}` }, running: digest },
    { when: "neither tag nor digest", parts: { image: "registry.example/app" }, running: null },
  ])("$when of the running image", ({ parts, running }) => {
    expect(statusOf(workload(parts), noon).running).toBe(running);
  });

  test("no running version of a Claw without an image and without pods", () => {
    expect(statusOf(claw(), noon)).toMatchObject({ workload: "claw/agents/helper", running: null });
  });

  test("the update in flight", () => {
    const since = { startedAt: "2026-11-20T12:00:00Z", execution: "e-1", previous: image };
    const what = `update to ${target}`;
    const mark = {
      phase: "HealthCheck",
      target,
      kind: "image",
      version: "1.1.0",
      what,
      ...since,
      page: null,
      measured: null,
    };
    expect(statusOf(updatingWorkload(), noon).inFlight).toEqual(mark);
    expect(statusOf(canaryWorkload(), noon).inFlight).toEqual({ ...mark, phase: "Canary" });
    const rollback = rollbackOf(inFlight);
    expect(statusOf(updatingWorkload({ inFlight: rollback }), noon).inFlight).toEqual({
      ...mark,
      phase: "RollingBack",
    });
    const malformed = statusOf(updatingWorkload({ inFlight: { ...inFlight, startedAt: "malformed" } }), noon);
    expect(malformed.inFlight?.startedAt).toBeNull();
  });

  test.for([
    { url: "https://github.example/shop/config/pull/7", page: "https://github.example/shop/config/pull/7" },
    { url: "javascript:alert(1)", page: null },
    { url: undefined, page: null },
  ])("the page $page of an update whose place in git is $url", ({ url, page }) => {
    const git = { repository: "config", since: noon, ...(url && { url }) };
    expect(statusOf(updatingWorkload({ inFlight: { ...inFlight, git } }), noon).inFlight?.page).toBe(page);
  });

  test("the last measurement of a canary, until it is promoted, and in the bake time", () => {
    const outcome = { verdict: "fail", value: 0.5, note: null } as const;
    const analysis = measure(startAnalysis(noon), "error-rate", outcome, noon);
    expect(statusOf(canaryWorkload({ analysis }), noon).inFlight?.measured).toBe("error-rate = 0.5: fail");
    expect(statusOf(updatingWorkload({ analysis }), noon).inFlight?.measured).toBeNull();
    const baking = { ...inFlight, observation: { kind: "baking", since: noon } } as const;
    const expected = { phase: "Baking", measured: "error-rate = 0.5: fail" };
    expect(statusOf(updatingWorkload({ analysis, inFlight: baking }), noon).inFlight).toMatchObject(expected);
    const reverting = rollbackOf(baking);
    expect(statusOf(updatingWorkload({ analysis, inFlight: reverting }), noon).inFlight).toMatchObject({
      phase: "RollingBack",
      measured: null,
    });
  });

  test("the update record", () => {
    const updateRecord = { circuitOpen: true, rollbackCount: 3, failedVersions: ["1.1.0"], lastCheck: noon };
    expect(statusOf(workload({ updateRecord }), noon)).toMatchObject({
      circuit: "open",
      rollbacks: 3,
      maxRollbacks: 3,
      failedVersions: ["1.1.0"],
      lastCheck: "2026-11-20T12:00:00Z",
      lastUpdate: null,
    });
  });

  test.for([
    { when: "that are current", problems: problemsOf("now"), problem: "then", expected: ["now"] },
    { when: "that a poll has reported", problems: [], problem: "then", expected: ["then"] },
    { when: "without any", problems: [], problem: null, expected: [] },
  ])("problems $when", ({ problems, problem, expected }) => {
    expect(statusOf(workload({ problems, lastReported: { held: null, problem } }), noon).problems).toEqual(expected);
  });
});
