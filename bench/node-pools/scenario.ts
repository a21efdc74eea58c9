/** A pool: how many nodes, how many of them at once, as `spec.rollout.maxUnavailable` has it, and how many pods each drains. */
export interface Size {
  readonly nodes: number;
  readonly maxUnavailable: number | string;
  readonly pods: number;
}

/** Simulated seconds: how long a node pulls its image, a pod takes to end, and a node is away for its reboot. */
export interface Times {
  readonly staging: number;
  readonly grace: number;
  readonly reboot: number;
}

export const times: Times = { staging: 180, grace: 30, reboot: 240 };

export function sizesOf(nodes: readonly number[]): readonly Size[] {
  return nodes.flatMap((count) => {
    const size = { nodes: count, maxUnavailable: "10%", pods: 10 };
    return count === 100 ? [size, { ...size, maxUnavailable: 1 }] : [size];
  });
}
