import { type AnalysisState, formatAnalysisState, parseAnalysisState } from "../../../domain/analysis/state.ts";
import type { AnalysisStatus, MeasurementStatus, MetricStatus } from "./status-fields.ts";

/** The text form of a run: `formatAnalysisState` writes it and `parseAnalysisState` checks it. */
interface RunText {
  readonly startedAt: string;
  readonly pause: AnalysisStatus["pause"] | null;
  readonly tallies: Readonly<Record<string, Counts>>;
  readonly measurements: readonly (readonly [string, string, string, number | null, string | null])[];
}

interface Counts extends Omit<MetricStatus, "name" | "noDataSince" | "measuredAt"> {
  readonly noDataSince: string | null;
  readonly measuredAt: string | null;
}

/** Returns a run with named fields, as `kubectl get -o yaml` shows it. */
export function toAnalysisStatus(state: AnalysisState): AnalysisStatus {
  const { startedAt, pause, tallies, measurements } = JSON.parse(formatAnalysisState(state)) as RunText;
  return {
    startedAt,
    ...(pause ? { pause } : {}),
    metrics: Object.entries(tallies).map(([name, { noDataSince, measuredAt, ...counts }]) => ({
      name,
      ...counts,
      ...(noDataSince === null ? {} : { noDataSince }),
      ...(measuredAt === null ? {} : { measuredAt }),
    })),
    measurements: measurements.map(([metric, at, verdict, value, note]) => ({
      metric,
      at,
      verdict,
      ...(value === null ? {} : { value }),
      ...(note === null ? {} : { note }),
    })),
  };
}

/** Reads a run; null if there is none, and if any part of it is invalid: then the analysis starts again. */
export function fromAnalysisStatus(status: AnalysisStatus | undefined): AnalysisState | null {
  if (status === undefined) return null;
  const { startedAt, pause = null, metrics, measurements } = status;
  const counts = ({ name, noDataSince, measuredAt, ...rest }: MetricStatus) =>
    [name, { ...rest, noDataSince: noDataSince ?? null, measuredAt: measuredAt ?? null }] as const;
  const row = ({ metric, at, verdict, value, note }: MeasurementStatus) =>
    [metric, at, verdict, value ?? null, note ?? null] as const;
  const tallies = Object.fromEntries(metrics.map(counts));
  return parseAnalysisState(JSON.stringify({ startedAt, pause, tallies, measurements: measurements.map(row) }));
}
