import { named } from "./script.ts";

const still = { ticks: 0, drains: false, commands: false } as const;
const stepped = { ...still, ticks: 1, waitSeconds: 15 } as const;

export const claimed = { ...still, kind: "claimed", waitSeconds: 0, reason: "goes on alone" } as const;
export const taken = { ...still, kind: "superseded", waitSeconds: 0, reason: "the claim is held by e-9" } as const;

export const working = { ...stepped, kind: "working", reason: "node-1: its agent stages the image" } as const;
export const draining = { ...working, drains: true, waitSeconds: 5, reason: "node-1: pods are to end" } as const;
export const commanding = { ...working, commands: true } as const;
export const both = { ...draining, commands: true } as const;
export const settled = { ...stepped, kind: "settled", reason: "every node runs what it should" } as const;
export const emptied = { ...stepped, kind: "emptied", reason: "every node has left it" } as const;
export const held = { ...stepped, kind: "held", reason: "the pool is paused" } as const;
export const halted = { ...stepped, kind: "halted", reason: "the rollout is halted" } as const;
export const superseded = { ...stepped, kind: "superseded", reason: "the claim is held by e-9" } as const;
export const handover = { ...stepped, kind: "handover", reason: "node-1: pods are to end" } as const;

export const asked = { kind: "asked", reason: "node-1: bootc switch" } as const;
export const drained = { kind: "drained", reason: "node-1: 3 evicted" } as const;
export const lost = { kind: "superseded", reason: "the claim is held by e-9" } as const;
export const handedOver = { kind: "handed-over", reason: "goes on as e-2" } as const;

export const bug = named("TypeError", "nothing is undefined");
export const gone = named("Unreachable", "connect ECONNREFUSED");
