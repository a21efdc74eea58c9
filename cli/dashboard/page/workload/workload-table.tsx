import { useEffect, useRef, useState } from "preact/hooks";
import type { WorkloadRow } from "../../model.ts";
import { shorten, Time } from "../format.tsx";
import { linkTo } from "../route.ts";
import { StateBadge } from "../state-badge.tsx";

export type SortColumn = "key" | "state" | "current" | "available" | "message" | "circuit" | "changedAt";

interface Props {
  readonly rows: readonly WorkloadRow[];
  readonly sort: { readonly column: SortColumn; readonly isDescending: boolean };
  readonly onSort: (column: SortColumn) => void;
  /** Shown if there is no row. */
  readonly empty: string;
}

const columns: readonly (readonly [SortColumn, string])[] = [
  ["key", "Workload"],
  ["state", "State"],
  ["current", "Current"],
  ["available", "Available"],
  ["message", "Why"],
  ["circuit", "Circuit"],
  ["changedAt", "Last change"],
];

/** In pixels, as in the style sheet: only the rows that are visible exist. */
const rowHeight = 41;
const rowsBeyond = 12;

export function WorkloadTable({ rows, sort, onSort, empty }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const measure = () => {
    const { current } = scroller;
    if (current !== null) setView({ top: current.scrollTop, height: current.clientHeight });
  };
  useEffect(() => {
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - rowsBeyond);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + rowsBeyond);
  return (
    <div class="scroller" ref={scroller} onScroll={measure} tabIndex={0} role="region" aria-label="Table of workloads">
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(([column, title]) => (
              <th
                key={column}
                scope="col"
                aria-sort={sort.column === column ? (sort.isDescending ? "descending" : "ascending") : undefined}
              >
                <button type="button" class="plain" onClick={() => onSort(column)}>
                  {title}
                  <span aria-hidden="true">{sort.column === column ? (sort.isDescending ? " ▾" : " ▴") : ""}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={first} />
          {rows.slice(first, last).map((row, index) => (
            <Row key={row.key} row={row} index={first + index + 2} />
          ))}
          <Spacer rows={rows.length - last} />
        </tbody>
      </table>
      {rows.length === 0 ? <p class="empty">{empty}</p> : null}
    </div>
  );
}

/** Takes the place of the rows that are not visible. */
function Spacer({ rows }: { readonly rows: number }) {
  return rows <= 0 ? null : (
    <tr aria-hidden="true" class="spacer">
      <td colSpan={columns.length} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  );
}

function Row({ row, index }: { readonly row: WorkloadRow; readonly index: number }) {
  const { key, state, current, available, reason, message, circuit, rollbacks, changedAt } = row;
  return (
    <tr aria-rowindex={index}>
      <th scope="row">
        <a href={linkTo(key)}>{key}</a>
      </th>
      <td>
        <StateBadge state={state} />
      </td>
      <td>{shorten(current ?? "–")}</td>
      <td>{shorten(available ?? "–")}</td>
      <td title={`${reason}: ${message}`}>{shorten(message)}</td>
      <td>{circuit === "open" ? `open (${rollbacks})` : `closed (${rollbacks})`}</td>
      <td>
        <Time at={changedAt} />
      </td>
    </tr>
  );
}
