import type { WorkloadRow } from "../../model.ts";
import { clusterTime } from "../store.ts";
import { countHours } from "./hours.ts";

const height = 24;

/** The updates of the last 24 hours, a bar for each hour: healthy ones below, the others above. The text has the sums. */
export function RecentUpdates({ rows }: { readonly rows: readonly WorkloadRow[] }) {
  const hours = countHours(rows, clusterTime());
  const sum = (name: "healthy" | "failed") => hours.reduce((total, hour) => total + hour[name], 0);
  const most = Math.max(1, ...hours.map(({ healthy, failed }) => healthy + failed));
  const scale = (count: number) => (count / most) * height;
  return (
    <p class="replicas note">
      <svg class="hours" viewBox={`0 0 96 ${height}`} aria-hidden="true">
        {hours.map(({ healthy, failed }, index) => (
          <g key={index} transform={`translate(${index * 4} 0)`}>
            <rect class="base" y={height - 1} width="3" height="1" />
            <rect class="good" y={height - scale(healthy)} width="3" height={scale(healthy)} />
            <rect class="bad" y={height - scale(healthy + failed)} width="3" height={scale(failed)} />
          </g>
        ))}
      </svg>
      <span>
        Last 24 h: {sum("healthy")} updates healthy, {sum("failed")} not
      </span>
    </p>
  );
}
