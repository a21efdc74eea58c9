import type { Seat } from "./place.ts";

/** By registry, what was not decided in time: the first of the places, and how many there are. */
export type Undone = ReadonlyMap<string, { readonly place: number; readonly count: number }>;

export function undoneOf(open: Iterable<Seat>): Undone {
  const undone = new Map<string, { place: number; count: number }>();
  for (const { host, place } of open) {
    const known = undone.get(host) ?? { place, count: 0 };
    undone.set(host, { place: Math.min(known.place, place), count: known.count + 1 });
  }
  return undone;
}

/** How many were not decided, of those registries that are wanted. */
export function countOf(undone: Undone, wanted: (host: string) => boolean = () => true): number {
  return [...undone].reduce((total, [host, { count }]) => total + (wanted(host) ? count : 0), 0);
}
