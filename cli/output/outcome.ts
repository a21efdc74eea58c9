import type { HistoryEntry } from "../../functions/domain/workload.ts";
import type { Polled } from "../../functions/polling/polled.ts";
import { runningVersion } from "../workloads/versions.ts";
import { circuitCell, versionCell } from "./cells.ts";
import { type Cell, renderTable, type TableStream } from "./table.ts";

/** What came of each workload, and why nothing more is done about it. */
export function outcomeTable(outcome: readonly Polled[], stream: TableStream): string {
  const columns = [
    { header: "WORKLOAD" },
    { header: "KIND" },
    { header: "RUNS" },
    { header: "FAILED" },
    { header: "CIRCUIT" },
    { header: "OUTCOME", narrow: "wrap" as const },
  ];
  const rows = outcomeDocument(outcome).map(
    ({ workload, kind, runs, failed, circuitOpen, outcome: said, good }): Cell[] => [
      workload,
      kind,
      versionCell(runs),
      failed.join(", ") || "-",
      circuitCell(circuitOpen),
      { text: said, colour: good ? "green" : "yellow" },
    ],
  );
  return renderTable(columns, rows, { stream });
}

/** The same for machines, with digests in full. */
export function outcomeDocument(outcome: readonly Polled[]) {
  return outcome.map((one) => {
    const { ref, bookkeeping } = one.workload;
    return {
      workload: `${ref.namespace}/${ref.name}`,
      kind: ref.kind,
      runs: runningVersion(one.workload),
      failed: bookkeeping.failedVersions,
      circuitOpen: bookkeeping.circuitOpen,
      ...outcomeOf(one),
    };
  });
}

/** Reasons to do nothing that mean that all is done. */
const upToDate: ReadonlySet<string> = new Set(["no-newer-version", "same-digest"]);

function outcomeOf(one: Polled): { readonly outcome: string; readonly good: boolean } {
  if ("error" in one) return { outcome: one.error.message, good: false };
  const { decision, workload } = one;
  if (decision.kind === "problem") return { outcome: decision.problems.join("; "), good: false };
  if (decision.kind === "update") return { outcome: `${decision.version} comes next`, good: true };
  if (decision.kind === "adopt") return { outcome: `being updated to ${decision.inFlight.targetImage}`, good: true };
  const last = workload.bookkeeping.versionHistory.at(-1);
  const isDone = upToDate.has(decision.reason);
  if (isDone && last?.status === "Healthy") return { outcome: whatWasDone(last), good: true };
  return { outcome: decision.detail, good: isDone || decision.reason === "not-due" };
}

/** A version with a digest is a tag that was there already. */
function whatWasDone({ version }: HistoryEntry): string {
  return version.includes("@") ? `restarted for ${version}` : `updated to ${version}`;
}
