import type { Tasks, UpdateInput } from "../../functions/contract.ts";
import { named } from "./script.ts";
import type { Walk } from "./walks.ts";

export type Case = Walk<Tasks, UpdateInput>;

const applied = { kind: "applied", waitSeconds: 15, reason: "set it" } as const;
const adopted = { kind: "adopted", waitSeconds: 0, reason: "took over" } as const;
const progressing = { kind: "progressing", waitSeconds: 20, reason: "1 of 3 replicas ready" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "not ready after 600 s" } as const;
const handover = { kind: "handover", waitSeconds: 60, reason: "1 of 3 replicas ready" } as const;
const superseded = { kind: "superseded", waitSeconds: 0, reason: "the claim is held by e-9" } as const;
const recorded = { kind: "recorded", reason: "runs now" } as const;
const rolledBack = { kind: "rolled-back", reason: "not ready after 600 s" } as const;
const tripped = { kind: "tripped", reason: "not ready after 600 s" } as const;
const bug = named("TypeError", "nothing is undefined");

/** What happens up to the first look, and what is answered on the way. */
const begun = { ApplyUpdate: [applied] } as const;
const toFirstLook = ["ChooseStrategy", "ApplyUpdate", "Applied?", "WaitForRollout", "CheckReadiness"] as const;
const toNextLook = ["Ready?", "WaitForRollout", "CheckReadiness"] as const;
const toUpdated = ["RecordSuccess", "Recorded?", "Updated"] as const;
const afterExpiry = { ...begun, CheckReadiness: [expired] } as const;
const toRollBack = [...toFirstLook, "Ready?", "RollBack"] as const;

export const ordinary: readonly Case[] = [
  {
    when: "the update is ready at the first look",
    script: { ...begun, CheckReadiness: [ready], RecordSuccess: [recorded] },
    states: [...toFirstLook, "Ready?", ...toUpdated],
  },
  {
    when: "the update takes its time",
    script: { ...begun, CheckReadiness: [progressing, progressing, ready], RecordSuccess: [recorded] },
    states: [...toFirstLook, ...toNextLook, ...toNextLook, "Ready?", ...toUpdated],
  },
  {
    when: "another was there first",
    script: { ApplyUpdate: [superseded] },
    states: ["ChooseStrategy", "ApplyUpdate", "Applied?", "Superseded"],
  },
  {
    when: "it takes over what is in flight",
    input: { recovering: true },
    script: { AdoptUpdate: [adopted], CheckReadiness: [ready], RecordSuccess: [recorded] },
    states: ["ChooseStrategy", "AdoptUpdate", "Adopted?", "CheckReadiness", "Ready?", ...toUpdated],
  },
  {
    when: "there is nothing to take over",
    input: { recovering: true },
    script: { AdoptUpdate: [superseded] },
    states: ["ChooseStrategy", "AdoptUpdate", "Adopted?", "Superseded"],
  },
  {
    when: "a person steps in while it waits",
    script: { ...begun, CheckReadiness: [superseded] },
    states: [...toFirstLook, "Ready?", "Superseded"],
  },
  {
    when: "a person steps in at the last moment",
    script: { ...begun, CheckReadiness: [ready], RecordSuccess: [superseded] },
    states: [...toFirstLook, "Ready?", "RecordSuccess", "Recorded?", "Superseded"],
  },
  {
    when: "it has run for a day",
    script: { ...begun, CheckReadiness: [handover], HandOver: [{ kind: "handed-over", reason: "goes on as e-2" }] },
    states: [...toFirstLook, "Ready?", "HandOver", "HandedOver"],
  },
  {
    when: "it never becomes ready",
    script: { ...afterExpiry, RollBack: [rolledBack] },
    states: [...toRollBack, "Tripped?", "RolledBack"],
    error: "RolledBack",
    cause: "not ready after 600 s",
  },
  {
    when: "it was one rollback too many",
    script: { ...afterExpiry, RollBack: [tripped], OpenCircuit: [{ kind: "opened", reason: "said so" }] },
    states: [...toRollBack, "Tripped?", "OpenCircuit", "CircuitOpened"],
    error: "CircuitOpened",
    cause: "said so",
  },
  {
    when: "a person steps in before the rollback",
    script: { ...afterExpiry, RollBack: [superseded] },
    states: [...toRollBack, "Tripped?", "Superseded"],
  },
];

