/** The size of a pool. */
export interface Size {
  readonly nodes: number;
  /** As in `spec.rollout.maxUnavailable`. */
  readonly maxUnavailable: number | string;
  /** Pods of each node. */
  readonly pods: number;
}

/** Simulated seconds. */
export interface Times {
  /** How long a node pulls the image. */
  readonly staging: number;
  /** How long an evicted pod takes to terminate. */
  readonly grace: number;
  /** How long a node is not Ready. */
  readonly reboot: number;
}

export const times: Times = { staging: 180, grace: 30, reboot: 240 };

export function sizeOf(nodes: number, maxUnavailable: Size["maxUnavailable"]): Size {
  return { nodes, maxUnavailable, pods: 10 };
}

/** The second takes several executions, and the last has more nodes than one page of a list. */
export const defaultSizes: readonly Size[] = [sizeOf(10, "10%"), sizeOf(20, 1), sizeOf(100, "10%"), sizeOf(600, "50%")];
