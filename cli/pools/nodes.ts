import { inWords } from "../../functions/domain/node-pool/in-words.ts";
import type { NodeState } from "../../functions/domain/node-pool/classify.ts";
import { countedState } from "../../functions/domain/node-pool/counts.ts";
import type { DrainedPod } from "../../functions/domain/node-pool/drain.ts";
import { byName } from "../../functions/domain/node-pool/membership.ts";
import { stepsOf } from "../../functions/domain/node-pool/settled.ts";
import type { NodeStep } from "../../functions/domain/node-pool/step.ts";
import { stuckness } from "../../functions/domain/node-pool/stuck.ts";
import type { Tick } from "../../functions/domain/node-pool/tick.ts";
import type { KubeNode, Member, PoolNode } from "../../functions/domain/node-pool/types.ts";
import { formatRfc3339 } from "../../functions/domain/time.ts";

/** One node as `pawl pools NAME --json` prints it. Times are RFC3339 in UTC. */
export interface PoolNodeStatus {
  readonly node: string;
  /** As it counts in its pool: one that is stuck is degraded. */
  readonly state: NodeState | "joining" | "leaving" | "contested";
  readonly booted: string | null;
  readonly staged: string | null;
  /** null without a slot; each time null where it is not known, or has not come. */
  readonly slot: { readonly takenAt: string | null; readonly approvedAt: string | null } | null;
  readonly cordoned: "by-pawl" | "by-others" | null;
  readonly next: { readonly step: NodeStep["kind"]; readonly what: string } | null;
  readonly problem: string | null;
}

/** The nodes of a pool, in the order of names. `pods` are those of nodes that are being drained, where they were read. */
export function poolNodes(
  tick: Tick,
  pods: ReadonlyMap<string, readonly DrainedPod[]> = new Map(),
): readonly PoolNodeStatus[] {
  const { members, joining, leaving, contested } = tick.membership;
  const steps = new Map(stepsOf(tick, pods).map(({ name, step }) => [name, step]));
  const next = (name: string) => nextOf(steps.get(name));
  const status = (node: PoolNode, state: PoolNodeStatus["state"], problem: string | null = null): PoolNodeStatus => ({
    node: node.name,
    state,
    ...rest(node),
    next: next(node.name),
    problem,
  });
  return [
    ...members.map((member) => status(member, stateOf(member, tick), problemOf(member, tick))),
    ...joining.map((node) => status(node, "joining")),
    ...leaving.map((node) => status(node, "leaving")),
    ...contested.map(({ name, owner }) =>
      status({ name, node: null, bootcNode: null }, "contested", `belongs to ${owner ?? "no pool"}`),
    ),
  ].sort((a, b) => byName({ name: a.node }, { name: b.node }));
}

function rest({ node, bootcNode }: PoolNode): Omit<PoolNodeStatus, "node" | "state" | "next" | "problem"> {
  const slot = bootcNode?.slot ?? null;
  return {
    booted: bootcNode?.bootedDigest ?? null,
    staged: bootcNode?.stagedDigest ?? null,
    slot: slot === null ? null : { takenAt: timeOrNull(slot.takenAt), approvedAt: timeOrNull(slot.approvedAt) },
    cordoned: cordonedBy(node),
  };
}

function cordonedBy(node: KubeNode | null): PoolNodeStatus["cordoned"] {
  if (node === null) return null;
  if (node.cordonedFor !== null) return "by-pawl";
  return node.unschedulable ? "by-others" : null;
}

function stateOf(member: Member, { pool, now }: Tick): NodeState {
  return countedState(member, pool.status.targetDigest, pool.spec, now);
}

function problemOf(member: Member, { pool, now, unhealthy }: Tick): string | null {
  const { error } = member.bootcNode;
  if (error !== null) return `its agent reports an error: ${error}`;
  const isNotReady = unhealthy.some(({ name, reason }) => name === member.name && reason === "NotReady");
  return stuckness(member, pool.spec, now)?.reason ?? (isNotReady ? "runs the new image, and is not Ready" : null);
}

function nextOf(step: NodeStep | undefined): PoolNodeStatus["next"] {
  return step === undefined || step.kind === "none" ? null : { step: step.kind, what: inWords(step) };
}

function timeOrNull(date: Date | null): string | null {
  return date === null ? null : formatRfc3339(date);
}
