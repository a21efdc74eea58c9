import type { PoolInput, PoolTasks } from "../../functions/pool-contract.ts";
import {
  asked,
  both,
  claimed,
  commanding,
  drained,
  draining,
  emptied,
  halted,
  handedOver,
  handover,
  held,
  lost,
  settled,
  superseded,
  taken,
  working,
} from "./node-pool-rollout-answers.ts";
import type { Walk } from "./walks.ts";

export type Case = Walk<PoolTasks, PoolInput>;

const toFirstStep = ["ClaimPool", "Claimed?", "WaitForFormer", "StepNodes", "Next?"] as const;
const toNextStep = ["WaitForNodes", "StepNodes", "Next?"] as const;
const waiting = ["Commands?", "Draining?", ...toNextStep] as const;
const evicting = ["Commands?", "Draining?", "DrainNodes", ...toNextStep] as const;
const telling = ["Commands?", "RunCommands", "Draining?", ...toNextStep] as const;
const tellingAndEvicting = ["Commands?", "RunCommands", "Draining?", "DrainNodes", ...toNextStep] as const;
const toRelease = ["ReleasePool", "Released?"] as const;
const toSettled = [...toRelease, "Settled"] as const;
const begun = { ClaimPool: [claimed] } as const;
const finished = { ReleasePool: [{ kind: "settled", reason: "all up to date" }] } as const;

export const rounds: readonly Case[] = [
  {
    when: "nothing is left to do",
    script: { ...begun, StepNodes: [settled], ...finished },
    states: [...toFirstStep, ...toSettled],
  },
  {
    when: "nodes stage",
    script: { ...begun, StepNodes: [working, settled], ...finished },
    states: [...toFirstStep, ...waiting, ...toSettled],
  },
  {
    when: "a node is drained twice",
    script: {
      ...begun,
      StepNodes: [draining, draining, settled],
      DrainNodes: [drained],
      ...finished,
    },
    states: [...toFirstStep, ...evicting, ...evicting, ...toSettled],
  },
  {
    when: "a node without a daemon is told what to do, and another is drained",
    script: {
      ...begun,
      StepNodes: [commanding, both, settled],
      RunCommands: [asked],
      DrainNodes: [drained],
      ...finished,
    },
    states: [...toFirstStep, ...telling, ...tellingAndEvicting, ...toSettled],
  },
];

export const endings: readonly Case[] = [
  {
    when: "another was there first",
    script: { ClaimPool: [taken] },
    states: ["ClaimPool", "Claimed?", "Superseded"],
  },
  {
    when: "it takes over from one that was lost",
    input: { after: "e-0", recovering: true },
    script: {
      ClaimPool: [{ ...claimed, waitSeconds: 70, reason: "goes on after e-0" }],
      StepNodes: [settled],
      ...finished,
    },
    states: [...toFirstStep, ...toSettled],
  },
  {
    when: "the pool is paused",
    script: { ...begun, StepNodes: [held], ReleasePool: [{ kind: "held", reason: "the pool is paused" }] },
    states: [...toFirstStep, ...toRelease, "Held"],
  },
  {
    when: "the pool is deleted, and its last node has left it",
    script: { ...begun, StepNodes: [emptied], ReleasePool: [{ kind: "settled", reason: "every node has left it" }] },
    states: [...toFirstStep, ...toSettled],
  },
  {
    when: "too many nodes are unhealthy",
    script: { ...begun, StepNodes: [halted], ReleasePool: [{ kind: "halted", reason: "the rollout is halted" }] },
    states: [...toFirstStep, ...toRelease, "RolloutHalted"],
    error: "RolloutHalted",
    cause: "the rollout is halted",
  },
  {
    when: "another takes over between two steps",
    script: { ...begun, StepNodes: [working, superseded] },
    states: [...toFirstStep, ...waiting, "Superseded"],
  },
  {
    when: "another takes over between step and commands: the next step finds it",
    script: { ...begun, StepNodes: [both, superseded], RunCommands: [lost], DrainNodes: [lost] },
    states: [...toFirstStep, ...tellingAndEvicting, "Superseded"],
  },
  {
    when: "another takes over at the last moment",
    script: { ...begun, StepNodes: [settled], ReleasePool: [lost] },
    states: [...toFirstStep, ...toRelease, "Superseded"],
  },
  {
    when: "it has run for 3 hours",
    script: { ...begun, StepNodes: [handover], HandOverPool: [handedOver] },
    states: [...toFirstStep, "HandOverPool", "HandedOver"],
  },
];
