import type { StateName } from "../../../functions/domain/state/state.ts";
import { sortByState } from "../../output/state-words.ts";
import { splitName } from "../cluster-name.ts";
import type { WorkloadRow } from "../model.ts";

const columns = ["state", "key", "current", "message", "changedAt"] as const;
export type SortColumn = (typeof columns)[number];

/** What the list of workloads shows, as its address says. Empty fields select all. */
export interface View {
  readonly search: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly kind: string;
  readonly state: string;
  /** By state: what needs a person comes first. */
  readonly sort: SortColumn;
  readonly isDescending: boolean;
}

const filters = ["search", "cluster", "namespace", "kind", "state"] as const;

/** Reads a view from the query of an address. Anything that is not known selects all. */
export function parseView(query: string): View {
  const given = new URLSearchParams(query);
  const [search = "", cluster = "", namespace = "", kind = "", state = ""] = filters.map(
    (name) => given.get(name) ?? "",
  );
  const sort = given.get("sort") ?? "";
  const column = columns.find((one) => one === sort.replace(/^-/, "")) ?? "state";
  return { search, cluster, namespace, kind, state, sort: column, isDescending: sort.startsWith("-") };
}

/** Returns the address of a view, without what is its default. */
export function linkToView(view: View): string {
  const sort = `${view.isDescending ? "-" : ""}${view.sort}`;
  const query = new URLSearchParams();
  for (const name of filters) if (view[name] !== "") query.set(name, view[name]);
  if (sort !== "state") query.set("sort", sort);
  return query.size === 0 ? "#/workloads" : `#/workloads?${query}`;
}

/** Returns the rows that a view selects, in its order. */
export function selectRows(rows: readonly WorkloadRow[], view: View): readonly WorkloadRow[] {
  const found = rows.filter((row) => matches(row, view)).toSorted((one, other) => compare(one, other, view.sort));
  const sorted = view.sort === "state" ? sortByState(found) : found;
  return view.isDescending ? sorted.toReversed() : sorted;
}

/** Returns how many rows of each state there are, those that need a person first, whatever state the view selects. */
export function countRows(rows: readonly WorkloadRow[], view: View): ReadonlyMap<StateName, number> {
  const counts = new Map<StateName, number>();
  for (const { state } of selectRows(rows, { ...view, state: "", sort: "state", isDescending: false }))
    counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}

function matches(row: WorkloadRow, { search, cluster, namespace, kind, state }: View): boolean {
  const isSelected =
    (cluster === "" || cluster === splitName(row.key).cluster) &&
    (namespace === "" || namespace === row.namespace) &&
    (kind === "" || kind === row.kind) &&
    (state === "" || state === row.state);
  const word = search.trim().toLowerCase();
  if (!isSelected || word === "") return isSelected;
  const { key, current, available, reason, message } = row;
  return [key, current, available, reason, message].some((text) => text?.toLowerCase().includes(word));
}

function compare(one: WorkloadRow, other: WorkloadRow, sort: SortColumn): number {
  const [a, b] = sort === "state" ? [one.key, other.key] : [one[sort] ?? "", other[sort] ?? ""];
  if (a === b) return one.key < other.key ? -1 : 1;
  return a < b ? -1 : 1;
}
