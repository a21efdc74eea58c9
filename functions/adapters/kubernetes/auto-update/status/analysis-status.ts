import { type AnalysisState, formatAnalysisState, parseAnalysisState } from "../../../../domain/analysis/state.ts";
import type { AnalysisStatus, MeasurementStatus, MetricStatusFields } from "./status-fields.ts";

/** The text form of a run: `formatAnalysisState` writes it and `parseAnalysisState` checks it. */
interface RunText {
  readonly startedAt: string;
  readonly pause: AnalysisStatus["pause"] | null;
  readonly tallies: Readonly<Record<string, Counts>>;
  readonly measurements: readonly (readonly [string, string, string, number | null, string | null, number?])[];
}

interface Counts extends Omit<MetricStatusFields, "name" | "noDataSince" | "measuredAt" | "jobUID"> {
  readonly jobUid?: string;
  readonly noDataSince: string | null;
  readonly measuredAt: string | null;
}

/** Returns a run with named fields, as `kubectl get -o yaml` shows it. */
export function toAnalysisStatus(state: AnalysisState): AnalysisStatus {
  const { startedAt, pause, tallies, measurements } = JSON.parse(formatAnalysisState(state)) as RunText;
  return {
    startedAt,
    ...(pause ? { pause } : {}),
    metrics: Object.entries(tallies).map(([name, { noDataSince, measuredAt, jobUid, ...counts }]) => ({
      name,
      ...counts,
      ...(noDataSince === null ? {} : { noDataSince }),
      ...(measuredAt === null ? {} : { measuredAt }),
      ...(jobUid === undefined ? {} : { jobUID: jobUid }),
    })),
    measurements: measurements.map(([metric, at, verdict, value, note, baseline]) => ({
      metric,
      at,
      verdict,
      ...(value === null ? {} : { value }),
      ...(note === null ? {} : { note }),
      ...(baseline === undefined ? {} : { baseline }),
    })),
  };
}

/** Reads a run; null if there is none, and if any part of it is invalid: then the analysis starts again. */
export function fromAnalysisStatus(status: AnalysisStatus | undefined): AnalysisState | null {
  if (status === undefined) return null;
  const { startedAt, pause = null, metrics, measurements } = status;
  const counts = ({ name, noDataSince, measuredAt, jobUID: jobUid, ...rest }: MetricStatusFields) =>
    [name, { ...rest, noDataSince: noDataSince ?? null, measuredAt: measuredAt ?? null, jobUid }] as const;
  const row = ({ metric, at, verdict, value, note, baseline }: MeasurementStatus) =>
    [metric, at, verdict, value ?? null, note ?? null, ...(baseline === undefined ? [] : [baseline])] as const;
  const tallies = Object.fromEntries(metrics.map(counts));
  return parseAnalysisState(JSON.stringify({ startedAt, pause, tallies, measurements: measurements.map(row) }));
}
