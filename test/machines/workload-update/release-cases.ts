import type { Case } from "./cases.ts";
import { named } from "../script.ts";

const applied = { kind: "applied", waitSeconds: 15, reason: "restored release 1" } as const;
const restored = { kind: "applied", waitSeconds: 15, reason: "restored the pod template before the release" } as const;
const hook = { kind: "hook", waitSeconds: 0, reason: "waits for the pre hook migrate" } as const;
const restoredNext = { kind: "restore", waitSeconds: 0, reason: "the pre hook migrate succeeded" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const interrupted = { kind: "expired", waitSeconds: 0, reason: "its rollback was interrupted" } as const;
const superseded = { kind: "superseded", waitSeconds: 0, reason: "release 1 has no snapshot any more" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;
const restore = { kind: "restore", reason: "not ready after 600 s" } as const;
const reverting = { kind: "reverting", reason: "not ready after 600 s" } as const;
const rolledBack = { kind: "rolled-back", waitSeconds: 0, reason: "not ready after 600 s" } as const;

const tripped = { kind: "circuit-tripped", waitSeconds: 0, reason: "web-2 was deleted" } as const;

const input = { strategy: "release" } as const;
const toCheck = ["RestoreRelease", "Restored?", "WaitForRollout", "CheckReadiness", "Ready?"] as const;
const toUpdated = ["RecordSuccess", "Recorded?", "Updated"] as const;

/** A release is restored, and reverted if it fails, by the same function. */
export const releases: readonly Case[] = [
  ...[false, true].map((adopting) => ({
    when: adopting ? "it is adopted" : "it becomes ready",
    input: { ...input, adopting },
    script: { RestoreRelease: [applied], CheckReadiness: [ready], RecordSuccess: [recorded] },
    states: ["ChooseStrategy", ...toCheck, ...toUpdated],
  })),
  {
    when: "its hook succeeds",
    input,
    script: {
      RestoreRelease: [hook, applied],
      RunHook: [restoredNext],
      CheckReadiness: [ready],
      RecordSuccess: [recorded],
    },
    states: ["ChooseStrategy", "RestoreRelease", "Restored?", "RunHook", "HookDone?", ...toCheck, ...toUpdated],
  },
  {
    when: "its snapshot was deleted",
    input,
    script: { RestoreRelease: [superseded] },
    states: ["ChooseStrategy", "RestoreRelease", "Restored?", "Superseded"],
  },
  {
    when: "it fails, and is reverted",
    input,
    script: {
      RestoreRelease: [applied, restored],
      CheckReadiness: [expired, interrupted],
      RollBack: [restore, reverting],
      CheckRollback: [rolledBack],
    },
    states: [
      "ChooseStrategy",
      ...toCheck,
      "RollBack",
      "Reverted?",
      ...toCheck,
      "RollBack",
      "Reverted?",
      "CheckRollback",
      "CircuitTripped?",
      "RolledBack",
    ],
    error: "RolledBack",
    cause: "not ready after 600 s",
  },
  ...(["unrestorable", "disabled"] as const).map((kind) => ({
    when: `it fails, and cannot be reverted: ${kind}`,
    input,
    script: {
      RestoreRelease: [applied, { kind, waitSeconds: 0, reason: "web-2 was deleted" } as const],
      CheckReadiness: [expired],
      RollBack: [restore, reverting],
      CheckRollback: [tripped],
      OpenCircuit: [{ kind: "opened", reason: "web-2 was deleted" } as const],
    },
    states: [
      "ChooseStrategy",
      ...toCheck,
      "RollBack",
      "Reverted?",
      "RestoreRelease",
      "Restored?",
      "RollBack",
      "Reverted?",
      "CheckRollback",
      "CircuitTripped?",
      "OpenCircuit",
      "CircuitOpened",
    ] as const,
    error: "CircuitOpened",
    cause: "web-2 was deleted",
  })),
  {
    when: "the cluster refuses its template",
    input,
    script: {
      RestoreRelease: [named("AdmissionDenied", "a policy denies it")],
      RollBack: [{ kind: "refused", reason: "a policy denies it" }],
    },
    states: ["ChooseStrategy", "RestoreRelease", "FormatRefusal", "RollBack", "Reverted?", "UpdateRefused"],
    error: "UpdateRefused",
    cause: "a policy denies it",
  },
];
