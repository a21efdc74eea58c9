import { managedLabel } from "../../functions/domain/node-pool/names.ts";
import type { NodeStep } from "../../functions/domain/node-pool/step.ts";
import type { BootcNode, KubeNode, NodePool, PoolNode, Slot } from "../../functions/domain/node-pool/types.ts";

interface Writer {
  readonly pool: Pick<NodePool, "name" | "uid">;
  readonly now: Date;
}

/** A node after a step, as an adapter writes it: one object, in one write. Versions are the caller's to raise. */
export function afterStep(at: PoolNode, step: NodeStep, { pool, now }: Writer): PoolNode {
  switch (step.kind) {
    case "create":
      return { ...at, bootcNode: { ...unheard(at.name), owner: pool, desiredImage: step.asks.image, askedAt: now } };
    case "ask": {
      const { image: desiredImage, ...secret } = step.asks;
      const since = step.isNewImage ? { askedAt: now } : {};
      const change = { ...secret, ...since, desiredImage, desiredImageState: step.state };
      return withSlot(asked(at, change), step.isNewImage ? { approvedAt: null } : {});
    }
    case "revoke":
      return withSlot(asked(at, { desiredImageState: "Staged" }), { approvedAt: null });
    case "take-slot": {
      const { wasCordoned, nodeUid } = step;
      const slot = { wasCordoned, nodeUid, takenAt: now, drainSince: null, approvedAt: null };
      return withBootcNode(at, { slot });
    }
    case "remember-cordon":
      return withSlot(at, { wasCordoned: step.wasCordoned });
    case "restart-drain":
      return withSlot(at, { drainSince: now });
    case "approve":
      return withSlot(asked(at, { desiredImageState: "Booted" }), { approvedAt: now });
    case "free-slot":
      return withBootcNode(at, { slot: null });
    case "delete":
      return { ...at, bootcNode: null };
    case "cordon":
      return withNode(at, { unschedulable: true, cordonedFor: pool.name });
    case "uncordon":
      return withNode(at, { unschedulable: false, cordonedFor: null });
    case "leave-cordoned":
      return withNode(at, { cordonedFor: null });
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

/** Which of a node's two objects a step writes. */
export function objectOf({ kind }: NodeStep): "node" | "bootcNode" {
  return ["label", "unlabel", "cordon", "uncordon", "leave-cordoned"].includes(kind) ? "node" : "bootcNode";
}

function withNode(at: PoolNode, change: Partial<KubeNode>): PoolNode {
  return at.node === null ? at : { ...at, node: { ...at.node, ...change } };
}

/** What changes the spec raises the generation. */
function asked(at: PoolNode, change: Partial<BootcNode>): PoolNode {
  return withBootcNode(at, { ...change, isObserved: false, generation: (at.bootcNode?.generation ?? 0) + 1 });
}

function withBootcNode(at: PoolNode, change: Partial<BootcNode>): PoolNode {
  return at.bootcNode === null ? at : { ...at, bootcNode: { ...at.bootcNode, ...change } };
}

function withSlot(at: PoolNode, change: Partial<Slot>): PoolNode {
  const slot = at.bootcNode?.slot ?? null;
  return slot === null ? at : withBootcNode(at, { slot: { ...slot, ...change } });
}

/** A BootcNode that no agent has seen yet. */
function unheard(name: string): Omit<BootcNode, "owner" | "desiredImage" | "askedAt"> {
  return {
    uid: `bootc-${name}`,
    resourceVersion: "1",
    generation: 1,
    desiredImageState: "Staged",
    pullSecretRef: null,
    pullSecretHash: null,
    slot: null,
    bootedDigest: null,
    stagedDigest: null,
    rollbackDigest: null,
    isObserved: false,
    idle: null,
    error: null,
    told: null,
    command: null,
  };
}
