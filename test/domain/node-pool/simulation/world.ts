import type { DrainedPod } from "../../../../functions/domain/node-pool/drain.ts";
import { type Tick, tickOf } from "../../../../functions/domain/node-pool/tick.ts";
import type { BootcNode, KubeNode, NodePool, PoolNode } from "../../../../functions/domain/node-pool/types.ts";
import { noon } from "../../../support/workloads.ts";
import { fresh, pool } from "../pools.ts";

/** What a machine's agent and kubelet do wrong until it is healed. */
export type Fault = "stage-fails" | "silent" | "degraded" | "not-ready" | "old-image";

/** One machine and its objects in the cluster; each write makes the versions grow. */
export interface Machine {
  readonly name: string;
  node: KubeNode | null;
  bootcNode: BootcNode | null;
  pods: readonly DrainedPod[];
  /** Whose cordon it is: the one who found it schedulable. */
  cordonedBy: "pawl" | "person" | null;
  booted: string;
  fault: Fault | null;
  /** A PodDisruptionBudget lets none of its pods go. */
  isBlocked: boolean;
  /** Its agent has given the order: it goes down whatever it is asked for now. */
  isGoingDown: boolean;
  isDown: boolean;
  readonly versions: { node: number; bootcNode: number };
}

export interface World {
  now: Date;
  pool: NodePool;
  others: readonly NodePool[];
  readonly machines: readonly Machine[];
  machinesMade: number;
}

export const web: DrainedPod = {
  namespace: "shop",
  name: "web",
  uid: "pod",
  controller: "ReplicaSet",
  isMirror: false,
  phase: "Running",
  isBeingDeleted: false,
};

/** Machines `w1`, `w2` … that run `booted` and are not managed yet. */
export function worldOf(count: number, booted: string, of: NodePool = pool()): World {
  const machines = Array.from({ length: count }, (_, index): Machine => {
    const name = `w${index + 1}`;
    const parts = { node: fresh(name, { uid: `${name}-0` }).node, bootcNode: null, pods: [web] };
    const sound = { cordonedBy: null, fault: null, isBlocked: false, isGoingDown: false, isDown: false };
    return { name, ...parts, ...sound, booted, versions: { node: 0, bootcNode: 0 } };
  });
  return { now: noon, pool: of, others: [], machines, machinesMade: 0 };
}

export function lookAt({ pool: of, others, machines, now }: World): Tick {
  const nodes: readonly PoolNode[] = machines.map(({ name, node, bootcNode }) => ({ name, node, bootcNode }));
  return tickOf({ pool: of, pools: [of, ...others], nodes, pullSecretHash: null, now });
}

export function machineOf({ machines }: World, name: string): Machine {
  const machine = machines.find((candidate) => candidate.name === name);
  if (machine === undefined) throw new Error(`no ${name}`);
  return machine;
}

/** Something changes a Node; what was read of it before is stale then. */
export function setNode(machine: Machine, change: Partial<KubeNode>): void {
  if (machine.node === null) return;
  machine.node = { ...machine.node, ...change };
  machine.versions.node += 1;
}

/** Something changes a BootcNode: its spec, its annotations or its status. */
export function setBootcNode(machine: Machine, change: Partial<BootcNode>): void {
  if (machine.bootcNode === null) return;
  machine.bootcNode = { ...machine.bootcNode, ...change };
  machine.versions.bootcNode += 1;
}
