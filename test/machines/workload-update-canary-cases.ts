import { named } from "./script.ts";
import type { Case } from "./workload-update-cases.ts";

const input = { strategy: "canary" } as const;
const started = { kind: "started", waitSeconds: 15, reason: "a canary runs it" } as const;
const stands = { kind: "ready", waitSeconds: 0, reason: "the canary stands" } as const;
const moving = { kind: "progressing", waitSeconds: 15, reason: "0 of 1 replicas ready" } as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const promotedByHand = { kind: "promoted", waitSeconds: 0, reason: "promoted by hand" } as const;
const running = { kind: "running", waitSeconds: 60, reason: "error-rate = 0.002: pass" } as const;
const pass = { kind: "pass", waitSeconds: 0, reason: "error-rate: 5 passed, 0 failed" } as const;
const fail = { kind: "fail", waitSeconds: 0, reason: "error-rate: 1 failures, 0 allowed" } as const;
const handover = { kind: "handover", waitSeconds: 60, reason: "error-rate = 0.002: pass" } as const;
const superseded = { kind: "superseded", waitSeconds: 0, reason: "the claim is held by e-9" } as const;
const applied = { kind: "applied", waitSeconds: 15, reason: "set it" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const recorded = { kind: "recorded", reason: "runs now" } as const;
const rolledBack = { kind: "rolled-back", reason: "error-rate: 1 failures, 0 allowed" } as const;
const handedOver = { kind: "handed-over", reason: "goes on as e-2" } as const;

const begun = { StartCanary: [started] } as const;
const good = { ApplyUpdate: [applied], CheckReadiness: [ready], RecordSuccess: [recorded] } as const;
const toFirstLook = [
  "ChooseStrategy",
  "StartCanary",
  "Started?",
  "WaitForCanary",
  "CheckCanary",
  "CanaryReady?",
] as const;
const toVerdict = [...toFirstLook, "AnalyzeCanary", "Verdict?"] as const;
const again = ["WaitForCanary", "CheckCanary", "CanaryReady?"] as const;
const remeasured = ["WaitForAnalysis", "AnalyzeCanary", "Verdict?"] as const;
const adopting = ["ChooseStrategy", "AdoptUpdate", "Adopted?"] as const;
const toUpdated = [
  "ApplyUpdate",
  "Applied?",
  "WaitForRollout",
  "CheckReadiness",
  "Ready?",
  "RecordSuccess",
  "Recorded?",
  "Updated",
] as const;
const toRolledBack = ["RollBack", "Tripped?", "RolledBack"] as const;

export const canaryCases: readonly Case[] = [
  {
    when: "it stands and is found good at once",
    input,
    script: { ...begun, ...good, CheckCanary: [stands], AnalyzeCanary: [pass] },
    states: [...toVerdict, ...toUpdated],
  },
  {
    when: "it takes its time to stand, and to be measured",
    input,
    script: { ...begun, ...good, CheckCanary: [moving, stands], AnalyzeCanary: [running, running, pass] },
    states: [...toFirstLook, ...again, "AnalyzeCanary", "Verdict?", ...remeasured, ...remeasured, ...toUpdated],
  },
  {
    when: "it is promoted by hand before it was measured",
    input,
    script: { ...begun, ...good, CheckCanary: [promotedByHand] },
    states: [...toFirstLook, ...toUpdated],
  },
  {
    when: "its measurements fail",
    input,
    script: { ...begun, CheckCanary: [stands], AnalyzeCanary: [running, fail], RollBack: [rolledBack] },
    states: [...toVerdict, ...remeasured, ...toRolledBack],
    error: "RolledBack",
    cause: "1 failures, 0 allowed",
  },
  {
    when: "it never stands",
    input,
    script: { ...begun, CheckCanary: [expired], RollBack: [rolledBack] },
    states: [...toFirstLook, ...toRolledBack],
    error: "RolledBack",
  },
  {
    when: "another was there first",
    input,
    script: { StartCanary: [superseded] },
    states: ["ChooseStrategy", "StartCanary", "Started?", "Superseded"],
  },
  {
    when: "a person steps in before it stands",
    input,
    script: { ...begun, CheckCanary: [superseded] },
    states: [...toFirstLook, "Superseded"],
  },
  {
    when: "a person steps in while it is measured",
    input,
    script: { ...begun, CheckCanary: [stands], AnalyzeCanary: [superseded] },
    states: [...toVerdict, "Superseded"],
  },
  {
    when: "it has not stood for a day",
    input,
    script: { ...begun, CheckCanary: [handover], HandOver: [handedOver] },
    states: [...toFirstLook, "HandOver", "HandedOver"],
  },
  {
    when: "it was measured for a day",
    input,
    script: { ...begun, CheckCanary: [stands], AnalyzeCanary: [handover], HandOver: [handedOver] },
    states: [...toVerdict, "HandOver", "HandedOver"],
  },
  {
    when: "it is adopted, and goes on at the canary",
    input: { ...input, recovering: true },
    script: {
      ...good,
      AdoptUpdate: [{ kind: "canary", waitSeconds: 0, reason: "took over" }],
      CheckCanary: [stands],
      AnalyzeCanary: [pass],
    },
    states: [...adopting, "CheckCanary", "CanaryReady?", "AnalyzeCanary", "Verdict?", ...toUpdated],
  },
  {
    when: "its execution was stopped by a person",
    input: { strategy: "abort", recovering: true },
    script: {
      AdoptUpdate: [{ kind: "abort", waitSeconds: 0, reason: "its execution was stopped" }],
      RollBack: [rolledBack],
    },
    states: [...adopting, ...toRolledBack],
    error: "RolledBack",
  },
];

const bug = named("TypeError", "nothing is undefined");

export const canaryBugs: readonly Case[] = [
  {
    when: "starting fails before it did anything",
    input,
    script: { StartCanary: [bug], RollBack: [{ kind: "not-applied", reason: "nothing is undefined" }] },
    states: ["ChooseStrategy", "StartCanary", "ExplainError", "RollBack", "Tripped?", "UpdateFailed"],
    error: "UpdateFailed",
    cause: "nothing is undefined",
  },
  {
    when: "looking fails",
    input,
    script: { ...begun, CheckCanary: [bug], RollBack: [rolledBack] },
    states: [...toFirstLook.slice(0, -1), "ExplainError", ...toRolledBack],
    error: "RolledBack",
  },
  {
    when: "measuring fails",
    input,
    script: { ...begun, CheckCanary: [stands], AnalyzeCanary: [bug], RollBack: [rolledBack] },
    states: [...toVerdict.slice(0, -1), "ExplainError", ...toRolledBack],
    error: "RolledBack",
  },
];

const gone = named("Unreachable", "connect ECONNREFUSED");
const interrupted = { error: "Interrupted", cause: "connect ECONNREFUSED" } as const;

export const canaryUnanswered: readonly Case[] = [
  {
    when: "the cluster is away while it starts",
    input,
    script: { StartCanary: [gone] },
    states: ["ChooseStrategy", "StartCanary", "Interrupted"],
    ...interrupted,
  },
  {
    when: "the cluster is away while it looks",
    input,
    script: { ...begun, CheckCanary: [gone] },
    states: [...toFirstLook.slice(0, -1), "Interrupted"],
    ...interrupted,
  },
  {
    when: "the cluster is away while it measures",
    input,
    script: { ...begun, CheckCanary: [stands], AnalyzeCanary: [gone] },
    states: [...toVerdict.slice(0, -1), "Interrupted"],
    ...interrupted,
  },
];
