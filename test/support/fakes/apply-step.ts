import { managedLabel } from "../../../functions/domain/node-pool/pool/annotations.ts";
import type { NodeStep } from "../../../functions/domain/node-pool/step/step.ts";
import type { BootcNode, KubeNode, PoolNode, Slot } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../../functions/domain/node-pool/pool/node-pool.ts";

interface Writer {
  readonly pool: Pick<NodePool, "name" | "uid">;
  readonly now: Date;
}

/** Returns a node after a step, as an adapter writes it: one object, in one write. The caller increments the versions. */
export function applyStep(at: PoolNode, step: NodeStep, { pool, now }: Writer): PoolNode {
  switch (step.kind) {
    case "create":
      return {
        ...at,
        bootcNode: { ...unobservedBootcNode(at.name), owner: pool, desiredImage: step.desired.image, requestedAt: now },
      };
    case "request-image": {
      const { image: desiredImage, ...secret } = step.desired;
      const since = step.isNewImage ? { requestedAt: now } : {};
      const change = { ...secret, ...since, desiredImage, desiredImageState: step.state };
      const drains = step.isNewImage ? { drainBlockedBy: null, givenBack: null } : {};
      return withSlot(withSpec(at, { ...change, ...drains }), step.isNewImage ? { approvedAt: null } : {});
    }
    case "revoke":
      return withSlot(withSpec(at, { desiredImageState: "Staged" }), { approvedAt: null });
    case "acquire-slot": {
      const { kind: _, ...acquired } = step;
      const slot = {
        ...acquired,
        acquiredAt: now,
        readyDaemonSets: [],
        drainStartedAt: null,
        approvedAt: null,
        bootedAt: null,
      };
      return withBootcNode(at, { slot, analysis: null });
    }
    case "record-cordon":
      return withSlot(at, { wasCordoned: step.wasCordoned });
    case "restart-drain":
      return withSlot(at, { drainStartedAt: now });
    case "record-block":
      return withBootcNode(at, { drainBlockedBy: step.reason });
    case "approve":
      return withSlot(withSpec(at, { desiredImageState: "Booted", drainBlockedBy: null, givenBack: null }), {
        approvedAt: now,
        readyDaemonSets: step.readyDaemonSets,
      });
    case "record-boot":
      return withSlot(at, { bootedAt: now });
    case "record-analysis":
      return withBootcNode(at, { analysis: step.state });
    case "release-slot":
      return withBootcNode(at, {
        slot: null,
        analysis: null,
        ...(step.givenBack === undefined ? {} : { givenBack: { count: step.givenBack, at: now } }),
      });
    case "delete":
      return { ...at, bootcNode: null };
    case "cordon":
      return withNode(at, { unschedulable: true, cordonedByPool: pool.name });
    case "uncordon":
      return withNode(at, { unschedulable: false, cordonedByPool: null });
    case "leave-cordoned":
      return withNode(at, { cordonedByPool: null });
    case "protect": {
      const protection = { pool: pool.name, annotations: at.node?.missingProtection ?? [] };
      return withNode(at, { protection, missingProtection: [] });
    }
    case "unprotect":
      return withNode(at, { protection: null, missingProtection: at.node?.protection?.annotations ?? [] });
    case "label":
      return withNode(at, { labels: { ...at.node?.labels, [managedLabel]: "" } });
    case "unlabel": {
      const { [managedLabel]: _, ...labels } = at.node?.labels ?? {};
      return withNode(at, { labels });
    }
    case "evict":
    case "wait":
    case "none":
    default:
      return at;
  }
}

/** Returns which of a node's two objects a step writes. */
export function writtenObject({ kind }: NodeStep): "node" | "bootcNode" {
  return ["label", "unlabel", "cordon", "uncordon", "leave-cordoned", "protect", "unprotect"].includes(kind)
    ? "node"
    : "bootcNode";
}

function withNode(at: PoolNode, change: Partial<KubeNode>): PoolNode {
  return at.node === null ? at : { ...at, node: { ...at.node, ...change } };
}

/** Changes the spec, which increments the generation. */
function withSpec(at: PoolNode, change: Partial<BootcNode>): PoolNode {
  return withBootcNode(at, { ...change, isObserved: false, generation: (at.bootcNode?.generation ?? 0) + 1 });
}

function withBootcNode(at: PoolNode, change: Partial<BootcNode>): PoolNode {
  return at.bootcNode === null ? at : { ...at, bootcNode: { ...at.bootcNode, ...change } };
}

function withSlot(at: PoolNode, change: Partial<Slot>): PoolNode {
  const slot = at.bootcNode?.slot ?? null;
  return slot === null ? at : withBootcNode(at, { slot: { ...slot, ...change } });
}

/** Returns the fields of a BootcNode that no agent has observed yet. */
function unobservedBootcNode(name: string): Omit<BootcNode, "owner" | "desiredImage" | "requestedAt"> {
  return {
    uid: `bootc-${name}`,
    resourceVersion: "1",
    generation: 1,
    desiredImageState: "Staged",
    pullSecretRef: null,
    pullSecretHash: null,
    slot: null,
    drainBlockedBy: null,
    givenBack: null,
    analysis: null,
    bootedDigest: null,
    stagedDigest: null,
    rollbackDigest: null,
    isObserved: false,
    idle: null,
    error: null,
    emittedEvents: null,
    command: null,
  };
}
