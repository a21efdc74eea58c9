import { useMemo, useState } from "preact/hooks";
import type { StateName } from "../../../../functions/domain/state/state.ts";
import type { WorkloadRow } from "../../model.ts";
import { stateWords } from "../state-badge.tsx";
import { useStore } from "../store.ts";
import { type SortColumn, WorkloadTable } from "./workload-table.tsx";

interface Filter {
  readonly search: string;
  readonly namespace: string;
  readonly kind: string;
  readonly state: string;
}

const all: Filter = { search: "", namespace: "", kind: "", state: "" };

export function WorkloadsPage() {
  const { workloads, notes, isLoaded } = useStore();
  const [filter, setFilter] = useState(all);
  const [sort, setSort] = useState<{ readonly column: SortColumn; readonly isDescending: boolean }>({
    column: "key",
    isDescending: false,
  });
  const rows = useMemo(() => [...workloads.values()], [workloads]);
  const shown = useMemo(
    () => rows.filter((row) => matches(row, filter)).toSorted(comparator(sort.column, sort.isDescending)),
    [rows, filter, sort],
  );
  const select = (field: keyof Filter, label: string, options: ReadonlyMap<string, string>) => (
    <label>
      {label}{" "}
      <select
        value={filter[field]}
        onChange={({ currentTarget }) => setFilter({ ...filter, [field]: currentTarget.value })}
      >
        <option value="">all</option>
        {[...options].map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  const states = new Map(distinct(rows, "state").map(([state]) => [state, stateWords[state as StateName]]));
  return (
    <>
      <h1>Workloads</h1>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search{" "}
          <input
            type="search"
            value={filter.search}
            onInput={({ currentTarget }) => setFilter({ ...filter, search: currentTarget.value })}
          />
        </label>
        {select("namespace", "Namespace", new Map(distinct(rows, "namespace")))}
        {select("kind", "Kind", new Map(distinct(rows, "kind")))}
        {select("state", "State", states)}
        <output aria-live="polite">
          {isLoaded ? `${shown.length} of ${rows.length} workloads` : "Reading the cluster…"}
        </output>
      </form>
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      <WorkloadTable
        rows={shown}
        sort={sort}
        empty={!isLoaded ? "" : rows.length === 0 ? "No workload has Pawl enabled." : "No workload matches."}
        onSort={(column) => setSort({ column, isDescending: sort.column === column && !sort.isDescending })}
      />
    </>
  );
}

function matches(
  { key, namespace, kind, state, current, available, reason, message }: WorkloadRow,
  filter: Filter,
): boolean {
  const isSelected =
    (filter.namespace === "" || filter.namespace === namespace) &&
    (filter.kind === "" || filter.kind === kind) &&
    (filter.state === "" || filter.state === state);
  const word = filter.search.trim().toLowerCase();
  if (!isSelected || word === "") return isSelected;
  return [key, current, available, reason, message].some((text) => text?.toLowerCase().includes(word));
}

function distinct(rows: readonly WorkloadRow[], field: "namespace" | "kind" | "state"): (readonly [string, string])[] {
  return [...new Set(rows.map((row) => row[field]))].toSorted().map((value) => [value, value]);
}

function comparator(column: SortColumn, isDescending: boolean): (one: WorkloadRow, other: WorkloadRow) => number {
  const factor = isDescending ? -1 : 1;
  return (one, other) => {
    const [a, b] = [one[column] ?? "", other[column] ?? ""];
    return a === b ? (one.key < other.key ? -1 : 1) : a < b ? -factor : factor;
  };
}
