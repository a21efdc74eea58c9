import { digestOf } from "../../../../functions/domain/node-pool/classify.ts";
import { isInTheWay } from "../../../../functions/domain/node-pool/drain.ts";
import { slotsOf } from "../../../../functions/domain/node-pool/slots.ts";
import type { NodeStep } from "../../../../functions/domain/node-pool/step.ts";
import type { Tick } from "../../../../functions/domain/node-pool/tick.ts";
import type { BootcNode, Member } from "../../../../functions/domain/node-pool/types.ts";
import type { Machine, World } from "./world.ts";

/** How many slots are held, told from the objects alone. */
export function heldSlots({ machines }: World): number {
  return machines.filter(({ bootcNode, node }) => (bootcNode?.slot ?? null) !== null || node?.cordonedFor).length;
}

export function cordonedByPawl({ machines }: World): readonly Machine[] {
  return machines.filter(({ node, cordonedBy }) => node?.unschedulable === true && cordonedBy === "pawl");
}

/** Slot holders that run the target and are degraded or not Ready, told from the machines and not by the rules. */
function brokenHolders({ machines, pool }: World): number {
  const target = digestOf(pool.spec.imageRef);
  return machines.filter(({ booted, bootcNode, node }) => {
    const isOnTarget = bootcNode?.slot && bootcNode.bootedDigest === target && booted === target;
    return isOnTarget && digestOf(bootcNode.desiredImage) === target && (bootcNode.error !== null || !node?.ready);
  }).length;
}

/** Throws where a step that is about to be written breaks a promise. */
export function watch(world: World, machine: Machine, step: NodeStep, tick: Tick): void {
  const broken = promises[step.kind]?.({ world, machine, tick, of: machine.bootcNode }) ?? null;
  if (broken !== null) throw new Error(`${machine.name}: ${step.kind}: ${broken}`);
}

interface Writing {
  readonly world: World;
  readonly machine: Machine;
  readonly tick: Tick;
  readonly of: BootcNode | null;
}

const promises: Partial<Record<NodeStep["kind"], (writing: Writing) => string | null>> = {
  "take-slot": ({ world, of, tick: { pool, membership, isOpen } }) => {
    if (!isOpen) return "no window is open";
    if (of?.stagedDigest !== digestOf(pool.spec.imageRef)) return "the target is not staged";
    const nodeCount = membership.members.length + membership.joining.length;
    if (heldSlots(world) >= slotsOf(pool.spec, nodeCount)) return "more slots than maxUnavailable";
    return brokenHolders(world) >= 2 ? "the rollout is halted" : null;
  },
  cordon: (writing) => (memberSeen(writing)?.bootcNode.slot ? null : "cordoned without a slot"),
  evict: (writing) => (wasSeenCordoned(writing) ? null : "drained without a cordon"),
  uncordon: ({ of, machine: { node, cordonedBy } }) => {
    if (node?.unschedulable && cordonedBy !== "pawl") return "somebody else cordoned it";
    const mayReboot = of?.desiredImageState === "Booted" && of.bootedDigest !== digestOf(of.desiredImage);
    return mayReboot ? "it may still reboot" : null;
  },
  approve: (writing) => {
    const { of, machine, tick } = writing;
    if (!tick.isOpen) return "no window is open";
    const desired = digestOf(of?.desiredImage ?? "");
    if (of?.stagedDigest !== desired) return "not what is staged";
    if (desired !== digestOf(tick.pool.spec.imageRef)) return "not the target";
    if (of?.slot?.nodeUid !== memberSeen(writing)?.node.uid) return "another machine took the slot";
    return wasSeenCordoned(writing) && !machine.pods.some(isInTheWay) ? null : "not drained";
  },
  "free-slot": ({ machine: { node, isGoingDown, isDown } }) => {
    if (isGoingDown || isDown) return "it is on its way down";
    return node?.cordonedFor ? "it would stay cordoned" : null;
  },
  delete: ({ machine: { node } }) => (node?.cordonedFor ? "it would stay cordoned" : null),
};

/** The API server refuses what was decided on another version of the object that is written, and knows nothing of the other one. */
function memberSeen({ machine, tick }: Writing): Member | undefined {
  return tick.membership.members.find(({ name }) => name === machine.name);
}

function wasSeenCordoned(writing: Writing): boolean {
  return memberSeen(writing)?.node.unschedulable === true;
}
