import type { Tasks, UpdateInput } from "../../functions/contract/workload-update.ts";
import { named } from "./script.ts";
import type { ExecutionCase } from "./transition-coverage.ts";

export type Case = ExecutionCase<Tasks, UpdateInput>;

const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const adopted = { kind: "adopted", waitSeconds: 0, reason: "took over" } as const;
const progressing = { kind: "progressing", waitSeconds: 20, reason: "1 of 3 replicas ready" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const continueResult = { kind: "continue", waitSeconds: 60, reason: "1 of 3 replicas ready" } as const;
const superseded = { kind: "superseded", waitSeconds: 0, reason: "the claim is held by e-9" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;
const rolledBack = { kind: "rolled-back", reason: "not ready after 600 s" } as const;
const tripped = { kind: "circuit-tripped", reason: "not ready after 600 s" } as const;
const bug = named("TypeError", "nothing is undefined");

/** The states up to the first check, and their results. */
const started = { ApplyUpdate: [applied] } as const;
const toFirstCheck = ["ChooseStrategy", "ApplyUpdate", "Applied?", "WaitForRollout", "CheckReadiness"] as const;
const toNextCheck = ["Ready?", "WaitForRollout", "CheckReadiness"] as const;
const toUpdated = ["RecordSuccess", "Recorded?", "Updated"] as const;
const afterExpiry = { ...started, CheckReadiness: [expired] } as const;
const toRollBack = [...toFirstCheck, "Ready?", "RollBack"] as const;

export const ordinary: readonly Case[] = [
  {
    when: "the update is ready at the first check",
    script: { ...started, CheckReadiness: [ready], RecordSuccess: [recorded] },
    states: [...toFirstCheck, "Ready?", ...toUpdated],
  },
  {
    when: "the update takes its time",
    script: { ...started, CheckReadiness: [progressing, progressing, ready], RecordSuccess: [recorded] },
    states: [...toFirstCheck, ...toNextCheck, ...toNextCheck, "Ready?", ...toUpdated],
  },
  {
    when: "another execution holds the claim",
    script: { ApplyUpdate: [superseded] },
    states: ["ChooseStrategy", "ApplyUpdate", "Applied?", "Superseded"],
  },
  {
    when: "it only removes what another update left",
    input: { strategy: "abort" },
    script: { ApplyUpdate: [superseded] },
    states: ["ChooseStrategy", "ApplyUpdate", "Applied?", "Superseded"],
  },
  {
    when: "it adopts an update in progress",
    input: { adopting: true },
    script: { AdoptUpdate: [adopted], CheckReadiness: [ready], RecordSuccess: [recorded] },
    states: ["ChooseStrategy", "AdoptUpdate", "Adopted?", "CheckReadiness", "Ready?", ...toUpdated],
  },
  {
    when: "there is no update to adopt",
    input: { adopting: true },
    script: { AdoptUpdate: [superseded] },
    states: ["ChooseStrategy", "AdoptUpdate", "Adopted?", "Superseded"],
  },
  {
    when: "a manual change supersedes it while it waits",
    script: { ...started, CheckReadiness: [superseded] },
    states: [...toFirstCheck, "Ready?", "Superseded"],
  },
  {
    when: "a manual change supersedes it at the last moment",
    script: { ...started, CheckReadiness: [ready], RecordSuccess: [superseded] },
    states: [...toFirstCheck, "Ready?", "RecordSuccess", "Recorded?", "Superseded"],
  },
  {
    when: "it has run for a day",
    script: {
      ...started,
      CheckReadiness: [continueResult],
      ContinueAsNew: [{ kind: "continued", reason: "continued as e-2" }],
    },
    states: [...toFirstCheck, "Ready?", "ContinueAsNew", "ContinuedAsNew"],
  },
  {
    when: "it never becomes ready",
    script: { ...afterExpiry, RollBack: [rolledBack] },
    states: [...toRollBack, "CircuitTripped?", "RolledBack"],
    error: "RolledBack",
    cause: "not ready after 600 s",
  },
  {
    when: "it is one rollback too many",
    script: { ...afterExpiry, RollBack: [tripped], OpenCircuit: [{ kind: "opened", reason: "circuit opened" }] },
    states: [...toRollBack, "CircuitTripped?", "OpenCircuit", "CircuitOpened"],
    error: "CircuitOpened",
    cause: "circuit opened",
  },
  {
    when: "a manual change supersedes it before the rollback",
    script: { ...afterExpiry, RollBack: [superseded] },
    states: [...toRollBack, "CircuitTripped?", "Superseded"],
  },
];

/** Unexpected errors are bugs, and fail the update. */
export const bugs: readonly Case[] = [
  {
    when: "ApplyUpdate fails before it writes",
    script: { ApplyUpdate: [bug], RollBack: [{ kind: "nothing-applied", reason: "nothing is undefined" }] },
    states: ["ChooseStrategy", "ApplyUpdate", "FormatError", "RollBack", "CircuitTripped?", "UpdateFailed"],
    error: "UpdateFailed",
    cause: "nothing is undefined",
  },
  {
    when: "AdoptUpdate fails",
    input: { adopting: true },
    script: { AdoptUpdate: [bug], RollBack: [rolledBack] },
    states: ["ChooseStrategy", "AdoptUpdate", "FormatError", "RollBack", "CircuitTripped?", "RolledBack"],
    error: "RolledBack",
  },
  {
    when: "the check fails",
    script: { ...started, CheckReadiness: [progressing, bug], RollBack: [rolledBack] },
    states: [...toFirstCheck, ...toNextCheck, "FormatError", "RollBack", "CircuitTripped?", "RolledBack"],
    error: "RolledBack",
  },
  {
    when: "RecordSuccess fails",
    script: { ...started, CheckReadiness: [ready], RecordSuccess: [bug], RollBack: [rolledBack] },
    states: [...toFirstCheck, "Ready?", "RecordSuccess", "FormatError", "RollBack", "CircuitTripped?", "RolledBack"],
    error: "RolledBack",
  },
  {
    when: "RollBack fails",
    script: { ...afterExpiry, RollBack: [bug] },
    states: [...toRollBack, "RollbackFailed"],
    error: "RollbackFailed",
    cause: "nothing is undefined",
  },
  {
    when: "OpenCircuit fails",
    script: { ...afterExpiry, RollBack: [tripped], OpenCircuit: [bug] },
    states: [...toRollBack, "CircuitTripped?", "OpenCircuit", "CircuitOpened"],
    error: "CircuitOpened",
    cause: "not ready after 600 s",
  },
  {
    when: "ContinueAsNew fails",
    script: { ...started, CheckReadiness: [continueResult], ContinueAsNew: [bug] },
    states: [...toFirstCheck, "Ready?", "ContinueAsNew", "ClusterUnreachable"],
    error: "ClusterUnreachable",
    cause: "nothing is undefined",
  },
];

const unreachable = named("Unreachable", "connect ECONNREFUSED");

/** Unknown is not unhealthy: a cluster that is unreachable for more than an hour is not changed. */
export const unanswered: readonly Case[] = [
  {
    when: "the cluster is unreachable while it applies",
    script: { ApplyUpdate: [unreachable] },
    states: ["ChooseStrategy", "ApplyUpdate", "ClusterUnreachable"],
    error: "ClusterUnreachable",
    cause: "connect ECONNREFUSED",
  },
  {
    when: "the cluster is unreachable while it adopts",
    input: { adopting: true },
    script: { AdoptUpdate: [unreachable] },
    states: ["ChooseStrategy", "AdoptUpdate", "ClusterUnreachable"],
    error: "ClusterUnreachable",
    cause: "connect ECONNREFUSED",
  },
  {
    when: "the cluster is unreachable while it checks",
    script: { ...started, CheckReadiness: [unreachable] },
    states: [...toFirstCheck, "ClusterUnreachable"],
    error: "ClusterUnreachable",
    cause: "connect ECONNREFUSED",
  },
  {
    when: "the cluster is unreachable while it records",
    script: { ...started, CheckReadiness: [ready], RecordSuccess: [unreachable] },
    states: [...toFirstCheck, "Ready?", "RecordSuccess", "ClusterUnreachable"],
    error: "ClusterUnreachable",
    cause: "connect ECONNREFUSED",
  },
  {
    when: "the cluster is unreachable while it rolls back",
    script: { ...afterExpiry, RollBack: [unreachable] },
    states: [...toRollBack, "RollbackFailed"],
    error: "RollbackFailed",
    cause: "connect ECONNREFUSED",
  },
];
