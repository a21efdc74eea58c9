import type { Found, Told } from "./contenders/job.ts";
import { newestOf, repositoryOf, type Shelf } from "./images.ts";
import type { Measured } from "./measured.ts";
import { type Counts, totalOf } from "./registry/counts.ts";

/** One run, or the medians of several. */
export interface Outcome {
  readonly requests: number;
  readonly peakInFlight: number;
  /** That were opened. */
  readonly connections: number;
  /** The look-up alone. */
  readonly seconds: number;
  /** The process from start to end. */
  readonly wholeSeconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

export function outcomeOf({ seconds, wholeSeconds, cpuSeconds, peakBytes }: Measured & Told, counts: Counts): Outcome {
  const { peakInFlight, connections } = counts;
  return { requests: totalOf(counts), peakInFlight, connections, seconds, wholeSeconds, cpuSeconds, peakBytes };
}

/** Each figure's own median, of at least one run. */
export function medians(runs: readonly Outcome[]): Outcome {
  const middle = (figure: keyof Outcome) => median(runs.map((run) => run[figure]));
  return {
    requests: middle("requests"),
    peakInFlight: middle("peakInFlight"),
    connections: middle("connections"),
    seconds: middle("seconds"),
    wholeSeconds: middle("wholeSeconds"),
    cpuSeconds: middle("cpuSeconds"),
    peakBytes: middle("peakBytes"),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return (low + high) / 2;
}

/** Who finds something else than the newest tag of each image has not done the work, and is not counted. */
export function assertRight(contender: string, found: Found, shelf: Shelf): void {
  const wrong = Array.from({ length: shelf.images }, (_, index) => index).filter(
    (index) => found[repositoryOf(index)] !== newestOf(index, shelf),
  );
  const [first] = wrong;
  if (first === undefined) return;
  const name = repositoryOf(first);
  throw new Error(
    `${contender} is wrong about ${wrong.length} of ${shelf.images} images: ` +
      `${name} is at ${newestOf(first, shelf)}, and it says ${found[name] ?? "nothing"}`,
  );
}