/** Errors that nobody expected. They are bugs, and take the way of a failed update. */
export const bugs: readonly Case[] = [
  {
    when: "applying fails before it did anything",
    script: { ApplyUpdate: [bug], RollBack: [{ kind: "not-applied", reason: "nothing is undefined" }] },
    states: ["ChooseStrategy", "ApplyUpdate", "ExplainError", "RollBack", "Tripped?", "UpdateFailed"],
    error: "UpdateFailed",
    cause: "nothing is undefined",
  },
  {
    when: "adopting fails",
    input: { recovering: true },
    script: { AdoptUpdate: [bug], RollBack: [rolledBack] },
    states: ["ChooseStrategy", "AdoptUpdate", "ExplainError", "RollBack", "Tripped?", "RolledBack"],
    error: "RolledBack",
  },
  {
    when: "looking fails",
    script: { ...begun, CheckReadiness: [progressing, bug], RollBack: [rolledBack] },
    states: [...toFirstLook, ...toNextLook, "ExplainError", "RollBack", "Tripped?", "RolledBack"],
    error: "RolledBack",
  },
  {
    when: "recording fails",
    script: { ...begun, CheckReadiness: [ready], RecordSuccess: [bug], RollBack: [rolledBack] },
    states: [...toFirstLook, "Ready?", "RecordSuccess", "ExplainError", "RollBack", "Tripped?", "RolledBack"],
    error: "RolledBack",
  },
  {
    when: "rolling back fails",
    script: { ...afterExpiry, RollBack: [bug] },
    states: [...toRollBack, "RollbackFailed"],
    error: "RollbackFailed",
    cause: "nothing is undefined",
  },
  {
    when: "the open circuit cannot be told",
    script: { ...afterExpiry, RollBack: [tripped], OpenCircuit: [bug] },
    states: [...toRollBack, "Tripped?", "OpenCircuit", "CircuitOpened"],
    error: "CircuitOpened",
    cause: "not ready after 600 s",
  },
  {
    when: "handing over fails",
    script: { ...begun, CheckReadiness: [handover], HandOver: [bug] },
    states: [...toFirstLook, "Ready?", "HandOver", "Interrupted"],
    error: "Interrupted",
    cause: "nothing is undefined",
  },
];

const gone = named("Unreachable", "connect ECONNREFUSED");

/** Unknown is not unhealthy: whatever cannot be reached for longer than an hour is left as it is. */
export const unanswered: readonly Case[] = [
  {
    when: "the cluster is away while it applies",
    script: { ApplyUpdate: [gone] },
    states: ["ChooseStrategy", "ApplyUpdate", "Interrupted"],
    error: "Interrupted",
    cause: "connect ECONNREFUSED",
  },
  {
    when: "the cluster is away while it adopts",
    input: { recovering: true },
    script: { AdoptUpdate: [gone] },
    states: ["ChooseStrategy", "AdoptUpdate", "Interrupted"],
    error: "Interrupted",
    cause: "connect ECONNREFUSED",
  },
  {
    when: "the cluster is away while it looks",
    script: { ...begun, CheckReadiness: [gone] },
    states: [...toFirstLook, "Interrupted"],
    error: "Interrupted",
    cause: "connect ECONNREFUSED",
  },
  {
    when: "the cluster is away while it records",
    script: { ...begun, CheckReadiness: [ready], RecordSuccess: [gone] },
    states: [...toFirstLook, "Ready?", "RecordSuccess", "Interrupted"],
    error: "Interrupted",
    cause: "connect ECONNREFUSED",
  },
  {
    when: "the cluster is away while it rolls back",
    script: { ...afterExpiry, RollBack: [gone] },
    states: [...toRollBack, "RollbackFailed"],
    error: "RollbackFailed",
    cause: "connect ECONNREFUSED",
  },
];
