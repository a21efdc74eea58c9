import { managedLabel } from "../../../../functions/domain/node-pool/names.ts";
import type { NodeStep } from "../../../../functions/domain/node-pool/step.ts";
import type { BootcNode, Slot } from "../../../../functions/domain/node-pool/types.ts";
import { bootcNode } from "../pools.ts";
import { type Machine, setBootcNode, setNode, type World } from "./world.ts";

/** Writes a step as an adapter would: one object, in one write. */
export function apply({ now, pool }: World, machine: Machine, step: NodeStep): void {
  switch (step.kind) {
    case "create": {
      const owner = { name: pool.name, uid: pool.uid };
      const unheard: Partial<BootcNode> = { bootedDigest: null, idle: null, isObserved: false };
      machine.bootcNode = { ...bootcNode, ...unheard, owner, desiredImage: step.asks.image, askedAt: now };
      return;
    }
    case "ask": {
      const slot = changedSlot(machine, step.isNewImage ? { approvedAt: null } : {});
      const asked = step.isNewImage ? { askedAt: now } : {};
      const { image: desiredImage, ...secret } = step.asks;
      return setBootcNode(machine, {
        ...secret,
        ...asked,
        desiredImage,
        desiredImageState: step.state,
        slot,
        isObserved: false,
      });
    }
    case "revoke":
      return setBootcNode(machine, {
        desiredImageState: "Staged",
        slot: changedSlot(machine, { approvedAt: null }),
        isObserved: false,
      });
    case "take-slot": {
      const { wasCordoned, nodeUid } = step;
      return setBootcNode(machine, {
        slot: { wasCordoned, nodeUid, takenAt: now, drainSince: null, approvedAt: null },
      });
    }
    case "remember-cordon":
      return setBootcNode(machine, { slot: changedSlot(machine, { wasCordoned: step.wasCordoned }) });
    case "restart-drain":
      return setBootcNode(machine, { slot: changedSlot(machine, { drainSince: now }) });
    case "approve":
      return setBootcNode(machine, {
        desiredImageState: "Booted",
        slot: changedSlot(machine, { approvedAt: now }),
        isObserved: false,
      });
    case "free-slot":
      return setBootcNode(machine, { slot: null });
    case "delete":
      machine.bootcNode = null;
      return;
    case "evict":
      if (!machine.isBlocked) machine.pods = machine.pods.map((pod) => ({ ...pod, isBeingDeleted: true }));
      return;
    case "cordon":
      machine.cordonedBy ??= "pawl";
      return setNode(machine, { unschedulable: true, cordonedFor: "workers" });
    case "uncordon":
      machine.cordonedBy = null;
      return setNode(machine, { unschedulable: false, cordonedFor: null });
    case "leave-cordoned":
      machine.cordonedBy = "person";
      return setNode(machine, { cordonedFor: null });
    case "label":
      return setNode(machine, { labels: { ...machine.node?.labels, [managedLabel]: "" } });
    case "unlabel": {
      const { [managedLabel]: _, ...labels } = machine.node?.labels ?? {};
      return setNode(machine, { labels });
    }
    case "wait":
    case "none":
      return;
  }
}

function changedSlot({ bootcNode: of }: Machine, change: Partial<Slot>): Slot | null {
  return of === null || of.slot === null ? null : { ...of.slot, ...change };
}
