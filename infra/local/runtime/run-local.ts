import { planCluster } from "../../../functions/workflows/poll/plan-cluster.ts";
import type { WorkloadResult } from "../../../functions/workflows/poll/process-workload.ts";
import type { PollReport } from "../../../functions/workflows/poll/report.ts";
import type { Environment } from "../../../functions/runtime/settings.ts";
import type { Reporter } from "../console/reporter.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import type { Clock } from "./clock.ts";
import { type LocalPawl, startLocalPawl } from "./local-pawl.ts";

interface LocalRunOptions {
  readonly cluster: string;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly intervalSeconds: number;
  readonly exitWhenIdle: boolean;
  readonly reporter: Reporter;
  /** Ends the run: polls stop, executions stop at their current state, and the next run adopts their updates. */
  readonly signal: AbortSignal;
  readonly onEvent?: (event: BusEvent) => void;
  readonly onStarted?: (pawl: LocalPawl) => void;
  /** Called when nothing is left to do, before the ports are closed. */
  readonly onIdle?: (pawl: LocalPawl) => Promise<void>;
}

export interface LocalRun {
  /** "idle" if nothing was left to do, "stopped" if the signal was aborted. */
  readonly ended: "idle" | "stopped";
  /** The result of the last poll. */
  readonly last: PollReport | Error | null;
  /** Every workload's final status, and what a poll would do next; empty if the cluster could not be read. */
  readonly outcome: readonly WorkloadResult[];
}

/** Runs Pawl in this process until it is stopped, or until a poll finds nothing to do and no execution is running, but for those that sleep. */
export async function runLocal(options: LocalRunOptions): Promise<LocalRun> {
  const { reporter, clock, cluster, environment, signal } = options;
  const idle = new AbortController();
  const parked = new Set<string>();
  const pawl = await startLocalPawl({
    cluster,
    environment,
    clock,
    onStateChange(change) {
      if (change.state === "Parked" || change.state === "ParkedCanary") parked.add(change.execution);
      else parked.delete(change.execution);
      reporter.stateChange(change);
    },
    onEvent(event) {
      reporter.event(event);
      options.onEvent?.(event);
    },
  });
  try {
    options.onStarted?.(pawl);
    let last: PollReport | Error | null = null;
    let incompletePolls = 0;
    await pawl.run(options.intervalSeconds, AbortSignal.any([signal, idle.signal]), (report) => {
      last = report;
      reporter.poll(report);
      incompletePolls = isComplete(report) ? 0 : incompletePolls + 1;
      const isIdle = isComplete(report) ? foundNothingToDo(report, parked.size) : incompletePolls >= maxIncompletePolls;
      if (options.exitWhenIdle && pawl.running() === parked.size && isIdle) idle.abort();
    });
    const outcome = signal.aborted ? [] : await planCluster(pawl.ports).catch(() => []);
    if (!signal.aborted) await options.onIdle?.(pawl);
    return { ended: signal.aborted ? "stopped" : "idle", last, outcome };
  } finally {
    await pawl.close();
  }
}

/** The number of consecutive failed or incomplete polls after which the run ends. */
const maxIncompletePolls = 3;

function isComplete(report: PollReport | Error): report is PollReport {
  return (
    !(report instanceof Error) && report.skipped === null && report.failed.length + report.pools.failed.length === 0
  );
}

/**
 * Reports whether a poll did nothing, but for updates that are parked here. Records of pools are ignored: each poll may record when it last
 * resolved a pool's tag.
 */
function foundNothingToDo({ pools, ...workloads }: PollReport, parked: number): boolean {
  const isQuiet = [workloads, pools].every(({ started, adopted }) => started + adopted === 0);
  return isQuiet && workloads.inFlight + pools.inFlight <= parked && workloads.recorded === 0;
}
