import { describe, expect, test } from "vitest";
import { currentState } from "../../../functions/domain/state/current-state.ts";
import { budgetHold } from "../../../functions/domain/workload/update/quarantine.ts";
import { decidedState } from "../../../functions/domain/state/decided-state.ts";
import { createState, parseState, stateReasons } from "../../../functions/domain/state/state.ts";
import { type Decision, hold, type HoldReason } from "../../../functions/domain/workload/decision/decision.ts";
import type { HistoryEntry } from "../../../functions/domain/workload/workload.ts";
import { problemsOf } from "../../support/problems.ts";
import { claw, inFlight, noon, updateTarget, workload, type WorkloadParts } from "../../support/workloads.ts";

const upToDate = createState(["UpToDate", "NewestVersion"], "1.0.0 is the newest");
const suspended = createState(["Held", "Suspended"], "it is paused");
const request = { verb: "push", argument: "1.0.0", token: "t-1" } as const;
const { record } = workload();

describe("the current state of a workload with an AutoUpdate", () => {
  test.for<{ when: string; parts: WorkloadParts; state: string }>([
    { when: "it was evaluated", parts: { evaluated: upToDate }, state: "UpToDate NewestVersion" },
    { when: "it was evaluated by an earlier version of Pawl", parts: {}, state: "NotEvaluated AwaitsPoll" },
    {
      when: "it has no AutoUpdate yet",
      parts: { record: { ...record, resourceVersion: null, state: "missing" } },
      state: "NotEvaluated NotPolled",
    },
    { when: "a request waits", parts: { evaluated: upToDate, request }, state: "Waiting Requested" },
    {
      when: "a person has just paused it",
      parts: { evaluated: upToDate, policy: { paused: true } },
      state: "Held Suspended",
    },
    { when: "a person has just continued it", parts: { evaluated: suspended }, state: "NotEvaluated NotPolled" },
    {
      when: "it opted in again",
      parts: { evaluated: createState(["NotEvaluated", "OptedOut"], "off") },
      state: "NotEvaluated NotPolled",
    },
    {
      when: "it has opted out",
      parts: { evaluated: upToDate, policy: { optIn: "no" } },
      state: "NotEvaluated OptedOut",
    },
    {
      when: "a setting is invalid that no poll has seen",
      parts: { evaluated: upToDate, problems: problemsOf("schedule: what?") },
      state: "Stalled InvalidConfiguration",
    },
    { when: "it is updated and paused", parts: { inFlight, policy: { paused: true } }, state: "Updating Updating" },
  ])("$when: $state", ({ parts, state }) => {
    const found = currentState(workload(parts), noon);
    expect(`${found.state} ${found.reason}`).toBe(state);
  });
});

const entry: HistoryEntry = { version: "1.1.0", appliedAt: noon, status: "Healthy" };

describe("the current state of a kind with a record of its own", () => {
  test.for<{ when: string; parts: WorkloadParts; state: string; message?: string }>([
    { when: "no poll has checked it", parts: {}, state: "NotEvaluated NotPolled" },
    {
      when: "it was checked before any version was healthy",
      parts: { updateRecord: { lastCheck: noon } },
      state: "UpToDate NewestVersion",
      message: "runs the newest version",
    },
    {
      when: "it was checked, and runs what was found",
      parts: { updateRecord: { lastCheck: noon, candidateVersion: "1.0.0", currentVersion: "1.0.0" } },
      state: "UpToDate NewestVersion",
      message: "runs 1.0.0",
    },
    {
      when: "its update was successful",
      parts: { updateRecord: { candidateVersion: "1.1.0", currentVersion: "1.1.0", versionHistory: [entry] } },
      state: "UpToDate Updated",
      message: "1.1.0 is healthy",
    },
    {
      when: "a version was found and is not applied",
      parts: { updateRecord: { candidateVersion: "1.1.0", currentVersion: "1.0.0" } },
      state: "Behind UpdateDue",
    },
    {
      when: "the version that was found has failed",
      parts: { updateRecord: { candidateVersion: "1.1.0", currentVersion: "1.0.0", failedVersions: ["1.1.0"] } },
      state: "Behind NewerVersionFailed",
    },
    {
      when: "its last update was rolled back",
      parts: {
        updateRecord: {
          candidateVersion: "1.1.0",
          currentVersion: "1.0.0",
          versionHistory: [{ ...entry, status: "RolledBack", reason: "not ready" }],
        },
      },
      state: "Behind NewerVersionFailed",
      message: "1.1.0 was rolled back: not ready",
    },
    {
      when: "its only update was withdrawn",
      parts: { updateRecord: { versionHistory: [{ ...entry, status: "Withdrawn" }] } },
      state: "Behind UpdateEnded",
    },
    {
      when: "the version that failed runs now",
      parts: {
        updateRecord: {
          currentVersion: "1.1.0",
          lastCheck: noon,
          versionHistory: [{ ...entry, status: "RolledBack" }],
        },
      },
      state: "UpToDate NewestVersion",
    },
    {
      when: "a version is held",
      parts: { lastReported: { held: "1.0.0 was set manually", problem: null } },
      state: "Held Held",
    },
  ])("$when: $state", ({ parts, state, message = "" }) => {
    const found = currentState(claw(parts), noon);
    expect(`${found.state} ${found.reason}`).toBe(state);
    expect(found.message).toMatch(message);
  });
});

