import { useMemo } from "preact/hooks";
import type { StateName } from "../../../../functions/domain/state/state.ts";
import { splitName } from "../../cluster-name.ts";
import type { WorkloadRow } from "../../model.ts";
import { replaceRoute } from "../use-route.ts";
import { StateBadge } from "../state-badge.tsx";
import { useStore } from "../store.ts";
import { countRows, linkToView, selectRows, type View } from "../view.ts";
import { RecentUpdates } from "./recent-updates.tsx";
import { WorkloadTable } from "./workload-table.tsx";

export function WorkloadsPage({ view }: { readonly view: View }) {
  const { workloads, clusters, isLoaded } = useStore();
  const notes = [...clusters.values()].flatMap((one) => one.notes);
  const rows = useMemo(() => [...workloads.values()], [workloads]);
  // The parts of an address that is parsed again are equal, but not the same.
  const shown = useMemo(() => selectRows(rows, view), [rows, linkToView(view)]);
  const change = (part: Partial<View>) => linkToView({ ...view, ...part });
  const select = (field: SelectField, label: string) => (
    <label>
      {label}{" "}
      <select
        value={view[field]}
        onChange={({ currentTarget }) => (location.hash = change({ [field]: currentTarget.value }))}
      >
        <option value="">all</option>
        {distinct(rows, field, view[field]).map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <h1>Workloads</h1>
      <div class="overview">
        <Counts rows={rows} view={view} />
        <RecentUpdates rows={shown} />
      </div>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search{" "}
          <input
            type="search"
            value={view.search}
            onInput={({ currentTarget }) => replaceRoute(change({ search: currentTarget.value }))}
          />
        </label>
        {clusters.size > 1 ? select("cluster", "Cluster") : null}
        {select("namespace", "Namespace")}
        {select("kind", "Kind")}
        <output aria-live="polite">
          {isLoaded ? `${shown.length} of ${rows.length} workloads` : "Reading the cluster…"}
        </output>
      </form>
      {notes.length === 0 ? null : (
        <ul class="notes" aria-label="What is missing or wrong here">
          {notes.map((note) => (
            <li key={note}>⚠ {note}</li>
          ))}
        </ul>
      )}
      <WorkloadTable rows={shown} view={view} />
      {!isLoaded || shown.length > 0 ? null : (
        <p class="empty">{rows.length === 0 ? <NoWorkload /> : "No workload matches."}</p>
      )}
    </>
  );
}

/** Says how to begin. */
function NoWorkload() {
  return (
    <>
      No workload has Pawl enabled. Enable one: <code>kubectl annotate deployment NAME pawl.dev/auto-update=true</code>
    </>
  );
}

/** How many workloads each state has. Each is a link that filters by it; the chosen one, a link to all. */
function Counts({ rows, view }: { readonly rows: readonly WorkloadRow[]; readonly view: View }) {
  const counts = countRows(rows, view);
  const chip = (state: StateName, count: number) => (
    <li key={state}>
      <a
        class="chip"
        href={linkToView({ ...view, state: state === view.state ? "" : state })}
        aria-current={state === view.state ? "true" : undefined}
      >
        <strong>{count}</strong> <StateBadge state={state} />
      </a>
    </li>
  );
  return (
    <nav aria-label="States">
      <ul class="chips">
        {[...counts].map(([state, count]) => chip(state, count))}
        {view.state === "" ? null : (
          <li>
            <a class="chip" href={linkToView({ ...view, state: "" })}>
              All states
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

type SelectField = "cluster" | "namespace" | "kind";

/** The chosen value is offered even if no row has it any more. */
function distinct(rows: readonly WorkloadRow[], field: SelectField, chosen: string): readonly string[] {
  const values = new Set(rows.map((row) => (field === "cluster" ? (splitName(row.key).cluster ?? "") : row[field])));
  if (chosen !== "") values.add(chosen);
  return [...values].toSorted();
}
