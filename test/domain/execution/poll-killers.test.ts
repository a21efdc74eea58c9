import { expect, test } from "vitest";
import { type Batch, firstBatches, planNextRound, sizeOf } from "../../../functions/domain/execution/poll-batches.ts";

interface Kind {
  readonly error: string;
  /** How long a round takes, by the number of functions that were ended. */
  readonly roundSeconds: (batches: readonly Batch[], ended: number) => number;
}

const concurrency = 16;
const memory: Kind = {
  error: "Runtime.OutOfMemory",
  roundSeconds: ({ length }) => 4 * Math.ceil(length / concurrency),
};
const time: Kind = {
  error: "Sandbox.Timedout",
  roundSeconds: ([batch], ended) => (batch?.seconds ?? 0) * Math.ceil(ended / concurrency),
};

/** Polls one bucket of many. Returns the lines that were quarantined and how many healthy ones were not polled. */
function poll(lines: number, killers: ReadonlySet<number>, { error, roundSeconds }: Kind) {
  const quarantined: number[] = [];
  let [batches, waiting, elapsedSeconds, polled]: [readonly Batch[], readonly Batch[], number, number] = [
    firstBatches([lines]),
    [],
    110,
    0,
  ];
  for (let round = 1; batches.length > 0; round += 1) {
    const isEnded = ({ from, to }: Batch) => [...killers].some((line) => line >= from && line < to);
    const failed = batches.filter(isEnded).map((batch) => ({ batch, error }));
    polled += batches.filter((batch) => !isEnded(batch)).reduce((total, batch) => total + sizeOf(batch), 0);
    elapsedSeconds += roundSeconds(batches, failed.length);
    const next = planNextRound(failed, { round, elapsedSeconds, hasEvaluated: true, waiting });
    quarantined.push(...next.killers.map(({ batch }) => batch.from));
    ({ batches, waiting } = next);
  }
  return { quarantined, unreached: lines - killers.size - polled, elapsedSeconds };
}

function spread(lines: number, count: number): ReadonlySet<number> {
  const all = Array.from({ length: Math.min(lines, count) }, (_, index) => Math.floor(((index + 0.5) * lines) / count));
  return new Set(all.filter((line) => line < lines));
}

const sizes = [400, 12_500];

test.for(sizes.flatMap((lines) => [1, 20, 50].map((count) => ({ lines, count }))))(
  "$count killers among $lines are found in one poll, which reaches all others",
  ({ lines, count }) => {
    const killers = spread(lines, count);
    const { quarantined, unreached } = poll(lines, killers, memory);
    expect(new Set(quarantined)).toEqual(killers);
    expect(unreached).toBe(0);
  },
);

test.for([
  ...sizes.flatMap((lines) => [100, 400].map((count) => ({ lines, count, kind: memory, polls: 3 }))),
  { lines: 12_500, count: 500, kind: memory, polls: 3 },
  { lines: 12_500, count: 1, kind: time, polls: 1 },
  { lines: 400, count: 20, kind: time, polls: 3 },
  { lines: 12_500, count: 20, kind: time, polls: 3 },
])("$count killers ($kind.error) among $lines: every poll finds some, and $polls find all", (options) => {
  const { lines, count, kind, polls } = options;
  const killers = new Set(spread(lines, count));
  let needed = 0;
  while (killers.size > 0) {
    needed += 1;
    const { quarantined, elapsedSeconds } = poll(lines, killers, kind);
    expect(quarantined.length).toBeGreaterThan(0);
    expect(elapsedSeconds).toBeLessThan(15 * 60);
    for (const line of quarantined) killers.delete(line);
  }
  expect(needed).toBeLessThanOrEqual(polls);
});