describe("the state to which a decision leads", () => {
  const openCircuit: WorkloadParts = { updateRecord: { circuitOpen: true } };
  test.for<{ reason: HoldReason; parts?: WorkloadParts; state: string }>([
    { reason: "no-newer-version", state: "UpToDate NewestVersion" },
    { reason: "newer-failed", state: "Behind NewerVersionFailed" },
    { reason: "manifest-not-found", state: "Behind ManifestNotFound" },
    { reason: "no-match", state: "Held NoVersionMatches" },
    { reason: "circuit-open", parts: openCircuit, state: "CircuitOpen CircuitOpen" },
    { reason: "not-due", state: "NotEvaluated NotDue" },
    { reason: "not-due", parts: { evaluated: upToDate }, state: "UpToDate NewestVersion" },
    { reason: "not-due", parts: { evaluated: suspended }, state: "NotEvaluated NotDue" },
    { reason: "of a later version" as HoldReason, parts: { evaluated: upToDate }, state: "UpToDate NewestVersion" },
  ])("a hold, $reason, $parts: $state", ({ reason, parts, state }) => {
    const found = decidedState(workload(parts), hold(reason, "why"), noon);
    expect(`${found.state} ${found.reason}`).toBe(state);
  });

  const restart = { kind: "restart", image: "app:1.0.0", request: "t-1" } as const;
  test.for<{ decision: Decision; state: string }>([
    { decision: { kind: "update", target: updateTarget }, state: "Behind UpdateDue" },
    { decision: { kind: "update", target: restart }, state: "Behind RestartDue" },
    { decision: { kind: "request", ...request }, state: "Waiting Requested" },
    { decision: { kind: "problem", problems: problemsOf("a") }, state: "Stalled InvalidConfiguration" },
    { decision: { kind: "adopt", inFlight }, state: "Updating Updating" },
  ])("$decision.kind: $state", ({ decision, state }) => {
    const initial = workload(decision.kind === "adopt" ? { inFlight } : {});
    const found = decidedState(initial, decision, noon);
    expect(`${found.state} ${found.reason}`).toBe(state);
  });

  test("what was reported before does not matter any more", () => {
    const reported = workload({ lastReported: { held: "old", problem: "old" } });
    expect(decidedState(reported, hold("no-newer-version", "new"), noon).message).toBe("new");
  });
});

test("a state that was written is read back; one of another version is not", () => {
  for (const [state, reasons] of Object.entries(stateReasons))
    for (const reason of reasons) expect(parseState(state, reason, "m")).toEqual({ state, reason, message: "m" });
  expect(parseState("Parked", "Paused", "m")).toBeUndefined();
  expect(parseState("Held", "Parked", "m")).toBeUndefined();
  expect(parseState("Held", undefined, "m")).toBeUndefined();
  expect(parseState(undefined, undefined, "")).toBeUndefined();
});

test("a decision that costs too much leads to no evaluation", () => {
  expect(decidedState(workload(), budgetHold(workload(), "more than 10 steps"), noon)).toEqual({
    state: "NotEvaluated",
    reason: "BudgetExceeded",
    message: "more than 10 steps",
  });
});
