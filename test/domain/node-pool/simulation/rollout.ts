import { type NodeStepPlan, planSteps, assessWork } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import type { NodeStep } from "../../../../functions/domain/node-pool/step/step.ts";
import type { PoolState } from "../../../../functions/domain/node-pool/pool/pool-state.ts";
import { after } from "../../../support/workloads.ts";
import { stepMachine } from "./agent.ts";
import { apply } from "./apply.ts";
import { checkInvariants } from "./invariants.ts";
import { observe, findMachine, type World } from "./world.ts";

/** Interrupts a round after `afterSteps` steps: `meanwhile` runs, then Pawl is killed or writes the other steps with stale reads. */
export interface Interruption {
  readonly afterSteps: number;
  readonly isKilled: boolean;
  readonly meanwhile?: () => void;
}

const nodeSteps: ReadonlySet<NodeStep["kind"]> = new Set([
  "label",
  "unlabel",
  "cordon",
  "uncordon",
  "leave-cordoned",
  "protect",
  "unprotect",
]);

/** Runs one round of Pawl and one step of every machine, and advances the time by a minute. Returns the written steps. */
export function runRound(world: World, interruption: Interruption | null = null): readonly NodeStepPlan[] {
  const poolState = observe(world);
  const pods = new Map(world.machines.map(({ name, pods: current }) => [name, current]));
  const versions = new Map(world.machines.map(({ name, versions: current }) => [name, { ...current }]));
  const written: NodeStepPlan[] = [];
  for (const [index, { name, step }] of planSteps(poolState, pods).entries()) {
    if (index === interruption?.afterSteps) {
      interruption.meanwhile?.();
      if (interruption.isKilled) break;
    }
    const machine = findMachine(world, name);
    // The API server refuses a write that is based on an older version of the object.
    const object = nodeSteps.has(step.kind) ? "node" : "bootcNode";
    if (machine.versions[object] !== versions.get(name)?.[object]) continue;
    checkInvariants(world, machine, step, poolState);
    apply(world, machine, step);
    if (step.kind !== "wait" && step.kind !== "none") written.push({ name, step });
  }
  for (const machine of world.machines) stepMachine(machine, world.now);
  noteGoodDigests(world);
  world.now = after((world.now.getTime() - after(0).getTime()) / 60_000 + 1);
  return written;
}

/** Writes the status, as an execution does at the end of a round. */
export function writeStatus(world: World): void {
  world.pool = { ...world.pool, status: computePoolStatus(observe(world), null) };
}

function noteGoodDigests({ machines, goodDigests }: World): void {
  for (const { node, bootcNode, booted } of machines)
    if (node?.ready && bootcNode?.slot === null) goodDigests.add(booted);
}

/** Runs rounds until no work is left. Throws after `maxRounds`. */
export function runUntilIdle(
  world: World,
  maxRounds = 200,
  afterRound: (world: World) => void = () => undefined,
): { readonly poolState: PoolState; readonly steps: readonly NodeStepPlan[] } {
  const steps: NodeStepPlan[] = [];
  for (let count = 0; count < maxRounds; count += 1) {
    const poolState = observe(world);
    if (count > 0 && assessWork(poolState).kind !== "working") return { poolState, steps };
    steps.push(...runRound(world));
    afterRound(world);
  }
  throw new Error(
    `still ${assessWork(observe(world)).kind} after ${maxRounds} rounds: ${JSON.stringify(planSteps(observe(world)))}`,
  );
}
