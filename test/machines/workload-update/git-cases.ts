import type { Case } from "./cases.ts";

type Kind = "synced" | "restored" | "progressing" | "held" | "refused" | "abort" | "continue" | "superseded";

const sync = { kind: "sync", waitSeconds: 15, reason: "waits for its commit" } as const;
const syncUpdate = (kind: Kind) => ({ kind, waitSeconds: 30, reason: "committed in abc123" }) as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;
const rolledBack = { kind: "rolled-back", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const rollsBack = { kind: "sync", reason: "not ready after 600 s" } as const;

const toSync = ["ChooseStrategy", "ApplyUpdate", "Applied?", "WaitForBatch", "SyncUpdate", "Synced?"] as const;
const adopted = { kind: "adopted", waitSeconds: 0, reason: "adopted" } as const;
const toFreed = ["AdoptUpdate", "Adopted?"] as const;
const again = ["WaitForSync", "SyncUpdate", "Synced?"] as const;
const toReady = ["CheckReadiness", "Ready?"] as const;
const toUpdated = ["RecordSuccess", "Recorded?", "Updated"] as const;
const toRolledBack = ["CheckRollback", "CircuitTripped?", "RolledBack"] as const;

/** A controller brings what was committed to the workload. */
export const gitCases: readonly Case[] = [
  {
    when: "its controller takes its time",
    script: {
      ApplyUpdate: [sync],
      SyncUpdate: [syncUpdate("progressing"), syncUpdate("synced")],
      AdoptUpdate: [adopted],
      CheckReadiness: [ready],
      RecordSuccess: [recorded],
    },
    states: [...toSync, ...again, ...toFreed, ...toReady, ...toUpdated],
  },
  {
    when: "its pods never become ready",
    script: {
      ApplyUpdate: [sync],
      SyncUpdate: [syncUpdate("synced"), syncUpdate("progressing"), syncUpdate("restored")],
      AdoptUpdate: [adopted],
      CheckReadiness: [expired],
      RollBack: [rollsBack],
      CheckRollback: [rolledBack],
    },
    states: [
      ...toSync,
      ...toFreed,
      ...toReady,
      "RollBack",
      "Reverted?",
      "SyncUpdate",
      "Synced?",
      ...again,
      ...toRolledBack,
    ],
    error: "RolledBack",
    cause: "not ready after 600 s",
  },
  {
    when: "it is adopted while it waits",
    input: { adopting: true },
    script: {
      AdoptUpdate: [{ ...sync, waitSeconds: 0 }, adopted],
      SyncUpdate: [syncUpdate("synced")],
      CheckReadiness: [ready],
      RecordSuccess: [recorded],
    },
    states: [
      "ChooseStrategy",
      "AdoptUpdate",
      "Adopted?",
      "SyncUpdate",
      "Synced?",
      ...toFreed,
      ...toReady,
      ...toUpdated,
    ],
  },
  ...(["held", "superseded"] as const).map((kind) => ({
    when: `a person changes it meanwhile: ${kind}`,
    script: { ApplyUpdate: [sync], SyncUpdate: [syncUpdate(kind)] },
    states: [...toSync, "Superseded"],
  })),
  {
    when: "its files do not name the image",
    script: {
      ApplyUpdate: [sync],
      SyncUpdate: [syncUpdate("refused")],
      RollBack: [{ kind: "refused", reason: "no file names it" }],
    },
    states: [...toSync, "FormatVerdict", "RollBack", "Reverted?", "UpdateRefused"],
    error: "UpdateRefused",
    cause: "no file names it",
  },
  {
    when: "it is aborted while it waits",
    script: {
      ApplyUpdate: [sync],
      SyncUpdate: [syncUpdate("abort"), syncUpdate("restored")],
      RollBack: [rollsBack],
      CheckRollback: [rolledBack],
    },
    states: [...toSync, "FormatVerdict", "RollBack", "Reverted?", "SyncUpdate", "Synced?", ...toRolledBack],
    error: "RolledBack",
    cause: "not ready after 600 s",
  },
  {
    when: "it waits for a day",
    script: {
      ApplyUpdate: [sync],
      SyncUpdate: [syncUpdate("continue")],
      ContinueAsNew: [{ kind: "continued", reason: "continued as e-2" }],
    },
    states: [...toSync, "ContinueAsNew", "ContinuedAsNew"],
  },
];
