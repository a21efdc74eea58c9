import { named } from "../script.ts";

const noWork = { rounds: 0, drains: false, commands: false } as const;
const afterRound = { ...noWork, rounds: 1, waitSeconds: 15 } as const;

export const claimed = { ...noWork, kind: "claimed", waitSeconds: 0, reason: "the pool is claimed" } as const;
export const claimedByOther = {
  ...noWork,
  kind: "superseded",
  waitSeconds: 0,
  reason: "the claim is held by e-9",
} as const;

export const working = { ...afterRound, kind: "working", reason: "node-1: its agent stages the image" } as const;
export const draining = { ...working, drains: true, waitSeconds: 5, reason: "node-1: 2 pods are terminating" } as const;
export const withCommands = { ...working, commands: true } as const;
export const drainingWithCommands = { ...draining, commands: true } as const;
export const completed = { ...afterRound, kind: "completed", reason: "every node runs its desired image" } as const;
export const emptied = { ...afterRound, kind: "emptied", reason: "every node has left the pool" } as const;
export const held = { ...afterRound, kind: "held", reason: "the pool is paused" } as const;
export const halted = { ...afterRound, kind: "halted", reason: "the rollout is halted" } as const;
export const superseded = { ...afterRound, kind: "superseded", reason: "the claim is held by e-9" } as const;
export const nearHistoryLimit = { ...afterRound, kind: "continue", reason: "node-1: 2 pods are terminating" } as const;

export const commandsSent = { kind: "sent", reason: "node-1: bootc switch" } as const;
export const drained = { kind: "drained", reason: "node-1: 3 evicted" } as const;
export const claimLost = { kind: "superseded", reason: "the claim is held by e-9" } as const;
export const continued = { kind: "continued", reason: "continues as e-2" } as const;

export const bug = named("TypeError", "x is undefined");
export const unreachableError = named("Unreachable", "connect ECONNREFUSED");
