import type { FoundTags, LookupResult } from "./contenders/job.ts";
import { expectedTag, repositoryName, type TagList } from "./images.ts";
import type { Measurement } from "./measure-process.ts";
import { type RequestCounts, countRequests } from "./registry/counts.ts";

/** One run, or the medians of several. */
export interface Outcome {
  readonly requests: number;
  readonly peakInFlight: number;
  /** Opened connections. */
  readonly connections: number;
  /** Duration of the look-up. */
  readonly seconds: number;
  /** From the start of the process to its end. */
  readonly wholeSeconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

export function createOutcome(
  { seconds, wholeSeconds, cpuSeconds, peakBytes }: Measurement & LookupResult,
  counts: RequestCounts,
): Outcome {
  const { peakInFlight, connections } = counts;
  return { requests: countRequests(counts), peakInFlight, connections, seconds, wholeSeconds, cpuSeconds, peakBytes };
}

/** Returns the median of each figure of at least one run. */
export function medianOutcome(runs: readonly Outcome[]): Outcome {
  const medianOf = (figure: keyof Outcome) => median(runs.map((run) => run[figure]));
  return {
    requests: medianOf("requests"),
    peakInFlight: medianOf("peakInFlight"),
    connections: medianOf("connections"),
    seconds: medianOf("seconds"),
    wholeSeconds: medianOf("wholeSeconds"),
    cpuSeconds: medianOf("cpuSeconds"),
    peakBytes: medianOf("peakBytes"),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return (low + high) / 2;
}

/** Throws if a contender did not find the newest tag of every image: its measurement does not count. */
export function assertCorrect(contender: string, found: FoundTags, tagList: TagList): void {
  const wrong = Array.from({ length: tagList.images }, (_, index) => index).filter(
    (index) => found[repositoryName(index)] !== expectedTag(index, tagList),
  );
  const [first] = wrong;
  if (first === undefined) return;
  const name = repositoryName(first);
  throw new Error(
    `${contender}: wrong result for ${wrong.length} of ${tagList.images} images: ` +
      `${name}: expected ${expectedTag(first, tagList)}, got ${found[name] ?? "nothing"}`,
  );
}
