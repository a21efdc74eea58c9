/** Some lines of one bucket of a poll's work list. Plain JSON. */
export interface Batch {
  readonly bucket: number;
  /** The first line. */
  readonly from: number;
  /** The line after the last. */
  readonly to: number;
  /** How often a function that ran exactly these lines was ended. */
  readonly attempt: number;
  /** After how many seconds its Task ends. */
  readonly seconds: number;
}

/** Into how many parts a work list is divided. */
export const bucketCount = 32;

/** In how many of them the workloads of one registry are: so many batches send it requests concurrently. */
export const bucketsPerHost = 8;

/** What one invocation holds: a larger bucket has several batches, which may request the same repository. */
export const maxBatchLines = 16_000;

/** Bounds the state of the machine, and how much a failure of all batches costs. */
export const maxBatches = 128;

/** Into how many parts a failed batch is split. Those that end by time take whole minutes, so a few of them get many parts. */
const maxPieces = 64;
const minPieces = 4;
const minPiecesOfTimeouts = 16;

/** Longer than the function takes, and shorter than an Express execution. */
export const longestBatchSeconds = 250;
/** A part of a failed batch is small: its Task ends early, so that one that hangs is found in the same poll. */
export const shortBatchSeconds = 60;

const maxRounds = 24;
/** How often a workload on its own ends its function until it is quarantined. */
const killerAttempts = 2;
/** From then on nothing is repeated if nothing was evaluated, and no function was ended either. */
const refusedRounds = 2;
/** The lease of a poll is renewed for a quarter of an hour. */
const latestEndSeconds = 850;

/** Returns the bucket of a repository. Both hashes are whole numbers. */
export function bucketOf(hostHash: number, repositoryHash: number): number {
  return (hostHash + (repositoryHash % bucketsPerHost)) % bucketCount;
}

/** Returns the batches of the first round; `lines` has the size of each bucket, and after them those of what a list kept. */
export function firstBatches(lines: readonly number[]): readonly Batch[] {
  return lines
    .slice(0, bucketCount)
    .flatMap((to, bucket) =>
      to === 0
        ? []
        : split({ bucket, from: 0, to, attempt: 0, seconds: longestBatchSeconds }, Math.ceil(to / maxBatchLines)),
    );
}

export function sizeOf({ from, to }: Batch): number {
  return to - from;
}

export interface FailedBatch {
  readonly batch: Batch;
  /** The error of its Task; null if it is not known. */
  readonly error: string | null;
}

/** Errors that say nothing about a workload. */
const platformErrors =
  /^(Lambda\.(?!Unknown$).*|States\.(?!Timeout$).*|Throttled|Unreachable|Forbidden|Conflict|WorkListLost|SettingsInvalid|InputInvalid)$/;

/** How a function ends that takes too much memory or time, or has a defect. */
const killingErrors =
  /^(Runtime\.(ExitError|OutOfMemory|UnhandledPromiseRejection|Unknown)|Sandbox\.Timedout|States\.Timeout|Lambda\.Unknown|(Type|Range|Syntax|Reference)Error)$/;

const timeouts = new Set(["Sandbox.Timedout", "States.Timeout"]);

export interface NextRound {
  /** What runs again. */
  readonly batches: readonly Batch[];
  /** Failed batches that later rounds split. */
  readonly waiting: readonly Batch[];
  /** Batches of one workload that ends whatever evaluates it. */
  readonly killers: readonly FailedBatch[];
  /** What this poll does not reach any more. */
  readonly abandoned: readonly Batch[];
}

interface Progress {
  /** The round that has ended. */
  readonly round: number;
  readonly elapsedSeconds: number;
  /** Whether any batch of the poll evaluated something: otherwise the function is at fault, and no workload. */
  readonly hasEvaluated: boolean;
  /** Of the rounds before. */
  readonly waiting: readonly Batch[];
}

/**
 * Plans what follows on failed batches. They are split until the workload that ends the function is alone; if it does so twice, it is a
 * killer. What AWS could not run is repeated as it is. The smallest come first and what does not fit waits, so each poll finds some of
 * many killers. There are as many rounds as fit into the lease of a poll.
 */
export function planNextRound(failed: readonly FailedBatch[], progress: Progress): NextRound {
  const { round, elapsedSeconds, hasEvaluated, waiting } = progress;
  const counted = failed.map((one) => ({ ...one, batch: countAttempt(one) }));
  const isKiller = ({ batch }: FailedBatch) => batch.attempt >= killerAttempts && hasEvaluated;
  const killers = failed.filter((_, index) => isKiller(counted[index] as FailedBatch));
  const others = counted.filter((one) => !isKiller(one));
  const isRefused = !hasEvaluated && round >= refusedRounds && !failed.some(isKilled);
  const repeated = others.filter(isRepeated).map(({ batch }) => batch);
  const divided = [...others.filter((one) => !isRepeated(one)).map(({ batch }) => batch), ...waiting];
  const isLate = others.some(({ error }) => timeouts.has(error ?? ""));
  const next = fillRound(repeated, divided, isLate ? minPiecesOfTimeouts : minPieces);
  const seconds = Math.max(0, ...next.batches.map((batch) => batch.seconds));
  return isRefused || round >= maxRounds || elapsedSeconds + seconds > latestEndSeconds
    ? { batches: [], waiting: [], killers, abandoned: [...repeated, ...divided] }
    : { ...next, killers, abandoned: [] };
}

function isKilled({ error }: FailedBatch): boolean {
  return killingErrors.test(error ?? "");
}

/** Only what a workload does on its own counts against it. */
function countAttempt(one: FailedBatch): Batch {
  const { attempt } = one.batch;
  if (sizeOf(one.batch) > 1) return one.batch;
  return { ...one.batch, attempt: isKilled(one) ? attempt + 1 : attempt, seconds: shortBatchSeconds };
}

function isRepeated({ batch, error }: FailedBatch): boolean {
  return sizeOf(batch) === 1 || platformErrors.test(error ?? "");
}

/** Splits the smallest batches, as many as fit into a round: so the first killers are alone soon. */
function fillRound(repeated: readonly Batch[], divided: readonly Batch[], fewest: number) {
  const batches = [...repeated];
  const waiting: Batch[] = [];
  const room = maxBatches - batches.length;
  const pieces = Math.min(maxPieces, Math.max(fewest, Math.floor(room / Math.max(1, divided.length))));
  for (const batch of divided.toSorted((one, other) => sizeOf(one) - sizeOf(other))) {
    const parts = split({ ...batch, seconds: shortBatchSeconds }, pieces);
    if (batches.length + parts.length <= maxBatches) batches.push(...parts);
    else waiting.push(batch);
  }
  return { batches, waiting };
}

/** Splits a batch into at most this many parts of about the same size. */
function split(batch: Batch, pieces: number): readonly Batch[] {
  const size = Math.ceil(sizeOf(batch) / pieces);
  return Array.from({ length: Math.ceil(sizeOf(batch) / size) }, (_, index) => {
    const from = batch.from + index * size;
    return { ...batch, from, to: Math.min(from + size, batch.to) };
  });
}
