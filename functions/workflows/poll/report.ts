import type { WorkloadRef } from "../../domain/workload/workload.ts";
import type { OnSkipped } from "../../ports/cluster.ts";
import type { PoolRef } from "../../ports/node-pools.ts";
import type { WorkloadResult } from "./process-workload.ts";

/** Counts of one poll, or of one part of it, and the first workloads whose evaluation failed. */
export interface PollReport {
  /** 1 for the first part of a poll. */
  readonly part: number;
  readonly evaluated: number;
  readonly started: number;
  readonly adopted: number;
  readonly inFlight: number;
  readonly held: number;
  /** Of those held or with a problem: how many had something new that was written or emitted. */
  readonly recorded: number;
  readonly problems: number;
  /** How many evaluations failed; `failed` lists at most 50 of them. */
  readonly failures: number;
  readonly failed: readonly { readonly workload: WorkloadRef; readonly error: string; readonly message: string }[];
  /** How many are deferred to the next part of this poll. */
  readonly deferred: number;
  /** How many this poll did not process; the next poll does. */
  readonly unreached: number;
  /** Node pools, which the first part of a poll evaluates. */
  readonly pools: PoolsReport;
}

/** Counts of the node pools that one poll evaluated, and those whose evaluation failed. */
export interface PoolsReport {
  readonly evaluated: number;
  readonly started: number;
  readonly adopted: number;
  readonly inFlight: number;
  /** Waiting for a person, a maintenance window or another pool. */
  readonly held: number;
  /** How many had something new that was written or emitted. */
  readonly recorded: number;
  readonly failed: readonly { readonly pool: PoolRef | null; readonly error: string; readonly message: string }[];
}

export const emptyPoolsReport: PoolsReport = {
  evaluated: 0,
  started: 0,
  adopted: 0,
  inFlight: 0,
  held: 0,
  recorded: 0,
  failed: [],
};

/** Merges the reports of all parts of one poll. */
export function mergeReports(reports: readonly PollReport[]): PollReport {
  const total = (of: Exclude<keyof PollReport, "failed" | "pools">) =>
    reports.reduce((subtotal, report) => subtotal + report[of], 0);
  return {
    part: 1,
    evaluated: total("evaluated"),
    started: total("started"),
    adopted: total("adopted"),
    inFlight: total("inFlight"),
    held: total("held"),
    recorded: total("recorded"),
    problems: total("problems"),
    failures: total("failures"),
    failed: reports.flatMap(({ failed }) => failed),
    deferred: 0,
    unreached: total("unreached"),
    pools: reports.find(({ part }) => part === 1)?.pools ?? emptyPoolsReport,
  };
}

/** Writes a warning about something that fails without ending the poll. */
export type Warn = (message: string, about: object) => void;

/** Counts results as they arrive, so that a poll need not keep them. */
export interface PollCounters {
  add(result: WorkloadResult): void;
  /** Counts what is not processed: a kind or namespace that may not be listed, an object that cannot be parsed. */
  readonly onSkipped: OnSkipped;
  /** Evaluated workloads by namespace. */
  readonly namespaces: ReadonlyMap<string, number>;
  /** Failed evaluations by error name. */
  readonly errors: ReadonlyMap<string, number>;
  counts(): Omit<PollReport, "part" | "deferred" | "unreached" | "pools">;
}

const maxListedFailures = 50;

export function createCounters(warn: Warn): PollCounters {
  const namespaces = new Map<string, number>();
  const errors = new Map<string, number>();
  const actions = new Map<string, number>();
  const decisions = new Map<string, number>();
  const failed: PollReport["failed"][number][] = [];

  function addFailure({ ref: workload }: WorkloadResult["workload"], { name: error, message }: Error): void {
    increment(errors, error);
    warn("workload evaluation failed", { workload, failure: error, reason: message });
    if (failed.length < maxListedFailures) failed.push({ workload, error, message });
  }

  return {
    namespaces,
    errors,
    add(result) {
      increment(namespaces, result.workload.ref.namespace);
      if ("error" in result) return addFailure(result.workload, result.error);
      increment(actions, result.action);
      increment(decisions, result.decision.kind);
    },
    onSkipped({ name, message }) {
      increment(errors, name);
      warn("skipped", { failure: name, reason: message });
    },
    counts: () => ({
      evaluated: sum(namespaces),
      started: actions.get("started") ?? 0,
      adopted: actions.get("adopted") ?? 0,
      inFlight: actions.get("in-flight") ?? 0,
      held: decisions.get("hold") ?? 0,
      recorded: actions.get("recorded") ?? 0,
      problems: decisions.get("problem") ?? 0,
      failures: sum(errors),
      failed,
    }),
  };
}

export function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
