import type { WorkloadRef } from "../domain/workload.ts";
import { noPools, type PoolsReport } from "./pools/report.ts";

/** Counts of one poll, or of one part of it, and the first workloads that could not be decided, with why. */
export interface PollReport {
  /** Which part of its poll it is; 1 for the first. */
  readonly part: number;
  readonly looked: number;
  readonly started: number;
  readonly adopted: number;
  readonly inFlight: number;
  readonly held: number;
  /** Of those held or with a problem: how many were written to or spoken of, because something about them is new. */
  readonly recorded: number;
  readonly problems: number;
  /** How many could not be decided; `failed` names 50 of them at most. */
  readonly failures: number;
  readonly failed: readonly { readonly workload: WorkloadRef; readonly error: string; readonly message: string }[];
  /** How many are left to the next part of this poll. */
  readonly handedOn: number;
  /** How many are left to the next poll: this one did not get to them. */
  readonly unreached: number;
  /** Of the node pools, which the first part of a poll looks at. */
  readonly pools: PoolsReport;
}

/** The report of several parts of one poll, as of one. */
export function sumOf(reports: readonly PollReport[]): PollReport {
  const sum = (of: Exclude<keyof PollReport, "failed" | "pools">) =>
    reports.reduce((total, report) => total + report[of], 0);
  return {
    part: 1,
    looked: sum("looked"),
    started: sum("started"),
    adopted: sum("adopted"),
    inFlight: sum("inFlight"),
    held: sum("held"),
    recorded: sum("recorded"),
    problems: sum("problems"),
    failures: sum("failures"),
    failed: reports.flatMap(({ failed }) => failed),
    handedOn: 0,
    unreached: sum("unreached"),
    pools: reports.find(({ part }) => part === 1)?.pools ?? noPools,
  };
}
