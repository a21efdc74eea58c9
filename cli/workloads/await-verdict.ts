import { setTimeout as sleepMs } from "node:timers/promises";
import { currentState } from "../../functions/domain/state/current-state.ts";
import type { WorkloadState } from "../../functions/domain/state/state.ts";
import type { HistoryEntry, Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { readOrThrow } from "./read.ts";

type Verdict =
  | { readonly kind: "healthy" | "unhealthy"; readonly reason: string }
  /** The last state that was seen. */
  | { readonly kind: "timeout"; readonly reason: string };

interface Waiting {
  readonly timeoutSeconds: number;
  readonly intervalSeconds?: number;
  /** Is called with each state, once. */
  readonly onState: (state: WorkloadState) => void;
}

/**
 * Reads a workload until what a request started has a verdict. `before` is the workload before the request. Throws `NotFound` if it was
 * deleted, and what the cluster throws.
 */
export async function awaitVerdict(
  cluster: Pick<Cluster, "read">,
  before: Workload,
  { timeoutSeconds, intervalSeconds = 1, onState }: Waiting,
): Promise<Verdict> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  let shown = "";
  let hasStarted = false;
  for (;;) {
    const workload = await readOrThrow(cluster, before);
    const state = currentState(workload, new Date());
    const line = describeState(state);
    if (line !== shown) onState(state);
    shown = line;
    hasStarted ||= workload.inFlight !== null;
    const verdict = verdictOf(before, workload, state, hasStarted);
    if (verdict !== null) return verdict;
    const remainingMs = deadline - Date.now();
    if (remainingMs <= 0) return { kind: "timeout", reason: line };
    await sleepMs(Math.min(intervalSeconds * 1000, remainingMs));
  }
}

/** Describes a state in one line. */
export function describeState({ state, message }: WorkloadState): string {
  return `${state}: ${message}`;
}

/** Something is still to come. */
const pending: ReadonlySet<string> = new Set(["UpdateDue", "RestartDue", "AwaitsPoll", "NotPolled"]);

/** null while nothing has ended. */
export function verdictOf(
  before: Pick<Workload, "updateRecord">,
  { inFlight, updateRecord }: Pick<Workload, "inFlight" | "updateRecord">,
  state: WorkloadState,
  hasStarted: boolean,
): Exclude<Verdict, { kind: "timeout" }> | null {
  if (inFlight !== null) return null;
  const last = updateRecord.versionHistory.at(-1);
  const isNew = last !== undefined && !isSameEntry(last, before.updateRecord.versionHistory.at(-1));
  if (isNew) {
    const { status, version, reason } = last;
    const text = `${version} ${status === "Healthy" ? "is healthy" : `ended ${status}`}`;
    return {
      kind: status === "Healthy" ? "healthy" : "unhealthy",
      reason: reason === undefined ? text : `${text}: ${reason}`,
    };
  }
  if (hasStarted) return { kind: "unhealthy", reason: `it ended without a verdict: ${describeState(state)}` };
  if (state.state === "Waiting" || pending.has(state.reason)) return null;
  return { kind: state.state === "UpToDate" ? "healthy" : "unhealthy", reason: describeState(state) };
}

function isSameEntry(one: HistoryEntry, other: HistoryEntry | undefined): boolean {
  return one.version === other?.version && one.appliedAt.getTime() === other.appliedAt.getTime();
}
