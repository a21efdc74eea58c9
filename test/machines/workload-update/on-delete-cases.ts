import type { Case } from "./cases.ts";

const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const roll = { kind: "roll", waitSeconds: 0, reason: "pod web-2 is next" } as const;
const rolled = { kind: "rolled", waitSeconds: 15, reason: "evicted pod web-2" } as const;
const restored = { kind: "restored", waitSeconds: 15, reason: "evicted pod web-2" } as const;
const progressing = { kind: "progressing", waitSeconds: 15, reason: "pod web-2 is not available" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const reverting = { kind: "reverting", reason: "not ready after 600 s" } as const;
const rolledBack = { kind: "rolled-back", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const superseded = { kind: "superseded", waitSeconds: 0, reason: "the claim is held by e-9" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;

const toFirstCheck = [
  "ChooseStrategy",
  "ApplyUpdate",
  "Applied?",
  "WaitForRollout",
  "CheckReadiness",
  "Ready?",
] as const;
const canaryRoll = { ...roll, waitSeconds: 2, step: "1/1 (1 replica)" } as const;
const canaryReady = { ...ready, step: "1/1 (1 replica)" } as const;
const canaryPod = { ...rolled, kind: "canary" } as const;

const nextCanaryPod = ["RollPod", "Rolled?", "WaitForCanary", "CheckCanary", "CanaryReady?"] as const;
const nextPod = ["RollPod", "Rolled?", "WaitForPod", "CheckReadiness", "Ready?"] as const;
const toRollback = ["RollBack", "Reverted?", "CheckRollback", "CircuitTripped?"] as const;
const previousPod = ["RollPod", "Rolled?", "WaitForRollback", "CheckRollback", "CircuitTripped?"] as const;

/** Pawl replaces each pod itself. */
export const onDeleteCases: readonly Case[] = [
  {
    when: "each pod becomes available",
    script: {
      ApplyUpdate: [applied],
      CheckReadiness: [roll, progressing, roll, ready],
      RollPod: [rolled, rolled],
      RecordSuccess: [recorded],
    },
    states: [
      ...toFirstCheck,
      ...nextPod,
      "WaitForRollout",
      "CheckReadiness",
      "Ready?",
      ...nextPod,
      "RecordSuccess",
      "Recorded?",
      "Updated",
    ],
  },
  {
    when: "a pod does not become available",
    script: {
      ApplyUpdate: [applied],
      CheckReadiness: [roll, expired],
      RollPod: [rolled, restored],
      RollBack: [reverting],
      CheckRollback: [{ ...roll, reason: "pod web-2 is next" }, rolledBack],
    },
    states: [...toFirstCheck, ...nextPod, ...toRollback, ...previousPod, "RolledBack"],
    error: "RolledBack",
    cause: "not ready after 600 s",
  },
  {
    when: "the pods of a canary are replaced, and one more is after a node was removed",
    input: { strategy: "canary" },
    script: {
      StartCanary: [{ ...applied, kind: "started", step: "1/1 (1 replica)" }],
      CheckCanary: [canaryRoll, canaryReady, canaryReady],
      RollPod: [canaryPod, canaryPod],
      AnalyzeCanary: [canaryRoll, { ...canaryReady, kind: "pass" }],
      ApplyUpdate: [applied],
      CheckReadiness: [ready],
      RecordSuccess: [recorded],
    },
    states: [
      "ChooseStrategy",
      "StartCanary",
      "Started?",
      ...nextCanaryPod.slice(2),
      ...nextCanaryPod,
      "AnalyzeCanary",
      "Verdict?",
      ...nextCanaryPod,
      "AnalyzeCanary",
      "Verdict?",
      ...toFirstCheck.slice(1),
      "RecordSuccess",
      "Recorded?",
      "Updated",
    ],
  },
  {
    when: "a manual change supersedes it",
    script: { ApplyUpdate: [applied], CheckReadiness: [roll], RollPod: [superseded] },
    states: [...toFirstCheck, "RollPod", "Rolled?", "Superseded"],
  },
];
