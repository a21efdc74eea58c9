import type { ClosedGate } from "../../gates/closed-gate.ts";
import { dependencyProblems, isWaitedFor, pendingDependencies } from "./depends-on.ts";
import {
  findFailedSince,
  findLostSlots,
  isHalted,
  type UnhealthyNode,
  findUnhealthySlotHolders,
} from "../halt/halt.ts";
import { findRecovering } from "../halt/recovery.ts";
import { limitRetriedDrains } from "../step/retried-drains.ts";
import { isDrainBackingOff } from "../node/given-back.ts";
import { findAnalysisProblem } from "../node/analysis.ts";
import { findBootProblem, findConditionProblem } from "../node/health.ts";
import { type Membership, computeMembership } from "./membership.ts";
import {
  countOccupiedSlots,
  findUnavailable,
  holdsSlot,
  isSkipped,
  maxSlots,
  selectSlotCandidates,
} from "../step/slots.ts";
import { findNotYetStaging } from "../step/stage-ahead.ts";
import { limitToQuorum } from "../step/quorum.ts";
import { limitToZone } from "../step/zones.ts";
import { parseDigest } from "../node/node-state.ts";
import type { DesiredNode } from "../step/step.ts";
import { describeOverlap } from "./overlaps.ts";
import { computeRequestedImage, computeTargetImage } from "./target.ts";
import { computeWaveLimit, type WaveLimit } from "../waves/progress.ts";
import { withProgress } from "../waves/request.ts";
import type { PoolNode } from "../node/bootc-node.ts";
import { isBehind } from "./gates.ts";
import { computeNoSlotReason, describeBlockers } from "./no-slot-reason.ts";
import type { NodePool } from "./node-pool.ts";
import { isAnyWindowOpen } from "../../schedule/maintenance-windows.ts";

/** What was read of a pool at one time. Every write carries the `resourceVersion` of the object that it changes. */
export interface PoolObservation {
  readonly pool: NodePool;
  readonly pools: readonly NodePool[];
  readonly nodes: readonly PoolNode[];
  /** The names of the nodes that run etcd; absent where no slot is acquired. */
  readonly etcdNodes?: ReadonlySet<string>;
  /** null if no pull secret is configured, or it is missing or must not be read. */
  readonly pullSecretHash: string | null;
  readonly now: Date;
  /** Why the pods of a node fail its health checks, by node. */
  readonly podProblems?: ReadonlyMap<string, string>;
  /** Which alerts keep nodes from acquiring slots; absent or null if none does. */
  readonly alerts?: string | null;
  /** The gates that are closed; by default, those that were recorded. */
  readonly gates?: readonly ClosedGate[];
  /** Writes that admission has just denied: the reason by node. */
  readonly refused?: ReadonlyMap<string, string>;
}

/** The state of a pool at one time, from which the steps of its nodes are planned. */
export interface PoolState extends Required<Pick<PoolObservation, "pool" | "now" | "etcdNodes">> {
  readonly membership: Membership;
  /** The problems of the pool, and its dependency cycle. */
  readonly problems: readonly string[];
  /** null while the target is unknown. */
  readonly desired: DesiredNode | null;
  /** The digest from which the pool is going or has gone back; null if it has not failed. */
  readonly failedDigest: string | null;
  /** With those that are recovering. */
  readonly unhealthy: readonly UnhealthyNode[];
  readonly isHalted: boolean;
  /** Whether the rollout is halted without the nodes that are recovering: only that blames its image. */
  readonly isFailing: boolean;
  readonly isWindowOpen: boolean;
  /** Other pools that select the same nodes; null if none does. */
  readonly overlap: string | null;
  /** Why no node acquires a slot, even if slots are free; null if one may. */
  readonly noSlotReason: string | null;
  /** What the steps of the pool allow. */
  readonly wave: WaveLimit;
  /** Which alerts keep nodes from acquiring slots; null if none does. */
  readonly alerts: string | null;
  /** The gates that keep nodes from the target: no node begins, and each keeps the image that it was requested to run. */
  readonly gates: readonly ClosedGate[];
  /** Whether nodes would acquire slots without these alerts. */
  readonly isWaitingForAlerts: boolean;
  /** The dependencies that are pending, each with the reason. */
  readonly pending: readonly string[];
  /** Whether a pool that is not up to date depends on this one. */
  readonly isWaitedFor: boolean;
  /** The nodes without a slot that are not Ready, if for that reason alone no node acquires a slot. */
  readonly blockers: readonly PoolNode[];
  /** The nodes that acquire a slot now. */
  readonly slotRecipients: ReadonlySet<string>;
  /** The nodes that must not stage the image yet: until the first ones have succeeded with it, few stage it. */
  readonly notYetStaging: ReadonlySet<string>;
  /** Writes that admission has just denied: the reason by node. These nodes get no further step in this round. */
  readonly refused: ReadonlyMap<string, string>;
  /** Why the pods of a node fail its health checks, by node. */
  readonly podProblems: ReadonlyMap<string, string>;
}

