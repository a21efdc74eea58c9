import type { TaskName } from "../../../functions/contract/workload-update.ts";
import { named } from "../script.ts";
import type { Case } from "./cases.ts";

const denied = named("AdmissionDenied", "a policy denies it");
const canary = { strategy: "canary" } as const;
const results = {
  RestoreRelease: [{ kind: "applied", waitSeconds: 15, reason: "restored release 1" }],
  ApplyUpdate: [{ kind: "applied", waitSeconds: 15, reason: "set the image" }],
  StartCanary: [{ kind: "started", waitSeconds: 15, reason: "a canary runs it", step: "1/1 (1 replica)" }],
  CheckCanary: [{ kind: "ready", waitSeconds: 0, reason: "the canary is ready", step: "1/1 (1 replica)" }],
  AnalyzeCanary: [{ kind: "pass", waitSeconds: 0, reason: "it passed", step: "1/1 (1 replica)" }],
  CheckReadiness: [{ kind: "ready", waitSeconds: 0, reason: "all ready" }],
} as const;
const expired = [{ kind: "expired", waitSeconds: 0, reason: "not ready after 600 s" }] as const;
const baking = [{ kind: "bake", waitSeconds: 0, reason: "all ready" }] as const;
const nearLimit = [{ kind: "continue", waitSeconds: 60, reason: "1 of 3 replicas ready" }] as const;
const hook = { kind: "hook", waitSeconds: 0, reason: "waits for the pre hook migrate" } as const;
const hookRuns = [{ kind: "progressing", waitSeconds: 15, reason: "the pre hook migrate runs" }] as const;
const toHook = ["ChooseStrategy", "ApplyUpdate", "Applied?", "RunHook"] as const;
const toCheck = ["ChooseStrategy", "ApplyUpdate", "Applied?", "WaitForRollout", "CheckReadiness"] as const;
const toCanary = ["ChooseStrategy", "StartCanary", "Started?", "WaitForCanary", "CheckCanary"] as const;

/** For each Task whose failure ends the execution: the results up to it, and the states up to it. */
const taskPaths: readonly (Pick<Case, "input" | "script" | "states"> & { readonly task: TaskName })[] = [
  { task: "ApplyUpdate", script: results, states: toCheck.slice(0, 2) },
  { task: "AdoptUpdate", input: { adopting: true }, script: results, states: ["ChooseStrategy", "AdoptUpdate"] },
  {
    task: "RestoreRelease",
    input: { strategy: "release" },
    script: results,
    states: ["ChooseStrategy", "RestoreRelease"],
  },
  { task: "StartCanary", input: canary, script: results, states: toCanary.slice(0, 2) },
  { task: "CheckCanary", input: canary, script: results, states: toCanary },
  { task: "AnalyzeCanary", input: canary, script: results, states: [...toCanary, "CanaryReady?", "AnalyzeCanary"] },
  { task: "CheckReadiness", script: results, states: toCheck },
  {
    task: "AnalyzeRollout",
    script: { ...results, CheckReadiness: baking },
    states: [...toCheck, "Ready?", "AnalyzeRollout"],
  },
  {
    task: "RollPod",
    script: { ...results, CheckReadiness: [{ kind: "roll", waitSeconds: 0, reason: "pod web-2 is next" }] },
    states: [...toCheck, "Ready?", "RollPod"],
  },
  {
    task: "SyncUpdate",
    script: { ...results, ApplyUpdate: [{ kind: "sync", waitSeconds: 15, reason: "waits for its commit" }] },
    states: ["ChooseStrategy", "ApplyUpdate", "Applied?", "WaitForBatch", "SyncUpdate"],
  },
  { task: "RunHook", script: { ...results, ApplyUpdate: [hook] }, states: toHook },
  {
    task: "CheckHook",
    script: { ...results, ApplyUpdate: [hook], RunHook: hookRuns },
    states: [...toHook, "HookDone?", "WaitForHook", "CheckHook"],
  },
  { task: "RecordSuccess", script: results, states: [...toCheck, "Ready?", "RecordSuccess"] },
  { task: "RollBack", script: { ...results, CheckReadiness: expired }, states: [...toCheck, "Ready?", "RollBack"] },
  {
    task: "CheckRollback",
    script: { ...results, CheckReadiness: expired, RollBack: [{ kind: "reverting", reason: "not ready after 600 s" }] },
    states: [...toCheck, "Ready?", "RollBack", "Reverted?", "CheckRollback"],
  },
  {
    task: "ContinueAsNew",
    script: { ...results, CheckReadiness: nearLimit },
    states: [...toCheck, "Ready?", "ContinueAsNew"],
  },
];

function failing(error: Error, ending: string, paths = taskPaths): readonly Case[] {
  return paths.map(({ task, input = {}, script, states }) => ({
    when: `at ${task}`,
    input,
    script: { ...script, [task]: [error] },
    states: [...states, ending],
    error: ending,
    cause: error.message,
  }));
}

/** The cluster refuses the change: the claim is released, and nothing is rolled back. */
export const refusals: readonly Case[] = (
  ["ApplyUpdate", "AdoptUpdate", "RestoreRelease", "StartCanary"] as const
).flatMap((task) =>
  taskPaths
    .filter((path) => path.task === task)
    .map(({ input = {}, script, states }) => ({
      when: `at ${task}`,
      input,
      script: { ...script, [task]: [denied], RollBack: [{ kind: "refused", reason: "a policy denies it" }] },
      states: [...states, "FormatRefusal", "RollBack", "Reverted?", "UpdateRefused"],
      error: "UpdateRefused",
      cause: "a policy denies it",
    })),
);

const writers: ReadonlySet<TaskName> = new Set([
  "CheckCanary",
  "AnalyzeCanary",
  "CheckReadiness",
  "AnalyzeRollout",
  "RollPod",
  "SyncUpdate",
  "RunHook",
  "CheckHook",
  "RecordSuccess",
  "RollBack",
  "CheckRollback",
]);

/** The cluster refuses a write of a later step: nothing is concluded, and the claim stays. */
export const refusedWrites = failing(
  denied,
  "WriteRefused",
  taskPaths.filter(({ task }) => writers.has(task)),
);

/** An unexpected error is a bug: the execution fails with its cause. */
export const bugs = failing(named("TypeError", "nothing is undefined"), "UpdateFailed");

/** The cluster does not answer for an hour. */
export const unreachable = failing(named("Unreachable", "connect ECONNREFUSED"), "ClusterUnreachable");

/** AWS cannot run the function for five minutes: a function in a VPC that was idle for weeks, for example. */
export const platformErrors = failing(
  named("Lambda.ResourceNotReadyException", "the function is inactive"),
  "PlatformError",
);
