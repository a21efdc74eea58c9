import type { Case } from "./cases.ts";

const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const bake = { kind: "bake", waitSeconds: 0, reason: "all ready" } as const;
const running = { kind: "running", waitSeconds: 60, reason: "error-rate = 0.002: pass" } as const;
const pass = { kind: "pass", waitSeconds: 0, reason: "error-rate: 30 passed, 0 failed" } as const;
const unknown = { kind: "unknown", waitSeconds: 0, reason: "error-rate: no data for 15m0s" } as const;
const fail = { kind: "fail", waitSeconds: 0, reason: "error-rate: 1 failures, 0 allowed" } as const;
const superseded = { kind: "superseded", waitSeconds: 0, reason: "the claim is held by e-9" } as const;
const continueResult = { kind: "continue", waitSeconds: 60, reason: "error-rate = 0.002: pass" } as const;
const reverting = { kind: "reverting", reason: "1 failures, 0 allowed" } as const;
const rolledBack = { kind: "rolled-back", waitSeconds: 0, reason: "1 failures, 0 allowed" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;

const started = { ApplyUpdate: [applied], CheckReadiness: [bake] } as const;
const toVerdict = [
  "ChooseStrategy",
  "ApplyUpdate",
  "Applied?",
  "WaitForRollout",
  "CheckReadiness",
  "Ready?",
  "AnalyzeRollout",
  "Baked?",
] as const;
const again = ["WaitForBake", "AnalyzeRollout", "Baked?"] as const;
const toUpdated = ["RecordSuccess", "Recorded?", "Updated"] as const;
const toRolledBack = ["RollBack", "Reverted?", "CheckRollback", "CircuitTripped?", "RolledBack"] as const;

export const bakeCases: readonly Case[] = [
  {
    when: "nothing fails until it is over",
    script: { ...started, AnalyzeRollout: [running, running, pass], RecordSuccess: [recorded] },
    states: [...toVerdict, ...again, ...again, ...toUpdated],
  },
  {
    when: "it cannot be judged",
    script: { ...started, AnalyzeRollout: [running, unknown], RecordSuccess: [recorded] },
    states: [...toVerdict, ...again, ...toUpdated],
  },
  {
    when: "a metric fails",
    script: { ...started, AnalyzeRollout: [running, fail], RollBack: [reverting], CheckRollback: [rolledBack] },
    states: [...toVerdict, ...again, ...toRolledBack],
    error: "RolledBack",
    cause: "1 failures, 0 allowed",
  },
  {
    when: "a manual change supersedes it",
    script: { ...started, AnalyzeRollout: [superseded] },
    states: [...toVerdict, "Superseded"],
  },
  {
    when: "it takes a day",
    script: {
      ...started,
      AnalyzeRollout: [continueResult],
      ContinueAsNew: [{ kind: "continued", reason: "continued as e-2" }],
    },
    states: [...toVerdict, "ContinueAsNew", "ContinuedAsNew"],
  },
  {
    when: "it is adopted",
    input: { adopting: true },
    script: {
      AdoptUpdate: [{ kind: "adopted", waitSeconds: 0, reason: "took over" }],
      CheckReadiness: [bake],
      AnalyzeRollout: [pass],
      RecordSuccess: [recorded],
    },
    states: ["ChooseStrategy", "AdoptUpdate", "Adopted?", ...toVerdict.slice(4), ...toUpdated],
  },
];
