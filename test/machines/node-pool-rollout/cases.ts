import type { PoolInput, PoolTasks } from "../../../functions/contract/node-pool-rollout.ts";
import {
  commandsSent,
  drainingWithCommands,
  claimed,
  withCommands,
  drained,
  draining,
  emptied,
  halted,
  continued,
  nearHistoryLimit,
  held,
  claimLost,
  completed,
  superseded,
  claimedByOther,
  working,
} from "./results.ts";
import type { ExecutionCase } from "../transition-coverage.ts";

export type Case = ExecutionCase<PoolTasks, PoolInput>;

const toFirstRound = ["ClaimPool", "Claimed?", "WaitForPreviousExecution", "ReconcileNodes", "Next?"] as const;
const toNextRound = ["WaitForNodes", "ReconcileNodes", "Next?"] as const;
const waitingStates = ["Commands?", "Draining?", ...toNextRound] as const;
const drainingStates = ["Commands?", "Draining?", "DrainNodes", ...toNextRound] as const;
const runningCommands = ["Commands?", "RunCommands", "Draining?", ...toNextRound] as const;
const commandsAndDrain = ["Commands?", "RunCommands", "Draining?", "DrainNodes", ...toNextRound] as const;
const toRelease = ["ReleasePool", "Released?"] as const;
const toCompleted = [...toRelease, "Completed"] as const;
const claims = { ClaimPool: [claimed] } as const;
const releases = { ReleasePool: [{ kind: "completed", reason: "all up to date" }] } as const;

export const rounds: readonly Case[] = [
  {
    when: "nothing is left to do",
    script: { ...claims, ReconcileNodes: [completed], ...releases },
    states: [...toFirstRound, ...toCompleted],
  },
  {
    when: "nodes stage",
    script: { ...claims, ReconcileNodes: [working, completed], ...releases },
    states: [...toFirstRound, ...waitingStates, ...toCompleted],
  },
  {
    when: "a node is drained twice",
    script: {
      ...claims,
      ReconcileNodes: [draining, draining, completed],
      DrainNodes: [drained],
      ...releases,
    },
    states: [...toFirstRound, ...drainingStates, ...drainingStates, ...toCompleted],
  },
  {
    when: "a node without a daemon gets commands, and another is drained",
    script: {
      ...claims,
      ReconcileNodes: [withCommands, drainingWithCommands, completed],
      RunCommands: [commandsSent],
      DrainNodes: [drained],
      ...releases,
    },
    states: [...toFirstRound, ...runningCommands, ...commandsAndDrain, ...toCompleted],
  },
];

export const endings: readonly Case[] = [
  {
    when: "another execution holds the claim",
    script: { ClaimPool: [claimedByOther] },
    states: ["ClaimPool", "Claimed?", "Superseded"],
  },
  {
    when: "it adopts the claim of a lost execution",
    input: { previousExecution: "e-0", adopting: true },
    script: {
      ClaimPool: [{ ...claimed, waitSeconds: 70, reason: "continues after e-0" }],
      ReconcileNodes: [completed],
      ...releases,
    },
    states: [...toFirstRound, ...toCompleted],
  },
  {
    when: "the pool is paused",
    script: { ...claims, ReconcileNodes: [held], ReleasePool: [{ kind: "held", reason: "the pool is paused" }] },
    states: [...toFirstRound, ...toRelease, "Held"],
  },
  {
    when: "the pool is deleted, and its last node has left it",
    script: {
      ...claims,
      ReconcileNodes: [emptied],
      ReleasePool: [{ kind: "completed", reason: "every node has left the pool" }],
    },
    states: [...toFirstRound, ...toCompleted],
  },
  {
    when: "too many nodes are unhealthy",
    script: { ...claims, ReconcileNodes: [halted], ReleasePool: [{ kind: "halted", reason: "the rollout is halted" }] },
    states: [...toFirstRound, ...toRelease, "RolloutHalted"],
    error: "RolloutHalted",
    cause: "the rollout is halted",
  },
  {
    when: "another execution adopts the claim between two rounds",
    script: { ...claims, ReconcileNodes: [working, superseded] },
    states: [...toFirstRound, ...waitingStates, "Superseded"],
  },
  {
    when: "another execution adopts the claim between a round and its commands: the next round ends",
    script: {
      ...claims,
      ReconcileNodes: [drainingWithCommands, superseded],
      RunCommands: [claimLost],
      DrainNodes: [claimLost],
    },
    states: [...toFirstRound, ...commandsAndDrain, "Superseded"],
  },
  {
    when: "another execution adopts the claim before the release",
    script: { ...claims, ReconcileNodes: [completed], ReleasePool: [claimLost] },
    states: [...toFirstRound, ...toRelease, "Superseded"],
  },
  {
    when: "it has run for 3 hours",
    script: { ...claims, ReconcileNodes: [nearHistoryLimit], ContinuePoolAsNew: [continued] },
    states: [...toFirstRound, "ContinuePoolAsNew", "ContinuedAsNew"],
  },
];
