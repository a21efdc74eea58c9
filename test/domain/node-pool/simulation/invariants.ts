import { secondsBetween } from "../../../../functions/domain/text/rfc3339.ts";
import { parseDigest } from "../../../../functions/domain/node-pool/node/node-state.ts";
import { blocksDrain } from "../../../../functions/domain/node-pool/node/drain.ts";
import { maxSlots } from "../../../../functions/domain/node-pool/step/slots.ts";
import type { NodeStep } from "../../../../functions/domain/node-pool/step/step.ts";
import { resolveIntOrPercent } from "../../../../functions/domain/node-pool/pool/int-or-percent.ts";
import type { NodePool } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import type { PoolState } from "../../../../functions/domain/node-pool/pool/pool-state.ts";
import type { BootcNode, KubeNode, Member } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
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

/** Returns the number of Ready nodes that Pawl saw cordoned by a person: one that is cordoned meanwhile is not seen. */
function countSkipped({ pool, membership: { members, joining } }: PoolState): number {
  if (pool.spec.cordonedNodes === "Include") return 0;
  return [...members, ...joining].filter(({ node, bootcNode }) => {
    const isOfPerson = node.unschedulable && node.cordonedByPool === null;
    return isOfPerson && node.ready && (bootcNode?.slot ?? null) === null;
  }).length;
}

/** Returns the machines whose protection from autoscalers is not as it was before Pawl. */
export function machinesProtectedByPawl({ machines }: World): readonly Machine[] {
  return machines.filter(({ name, node }) => {
    if (node === null) return false;
    return node.protection !== null || node.missingProtection.length !== newNode(name, "").missingProtection.length;
  });
}

/** Reports whether enough slot holders failed on the image of the spec to halt the rollout: no other node may acquire a slot. */
function mustHalt(observed: PoolState): boolean {
  const { members, joining } = observed.membership;
  const { spec } = observed.pool;
  const nodeCount = members.length + joining.length;
  const broken = members.filter((member) => isBroken(member, observed)).length;
  const threshold = Math.min(resolveIntOrPercent(spec.haltThreshold, nodeCount), maxSlots(spec, nodeCount));
  return broken > 0 && broken >= threshold;
}

/** Reports whether a slot holder has run the image of the spec for so long that it counts as unhealthy. */
function isBroken({ name, node, bootcNode }: Member, { pool: { spec }, podProblems, now }: PoolState): boolean {
  const wanted = parseDigest(spec.imageRef);
  const isOnWanted = bootcNode.bootedDigest === wanted && parseDigest(bootcNode.desiredImage) === wanted;
  if (bootcNode.slot === null || !isOnWanted) return false;
  if (bootcNode.error !== null) return true;
  const { bootedAt, approvedAt } = bootcNode.slot;
  // It belongs to an earlier reboot if the image was approved, or requested again, since.
  const since = [approvedAt, bootcNode.requestedAt].filter((time) => time !== null);
  if (bootedAt === null || since.some((time) => bootedAt < time)) return false;
  if (secondsBetween(bootedAt, now) < spec.minReadySeconds) return false;
  const { conditions } = spec.healthChecks;
  const failsCondition = conditions.some(({ type, status }) => node.conditions?.[type] !== status);
  return !node.ready || failsCondition || podProblems.has(name);
}

/** Returns why the nodes must not go to this digest, calculated without the rules under test; null if they may. */
function targetProblem({ goodDigests }: World, pool: NodePool, digest: string | null): string | null {
  const wanted = parseDigest(pool.spec.imageRef);
  if (!isRolledBack(pool)) return digest === wanted ? null : "not the image of the spec";
  if (digest === null || pool.status.failedDigests.includes(digest)) return "it has failed";
  return goodDigests.has(digest) ? null : "it was never good";
}

/** Reports whether the image of the spec has failed and an image before it is known, calculated from the objects only. */
function isRolledBack({ spec, status }: NodePool): boolean {
  const { failedDigests, lastKnownGoodImage, rollbackImage } = status;
  const wanted = parseDigest(spec.imageRef) ?? "";
  if (spec.onHalt !== "Rollback" || !failedDigests.includes(wanted)) return false;
  const known = [lastKnownGoodImage, rollbackImage].map((image) => parseDigest(image ?? ""));
  return known.some((digest) => digest !== null && digest !== wanted && !failedDigests.includes(digest));
}

/** Throws if a step that is about to be written violates an invariant. */
export function checkInvariants(world: World, machine: Machine, step: NodeStep, poolState: PoolState): void {
  const context = { world, machine, poolState, bootcNode: machine.bootcNode, step };
  const violation = violations[step.kind]?.(context) ?? null;
  if (violation !== null) throw new Error(`${machine.name}: ${step.kind}: ${violation}`);
}

interface StepContext {
  readonly world: World;
  readonly machine: Machine;
  readonly poolState: PoolState;
  readonly bootcNode: BootcNode | null;
  readonly step: NodeStep;
}

const violations: Partial<Record<NodeStep["kind"], (context: StepContext) => string | null>> = {
  "acquire-slot": (context) => {
    const { world, bootcNode, poolState } = context;
    const { pool, membership, isWindowOpen } = poolState;
    if (!isWindowOpen) return "no window is open";
    if (pool.spec.cordonedNodes === "Skip" && isObservedCordoned(context)) return "somebody has cordoned it";
    const problem = targetProblem(world, pool, bootcNode?.stagedDigest ?? null);
    if (problem !== null) return problem;
    const nodeCount = membership.members.length + membership.joining.length;
    const unavailable = countHeldSlots(world) + countUnavailable(world) + countSkipped(poolState);
    if (unavailable >= maxSlots(pool.spec, nodeCount)) return "more than maxUnavailable";
    return mustHalt(poolState) ? "the rollout is halted" : null;
  },
  "request-image": ({ world, bootcNode, poolState: { pool }, step }) => {
    if (step.kind !== "request-image" || !step.isNewImage) return null;
    const requested = parseDigest(step.desired.image);
    const booted = bootcNode?.bootedDigest ?? null;
    const isMoved = booted !== null && requested !== booted;
    if (isRolledBack(pool) && isMoved && booted !== parseDigest(pool.spec.imageRef)) return "it never failed";
    return isMoved ? targetProblem(world, pool, requested) : null;
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
    const problem = targetProblem(context.world, poolState.pool, desired);
    if (problem !== null) return problem;
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
  delete: ({ machine: { node, bootcNode, isDown, isGoingDown } }) => {
    const isRebooting = node !== null && (isDown || isGoingDown);
    return bootcNode?.slot && isRebooting ? "its slot is free in mid-reboot" : describeMarks(node);
  },
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
