import type { WorkloadDetail } from "../../model.ts";
import { TimeAxis } from "../chart/axis.tsx";
import { clusterTime } from "../store.ts";

const shown = 10;
const rowHeight = 24;
const [left, right, width] = [150, 790, 960];
const maxLabel = 16;

interface Bar {
  readonly version: string;
  readonly from: number;
  readonly until: number;
  readonly status: string;
}

/** The last updates of a workload, each as a bar from its begin to its end. The table below it has the same with reasons. */
export function Timeline({ detail: { history, update } }: { readonly detail: WorkloadDetail }) {
  const now = clusterTime();
  const bars = history
    .slice(0, update === null ? shown : shown - 1)
    .map(({ version, status, appliedAt, finishedAt }): Bar => ({
      version,
      status,
      from: Date.parse(appliedAt),
      until: Date.parse(finishedAt ?? appliedAt),
    }));
  if (update !== null && update.startedAt !== null)
    bars.unshift({ version: update.version, status: "now", from: Date.parse(update.startedAt), until: now });
  if (bars.length === 0) return null;
  const from = Math.min(...bars.map((bar) => bar.from));
  const until = Math.max(now, from + 1);
  const x = (at: number) => left + Math.min(Math.max((at - from) / (until - from), 0), 1) * (right - left);
  const height = bars.length * rowHeight;
  const label = bars.map(({ version, status }) => `${version} ${status}`).join(", ");
  return (
    <div class="wide" role="group" aria-label="Timeline" tabIndex={0}>
      <svg
        class="timeline"
        viewBox={`0 0 ${width} ${height + 24}`}
        role="img"
        aria-label={`Timeline of updates, newest first: ${label}`}
      >
        {bars.map((bar, row) => (
          <g key={row} transform={`translate(0 ${row * rowHeight})`} class={toneOf(bar.status)}>
            <text x={left - 12} y="16" text-anchor="end">
              {bar.version.length > maxLabel ? `${bar.version.slice(0, maxLabel - 1)}…` : bar.version}
            </text>
            <rect x={x(bar.from)} y="6" width={Math.max(x(bar.until) - x(bar.from), 4)} height="12" rx="2" />
            <text x={x(bar.until) + 8} y="16">
              {shapeOf(bar.status)} {bar.status}
            </text>
          </g>
        ))}
        <TimeAxis from={from} until={until} left={left} right={right} y={height + 2} />
      </svg>
    </div>
  );
}

function shapeOf(status: string): string {
  if (status === "Healthy") return "●";
  return status === "now" ? "▶" : "✕";
}

function toneOf(status: string): string {
  if (status === "Healthy") return "good";
  return status === "now" ? "busy" : "bad";
}
