import { planCluster } from "../../../functions/polling/plan-cluster.ts";
import type { Polled } from "../../../functions/polling/polled.ts";
import type { PollReport } from "../../../functions/polling/report.ts";
import type { Environment } from "../../../functions/settings.ts";
import type { Narrator } from "../console/narrator.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import type { Clock } from "./clock.ts";
import { type LocalPawl, startLocalPawl } from "./local-pawl.ts";

export interface RunOptions {
  readonly cluster: string;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly everySeconds: number;
  readonly exitWhenIdle: boolean;
  readonly narrator: Narrator;
  /** Ends the run: polls stop, executions are left where they are, and the next run adopts them. */
  readonly signal: AbortSignal;
  readonly onEvent?: (event: BusEvent) => void;
  readonly onStarted?: (pawl: LocalPawl) => void;
  /** Called when nothing is left to do, while the ports still work. */
  readonly onIdle?: (pawl: LocalPawl) => Promise<void>;
}

export interface Run {
  /** "idle" where nothing was left to do, "stopped" by the signal. */
  readonly ended: "idle" | "stopped";
  /** What the last poll came to. */
  readonly last: PollReport | Error | null;
  /** Every workload as it was left, and what a poll would do next; empty where that could not be seen. */
  readonly outcome: readonly Polled[];
}

/** Runs Pawl here until it is stopped, or until a poll finds nothing to do and nothing is under way. */
export async function runLocal(options: RunOptions): Promise<Run> {
  const { narrator, clock, cluster, environment, signal } = options;
  const idle = new AbortController();
  const pawl = await startLocalPawl({
    cluster,
    environment,
    clock,
    onStateChange: (change) => narrator.stateChange(change),
    onEvent(event) {
      narrator.event(event);
      options.onEvent?.(event);
    },
  });
  try {
    options.onStarted?.(pawl);
    let last: PollReport | Error | null = null;
    let blindPolls = 0;
    await pawl.run(options.everySeconds, AbortSignal.any([signal, idle.signal]), (report) => {
      last = report;
      narrator.poll(report);
      blindPolls = sawEverything(report) ? 0 : blindPolls + 1;
      const isIdle = sawEverything(report) ? didNothing(report) : blindPolls >= mostBlindPolls;
      if (options.exitWhenIdle && pawl.running() === 0 && isIdle) idle.abort();
    });
    const outcome = signal.aborted ? [] : await planCluster(pawl.ports).catch(() => []);
    if (!signal.aborted) await options.onIdle?.(pawl);
    return { ended: signal.aborted ? "stopped" : "idle", last, outcome };
  } finally {
    await pawl.close();
  }
}

/** How often a poll may fail in a row before there is nothing left to wait for. */
const mostBlindPolls = 3;

function sawEverything(report: PollReport | Error): report is PollReport {
  return !(report instanceof Error) && report.failed.length + report.pools.failed.length === 0;
}

/** What is recorded of a pool may be no more than when its tag was asked for last, which goes on for ever. */
function didNothing({ pools, ...workloads }: PollReport): boolean {
  const isQuiet = [workloads, pools].every(({ started, adopted, inFlight }) => started + adopted + inFlight === 0);
  return isQuiet && workloads.recorded === 0;
}
