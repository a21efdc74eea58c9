type Counts = Readonly<Record<string, number>>;

/** How many workloads a poll, or a batch of one, did what with. */
export interface PollCounts {
  readonly evaluated: number;
  readonly started: number;
  readonly adopted: number;
  readonly inFlight: number;
  /** Neither up to date nor waiting for their schedule. */
  readonly held: number;
  /** Of those held, up to date or with a problem: how many had something new that was written or emitted. */
  readonly recorded: number;
  readonly problems: number;
  /** How many were not processed, and wait for the next poll. */
  readonly unreached: number;
}

/** What one batch of a poll did. Plain JSON, and small: the reports of all batches are in one state of a machine. */
export interface BatchReport extends PollCounts {
  /** Failed evaluations and skipped objects by error name. */
  readonly errors: Counts;
  /** Those of `errors` that a workload has. */
  readonly failures: Counts;
  /** Workloads whose image their registry refuses, by error name. */
  readonly refusals: Counts;
}

/** The sums of a whole poll. */
export interface FanOutTotals extends BatchReport {
  /** Workloads that polls leave out for a while, because they ended a function. */
  readonly quarantined: number;
  readonly failedBatches: number;
}

export const emptyReport: BatchReport = {
  evaluated: 0,
  started: 0,
  adopted: 0,
  inFlight: 0,
  held: 0,
  recorded: 0,
  problems: 0,
  unreached: 0,
  errors: {},
  failures: {},
  refusals: {},
};

/** Error names per report. */
const maxNames = 20;
const otherNames = "Other";

/** Adds the numbers of a report to those of another. */
export function addReports<Totals extends BatchReport>(totals: Totals, report: BatchReport): Totals {
  const { errors, failures, refusals, ...numbers } = report;
  const sums = Object.entries(numbers).map(([name, value]) => [name, totals[name as keyof typeof numbers] + value]);
  return {
    ...totals,
    ...Object.fromEntries(sums),
    errors: addCounts(totals.errors, errors),
    failures: addCounts(totals.failures, failures),
    refusals: addCounts(totals.refusals, refusals),
  };
}

export function addCounts(one: Counts, other: Counts): Counts {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return limitNames([...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

export function sumCounts(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Returns counts by name, the rarest of which are counted together. */
export function limitNames(counts: Iterable<readonly [string, number]>, limit = maxNames): Counts {
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  const rest = sorted.slice(limit).reduce((total, [, count]) => total + count, 0);
  const kept = Object.fromEntries(sorted.slice(0, limit));
  return rest === 0 ? kept : { ...kept, [otherNames]: rest + (kept[otherNames] ?? 0) };
}
