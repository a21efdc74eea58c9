import { isUpToDate } from "../../functions/domain/workload/decision/decision.ts";
import { describeRequest } from "../../functions/domain/workload/request/person-request.ts";
import { describeTarget } from "../../functions/domain/workload/target/describe-target.ts";
import type { HistoryEntry } from "../../functions/domain/workload/workload.ts";
import type { WorkloadResult } from "../../functions/workflows/poll/process-workload.ts";
import { runningVersion } from "../workloads/versions.ts";
import { circuitCell, versionCell } from "./cells.ts";
import { type Cell, renderTable, type TableStream } from "./table.ts";
import { describeProblems } from "../../functions/domain/workload/policy/problem.ts";

/** Renders the result of each workload, and why nothing more is done. */
export function resultTable(results: readonly WorkloadResult[], stream: TableStream): string {
  const columns = [
    { header: "WORKLOAD" },
    { header: "KIND" },
    { header: "RUNS" },
    { header: "FAILED" },
    { header: "CIRCUIT" },
    { header: "RESULT", narrow: "wrap" as const },
  ];
  const rows = resultDocument(results).map(({ workload, kind, runs, failed, circuitOpen, result, ok }): Cell[] => [
    workload,
    kind,
    versionCell(runs),
    failed.join(", ") || "-",
    circuitCell(circuitOpen),
    { text: result, colour: ok ? "green" : "yellow" },
  ]);
  return renderTable(columns, rows, { stream });
}

/** Returns the same as JSON, with complete digests. */
export function resultDocument(results: readonly WorkloadResult[]) {
  return results.map((one) => {
    const { ref, updateRecord } = one.workload;
    return {
      workload: `${ref.namespace}/${ref.name}`,
      kind: ref.kind,
      runs: runningVersion(one.workload),
      failed: updateRecord.failedVersions,
      circuitOpen: updateRecord.circuitOpen,
      ...resultOf(one),
    };
  });
}

function resultOf(one: WorkloadResult): { readonly result: string; readonly ok: boolean } {
  if ("error" in one) return { result: one.error.message, ok: false };
  const { decision, workload } = one;
  if (decision.kind === "problem") return { result: describeProblems(decision.problems), ok: false };
  if (decision.kind === "update") return { result: `next: ${describeTarget(decision.target)}`, ok: true };
  if (decision.kind === "adopt")
    return { result: `in progress: ${describeTarget(decision.inFlight.target)}`, ok: true };
  if (decision.kind === "request") return { result: `requested: ${describeRequest(decision)}`, ok: true };
  const last = workload.updateRecord.versionHistory.at(-1);
  const isDone = isUpToDate(decision);
  if (isDone && last?.status === "Healthy") return { result: describeUpdate(last), ok: true };
  return { result: decision.detail, ok: isDone || decision.reason === "not-due" };
}

function describeUpdate({ version, kind }: HistoryEntry): string {
  if (kind === "restart") return `restarted ${version}`;
  if (kind === "release") return `rolled back to ${version}`;
  return kind === "digest" || kind === "config" ? `restarted for ${version}` : `updated to ${version}`;
}
