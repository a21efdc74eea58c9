import type { CriterionRow } from "../../detail-model.ts";
import type { MeasurementRow } from "../../model.ts";
import { Chart } from "./chart.tsx";

interface Props {
  readonly measurements: readonly MeasurementRow[];
  readonly criteria: readonly CriterionRow[];
}

/** One chart for each metric: its values over time against its condition, and how each measurement was judged. */
export function MetricCharts({ measurements, criteria }: Props) {
  const metrics = [...new Set(measurements.map(({ metric }) => metric))];
  return (
    <>
      <p class="note">● passed, ✕ failed, ▲ inconclusive, ? no value. A dashed red line is the limit of a condition.</p>
      <div class="charts">
        {metrics.map((metric) => (
          <MetricChart
            key={metric}
            rows={measurements.filter((one) => one.metric === metric)}
            criterion={criteria.find((one) => one.metric === metric) ?? { metric, conditions: [], thresholds: [] }}
          />
        ))}
      </div>
    </>
  );
}

const marks: Readonly<Record<string, string>> = { pass: "●", fail: "✕", inconclusive: "▲", error: "?" };

interface MetricProps {
  readonly rows: readonly MeasurementRow[];
  readonly criterion: CriterionRow;
}

function MetricChart({ rows, criterion: { metric, conditions, thresholds } }: MetricProps) {
  const last = rows.at(-1);
  const verdicts = rows.map(({ verdict }) => verdict).join(", ");
  const isCompared = rows.some(({ baseline }) => baseline !== undefined);
  const canary = {
    label: "canary",
    values: rows.map(({ value }) => value),
    colour: "--accent",
    isDashed: false,
    isStepped: false,
    marks: rows.map(({ verdict }) => marks[verdict] ?? "?"),
  } as const;
  const stable = {
    label: "stable pods",
    values: rows.map(({ baseline }) => baseline ?? null),
    colour: "--quiet",
    isDashed: true,
    isStepped: false,
    marks: rows.map(({ baseline }) => (baseline === undefined ? "" : "◇")),
  } as const;
  const series = isCompared ? [canary, stable] : [canary];
  return (
    <figure>
      <figcaption>
        <strong>{metric}</strong>: {last?.value ?? "no value"}, {last?.verdict}
        {last?.note ? ` (${last.note})` : ""}
        {isCompared ? (
          <span class="note block">
            Solid: canary, {last?.value ?? "no value"}. Dashed, ◇: stable pods, {last?.baseline ?? "no value"}
          </span>
        ) : null}
        {conditions.map((condition) => (
          <span key={condition} class="note block">
            {condition}
          </span>
        ))}
      </figcaption>
      <Chart
        label={`${metric} over time${isCompared ? ", canary and stable pods" : ""}. ${conditions.join(", ")}. Verdicts, oldest first: ${verdicts}`}
        times={rows.map(({ at }) => Date.parse(at) / 1000)}
        series={series}
        lines={thresholds}
      />
    </figure>
  );
}
