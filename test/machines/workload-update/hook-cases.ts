import { toFirstCheck } from "./canary-cases.ts";
import type { Case } from "./cases.ts";

const hook = { kind: "hook", waitSeconds: 0, reason: "waits for the pre hook migrate" } as const;
const running = { kind: "progressing", waitSeconds: 15, reason: "the pre hook migrate runs" } as const;
const ended = (
  kind: "apply" | "canary" | "record" | "expired" | "no-result" | "abort" | "failed" | "tripped" | "superseded",
) => ({ kind, waitSeconds: 0, reason: "the Job has ended" }) as const;
const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;
const waitsForPost = { kind: "hook", reason: "waits for the post hook smoke-test" } as const;
const superseded = { kind: "superseded", waitSeconds: 0, reason: "the claim is held by e-9", step: "" } as const;

const toHook = ["ChooseStrategy", "ApplyUpdate", "Applied?", "RunHook", "HookDone?"] as const;
const again = ["WaitForHook", "CheckHook", "HookDone?"] as const;
const toReady = ["ApplyUpdate", "Applied?", "WaitForRollout", "CheckReadiness", "Ready?"] as const;
const toPost = ["ChooseStrategy", ...toReady, "RecordSuccess", "Recorded?", "RunHook", "HookDone?"] as const;
const toHookFailure = [...again, "FormatVerdict", "RollBack", "Reverted?", "CheckRollback", "CircuitTripped?"] as const;
const toUpdated = ["RecordSuccess", "Recorded?", "Updated"] as const;
const updating = { ApplyUpdate: [applied], CheckReadiness: [ready] } as const;

const passed = ["AnalyzeCanary", "Verdict?", "ApplyUpdate", "Applied?", "RunHook", "HookDone?"] as const;
const canary = {
  StartCanary: [{ kind: "started", waitSeconds: 15, reason: "a canary runs", step: "" }],
  CheckCanary: [{ kind: "ready", waitSeconds: 0, reason: "ready", step: "" }],
  AnalyzeCanary: [{ kind: "pass", waitSeconds: 0, reason: "passed", step: "" }],
} as const;

const promotionCases: readonly Case[] = [
  {
    when: "the hook before the promotion of its canary succeeds",
    input: { strategy: "canary" },
    script: {
      ...canary,
      ApplyUpdate: [hook, applied],
      RunHook: [running],
      CheckHook: [ended("apply")],
      CheckReadiness: [ready],
      RecordSuccess: [recorded],
    },
    states: [...toFirstCheck, ...passed, ...again, ...toReady, ...toUpdated],
  },
  ...(
    [
      {
        kind: "expired",
        result: "rolled-back",
        end: "RolledBack",
        error: { error: "RolledBack", cause: "the Job has ended" },
      },
      { kind: "no-result", result: "withdrawn", end: "Withdrawn", error: {} },
    ] as const
  ).map(({ kind, result, end, error }) => ({
    when: `the hook before the promotion of its canary ends: ${kind}`,
    input: { strategy: "canary" } as const,
    script: {
      ...canary,
      ApplyUpdate: [hook],
      RunHook: [running],
      CheckHook: [ended(kind)],
      RollBack: [{ kind: "reverting", reason: "the Job has ended" } as const],
      CheckRollback: [{ kind: result, waitSeconds: 0, reason: "the Job has ended" }],
    },
    states: [...toFirstCheck, ...passed, ...toHookFailure, end],
    ...error,
  })),
];

export const hookCases: readonly Case[] = [
  {
    when: "the hook before it succeeds",
    script: {
      ApplyUpdate: [hook, applied],
      RunHook: [running],
      CheckHook: [running, ended("apply")],
      CheckReadiness: [ready],
      RecordSuccess: [recorded],
    },
    states: [...toHook, ...again, ...again, ...toReady, ...toUpdated],
  },
  {
    when: "the hook before its canary succeeds",
    input: { strategy: "canary" },
    script: {
      StartCanary: [{ ...hook, step: "" }, superseded],
      RunHook: [running],
      CheckHook: [ended("canary")],
    },
    states: [
      "ChooseStrategy",
      "StartCanary",
      "Started?",
      "RunHook",
      "HookDone?",
      ...again,
      "StartCanary",
      "Started?",
      "Superseded",
    ],
  },
  {
    when: "the hook before it fails",
    script: { ApplyUpdate: [hook], RunHook: [running], CheckHook: [ended("failed")] },
    states: [...toHook, ...again, "HookFailed"],
    error: "HookFailed",
    cause: "the Job has ended",
  },
  {
    when: "the hook before it fails for the third time",
    script: {
      ApplyUpdate: [hook],
      RunHook: [running],
      CheckHook: [ended("tripped")],
      OpenCircuit: [{ kind: "opened", reason: "circuit opened" }],
    },
    states: [...toHook, ...again, "OpenCircuit", "CircuitOpened"],
    error: "CircuitOpened",
    cause: "circuit opened",
  },
  {
    when: "the hook after it succeeds, or its failure is only recorded",
    script: {
      ...updating,
      CheckReadiness: [ready, ready],
      RecordSuccess: [waitsForPost, recorded],
      RunHook: [running],
      CheckHook: [ended("record")],
    },
    states: [...toPost, ...again, "CheckReadiness", "Ready?", ...toUpdated],
  },
  {
    when: "the hook after it fails, and rolls it back",
    script: {
      ...updating,
      RecordSuccess: [waitsForPost],
      RunHook: [running],
      CheckHook: [ended("expired")],
      RollBack: [{ kind: "reverting", reason: "the Job has ended" }],
      CheckRollback: [{ kind: "rolled-back", waitSeconds: 0, reason: "the Job has ended" }],
    },
    states: [...toPost, ...toHookFailure, "RolledBack"],
    error: "RolledBack",
    cause: "the Job has ended",
  },
  ...promotionCases,
  {
    when: "a manual change supersedes it while its hook runs",
    script: { ApplyUpdate: [hook], RunHook: [running], CheckHook: [ended("superseded")] },
    states: [...toHook, ...again, "Superseded"],
  },
  {
    when: "its hook takes a day",
    script: {
      ApplyUpdate: [hook],
      RunHook: [running],
      CheckHook: [{ ...running, kind: "continue" }],
      ContinueAsNew: [{ kind: "continued", reason: "continued as e-2" }],
    },
    states: [...toHook, ...again, "ContinueAsNew", "ContinuedAsNew"],
  },
  {
    when: "it is adopted while its hook runs",
    input: { adopting: true },
    script: {
      AdoptUpdate: [hook],
      RunHook: [ended("apply")],
      ApplyUpdate: [applied],
      CheckReadiness: [ready],
      RecordSuccess: [recorded],
    },
    states: ["ChooseStrategy", "AdoptUpdate", "Adopted?", "RunHook", "HookDone?", ...toReady, ...toUpdated],
  },
];
