import { type StepOf, stepsOf, workOf } from "../../../../functions/domain/node-pool/settled.ts";
import type { NodeStep } from "../../../../functions/domain/node-pool/step.ts";
import type { Tick } from "../../../../functions/domain/node-pool/tick.ts";
import { after } from "../../../support/workloads.ts";
import { turn } from "./agent.ts";
import { apply } from "./apply.ts";
import { watch } from "./watch.ts";
import { lookAt, machineOf, type World } from "./world.ts";

/** Cuts a tick short: so many steps are written, and then `meanwhile` happens before the rest, which is stale where it matters. */
export interface Interruption {
  readonly afterSteps: number;
  readonly isKilled: boolean;
  readonly meanwhile?: () => void;
}

const onNode: ReadonlySet<NodeStep["kind"]> = new Set(["label", "unlabel", "cordon", "uncordon", "leave-cordoned"]);

/** One tick of Pawl and one turn of every machine, a minute later. Gives the steps that were written. */
export function round(world: World, interruption: Interruption | null = null): readonly StepOf[] {
  const tick = lookAt(world);
  const pods = new Map(world.machines.map(({ name, pods: of }) => [name, of]));
  const versions = new Map(world.machines.map(({ name, versions: of }) => [name, { ...of }]));
  const written: StepOf[] = [];
  for (const [index, { name, step }] of stepsOf(tick, pods).entries()) {
    if (index === interruption?.afterSteps) {
      interruption.meanwhile?.();
      if (interruption.isKilled) break;
    }
    const machine = machineOf(world, name);
    // The API server refuses what was decided on another version of the object that is written.
    const object = onNode.has(step.kind) ? "node" : "bootcNode";
    if (machine.versions[object] !== versions.get(name)?.[object]) continue;
    watch(world, machine, step, tick);
    apply(world, machine, step);
    if (step.kind !== "wait" && step.kind !== "none") written.push({ name, step });
  }
  for (const machine of world.machines) turn(machine);
  world.now = after((world.now.getTime() - after(0).getTime()) / 60_000 + 1);
  return written;
}

/** Rounds until nothing moves any more; throws where that takes longer than `most`. */
export function runUntilStill(world: World, most = 200): { readonly tick: Tick; readonly steps: readonly StepOf[] } {
  const steps: StepOf[] = [];
  for (let count = 0; count < most; count += 1) {
    const tick = lookAt(world);
    if (count > 0 && workOf(tick).kind !== "working") return { tick, steps };
    steps.push(...round(world));
  }
  throw new Error(
    `still ${workOf(lookAt(world)).kind} after ${most} rounds: ${JSON.stringify(stepsOf(lookAt(world)))}`,
  );
}
