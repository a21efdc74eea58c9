import type { Case } from "./cases.ts";

const input = { strategy: "canary" } as const;
const started = { kind: "started", waitSeconds: 15, reason: "a canary runs it", step: "1/1 (1 replica)" } as const;
const canaryReady = { kind: "ready", waitSeconds: 0, reason: "the canary is ready", step: "1/1 (1 replica)" } as const;
const moving = {
  kind: "progressing",
  waitSeconds: 15,
  reason: "0 of 1 replicas ready",
  step: "1/1 (1 replica)",
} as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "not ready after 600 s", step: "1/1 (1 replica)" } as const;
const reverting = { kind: "reverting", reason: "not ready after 600 s" } as const;
const promotedManually = {
  kind: "promoted",
  waitSeconds: 0,
  reason: "promoted manually",
  step: "1/1 (1 replica)",
} as const;
const running = {
  kind: "running",
  waitSeconds: 60,
  reason: "error-rate = 0.002: pass",
  step: "1/1 (1 replica)",
} as const;
const pass = {
  kind: "pass",
  waitSeconds: 0,
  reason: "error-rate: 5 passed, 0 failed",
  step: "1/1 (1 replica)",
} as const;
const parked = { kind: "parked", waitSeconds: 3600, reason: "it waits for a person", step: "2/3 (25%)" } as const;
const growing = { ...moving, kind: "measure" } as const;
const nextStep = {
  kind: "next",
  waitSeconds: 0,
  reason: "the canary is ready and has no analysis",
  step: "1/3 (25%)",
} as const;
const fail = {
  kind: "fail",
  waitSeconds: 0,
  reason: "error-rate: 1 failures, 0 allowed",
  step: "1/1 (1 replica)",
} as const;
const continueResult = {
  kind: "continue",
  waitSeconds: 60,
  reason: "error-rate = 0.002: pass",
  step: "1/1 (1 replica)",
} as const;
const superseded = {
  kind: "superseded",
  waitSeconds: 0,
  reason: "the claim is held by e-9",
  step: "1/1 (1 replica)",
} as const;
const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const scaleDown = { kind: "scale-down", waitSeconds: 30, reason: "all new pods are available" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;
const withdraw = {
  kind: "withdraw",
  waitSeconds: 0,
  reason: "error-rate: no data for 15m0s",
  step: "1/1 (1 replica)",
} as const;
const notReady = { kind: "not-ready", waitSeconds: 15, reason: "0 of 1 replicas ready" } as const;
const notStarted = {
  kind: "not-started",
  waitSeconds: 0,
  reason: "0 of 1 replicas updated",
  step: "1/1 (1 replica)",
} as const;
const withdrawn = { kind: "withdrawn", waitSeconds: 0, reason: "error-rate: no data for 15m0s" } as const;
const rolledBack = { kind: "rolled-back", waitSeconds: 0, reason: "error-rate: 1 failures, 0 allowed" } as const;
const continued = { kind: "continued", reason: "continued as e-2" } as const;

const afterStart = { StartCanary: [started] } as const;
const good = { ApplyUpdate: [applied], CheckReadiness: [ready], RecordSuccess: [recorded] } as const;
export const toFirstCheck = [
  "ChooseStrategy",
  "StartCanary",
  "Started?",
  "WaitForCanary",
  "CheckCanary",
  "CanaryReady?",
] as const;
const toVerdict = [...toFirstCheck, "AnalyzeCanary", "Verdict?"] as const;
const toNextStep = toFirstCheck.slice(1);
const again = ["WaitForCanary", "CheckCanary", "CanaryReady?"] as const;
const sleep = ["ParkedCanary", "CheckCanary", "CanaryReady?"] as const;
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
const toScaleDown = [...toUpdated.slice(0, 5), "WaitForScaleDown"] as const;
const toRolledBack = ["RollBack", "Reverted?", "CheckRollback", "CircuitTripped?", "RolledBack"] as const;
const toWithdrawn = ["RollBack", "Reverted?", "CheckRollback", "CircuitTripped?", "Withdrawn"] as const;

export const canaryCases: readonly Case[] = [
  {
    when: "the canary is ready and passes at once",
    input,
    script: { ...afterStart, ...good, CheckCanary: [canaryReady], AnalyzeCanary: [pass] },
    states: [...toVerdict, ...toUpdated],
  },
  {
    when: "it serves until the new pods have been available for a while, and until they are again",
    input,
    script: {
      ...afterStart,
      ...good,
      CheckCanary: [canaryReady],
      AnalyzeCanary: [pass],
      ApplyUpdate: [applied, applied, applied],
      CheckReadiness: [scaleDown, scaleDown, ready],
    },
    states: [...toVerdict, ...toScaleDown, ...toScaleDown, ...toUpdated],
  },
  {
    when: "the canary needs time to become ready and to be measured",
    input,
    script: { ...afterStart, ...good, CheckCanary: [moving, canaryReady], AnalyzeCanary: [running, running, pass] },
    states: [...toFirstCheck, ...again, "AnalyzeCanary", "Verdict?", ...remeasured, ...remeasured, ...toUpdated],
  },
  {
    when: "it grows to its next step, and is measured meanwhile",
    input,
    script: {
      ...good,
      StartCanary: [started, started],
      CheckCanary: [canaryReady, growing, canaryReady],
      AnalyzeCanary: [nextStep, { ...growing, kind: "progressing" }, pass],
    },
    states: [
      ...toVerdict,
      ...toNextStep,
      "AnalyzeCanary",
      "Verdict?",
      ...again,
      "AnalyzeCanary",
      "Verdict?",
      ...toUpdated,
    ],
  },
  {
    when: "it waits for a person, who promotes it",
    input,
    script: {
      ...afterStart,
      ...good,
      CheckCanary: [parked, canaryReady, canaryReady],
      AnalyzeCanary: [parked, pass],
    },
    states: [
      ...toFirstCheck,
      ...sleep,
      "AnalyzeCanary",
      "Verdict?",
      ...sleep,
      "AnalyzeCanary",
      "Verdict?",
      ...toUpdated,
    ],
  },
  {
    when: "its next step and its promotion wait until its image is verified",
    input,
    script: {
      ...good,
      StartCanary: [started, parked, started],
      CheckCanary: [canaryReady, parked, canaryReady, canaryReady, canaryReady],
      AnalyzeCanary: [nextStep, nextStep, pass, pass],
      ApplyUpdate: [{ ...notReady, kind: "parked" }, applied],
    },
    states: [
      ...toVerdict,
      "StartCanary",
      "Started?",
      ...sleep,
      ...sleep,
      "AnalyzeCanary",
      "Verdict?",
      ...toNextStep,
      "AnalyzeCanary",
      "Verdict?",
      "ApplyUpdate",
      "Applied?",
      ...sleep,
      "AnalyzeCanary",
      "Verdict?",
      ...toUpdated,
    ],
  },
  {
    when: "it has three steps",
    input,
    script: {
      ...good,
      StartCanary: [started, { ...started, step: "2/3 (50%)" }, { ...started, step: "3/3 (50%)" }],
      CheckCanary: [canaryReady, moving, canaryReady, canaryReady],
      AnalyzeCanary: [nextStep, running, nextStep, running, pass],
    },
    states: [
      ...toVerdict,
      ...toNextStep,
      ...again,
      "AnalyzeCanary",
      "Verdict?",
      ...remeasured,
      ...toNextStep,
      "AnalyzeCanary",
      "Verdict?",
      ...remeasured,
      ...toUpdated,
    ],
  },
  {
    when: "another execution takes it over between two steps",
    input,
    script: { StartCanary: [started, superseded], CheckCanary: [canaryReady], AnalyzeCanary: [nextStep] },
    states: [...toVerdict, "StartCanary", "Started?", "Superseded"],
  },
  {
    when: "it is promoted manually before a measurement",
    input,
    script: { ...afterStart, ...good, CheckCanary: [promotedManually] },
    states: [...toFirstCheck, ...toUpdated],
  },
  {
    when: "its measurements fail",
    input,
    script: {
      ...afterStart,
      CheckCanary: [canaryReady],
      AnalyzeCanary: [running, fail],
      RollBack: [reverting],
      CheckRollback: [rolledBack],
    },
    states: [...toVerdict, ...remeasured, ...toRolledBack],
    error: "RolledBack",
    cause: "1 failures, 0 allowed",
  },
  {
    when: "it cannot be judged",
    input,
    script: {
      ...afterStart,
      CheckCanary: [canaryReady],
      AnalyzeCanary: [running, withdraw],
      RollBack: [reverting],
      CheckRollback: [withdrawn],
    },
    states: [...toVerdict, ...remeasured, ...toWithdrawn],
  },
  {
    when: "no pod of it is created",
    input,
    script: { ...afterStart, CheckCanary: [notStarted], RollBack: [reverting], CheckRollback: [withdrawn] },
    states: [...toFirstCheck, ...toWithdrawn],
  },
  {
    when: "it is not ready any more when it would be promoted",
    input,
    script: {
      ...afterStart,
      ...good,
      CheckCanary: [canaryReady],
      AnalyzeCanary: [pass, pass],
      ApplyUpdate: [notReady, applied],
    },
    states: [...toVerdict, "ApplyUpdate", "Applied?", ...remeasured, ...toUpdated],
  },
  {
    when: "it never becomes ready",
    input,
    script: { ...afterStart, CheckCanary: [expired], RollBack: [reverting], CheckRollback: [rolledBack] },
    states: [...toFirstCheck, ...toRolledBack],
    error: "RolledBack",
  },
  {
    when: "another execution holds the claim",
    input,
    script: { StartCanary: [superseded] },
    states: ["ChooseStrategy", "StartCanary", "Started?", "Superseded"],
  },
  {
    when: "a manual change supersedes it before it is ready",
    input,
    script: { ...afterStart, CheckCanary: [superseded] },
    states: [...toFirstCheck, "Superseded"],
  },
  {
    when: "a manual change supersedes it during the analysis",
    input,
    script: { ...afterStart, CheckCanary: [canaryReady], AnalyzeCanary: [superseded] },
    states: [...toVerdict, "Superseded"],
  },
  {
    when: "it is not ready for a day",
    input,
    script: { ...afterStart, CheckCanary: [continueResult], ContinueAsNew: [continued] },
    states: [...toFirstCheck, "ContinueAsNew", "ContinuedAsNew"],
  },
  {
    when: "it is measured for a day",
    input,
    script: { ...afterStart, CheckCanary: [canaryReady], AnalyzeCanary: [continueResult], ContinueAsNew: [continued] },
    states: [...toVerdict, "ContinueAsNew", "ContinuedAsNew"],
  },
  {
    when: "it is adopted, and continues at the canary",
    input: { ...input, adopting: true },
    script: {
      ...good,
      AdoptUpdate: [{ kind: "canary", waitSeconds: 0, reason: "took over" }],
      CheckCanary: [canaryReady],
      AnalyzeCanary: [pass],
    },
    states: [...adopting, "CheckCanary", "CanaryReady?", "AnalyzeCanary", "Verdict?", ...toUpdated],
  },
  {
    when: "its execution was stopped manually",
    input: { strategy: "abort", adopting: true },
    script: {
      AdoptUpdate: [{ kind: "abort", waitSeconds: 0, reason: "its execution was stopped" }],
      RollBack: [reverting],
      CheckRollback: [rolledBack],
    },
    states: [...adopting, ...toRolledBack],
    error: "RolledBack",
  },
];
