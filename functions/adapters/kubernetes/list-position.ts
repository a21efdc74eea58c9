import type { ListSteps } from "../../ports/cluster.ts";
import type { ObjectPage, PagePosition } from "./paginate.ts";

/** Where a list of all workloads is: in the list of one kind in one namespace. Plain JSON. */
export interface ListPosition {
  /** The index of the kind; -1 for AutoUpdates, which are listed first. */
  kind: number;
  /** Whether its older version is listed. */
  isOlder: boolean;
  /** The index of the namespace. */
  namespace: number;
  /** Whether a list of the kind was answered. */
  isServed: boolean;
  /** null at the begin of the list. */
  page: PagePosition | null;
  /** The uids of the objects before it that opted in. */
  listed: readonly string[];
}

export function firstPosition(): ListPosition {
  return { kind: -1, ...firstNamespace() };
}

/** Returns the begin of the lists of a kind. */
export function firstNamespace(): Omit<ListPosition, "kind"> {
  return { isOlder: false, namespace: 0, isServed: false, page: null, listed: [] };
}

/** The list stops here. Never leaves it. */
export class ListInterrupted extends Error {
  override readonly name = "ListInterrupted";
}

/** Moves to the list in the next namespace. Throws `ListInterrupted` if the list is to stop before it. */
export function nextNamespace(position: ListPosition, steps: ListSteps | undefined): void {
  Object.assign(position, { namespace: position.namespace + 1, page: null, listed: [] });
  if (steps?.isDue() === true) throw new ListInterrupted();
}

/** Throws `ListInterrupted` if the list is to stop and this is not its last page. */
export function stopAfter(
  page: Pick<ObjectPage<unknown>, "items" | "next">,
  position: ListPosition,
  steps: ListSteps | undefined,
  listed: ReadonlySet<string> = new Set(),
): void {
  // After an expired token there may be pages without anything new: each step must come further than the one before.
  if (page.items.length === 0 || steps?.isDue() !== true) return;
  const next = page.next();
  // `nextNamespace` follows.
  if (next === null) return;
  Object.assign(position, { page: next, listed: [...listed] });
  throw new ListInterrupted();
}
