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

/** Returns a pool for each number of nodes, and for 100 nodes also one that updates one node at a time. */
export function planSizes(nodes: readonly number[]): readonly Size[] {
  return nodes.flatMap((count) => {
    const size = { nodes: count, maxUnavailable: "10%", pods: 10 };
    return count === 100 ? [size, { ...size, maxUnavailable: 1 }] : [size];
  });
}
