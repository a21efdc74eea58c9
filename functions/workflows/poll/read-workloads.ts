import type { FanOutState, PollSelection } from "../../contract/poll-fanout.ts";
import type { Ports } from "../../contract/ports.ts";
import { noLimitSettings } from "../../domain/budget/limits.ts";
import { concurrencyOf } from "../../domain/gates/limits/limit-settings.ts";
import { addStartFacts, emptyStartFacts, type StartFacts } from "../../domain/gates/limits/start-facts.ts";
import type { DigestReport } from "../../domain/notification/daily-digest.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { createFilter } from "./create-filters.ts";
import { grantStarts } from "./fan-out/grant-starts.ts";
import { stateAfterList } from "./fan-out/poll-state.ts";
import { createWorkListWriter, readLines } from "./fan-out/work-list-lines.ts";
import { formatLine, parseValue } from "./fan-out/workload-line.ts";
import { type ClusterGauges, emptyGauges, recordGauges, withGauges } from "./metrics.ts";
import type { PollPoolPorts } from "./poll-node-pool.ts";
import type { ProcessPorts } from "./process-workload.ts";
import { createHeldReport } from "./report-held.ts";
import type { PollCounters, Warn } from "./report.ts";
import { type Selection, selectWorkloads } from "./select-workloads.ts";

/** What an invocation that lists needs of `Ports`. */
export type ListPorts = ProcessPorts &
  PollPoolPorts &
  Partial<Pick<Ports, "digests">> &
  Pick<Ports, "metrics" | "nodePoolsEnabled" | "poolExecutions" | "workList" | "pollLease">;

/** A poll, or one of the invocations that list its workloads. */
export interface ListedPoll {
  readonly id: string;
  readonly startedAt: Date;
  /** Whether every workload belongs to the poll. */
  readonly isComplete: boolean;
  /** Those that belong to it otherwise; null too if it continues. */
  readonly selected: PollSelection | null;
  /** The day of the last daily digest of each target; null if none is sent. */
  readonly digestsSent: Readonly<Record<string, string>> | null;
  readonly signal: AbortSignal;
  readonly warn: Warn;
  readonly maxWorkloads: number;
}

export interface PollListing extends Pick<Selection, "workloads" | "quarantined"> {
  readonly facts: StartFacts;
  /** Of the machine, if the workloads are in the work list; null if they are in `workloads`. */
  readonly state: FanOutState | null;
}

/** What the list has shown so far, in one line of the work list. */
interface Kept {
  readonly gauges: ClusterGauges;
  readonly facts: Omit<StartFacts, "claims"> & { readonly claims: readonly string[] };
  readonly held: readonly DigestReport[];
  /** Which workloads belong to the poll; those of many pushes are too long for the state of the machine. */
  readonly selected: PollSelection | null;
}

/**
 * Lists the workloads of a poll from where `before` ends. At the deadline the list stops: then the work list has what continues it. When
 * it is complete, gauges, digests and places are those of the whole cluster. Throws what listing and the work list throw.
 */
export async function readWorkloads(
  ports: ListPorts,
  poll: ListedPoll,
  counters: PollCounters,
  before: FanOutState,
): Promise<PollListing> {
  const { id, isComplete, startedAt, maxWorkloads, signal, warn } = poll;
  const isContinued = before.lines.length > 0;
  const last = lastBucket(before);
  const kept = isContinued ? (await readLines(ports.workList, id, { ...last, to: 1 }).next()).value : undefined;
  const { gauges, facts, held: collected, selected } = readKept(kept, poll);
  const held = createHeldReport(ports, { sent: poll.digestsSent, startedAt, before: collected, warn });
  let rest: Iterable<string> | null = null;
  const steps = {
    from: isContinued ? () => readLines(ports.workList, id, { ...last, from: 1 }) : null,
    isDue: () => signal.aborted,
    onInterrupted: (lines: Iterable<string>) => void (rest = lines),
  };
  const watched = held.watch(ports.cluster.list(counters.onSkipped, steps));
  const all = withStartFacts(withGauges(watched, gauges, ports.now), facts, ports.now());
  const selection = await selectWorkloads(filter(createFilter(selected), all), {
    poll: id,
    maxWorkloads,
    now: ports.now,
    isContinued,
    openWriter: () => createWorkListWriter(ports.workList, id, isContinued ? before.lines : undefined),
    interrupted: () => rest && withFirst(formatKept({ gauges, facts, held: held.reports(), selected }), rest),
  });
  const { lines, isInterrupted } = selection;
  const state = lines && stateAfterList(before, lines, selection, counters, ports.now());
  if (isInterrupted) return { ...selection, facts, state };
  if (isComplete) recordGauges(ports, gauges);
  await held.send();
  if (state === null) return { ...selection, facts, state };
  const limits = concurrencyOf(ports.limits ?? noLimitSettings, facts.optedIn);
  return {
    ...selection,
    facts,
    state: { ...state, starts: await grantStarts(ports, { facts, limits, isComplete, warn }) },
  };
}

function lastBucket({ lines }: FanOutState) {
  const bucket = lines.length - 1;
  return { bucket, from: 0, to: lines[bucket] ?? 0 };
}

function readKept(line: string | undefined, { selected }: Pick<ListedPoll, "selected">) {
  if (line === undefined) return { gauges: emptyGauges(), facts: emptyStartFacts(), held: null, selected };
  const { facts, ...kept } = parseValue(line) as Kept;
  return { ...kept, facts: { ...facts, claims: new Set(facts.claims) } };
}

function formatKept({ facts, ...kept }: Omit<Kept, "facts"> & { readonly facts: StartFacts }): string {
  return formatLine({ ...kept, facts: { ...facts, claims: [...facts.claims] } } satisfies Kept);
}

function* withFirst(first: string, rest: Iterable<string>): Iterable<string> {
  yield first;
  yield* rest;
}

async function* withStartFacts(
  workloads: AsyncIterable<Workload>,
  facts: StartFacts,
  now: Date,
): AsyncGenerator<Workload> {
  for await (const workload of workloads) {
    addStartFacts(facts, workload, now);
    yield workload;
  }
}

async function* filter(
  isIncluded: (workload: Workload) => boolean,
  workloads: AsyncIterable<Workload>,
): AsyncGenerator<Workload> {
  for await (const workload of workloads) if (isIncluded(workload)) yield workload;
}
