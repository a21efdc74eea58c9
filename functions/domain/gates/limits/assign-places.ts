import type { Concurrency } from "./limit-settings.ts";
import { wavesBefore } from "./waves.ts";
import { type Blocker, blockerOf, type Member, type WaitingMember } from "./start-facts.ts";

/** What has a place already. */
export interface Occupied {
  readonly moving: readonly Pick<Member, "namespace" | "repository">[];
  /** The names of executions that have no claim yet. They begin with their namespace; their repository is not known. */
  readonly unclaimed: readonly string[];
}

export type Wait =
  /** `position` counts from 1; null is behind all that have one. */
  | { readonly kind: "full"; readonly by: "total" | "namespace" | "repository"; readonly position: number | null }
  | { readonly kind: "wave"; readonly blockers: readonly Blocker[] };

export interface Assignment {
  readonly granted: readonly WaitingMember[];
  readonly waits: ReadonlyMap<string, Wait>;
}

/** How many are given their position: it changes with each poll, and is written each time. */
export const maxPositions = 100;

/**
 * Gives places to workloads that wait. The namespace with the fewest updates is first and, within it, who waits longest. A member of a later
 * wave waits until no member of an earlier one waits, is updated or has failed with its version.
 */
export function assignPlaces(
  waiting: readonly WaitingMember[],
  blockers: readonly Blocker[],
  occupied: Occupied,
  limits: Concurrency,
): Assignment {
  const before = wavesBefore([...blockers, ...waiting.map(blockerOf)], waiting);
  const counts = createCounts(occupied);
  const waits = new Map<string, Wait>();
  const queues = new Map<string, WaitingMember[]>();
  for (const one of waiting.toSorted(compareWaits)) {
    const found = before(one);
    if (found.length > 0) waits.set(one.uid, { kind: "wave", blockers: found });
    else {
      const queue = queues.get(one.namespace) ?? [];
      queue.push(one);
      queues.set(one.namespace, queue);
    }
  }
  const isFree = (one: WaitingMember) => counts.fullBy(one, limits) === null;
  const granted = takeInTurn(queues, counts, isFree, Infinity);
  const reasons = new Map([...queues.values()].flat().map((one) => [one.uid, counts.fullBy(one, limits)]));
  const next = takeInTurn(queues, counts, () => true, maxPositions);
  const rest = [...queues.values()].flat();
  for (const [index, { uid }] of [...next, ...rest].entries()) {
    const position = index < maxPositions ? index + 1 : null;
    waits.set(uid, { kind: "full", by: reasons.get(uid) as "total", position });
  }
  return { granted, waits };
}

/** Takes workloads out of their queues until none is free, at most `max`. */
function takeInTurn(
  queues: ReadonlyMap<string, WaitingMember[]>,
  counts: Counts,
  isFree: (one: WaitingMember) => boolean,
  max: number,
): readonly WaitingMember[] {
  const taken: WaitingMember[] = [];
  while (taken.length < max) {
    const heads = [...queues.values()].map((queue) => queue.find(isFree)).filter((one) => one !== undefined);
    const [first] = heads.toSorted((one, other) => counts.compare(one, other) || compareWaits(one, other));
    if (first === undefined) break;
    const queue = queues.get(first.namespace) as WaitingMember[];
    queue.splice(queue.indexOf(first), 1);
    counts.add(first);
    taken.push(first);
  }
  return taken;
}

function compareWaits(one: WaitingMember, other: WaitingMember): number {
  return one.since.getTime() - other.since.getTime() || (one.name < other.name ? -1 : 1);
}

type Counts = ReturnType<typeof createCounts>;

function createCounts({ moving, unclaimed }: Occupied) {
  let total = moving.length + unclaimed.length;
  const namespaces = new Map<string, number>();
  const repositories = new Map<string, number>();
  const count = ({ namespace, repository }: Pick<Member, "namespace" | "repository">) => {
    namespaces.set(namespace, (namespaces.get(namespace) ?? 0) + 1);
    repositories.set(repository, (repositories.get(repository) ?? 0) + 1);
  };
  for (const one of moving) count(one);
  const unclaimedIn = new Map<string, number>();
  const inNamespace = (namespace: string) => {
    const known = unclaimedIn.get(namespace) ?? unclaimed.filter((name) => name.startsWith(`${namespace}-`)).length;
    unclaimedIn.set(namespace, known);
    return known + (namespaces.get(namespace) ?? 0);
  };
  return {
    add(one: WaitingMember) {
      total += 1;
      count(one);
    },
    compare: (one: WaitingMember, other: WaitingMember) => inNamespace(one.namespace) - inNamespace(other.namespace),
    fullBy({ namespace, repository }: WaitingMember, limits: Concurrency): "total" | "namespace" | "repository" | null {
      if (total >= limits.total) return "total";
      if (inNamespace(namespace) >= limits.perNamespace) return "namespace";
      return (repositories.get(repository) ?? 0) >= limits.perRepository ? "repository" : null;
    },
  };
}
