import { useEffect, useRef, useState } from "preact/hooks";
import type { WorkloadRow } from "../../model.ts";
import { shorten, Time } from "../format.tsx";
import { linkTo } from "../route.ts";
import { StateBadge } from "../state-badge.tsx";
import { linkToView, type SortColumn, type View } from "../view.ts";
import { Progress } from "./progress.tsx";

interface Props {
  readonly rows: readonly WorkloadRow[];
  readonly view: View;
}

const columns: readonly (readonly [SortColumn, string])[] = [
  ["key", "Workload"],
  ["state", "State"],
  ["current", "Version"],
  ["message", "Why"],
  ["changedAt", "Last change"],
];

/** Rows that exist together, and their height in pixels before they were measured: text wraps. */
const chunkSize = 25;
const expectedHeight = 49;

export function WorkloadTable({ rows, view }: Props) {
  const starts = Array.from({ length: Math.ceil(rows.length / chunkSize) }, (_, index) => index * chunkSize);
  return (
    <table class="cards workloads" aria-label="Workloads" aria-rowcount={rows.length + 1}>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(([column, title]) => (
            <SortHeader key={column} column={column} view={view}>
              {title}
            </SortHeader>
          ))}
        </tr>
      </thead>
      {starts.map((start) => (
        <Chunk key={start} first={start} rows={rows.slice(start, start + chunkSize)} />
      ))}
    </table>
  );
}

interface HeaderProps {
  readonly column: SortColumn;
  readonly view: View;
  readonly children: string;
}

function SortHeader({ column, view, children }: HeaderProps) {
  const isSorted = view.sort === column;
  const { isDescending } = view;
  const next = linkToView({ ...view, sort: column, isDescending: isSorted && !isDescending });
  return (
    <th scope="col" aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : undefined}>
      <a href={next}>
        {children}
        <span aria-hidden="true">{isSorted ? (isDescending ? " ▾" : " ▴") : ""}</span>
      </a>
    </th>
  );
}

/** Its rows exist only near the screen, or if one of them has the focus. */
function Chunk({ rows, first }: { readonly rows: readonly WorkloadRow[]; readonly first: number }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const rowHeight = useRef(expectedHeight);
  const [isNear, setNear] = useState(first === 0);
  useEffect(() => {
    const { current } = body;
    if (current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        if (last === undefined) return;
        const isMeasured = current.querySelector(".spacer") === null;
        if (isMeasured && current.rows.length > 0)
          rowHeight.current = last.boundingClientRect.height / current.rows.length;
        setNear(last.isIntersecting || current.contains(document.activeElement));
      },
      { rootMargin: "800px" },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <tbody ref={body}>
      {isNear ? (
        rows.map((row, index) => <Row key={row.key} row={row} index={first + index + 2} />)
      ) : (
        <tr aria-hidden="true" class="spacer">
          <td colSpan={columns.length} style={{ height: `${rows.length * rowHeight.current}px` }} />
        </tr>
      )}
    </tbody>
  );
}

function Row({ row, index }: { readonly row: WorkloadRow; readonly index: number }) {
  const { key, name, state, current, available, message, circuit, rollbacks, changedAt, progress } = row;
  const isNewer = available !== null && available !== current;
  return (
    <tr aria-rowindex={index}>
      <th scope="row">
        <a href={linkTo(key)}>
          <span class="note">{key.slice(0, -name.length)}</span>
          {name}
        </a>
      </th>
      <td>
        <StateBadge state={state} />
        {circuit === "closed" && rollbacks.startsWith("0/") ? null : <span class="note block">{rollbacks} failed</span>}
      </td>
      <td class="version" data-label="Version">
        {shorten(current ?? "–")}
        {isNewer ? (
          <>
            {" "}
            <span aria-hidden="true">→</span>
            <span class="visually-hidden">available:</span> {shorten(available)}
          </>
        ) : null}
      </td>
      <td>
        {shorten(message)}
        {progress === null ? null : <Progress progress={progress} />}
      </td>
      <td class="time" data-label="Last change">
        <Time at={changedAt} />
      </td>
    </tr>
  );
}