/** Computes the state of a pool. Pure, so that `pawl plan` and a rollout agree. */
export function computePoolState({
  pool: observed,
  pools,
  nodes,
  etcdNodes = new Set(),
  pullSecretHash,
  now,
  refused = new Map(),
  podProblems = new Map(),
  alerts = null,
  gates: found = observed.status.gates,
}: PoolObservation): PoolState {
  const joined = computeMembership(observed, nodes);
  const pool = withProgress(observed, joined, now);
  const membership = checkHealth(joined, pool, podProblems, now);
  const image = computeTargetImage(pool);
  const requested = computeRequestedImage(pool);
  const nodeCount = membership.members.length + membership.joining.length;
  const holders = image === null ? [] : findUnhealthySlotHolders(membership.members, image, pool.spec, now);
  const isInSteps = pool.status.progress !== null;
  const wave = computeWaveLimit(pool, membership, isInSteps ? findLostSlots(membership, holders, pool.spec, now) : []);
  const soaking = image === null || wave.nodes === Infinity ? [] : findFailedSince(membership.members, image, now);
  const failing = [...holders, ...soaking.map((name) => ({ name, reason: "SoakFailed" as const }))];
  const recovering = image === null ? [] : findRecovering(membership.members, image, pool, now);
  const unhealthy = [...failing, ...recovering.filter(({ name }) => !failing.some((one) => one.name === name))];
  const lost = findLostSlots(membership, failing, pool.spec, now).length;
  const halted = isHalted(pool.spec, unhealthy.length, nodeCount, lost, wave.nodes);
  const open = isAnyWindowOpen(pool.spec.windows, now);
  const slots = maxSlots(pool.spec, nodeCount);
  const unavailable = findUnavailable(membership, pool.spec);
  const overlap = describeOverlap(pool, pools, nodes);
  const pending = pendingDependencies(pool, pools, nodes);
  const isRollingBack = image !== requested;
  const gates = isRollingBack || !isBehind(membership, image) ? [] : found;
  const reason = computeNoSlotReason({ pool, now, slots, halted, open, pending, overlap, wave, gates });
  const blockers = reason === null && unavailable.length >= slots ? unavailable : [];
  const otherReason = reason ?? (blockers.length === 0 ? null : describeBlockers(blockers));
  const unused = slots - countOccupiedSlots(membership) - unavailable.length;
  const free = otherReason === null ? Math.min(unused, wave.left) : 0;
  const eligible = membership.members.filter(
    (member) =>
      !refused.has(member.name) && !isSkipped(member, pool.spec) && !isDrainBackingOff(member.bootcNode.givenBack, now),
  );
  const notYetStaging = image === null || isRollingBack ? [] : findNotYetStaging(membership, image, pool.spec, now);
  const { topologyKey } = pool.spec;
  const retried = image === null ? [] : limitRetriedDrains(eligible, membership.members, image, now);
  const ofQuorum = image === null ? [] : limitToQuorum(retried, nodes, etcdNodes, image);
  const recipients =
    image === null ? [] : selectSlotCandidates(limitToZone(ofQuorum, membership, topologyKey, image), image, free);
  const acquiring = recipients.filter((member) => !holdsSlot(member)).map(({ name }) => name);
  return {
    pool,
    now,
    membership,
    problems: [...pool.problems, ...dependencyProblems(pool, pools)],
    desired: image === null ? null : { image, pullSecretRef: pool.spec.pullSecretRef, pullSecretHash },
    failedDigest: image === requested || requested === null ? null : parseDigest(requested),
    unhealthy,
    isHalted: halted,
    isFailing: isHalted(pool.spec, failing.length, nodeCount, lost, wave.nodes),
    isWindowOpen: open,
    overlap,
    noSlotReason: otherReason ?? (alerts === null ? null : `it waits for ${alerts}`),
    wave,
    alerts,
    gates,
    isWaitingForAlerts: alerts !== null && acquiring.length > 0,
    pending,
    isWaitedFor: isWaitedFor(pool, pools),
    blockers,
    slotRecipients: new Set(alerts === null ? acquiring : []),
    notYetStaging: new Set(notYetStaging.map(({ name }) => name)),
    etcdNodes,
    refused,
    podProblems,
  };
}

function checkHealth(
  membership: Membership,
  pool: NodePool,
  podProblems: ReadonlyMap<string, string>,
  now: Date,
): Membership {
  const { spec } = pool;
  const members = membership.members.map((member) => {
    const healthProblem =
      findBootProblem(member, spec) ??
      findConditionProblem(member.node, spec.healthChecks) ??
      podProblems.get(member.name) ??
      findAnalysisProblem(member, pool, now) ??
      null;
    return { ...member, node: { ...member.node, healthProblem } };
  });
  return { ...membership, members };
}
