import { type Hold, isUpToDate } from "../../domain/workload/decision/decision.ts";
import { type FanOutTotals, type PollCounts, sumCounts } from "../../domain/execution/poll-totals.ts";
import type { WorkloadCost } from "../../domain/budget/poll-budget.ts";
import type { WorkloadRef } from "../../domain/workload/workload.ts";
import type { OnSkipped } from "../../ports/cluster.ts";
import type { PoolRef } from "../../ports/node-pools.ts";
import type { WorkloadResult } from "./process-workload.ts";
import type { ProblemCode } from "../../domain/workload/policy/problem.ts";

/** Counts of one poll, and the first workloads whose evaluation failed. */
export interface PollReport extends PollCounts {
  /** Why nothing was done: another poll is in progress; null if this one ran. */
  readonly skipped: string | null;
  /** How many evaluations failed; `failed` lists at most 50 of them. */
  readonly failures: number;
  readonly failed: readonly { readonly workload: WorkloadRef; readonly error: string; readonly message: string }[];
  /** How many the machine `poll-fanout` polls, because they do not fit into one invocation. */
  readonly deferred: number;
  /** How many are left out for a while, because they ended a function. */
  readonly quarantined: number;
  readonly pools: PoolsReport;
}

/** Counts of the node pools that one poll evaluated, and those whose evaluation failed. */
export interface PoolsReport {
  readonly evaluated: number;
  readonly started: number;
  readonly adopted: number;
  readonly inFlight: number;
  /** Waiting for a person, a maintenance window or another pool, or delayed. */
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

/** Returns the report of a poll that did nothing because another one, `by`, is in progress. */
export function skippedReport(by: string): PollReport {
  const nothing = createCounters(() => undefined).counts();
  const skipped = `another poll is in progress: ${by}`;
  return { ...nothing, skipped, deferred: 0, unreached: 0, quarantined: 0, pools: emptyPoolsReport };
}

/** Returns the report of a poll whose workloads were polled in batches. */
export function completedReport(first: PollReport, { failedBatches: _failed, ...totals }: FanOutTotals): PollReport {
  const { errors, failures: _failures, refusals: _refusals, ...counts } = totals;
  return { ...first, ...counts, failures: sumCounts(errors), deferred: 0 };
}

/** Writes a warning about something that fails without ending the poll. */
export type Warn = (message: string, about: object) => void;

/** Counts results as they arrive, so that a poll need not keep them. */
export interface PollCounters {
  add(result: WorkloadResult): void;
  /** Counts what is not processed: a kind or namespace that may not be listed, an object that cannot be parsed. */
  readonly onSkipped: OnSkipped;
  /** Counts what Step Functions did not answer or start, by error name. That is no failure: the next poll asks again. */
  readonly onDelay: (error: Error) => void;
  readonly delays: ReadonlyMap<string, number>;
  /** Adds what the most expensive workloads cost, if that is worth a look. */
  addCosts(costs: readonly WorkloadCost[]): void;
  readonly costs: readonly WorkloadCost[];
  /** Workloads that exceeded their budget, by namespace. */
  readonly exceeded: ReadonlyMap<string, number>;
  /** Evaluated workloads by namespace. */
  readonly namespaces: ReadonlyMap<string, number>;
  /** Failed evaluations and skipped objects by error name. */
  readonly errors: ReadonlyMap<string, number>;
  /** Failed evaluations by error name: those of `errors` that a workload has. */
  readonly failures: ReadonlyMap<string, number>;
  /** Workloads whose image their registry refuses, by error name. They have a problem, and no failed evaluation. */
  readonly refusals: ReadonlyMap<string, number>;
  counts(): Omit<PollReport, "skipped" | "deferred" | "unreached" | "quarantined" | "pools">;
}

type Exceeded = Pick<WorkloadResult, "workload"> & { readonly error: Pick<Error, "message"> };

const maxListedFailures = 50;

/** A decision takes a millisecond or two. */
const notableMilliseconds = 100;

const refusedByRegistry: ReadonlySet<ProblemCode> = new Set(["RegistryUnauthorized", "RepositoryNotFound"]);

/** Reasons of gates that are closed because of what only an operator can repair. */
const unknownGates: ReadonlySet<string> = new Set(["FreezeUnknown", "ClockWrong"]);

export function createCounters(warn: Warn): PollCounters {
  const namespaces = new Map<string, number>();
  const errors = new Map<string, number>();
  const failures = new Map<string, number>();
  const refusals = new Map<string, number>();
  const delays = new Map<string, number>();
  const actions = new Map<string, number>();
  const decisions = new Map<string, number>();
  const exceeded = new Map<string, number>();
  const costs: WorkloadCost[] = [];
  const failed: PollReport["failed"][number][] = [];

  /** Counts once that a poll does not know what a gate needs: an alarm has to say it, whatever the workloads say. */
  function addUnknownGates({ gates = [] }: Hold): void {
    for (const { reason, message } of gates) {
      if (!unknownGates.has(reason) || errors.has(reason)) continue;
      increment(errors, reason);
      warn("a gate is closed because it is not known", { failure: reason, reason: message });
    }
  }

  function addFailure({ ref: workload }: WorkloadResult["workload"], { name: error, message }: Error): void {
    increment(errors, error);
    increment(failures, error);
    warn("workload evaluation failed", { workload, failure: error, reason: message });
    if (failed.length < maxListedFailures) failed.push({ workload, error, message });
  }

  /** Names the first of each namespace only. */
  function addExceeded({ workload: { ref }, error }: Exceeded): void {
    if (!exceeded.has(ref.namespace)) warn("budget exceeded", { workload: ref, reason: error.message });
    increment(exceeded, ref.namespace);
  }

  return {
    namespaces,
    errors,
    failures,
    refusals,
    delays,
    costs,
    exceeded,
    addCosts(found) {
      const notable = found.filter(({ cpuMilliseconds }) => cpuMilliseconds >= notableMilliseconds);
      costs.push(...notable);
      if (notable.length > 0) warn("most expensive workloads", { workloads: notable });
    },
    add(result) {
      increment(namespaces, result.workload.ref.namespace);
      if ("error" in result)
        return result.error.name === "BudgetExceeded" ? addExceeded(result) : addFailure(result.workload, result.error);
      increment(actions, result.action);
      const { decision } = result;
      if (decision.kind === "hold") addUnknownGates(decision);
      if (decision.kind === "hold" && decision.ended?.reason === "BudgetExceeded")
        addExceeded({ ...result, error: { message: decision.detail } });
      const isIdle = decision.kind === "hold" && (isUpToDate(decision) || decision.reason === "not-due");
      increment(decisions, isIdle ? "idle" : decision.kind);
      const problems = decision.kind === "problem" ? decision.problems : [];
      const refused = problems.find(({ code }) => refusedByRegistry.has(code));
      if (refused !== undefined) increment(refusals, refused.code);
    },
    onSkipped({ name, message }) {
      if (name === "BudgetExceeded") return warn("budget exceeded", { reason: message });
      increment(errors, name);
      warn("skipped", { failure: name, reason: message });
    },
    onDelay({ name, message }) {
      if (!delays.has(name)) warn("Step Functions is asked again by the next poll", { failure: name, reason: message });
      increment(delays, name);
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

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
