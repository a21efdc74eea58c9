import type { Case } from "./cases.ts";

/** Returns the result of a step of the canary. */
function result<Kind extends string>(kind: Kind, reason: string, waitSeconds = 0, step = "1/1 (1 replica)") {
  return { kind, waitSeconds, reason, step } as const;
}

const input = { strategy: "canary" } as const;
const started = result("started", "a canary runs it", 15);
const canaryReady = result("ready", "the canary is ready");
const moving = result("progressing", "0 of 1 replicas ready", 15);
const expired = result("expired", "not ready after 600 s");
const reverting = { kind: "reverting", reason: "not ready after 600 s" } as const;
const promotedManually = result("promoted", "promoted manually");
const running = result("running", "error-rate = 0.002: pass", 60);
const pass = result("pass", "error-rate: 5 passed, 0 failed");
const parked = result("parked", "it waits for a person", 3600, "2/3 (25%)");
const growing = { ...moving, kind: "measure" } as const;
const nextStep = result("next", "the canary is ready and has no analysis", 0, "1/3 (25%)");
const fail = result("fail", "error-rate: 1 failures, 0 allowed");
const continueResult = { ...running, kind: "continue" } as const;
const superseded = result("superseded", "the claim is held by e-9");
const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const scaleDown = { kind: "scale-down", waitSeconds: 30, reason: "all new pods are available" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;
const withdraw = result("withdraw", "error-rate: no data for 15m0s");
const notReady = { kind: "not-ready", waitSeconds: 15, reason: "0 of 1 replicas ready" } as const;
const notStarted = result("not-started", "0 of 1 replicas updated");
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
const measured = ["AnalyzeCanary", "Verdict?"] as const;
const toVerdict = [...toFirstCheck, ...measured] as const;
const toNextStep = toFirstCheck.slice(1);
const again = ["WaitForCanary", "CheckCanary", "CanaryReady?"] as const;
const sleep = ["ParkedCanary", "CheckCanary", "CanaryReady?"] as const;
const remeasured = ["WaitForAnalysis", ...measured] as const;
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
const toReverted = ["RollBack", "Reverted?", "CheckRollback", "CircuitTripped?"] as const;
const toRolledBack = [...toReverted, "RolledBack"] as const;
const toWithdrawn = [...toReverted, "Withdrawn"] as const;

const cases: readonly Case[] = [
  {
    when: "the canary is ready and passes at once",
    script: { ...afterStart, ...good, CheckCanary: [canaryReady], AnalyzeCanary: [pass] },
    states: [...toVerdict, ...toUpdated],
  },
  {
    when: "it serves until the new pods have been available for a while, and until they are again",
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
    script: { ...afterStart, ...good, CheckCanary: [moving, canaryReady], AnalyzeCanary: [running, running, pass] },
    states: [...toFirstCheck, ...again, ...measured, ...remeasured, ...remeasured, ...toUpdated],
  },
  {
    when: "it grows to its next step, and is measured meanwhile",
    script: {
      ...good,
      StartCanary: [started, started],
      CheckCanary: [canaryReady, growing, canaryReady],
      AnalyzeCanary: [nextStep, { ...growing, kind: "progressing" }, pass],
    },
    states: [...toVerdict, ...toNextStep, ...measured, ...again, ...measured, ...toUpdated],
  },
  {
    when: "it waits for a person, who promotes it",
    script: {
      ...afterStart,
      ...good,
      CheckCanary: [parked, canaryReady, canaryReady],
      AnalyzeCanary: [parked, pass],
    },
    states: [...toFirstCheck, ...sleep, ...measured, ...sleep, ...measured, ...toUpdated],
  },
  {
    when: "its next step and its promotion wait until its image is verified",
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
      ...measured,
      ...toNextStep,
      ...measured,
      "ApplyUpdate",
      "Applied?",
      ...sleep,
      ...measured,
      ...toUpdated,
    ],
  },
  {
    when: "it has three steps",
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
      ...measured,
      ...remeasured,
      ...toNextStep,
      ...measured,
      ...remeasured,
      ...toUpdated,
    ],
  },
  {
    when: "another execution takes it over between two steps",
    script: { StartCanary: [started, superseded], CheckCanary: [canaryReady], AnalyzeCanary: [nextStep] },
    states: [...toVerdict, "StartCanary", "Started?", "Superseded"],
  },
  {
    when: "it is promoted manually before a measurement",
    script: { ...afterStart, ...good, CheckCanary: [promotedManually] },
    states: [...toFirstCheck, ...toUpdated],
  },
  {
    when: "its measurements fail",
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
    script: { ...afterStart, CheckCanary: [notStarted], RollBack: [reverting], CheckRollback: [withdrawn] },
    states: [...toFirstCheck, ...toWithdrawn],
  },
  {
    when: "it is not ready any more when it would be promoted",
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
    script: { ...afterStart, CheckCanary: [expired], RollBack: [reverting], CheckRollback: [rolledBack] },
    states: [...toFirstCheck, ...toRolledBack],
    error: "RolledBack",
  },
  {
    when: "another execution holds the claim",
    script: { StartCanary: [superseded] },
    states: ["ChooseStrategy", "StartCanary", "Started?", "Superseded"],
  },
  {
    when: "a manual change supersedes it before it is ready",
    script: { ...afterStart, CheckCanary: [superseded] },
    states: [...toFirstCheck, "Superseded"],
  },
  {
    when: "a manual change supersedes it during the analysis",
    script: { ...afterStart, CheckCanary: [canaryReady], AnalyzeCanary: [superseded] },
    states: [...toVerdict, "Superseded"],
  },
  {
    when: "it is not ready for a day",
    script: { ...afterStart, CheckCanary: [continueResult], ContinueAsNew: [continued] },
    states: [...toFirstCheck, "ContinueAsNew", "ContinuedAsNew"],
  },
  {
    when: "it is measured for a day",
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
    states: [...adopting, "CheckCanary", "CanaryReady?", ...measured, ...toUpdated],
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

export const canaryCases: readonly Case[] = cases.map((one) => ({ input, ...one }));
