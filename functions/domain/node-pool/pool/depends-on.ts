import { summarizeList } from "../../text/summarize-list.ts";
import { computeMembership, type Membership } from "./membership.ts";
import { parseDigest } from "../node/node-state.ts";
import { countOccupiedSlots, findUnavailable } from "../step/slots.ts";
import type { PoolNode } from "../node/bootc-node.ts";
import type { NodePool, NodePoolStatus, PoolCondition } from "./node-pool.ts";

const notUpToDate = "which is not up to date";

type PoolDependencies = readonly { readonly name: string; readonly spec: Pick<NodePool["spec"], "dependsOn"> }[];

/** Returns the dependency cycle through a pool, such as `["workers", "infra", "workers"]`; null if there is none. */
export function findDependencyCycle(name: string, pools: PoolDependencies): readonly string[] | null {
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

/** Describes the dependency cycle of a pool. */
export function dependencyProblems(pool: NodePool, pools: readonly NodePool[]): readonly string[] {
  const cycle = findDependencyCycle(pool.name, pools);
  return cycle === null ? [] : [`dependsOn: ${cycle.join(" -> ")} is a dependency cycle`];
}

/**
 * Describes the dependencies that are not up to date or empty, or whose nodes hold slots or are not Ready, and what these wait for
 * in turn. The order applies to `spec`: a tag that moves is resolved by each pool at its own time.
 */
export function pendingDependencies(
  { name, spec }: NodePool,
  pools: readonly NodePool[],
  nodes: readonly PoolNode[],
): readonly string[] {
  return spec.dependsOn.flatMap((other) => describePending(other, { pools, nodes }, [name]) ?? []);
}

type Observed = { readonly pools: readonly NodePool[]; readonly nodes: readonly PoolNode[] };

/** Describes one dependency with the first one that it waits for itself; null if it is not pending. `path` ends a cycle. */
function describePending(name: string, observed: Observed, path: readonly string[]): string | null {
  const pool = observed.pools.find((candidate) => candidate.name === name);
  if (pool === undefined) return `${name}, which does not exist`;
  const membership = computeMembership(pool, observed.nodes);
  const reason = pendingReason(pool, membership) ?? unsettledReason(pool, membership);
  if (reason === null) return null;
  for (const other of path.includes(name) ? [] : pool.spec.dependsOn) {
    const cause = describePending(other, observed, [...path, name]);
    if (cause !== null) return `${name}, ${reason} and waits for ${cause}`;
  }
  return `${name}, ${reason}`;
}

/** Reports whether a pool that is not up to date depends on this one. */
export function isWaitedFor({ name }: NodePool, pools: readonly NodePool[]): boolean {
  return pools.some(({ spec, status }) => spec.dependsOn.includes(name) && !status.conditions.some(isUpToDate));
}

/**
 * Returns why a dependency is pending; null if it is up to date. A condition of an earlier spec or an earlier target
 * does not count: until its new tag is resolved and its nodes are counted, a pool reports the state of its previous
 * image.
 */
function pendingReason(
  { generation, isBeingDeleted, spec, status }: NodePool,
  { members, joining }: Membership,
): string | null {
  if (isBeingDeleted || status.observedGeneration !== generation) return notUpToDate;
  if (status.targetRef !== spec.imageRef)
    return parseDigest(spec.imageRef) === null ? describeUnresolvedTag(status) : notUpToDate;
  const isEmpty = members.length + joining.length === 0;
  const isStatusCurrent = isEmpty || status.targetDigest === status.deployedDigest;
  return isStatusCurrent && status.conditions.some(isUpToDate) ? null : notUpToDate;
}

/** UpToDate compares only digests, as in bootc-operator: nodes that are broken by their target run it too. */
function unsettledReason(pool: NodePool, membership: Membership): string | null {
  const { members, joining } = membership;
  if (members.length + joining.length === 0 && !pool.spec.allowEmpty)
    return "which has no nodes (if it may be empty, set its allowEmpty: true)";
  if (countOccupiedSlots(membership) > 0) return "which has nodes in slots";
  const unavailable = findUnavailable(membership, { cordonedNodes: "Include" }).map(({ name }) => name);
  return unavailable.length === 0
    ? null
    : `which has nodes that are not Ready: ${summarizeList(unavailable).join(", ")}`;
}

function describeUnresolvedTag({ tagProblem }: NodePoolStatus): string {
  return `whose tag ${tagProblem === null ? "is not resolved yet" : "cannot be resolved"}`;
}

function isUpToDate({ type, status }: PoolCondition): boolean {
  return type === "UpToDate" && status === "True";
}
