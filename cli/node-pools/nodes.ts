import { describeNodeStep } from "../../functions/domain/node-pool/step/describe-step.ts";
import type { NodeState } from "../../functions/domain/node-pool/node/node-state.ts";
import { stateForCounting } from "../../functions/domain/node-pool/pool/state-counts.ts";
import type { DrainedPod } from "../../functions/domain/node-pool/node/drain.ts";
import { byName } from "../../functions/domain/node-pool/pool/membership.ts";
import { planSteps } from "../../functions/domain/node-pool/step/plan-steps.ts";
import type { NodeStep } from "../../functions/domain/node-pool/step/step.ts";
import { timeoutStatus } from "../../functions/domain/node-pool/halt/timeouts.ts";
import type { PoolState } from "../../functions/domain/node-pool/pool/pool-state.ts";
import type { KubeNode, Member, PoolNode } from "../../functions/domain/node-pool/node/bootc-node.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";

/** One node as `pawl pools NAME --json` prints it. Times are RFC3339 in UTC. */
export interface PoolNodeStatus {
  readonly node: string;
  /** As counted in its pool: a node that timed out is degraded. */
  readonly state: NodeState | "joining" | "leaving" | "contested";
  readonly booted: string | null;
  readonly staged: string | null;
  /** The operating system and the kernel, as the kubelet reports them; null if unknown. */
  readonly osImage: string | null;
  readonly kernelVersion: string | null;
  /** null without a slot; each time is null if it is unknown or not reached. */
  readonly slot: { readonly acquiredAt: string | null; readonly approvedAt: string | null } | null;
  readonly cordoned: "by-pawl" | "by-others" | null;
  readonly next: { readonly step: NodeStep["kind"]; readonly what: string } | null;
  readonly problem: string | null;
}

/** Returns the nodes of a pool, sorted by name. `pods` are those of nodes being drained, if they were read. */
export function nodeStatuses(
  poolState: PoolState,
  pods: ReadonlyMap<string, readonly DrainedPod[]> = new Map(),
): readonly PoolNodeStatus[] {
  const { members, joining, leaving, contested } = poolState.membership;
  const steps = new Map(planSteps(poolState, pods).map(({ name, step }) => [name, step]));
  const next = (name: string) => nextOf(steps.get(name));
  const status = (node: PoolNode, state: PoolNodeStatus["state"], problem: string | null = null): PoolNodeStatus => ({
    node: node.name,
    state,
    ...nodeFields(node),
    next: next(node.name),
    problem,
  });
  return [
    ...members.map((member) => status(member, stateForCounting(member, poolState), problemOf(member, poolState))),
    ...joining.map((node) => status(node, "joining")),
    ...leaving.map((node) => status(node, "leaving")),
    ...contested.map(({ name, owner }) =>
      status({ name, node: null, bootcNode: null }, "contested", `belongs to ${owner ?? "no pool"}`),
    ),
  ].sort((a, b) => byName({ name: a.node }, { name: b.node }));
}

function nodeFields({ node, bootcNode }: PoolNode): Omit<PoolNodeStatus, "node" | "state" | "next" | "problem"> {
  const slot = bootcNode?.slot ?? null;
  return {
    booted: bootcNode?.bootedDigest ?? null,
    staged: bootcNode?.stagedDigest ?? null,
    osImage: node?.osImage ?? null,
    kernelVersion: node?.kernelVersion ?? null,
    slot: slot === null ? null : { acquiredAt: timeOrNull(slot.acquiredAt), approvedAt: timeOrNull(slot.approvedAt) },
    cordoned: cordonedBy(node),
  };
}

function cordonedBy(node: KubeNode | null): PoolNodeStatus["cordoned"] {
  if (node === null) return null;
  if (node.cordonedByPool !== null) return "by-pawl";
  return node.unschedulable ? "by-others" : null;
}

function problemOf(member: Member, { pool, now, unhealthy }: PoolState): string | null {
  const { error } = member.bootcNode;
  if (error !== null) return `its agent reports an error: ${error}`;
  const timeout = timeoutStatus(member, pool.spec, now);
  if (timeout !== null) return timeout.reason;
  const reason = unhealthy.find(({ name }) => name === member.name)?.reason;
  if (reason === "Recovering")
    return "was not Ready on the new image, and halts the rollout until it releases its slot";
  return reason === "NotReady" ? "runs the new image and is not Ready" : null;
}

function nextOf(step: NodeStep | undefined): PoolNodeStatus["next"] {
  return step === undefined || step.kind === "none" ? null : { step: step.kind, what: describeNodeStep(step) };
}

function timeOrNull(date: Date | null): string | null {
  return date === null ? null : formatRfc3339(date);
}
