import type { PoolTaskName } from "../../../functions/contract/node-pool-rollout.ts";
import {
  commandsSent,
  drainingWithCommands,
  bug,
  claimed,
  drained,
  unreachableError,
  continued,
  nearHistoryLimit,
  completed,
  working,
} from "./results.ts";
import { named } from "../script.ts";
import type { Case } from "./cases.ts";
import type { PoolScript } from "./machine.ts";

const released = { kind: "completed", reason: "all up to date" } as const;

/** For each Task: the results up to it without failures, and the states up to it. */
export const taskPaths: readonly {
  readonly task: PoolTaskName;
  readonly script: PoolScript;
  readonly states: string[];
}[] = [
  taskPath("ClaimPool", { ReconcileNodes: [completed] }, []),
  taskPath("ReconcileNodes", { ReconcileNodes: [completed] }, ["Claimed?", "WaitForPreviousExecution"]),
  taskPath("RunCommands", { ReconcileNodes: [drainingWithCommands, completed] }, [...toNext(), "Commands?"]),
  taskPath("DrainNodes", { ReconcileNodes: [drainingWithCommands, completed] }, [
    ...toNext(),
    "Commands?",
    "RunCommands",
    "Draining?",
  ]),
  taskPath("ReleasePool", { ReconcileNodes: [completed] }, toNext()),
  taskPath("ContinuePoolAsNew", { ReconcileNodes: [nearHistoryLimit] }, toNext()),
];

function taskPath(task: PoolTaskName, script: PoolScript, between: readonly string[]) {
  const results = { ClaimPool: [claimed], RunCommands: [commandsSent], DrainNodes: [drained] };
  const ends = { ReleasePool: [released], ContinuePoolAsNew: [continued] };
  const before = task === "ClaimPool" ? [] : ["ClaimPool"];
  return { task, script: { ...results, ...ends, ...script }, states: [...before, ...between, task] };
}

function toNext(): readonly string[] {
  return ["Claimed?", "WaitForPreviousExecution", "ReconcileNodes", "Next?"];
}

function failing(error: Error, ending: string): readonly Case[] {
  return taskPaths.map(({ task, script, states }) => ({
    when: `at ${task}`,
    script: { ...script, [task]: [error] },
    states: [...states, ending],
    error: ending,
    cause: error.message,
  }));
}

/** Unexpected errors are bugs: the execution fails with their cause. */
export const bugs: readonly Case[] = [
  ...failing(bug, "RolloutFailed"),
  {
    when: "at ReconcileNodes, in a later round",
    script: { ClaimPool: [claimed], ReconcileNodes: [working, bug] },
    states: ["ClaimPool", ...toNext(), "Commands?", "Draining?", "WaitForNodes", "ReconcileNodes", "RolloutFailed"],
    error: "RolloutFailed",
    cause: "x is undefined",
  },
];

/** AWS cannot run the function for five minutes. */
export const platformErrors: readonly Case[] = failing(
  named("Lambda.ResourceNotReadyException", "the function is inactive"),
  "PlatformError",
);

/** Unknown is not unhealthy: a cluster that is unreachable for an hour stays unchanged. */
export const unreachable: readonly Case[] = failing(unreachableError, "ClusterUnreachable");
