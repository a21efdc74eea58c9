import type { DrainedPod } from "../../../../functions/domain/node-pool/node/drain.ts";
import { type PoolState, computePoolState } from "../../../../functions/domain/node-pool/pool/pool-state.ts";
import { requiredDaemonSets } from "../../../../functions/domain/node-pool/node/health.ts";
import { computeMembership } from "../../../../functions/domain/node-pool/pool/membership.ts";
import type { BootcNode, KubeNode, PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { HealthChecks, NodePool } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { protectionAnnotations } from "../../../../functions/domain/node-pool/node/protection.ts";
import { noon } from "../../../support/workloads.ts";
import { unmanagedNode, pool } from "../pools.ts";

/** A fault of a machine, until `recover`. "silent": the agent reports nothing. "unhealthy": it fails the health checks. */
export type Fault = "stage-fails" | "silent" | "degraded" | "not-ready" | "old-image" | "unhealthy";

/** What an "unhealthy" machine fails. */
export const healthChecks: HealthChecks = {
  conditions: [{ type: "example.com/Healthy", status: "True" }],
  daemonSets: [{ namespace: "kube-system", name: "log" }],
};

/** One machine and its objects in the cluster. Each write increments a version. */
export interface Machine {
  readonly name: string;
  node: KubeNode | null;
  bootcNode: BootcNode | null;
  pods: readonly DrainedPod[];
  /** Who cordoned the node while it was schedulable. */
  cordonedBy: "pawl" | "person" | null;
  booted: string;
  fault: Fault | null;
  /** An image that causes a fault while the machine runs it. */
  faultyImage: { readonly digest: string; readonly fault: Fault } | null;
  /** A PodDisruptionBudget refuses to evict its pods. */
  isEvictionBlocked: boolean;
  /** Its agent has started a reboot, which nothing can stop. */
  isGoingDown: boolean;
  isDown: boolean;
  /** When its last reboot ended; null if it has not rebooted. */
  upSince: Date | null;
  readonly versions: { node: number; bootcNode: number };
}

export interface World {
  now: Date;
  pool: NodePool;
  others: readonly NodePool[];
  readonly machines: readonly Machine[];
  replacementCount: number;
  /** What a Ready machine without a slot has run. */
  readonly goodDigests: Set<string>;
}

export const webPod: DrainedPod = {
  namespace: "shop",
  name: "web",
  uid: "pod",
  controller: "ReplicaSet",
  controllerName: "web",
  isReady: true,
  isMirror: false,
  hasEmptyDir: false,
  phase: "Running",
  isBeingDeleted: false,
};

/** Creates the machines `w1`, `w2` …, which run `booted` and are not managed yet. */
export function createWorld(count: number, booted: string, of: NodePool = pool()): World {
  const machines = Array.from({ length: count }, (_, index): Machine => {
    const name = `w${index + 1}`;
    const parts = { node: newNode(name, `${name}-0`), bootcNode: null, pods: [webPod] };
    const healthy = {
      cordonedBy: null,
      fault: null,
      faultyImage: null,
      isEvictionBlocked: false,
      isGoingDown: false,
      isDown: false,
      upSince: null,
    };
    return { name, ...parts, ...healthy, booted, versions: { node: 0, bootcNode: 0 } };
  });
  return { now: noon, pool: of, others: [], machines, replacementCount: 0, goodDigests: new Set([booted]) };
}

/** Returns a Node with its label and nothing of Pawl. Every second machine is already protected from Karpenter. */
export function newNode(name: string, uid: string): KubeNode {
  const missingProtection = protectionAnnotations.slice(Number(name.slice(1)) % 2);
  return unmanagedNode(name, { uid, missingProtection }).node;
}

/** Returns the state of the pool, as a step reads it. */
export function observe({ pool: of, others, machines, now }: World): PoolState {
  const nodes: readonly PoolNode[] = machines.map((machine) => {
    const conditions = { "example.com/Healthy": findFault(machine) === "unhealthy" ? "False" : "True" };
    return { ...machine, node: machine.node && { ...machine.node, conditions } };
  });
  const { members } = computeMembership(of, nodes);
  const checked = new Set(
    members.filter((member) => requiredDaemonSets(member, of.spec).length > 0).map(({ name }) => name),
  );
  const unhealthy = machines.filter((machine) => findFault(machine) === "unhealthy" && checked.has(machine.name));
  const podProblems = new Map(unhealthy.map(({ name }) => [name, "no pod of log is Ready on it"]));
  return computePoolState({ pool: of, pools: [of, ...others], nodes, pullSecretHash: null, now, podProblems });
}

/** Returns the fault of a machine: its own, or that of the image that it runs. */
export function findFault({ fault, faultyImage, booted }: Machine): Fault | null {
  return fault ?? (faultyImage?.digest === booted ? faultyImage.fault : null);
}

export function findMachine({ machines }: World, name: string): Machine {
  const machine = machines.find((candidate) => candidate.name === name);
  if (machine === undefined) throw new Error(`${name}: machine not found`);
  return machine;
}

/** Changes a Node; earlier reads of it become stale. */
export function setNode(machine: Machine, change: Partial<KubeNode>): void {
  if (machine.node === null) return;
  machine.node = { ...machine.node, ...change };
  machine.versions.node += 1;
}

/** Changes the spec, annotations or status of a BootcNode; earlier reads of it become stale. */
export function setBootcNode(machine: Machine, change: Partial<BootcNode>): void {
  if (machine.bootcNode === null) return;
  machine.bootcNode = { ...machine.bootcNode, ...change };
  machine.versions.bootcNode += 1;
}
