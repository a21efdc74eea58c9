import { runningImage } from "../../functions/domain/bookkeeping.ts";
import { tagOf } from "../../functions/domain/image-reference.ts";
import type { Polled } from "../../functions/polling/poll-cluster.ts";
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
      runs ?? "-",
      failed.join(", ") || "-",
      circuitOpen ? { text: "open", colour: "red" } : "closed",
      { text: said, colour: good ? "green" : "yellow" },
    ],
  );
  return renderTable(columns, rows, { stream });
}

export function outcomeDocument(outcome: readonly Polled[]) {
  return outcome.map((one) => {
    const { ref, bookkeeping } = one.workload;
    const running = runningImage(one.workload) ?? "";
    return {
      workload: `${ref.namespace}/${ref.name}`,
      kind: ref.kind,
      runs: tagOf(running) || running.split("@")[1]?.slice(0, 15) || null,
      failed: bookkeeping.failedVersions,
      circuitOpen: bookkeeping.circuitOpen,
      ...outcomeOf(one),
    };
  });
}

function outcomeOf(one: Polled): { readonly outcome: string; readonly good: boolean } {
  if ("error" in one) return { outcome: one.error.message, good: false };
  const { decision, workload } = one;
  if (decision.kind === "problem") return { outcome: decision.problems.join("; "), good: false };
  if (decision.kind === "update") return { outcome: `${decision.version} comes next`, good: true };
  if (decision.kind === "adopt") return { outcome: `being updated to ${decision.inFlight.targetImage}`, good: true };
  const last = workload.bookkeeping.versionHistory.at(-1);
  if (decision.reason === "no-newer-version" && last?.status === "Healthy")
    return { outcome: `updated to ${last.version}`, good: true };
  return { outcome: decision.detail, good: decision.reason === "no-newer-version" || decision.reason === "not-due" };
}
