import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { OpenCluster } from "../connect/cluster.ts";
import { formatOf, type OutputOptions } from "../options/output.ts";
import { printAs } from "../output/document.ts";
import { metricChart } from "../output/metric-chart.ts";
import { describeProgress, measurementTable } from "../output/progress.ts";
import { statusTable } from "../output/status-table.ts";
import { measurementsOf, progressOf, readAnalysisDeadline } from "./progress.ts";
import { readOrThrow } from "./read.ts";
import { statusOf } from "./status.ts";

/** Prints the status of one workload, with the step of its update and its last measurements. */
export async function showWorkload({ cluster }: OpenCluster, found: Workload, options: OutputOptions): Promise<void> {
  const workload = await readOrThrow(cluster, found);
  const now = new Date();
  const status = statusOf(workload, now);
  const progress = progressOf(workload, await readAnalysisDeadline(cluster, workload, now), now);
  const measurements = measurementsOf(workload);
  const { stdout } = process;
  await printAs(formatOf(options), {
    document: { ...status, progress, measurements },
    names: [status.workload],
    table: (isWide) =>
      [
        statusTable([status], isWide),
        ...(progress === null ? [] : [`\n${describeProgress(progress)}`]),
        ...(measurements.length === 0
          ? []
          : [`\n${metricChart(measurements, stdout)}\n${measurementTable(measurements, stdout)}`]),
      ].join(""),
  });
}
