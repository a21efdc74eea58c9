import type { Tasks, UpdateInput } from "../../../functions/contract/workload-update.ts";
import { named } from "../script.ts";
import type { ExecutionCase } from "../transition-coverage.ts";

export type Case = ExecutionCase<Tasks, UpdateInput>;

const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const adopted = { kind: "adopted", waitSeconds: 0, reason: "took over" } as const;
const progressing = { kind: "progressing", waitSeconds: 20, reason: "1 of 3 replicas ready" } as const;
const parked = { kind: "parked", waitSeconds: 21_600, reason: "not judged while it is scaled to 0" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const reverting = { kind: "reverting", reason: "not ready after 600 s" } as const;
const continueResult = { kind: "continue", waitSeconds: 60, reason: "1 of 3 replicas ready" } as const;
const superseded = { kind: "superseded", waitSeconds: 0, reason: "the claim is held by e-9" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;
const rolledBack = { kind: "rolled-back", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const withdrawn = { kind: "withdrawn", waitSeconds: 0, reason: "no pod was created" } as const;
const tripped = { kind: "circuit-tripped", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const bug = named("TypeError", "nothing is undefined");

/** The states up to the first check, and their results. */
const started = { ApplyUpdate: [applied] } as const;
const toFirstCheck = ["ChooseStrategy", "ApplyUpdate", "Applied?", "WaitForRollout", "CheckReadiness"] as const;
const toNextCheck = ["Ready?", "WaitForRollout", "CheckReadiness"] as const;
const sleep = ["Parked", "CheckReadiness"] as const;
const toUpdated = ["RecordSuccess", "Recorded?", "Updated"] as const;
const afterExpiry = { ...started, CheckReadiness: [expired] } as const;
const toRollBack = [...toFirstCheck, "Ready?", "RollBack"] as const;
const toCheckRollback = [...toRollBack, "Reverted?", "CheckRollback"] as const;
const toNextRollbackCheck = ["CircuitTripped?", "WaitForRollback", "CheckRollback"] as const;

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
    when: "it is scaled to 0, and up again",
    script: { ...started, CheckReadiness: [parked, parked, ready], RecordSuccess: [recorded] },
    states: [...toFirstCheck, "Ready?", ...sleep, "Ready?", ...sleep, "Ready?", ...toUpdated],
  },
  {
    when: "a poll has continued it while it slept",
    script: { ...started, CheckReadiness: [parked, superseded] },
    states: [...toFirstCheck, "Ready?", ...sleep, "Ready?", "Superseded"],
  },
  {
    when: "it never becomes ready",
    script: { ...afterExpiry, RollBack: [reverting], CheckRollback: [rolledBack] },
    states: [...toCheckRollback, "CircuitTripped?", "RolledBack"],
    error: "RolledBack",
    cause: "not ready after 600 s",
  },
  {
    when: "the pods take their time to run the restored version",
    script: { ...afterExpiry, RollBack: [reverting], CheckRollback: [progressing, progressing, rolledBack] },
    states: [...toCheckRollback, ...toNextRollbackCheck, ...toNextRollbackCheck, "CircuitTripped?", "RolledBack"],
    error: "RolledBack",
    cause: "not ready after 600 s",
  },
  {
    when: "its rollback has been checked for a day",
    script: {
      ...afterExpiry,
      RollBack: [reverting],
      CheckRollback: [continueResult],
      ContinueAsNew: [{ kind: "continued", reason: "continued as e-2" }],
    },
    states: [...toCheckRollback, "CircuitTripped?", "ContinueAsNew", "ContinuedAsNew"],
  },
  {
    when: "the workload is deleted during its rollback",
    script: { ...afterExpiry, RollBack: [reverting], CheckRollback: [superseded] },
    states: [...toCheckRollback, "CircuitTripped?", "Superseded"],
  },
  {
    when: "it is one rollback too many",
    script: {
      ...afterExpiry,
      RollBack: [reverting],
      CheckRollback: [tripped],
      OpenCircuit: [{ kind: "opened", reason: "circuit opened" }],
    },
    states: [...toCheckRollback, "CircuitTripped?", "OpenCircuit", "CircuitOpened"],
    error: "CircuitOpened",
    cause: "circuit opened",
  },
  {
    when: "no pod was created, so that the version is not judged",
    script: {
      ...started,
      CheckReadiness: [{ kind: "not-started", waitSeconds: 0, reason: "no pod was created" }],
      RollBack: [reverting],
      CheckRollback: [withdrawn],
    },
    states: [...toCheckRollback, "CircuitTripped?", "Withdrawn"],
  },
  {
    when: "a manual change supersedes it before the rollback",
    script: { ...afterExpiry, RollBack: [superseded] },
    states: [...toRollBack, "Reverted?", "Superseded"],
  },
];

/** What follows the rollback is recorded already. */
export const afterRollback: readonly Case[] = [
  {
    when: "OpenCircuit fails",
    script: { ...afterExpiry, RollBack: [reverting], CheckRollback: [tripped], OpenCircuit: [bug] },
    states: [...toCheckRollback, "CircuitTripped?", "OpenCircuit", "CircuitOpened"],
    error: "CircuitOpened",
    cause: "not ready after 600 s",
  },
];
