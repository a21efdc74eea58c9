import { secondsBetween } from "../../../../functions/domain/text/rfc3339.ts";
import { parseDigest } from "../../../../functions/domain/node-pool/node-state.ts";
import { blocksDrain } from "../../../../functions/domain/node-pool/drain.ts";
import { maxSlots } from "../../../../functions/domain/node-pool/slots.ts";
import type { NodeStep } from "../../../../functions/domain/node-pool/step.ts";
import type { NodePool } from "../../../../functions/domain/node-pool/node-pool.ts";
import type { PoolState } from "../../../../functions/domain/node-pool/pool-state.ts";
import type { BootcNode, KubeNode, Member } from "../../../../functions/domain/node-pool/bootc-node.ts";
import { type Machine, newNode, type World } from "./world.ts";

/** Returns the number of held slots, calculated from the objects only. */
export function countHeldSlots({ machines }: World): number {
  return machines.filter(({ bootcNode, node }) => (bootcNode?.slot ?? null) !== null || node?.cordonedByPool).length;
}

export function machinesCordonedByPawl({ machines }: World): readonly Machine[] {
  return machines.filter(({ node, cordonedBy }) => node?.unschedulable === true && cordonedBy === "pawl");
}

/** Returns the number of nodes of the pool that are not Ready and hold no slot, calculated from the objects only. */
export function countUnavailable({ machines }: World): number {
  return machines.filter(({ bootcNode, node }) => {
    if (node === null || node.ready || node.cordonedByPool !== null || bootcNode?.slot) return false;
    return node.labels["role"] === "worker";
  }).length;
}

/** Returns the machines whose protection from autoscalers is not as it was before Pawl. */
export function machinesProtectedByPawl({ machines }: World): readonly Machine[] {
  return machines.filter(({ name, node }) => {
    if (node === null) return false;
    return node.protection !== null || node.missingProtection.length !== newNode(name, "").missingProtection.length;
  });
}

/** Returns how many slot holders run the target and are degraded or not Ready, calculated without the rules under test. */
function countBrokenHolders({ machines, pool }: World): number {
  const target = targetDigest(pool);
  return machines.filter(({ booted, bootcNode, node }) => {
    const isOnTarget = bootcNode?.slot && bootcNode.bootedDigest === target && booted === target;
    return isOnTarget && parseDigest(bootcNode.desiredImage) === target && (bootcNode.error !== null || !node?.ready);
  }).length;
}

/** Returns the digest that the nodes should run, calculated without the rules under test. */
function targetDigest({ spec, status }: NodePool): string | null {
  const digest = parseDigest(spec.imageRef);
  const hasFailed = spec.onHalt === "Rollback" && digest !== null && status.failedDigests.includes(digest);
  return hasFailed ? parseDigest(status.rollbackImage ?? "") : digest;
}

/** Throws if a step that is about to be written violates an invariant. */
export function checkInvariants(world: World, machine: Machine, step: NodeStep, poolState: PoolState): void {
  const violation = violations[step.kind]?.({ world, machine, poolState, bootcNode: machine.bootcNode }) ?? null;
  if (violation !== null) throw new Error(`${machine.name}: ${step.kind}: ${violation}`);
}

interface StepContext {
  readonly world: World;
  readonly machine: Machine;
  readonly poolState: PoolState;
  readonly bootcNode: BootcNode | null;
}

const violations: Partial<Record<NodeStep["kind"], (context: StepContext) => string | null>> = {
  "acquire-slot": ({ world, bootcNode, poolState: { pool, membership, isWindowOpen } }) => {
    if (!isWindowOpen) return "no window is open";
    if (bootcNode?.stagedDigest !== targetDigest(pool)) return "the target is not staged";
    const nodeCount = membership.members.length + membership.joining.length;
    const unavailable = countHeldSlots(world) + countUnavailable(world);
    if (unavailable >= maxSlots(pool.spec, nodeCount)) return "more than maxUnavailable";
    return countBrokenHolders(world) >= 2 ? "the rollout is halted" : null;
  },
  cordon: (context) => (observedMember(context)?.bootcNode.slot ? null : "cordoned without a slot"),
  evict: (context) => (isObservedCordoned(context) ? null : "drained without a cordon"),
  uncordon: ({ bootcNode, machine: { node, cordonedBy } }) => {
    if (node?.unschedulable && cordonedBy !== "pawl") return "Pawl did not cordon it";
    const mayReboot =
      bootcNode?.desiredImageState === "Booted" && bootcNode.bootedDigest !== parseDigest(bootcNode.desiredImage);
    return mayReboot ? "it may still reboot" : null;
  },
  approve: (context) => {
    const { bootcNode, machine, poolState } = context;
    if (!poolState.isWindowOpen) return "no window is open";
    const desired = parseDigest(bootcNode?.desiredImage ?? "");
    if (bootcNode?.stagedDigest !== desired) return "not the staged image";
    if (desired !== targetDigest(poolState.pool)) return "not the target";
    if (bootcNode?.slot?.nodeUid !== observedMember(context)?.node.uid) return "another machine acquired the slot";
    return isObservedCordoned(context) && !machine.pods.some(blocksDrain) ? null : "not drained";
  },
  "release-slot": ({ world, machine: { node, bootcNode, isGoingDown, isDown, upSince }, poolState }) => {
    if (isGoingDown || isDown) return "it is rebooting";
    const isUpdated = bootcNode?.bootedDigest === parseDigest(bootcNode?.desiredImage ?? "");
    // Another machine of the same name did not reboot for this slot.
    const isReplaced = bootcNode?.slot?.nodeUid !== node?.uid;
    const seconds = upSince === null || !isUpdated || isReplaced ? Infinity : secondsBetween(upSince, world.now);
    if (seconds < poolState.pool.spec.minReadySeconds) return `it has been up for ${seconds} s only`;
    return describeMarks(node);
  },
  delete: ({ machine: { node } }) => describeMarks(node),
};

function describeMarks(node: KubeNode | null): string | null {
  if (node?.cordonedByPool) return "it would stay cordoned";
  return node?.protection ? "it would stay protected" : null;
}

/** Only the version of the written object is checked on a write, so the other object may be newer than the step's read. */
function observedMember({ machine, poolState }: StepContext): Member | undefined {
  return poolState.membership.members.find(({ name }) => name === machine.name);
}

function isObservedCordoned(context: StepContext): boolean {
  return observedMember(context)?.node.unschedulable === true;
}
