import { digestOf } from "./classify.ts";
import type { NodePool, NodePoolStatus, PoolCondition } from "./types.ts";

const notUpToDate = "which is not up to date";

type Ordered = readonly { readonly name: string; readonly spec: Pick<NodePool["spec"], "dependsOn"> }[];

/** The pools that a pool waits for in a circle, from itself to itself: `["workers", "infra", "workers"]`; null where there is none. */
export function cycleThrough(name: string, pools: Ordered): readonly string[] | null {
  const dependencies = new Map(pools.map((pool) => [pool.name, pool.spec.dependsOn]));
  const seen = new Set<string>();
  const search = (at: string, path: readonly string[]): readonly string[] | null => {
    for (const next of dependencies.get(at) ?? []) {
      if (next === name) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = search(next, [...path, next]);
      if (found !== null) return found;
    }
    return null;
  };
  return search(name, [name]);
}

/**
 * The pools that have to come first and are not there yet, each in words. The order holds for what pools are asked for: a tag
 * that comes to stand for something else is seen by each pool at its own time.
 */
export function whatComesFirst({ spec }: NodePool, pools: readonly NodePool[]): readonly string[] {
  return spec.dependsOn.flatMap((name) => {
    const pool = pools.find((candidate) => candidate.name === name);
    const why = pool === undefined ? "which does not exist" : whyItIsWaitedFor(pool);
    return why === null ? [] : [`${name}, ${why}`];
  });
}

/**
 * A condition that was written for an earlier spec says nothing of the present one, and neither does one of an earlier target:
 * while its new tag is not resolved, or its nodes are not counted anew, a pool is said to be up to date with what it ran before.
 */
function whyItIsWaitedFor({ generation, isBeingDeleted, spec, status }: NodePool): string | null {
  if (isBeingDeleted || status.observedGeneration !== generation) return notUpToDate;
  if (status.targetRef !== spec.imageRef) return digestOf(spec.imageRef) === null ? unresolved(status) : notUpToDate;
  const isCounted = status.targetDigest === status.deployedDigest;
  return isCounted && status.conditions.some(isUpToDate) ? null : notUpToDate;
}

function unresolved({ tagProblem }: NodePoolStatus): string {
  return `whose tag ${tagProblem === null ? "is not resolved yet" : "cannot be resolved"}`;
}

function isUpToDate({ type, status }: PoolCondition): boolean {
  return type === "UpToDate" && status === "True";
}
