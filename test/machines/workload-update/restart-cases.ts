import type { Case } from "./cases.ts";

const applied = { kind: "applied", waitSeconds: 15, reason: "restarted it" } as const;
const progressing = { kind: "progressing", waitSeconds: 20, reason: "a new pod still runs the old digest" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const reverting = { kind: "reverting", reason: "not ready after 600 s" } as const;
const superseded = { kind: "superseded", waitSeconds: 0, reason: "these digests are already deployed" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;
const failed = { ApplyUpdate: [applied], CheckReadiness: [expired] } as const;

const input = { strategy: "restart" } as const;
const toFirstCheck = ["ChooseStrategy", "ApplyUpdate", "Applied?", "WaitForRollout", "CheckReadiness"] as const;
const toRollBack = [...toFirstCheck, "Ready?", "RollBack"] as const;
const toUpdated = ["Ready?", "RecordSuccess", "Recorded?", "Updated"] as const;

/** A restart takes the path of a rolling update. */
export const restarts: readonly Case[] = [
  {
    when: "its pods need time",
    input,
    script: { ApplyUpdate: [applied], CheckReadiness: [progressing, ready], RecordSuccess: [recorded] },
    states: [...toFirstCheck, "Ready?", "WaitForRollout", "CheckReadiness", ...toUpdated],
  },
  {
    when: "it is already done",
    input,
    script: { ApplyUpdate: [superseded] },
    states: ["ChooseStrategy", "ApplyUpdate", "Applied?", "Superseded"],
  },
  {
    when: "it is adopted",
    input: { ...input, adopting: true },
    script: {
      AdoptUpdate: [{ kind: "adopted", waitSeconds: 0, reason: "took over" }],
      CheckReadiness: [ready],
      RecordSuccess: [recorded],
    },
    states: ["ChooseStrategy", "AdoptUpdate", "Adopted?", "CheckReadiness", ...toUpdated],
  },
  {
    when: "its pods never become ready",
    input,
    script: {
      ...failed,
      RollBack: [reverting],
      CheckRollback: [{ kind: "rolled-back", waitSeconds: 0, reason: "not ready after 600 s" }],
    },
    states: [...toRollBack, "Reverted?", "CheckRollback", "CircuitTripped?", "RolledBack"],
    error: "RolledBack",
    cause: "not ready after 600 s",
  },
  {
    when: "it is one failure too many",
    input,
    script: {
      ...failed,
      RollBack: [reverting],
      CheckRollback: [{ kind: "circuit-tripped", waitSeconds: 0, reason: "not ready after 600 s" }],
      OpenCircuit: [{ kind: "opened", reason: "circuit opened" }],
    },
    states: [...toRollBack, "Reverted?", "CheckRollback", "CircuitTripped?", "OpenCircuit", "CircuitOpened"],
    error: "CircuitOpened",
    cause: "circuit opened",
  },
];
