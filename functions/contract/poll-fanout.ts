import * as v from "valibot";
import { parseRfc3339 } from "../domain/text/rfc3339.ts";
import { openObject, recordOf, wholeNumber } from "../domain/text/schema.ts";
import type { Batch } from "../domain/execution/poll-batches.ts";
import type { BatchReport, FanOutTotals } from "../domain/execution/poll-totals.ts";
import { nonEmptyString } from "./validate.ts";

/** Input of the machine `poll-fanout`, and its state between two rounds. Plain JSON. */
export interface FanOutState {
  readonly cluster: string;
  /** The poll's id: the name of the execution, the holder of the lease and the folder of the work list. */
  readonly poll: string;
  /** In RFC 3339. */
  readonly startedAt: string;
  /** When its list ended, in RFC 3339: its rounds, and its lease in them, count from then. */
  readonly listedAt: string;
  /** What follows. */
  readonly outcome: FanOutOutcome;
  /** Whether every workload belongs to the poll. Otherwise it has no lease, and is no heartbeat. */
  readonly isComplete: boolean;
  /** 1 for the first. */
  readonly round: number;
  /** Of this round. */
  readonly batches: readonly Batch[];
  /** Batches that failed in an earlier round, and are divided in a later one. */
  readonly waiting: readonly Batch[];
  readonly totals: FanOutTotals;
  /** How many lines the work list has, by bucket. If the list has stopped, the last one has what continues it. */
  readonly lines: readonly number[];
  /** Which updates may start; null if all may. */
  readonly starts: StartGrants | null;
}

/** The workloads whose updates a poll of many batches starts, by uid. */
export interface StartGrants {
  readonly granted: readonly string[];
  /** Those that are next, in order. */
  readonly queue: readonly string[];
  /** How many wait. */
  readonly waiting: number;
  /** How many are updated at a time. */
  readonly max: number;
}

/** Input of the function `poll-batch`. */
export type PollBatchInput = Pick<FanOutState, "cluster" | "poll" | "listedAt" | "isComplete" | "round" | "starts"> & {
  readonly batch: Batch;
};

/** Output of the function `poll-batch`. */
export interface PollBatchOutput {
  readonly batch: Batch;
  readonly kind: "polled";
  readonly report: BatchReport;
}

/** Input of the function `collect-batches`. The results are checked one by one: what is none means that its batch failed. */
export type CollectBatchesInput = FanOutState & { readonly results: readonly unknown[] };

/** "list": the list has stopped, and continues. "again": a round follows. "incomplete": some workloads were not polled. */
export type FanOutOutcome = "list" | "again" | "complete" | "incomplete";

const push = openObject({
  repository: nonEmptyString,
  /** The account of the ECR registry: twelve digits. */
  registry: v.nullish(nonEmptyString),
  region: v.nullish(nonEmptyString),
});

const named = openObject({ kind: nonEmptyString, namespace: nonEmptyString, name: nonEmptyString });

/** `pushes` are those of a batch from the queue, and `workloads` those whose requests a person does not want to wait for. */
export const pollSelection = { pushes: v.nullish(v.array(push)), workloads: v.nullish(v.array(named)) };

const selection = openObject(pollSelection);

/** Which workloads a poll evaluates, if not all of them. */
export type PollSelection = Readonly<v.InferOutput<typeof selection>>;

const count = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const counts = recordOf(v.string(), count);
const time = "a time in RFC 3339";

const batch: v.GenericSchema<Batch> = openObject({
  bucket: count,
  from: count,
  to: count,
  attempt: count,
  seconds: count,
});

const reportFields = {
  evaluated: count,
  started: count,
  adopted: count,
  inFlight: count,
  held: count,
  recorded: count,
  problems: count,
  unreached: count,
  errors: counts,
  failures: counts,
  refusals: counts,
};

const report: v.GenericSchema<BatchReport> = openObject(reportFields);

const totals: v.GenericSchema<FanOutTotals> = openObject({ ...reportFields, quarantined: count, failedBatches: count });

const starts: v.GenericSchema<StartGrants> = openObject({
  granted: v.array(v.string()),
  queue: v.array(v.string()),
  waiting: count,
  max: count,
});

const timestamp = v.pipe(
  v.string(time),
  v.check((text) => parseRfc3339(text) !== null, time),
);

const batchFields = {
  starts: v.nullable(starts),
  cluster: nonEmptyString,
  poll: nonEmptyString,
  listedAt: timestamp,
  isComplete: v.boolean(),
  round: wholeNumber(1, Number.MAX_SAFE_INTEGER),
};

export const pollBatchInput: v.GenericSchema<PollBatchInput> = openObject({ ...batchFields, batch });

const stateFields = {
  ...batchFields,
  startedAt: timestamp,
  outcome: v.picklist(["list", "again", "complete", "incomplete"]),
  batches: v.array(batch),
  waiting: v.array(batch),
  totals,
  lines: v.array(count),
};

export const fanOutState: v.GenericSchema<FanOutState> = openObject(stateFields);

export const collectBatchesInput: v.GenericSchema<CollectBatchesInput> = openObject({
  ...stateFields,
  results: v.array(v.unknown()),
});

/** The result of a batch that polled its part. */
export const polledBatch: v.GenericSchema<PollBatchOutput> = openObject({ batch, kind: v.literal("polled"), report });

/** The result of a batch whose function failed: the error of its Task. */
export const failedBatch = openObject({
  batch,
  kind: v.literal("failed"),
  error: openObject({ Error: v.string(), Cause: v.exactOptional(v.string()) }),
});
