import type { PoolTaskName } from "../../functions/pool-contract.ts";
import {
  asked,
  both,
  bug,
  claimed,
  drained,
  gone,
  handedOver,
  handover,
  settled,
  working,
} from "./node-pool-rollout-answers.ts";
import type { Case } from "./node-pool-rollout-cases.ts";
import type { PoolScript } from "./node-pool-rollout-machine.ts";

const released = { kind: "settled", reason: "all up to date" } as const;

/** On the way to each Task: what is answered, if nothing fails, and the states up to it. */
export const ways: readonly { readonly task: PoolTaskName; readonly script: PoolScript; readonly states: string[] }[] =
  [
    way("ClaimPool", { StepNodes: [settled] }, []),
    way("StepNodes", { StepNodes: [settled] }, ["Claimed?", "WaitForFormer"]),
    way("RunCommands", { StepNodes: [both, settled] }, [...toNext(), "Commands?"]),
    way("DrainNodes", { StepNodes: [both, settled] }, [...toNext(), "Commands?", "RunCommands", "Draining?"]),
    way("ReleasePool", { StepNodes: [settled] }, toNext()),
    way("HandOverPool", { StepNodes: [handover] }, toNext()),
  ];

function way(task: PoolTaskName, script: PoolScript, between: readonly string[]) {
  const usual = { ClaimPool: [claimed], RunCommands: [asked], DrainNodes: [drained] };
  const ends = { ReleasePool: [released], HandOverPool: [handedOver] };
  const before = task === "ClaimPool" ? [] : ["ClaimPool"];
  return { task, script: { ...usual, ...ends, ...script }, states: [...before, ...between, task] };
}

function toNext(): readonly string[] {
  return ["Claimed?", "WaitForFormer", "StepNodes", "Next?"];
}

function failing(error: Error, ending: string): readonly Case[] {
  return ways.map(({ task, script, states }) => ({
    when: `at ${task}`,
    script: { ...script, [task]: [error] },
    states: [...states, ending],
    error: ending,
    cause: error.message,
  }));
}

/** Errors that nobody expected are bugs, and are told as such, with their cause. */
export const bugs: readonly Case[] = [
  ...failing(bug, "RolloutBroken"),
  {
    when: "at StepNodes, in a later round",
    script: { ClaimPool: [claimed], StepNodes: [working, bug] },
    states: ["ClaimPool", ...toNext(), "Commands?", "Draining?", "WaitForNodes", "StepNodes", "RolloutBroken"],
    error: "RolloutBroken",
    cause: "nothing is undefined",
  },
];

/** Unknown is not unhealthy: what cannot be reached for longer than an hour is left as it is. */
export const unanswered: readonly Case[] = failing(gone, "Interrupted");
