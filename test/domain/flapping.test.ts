import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordStart } from "../../functions/domain/bookkeeping.ts";
import { recordCheck } from "../../functions/domain/check-record.ts";
import { decideByDigest } from "../../functions/domain/digest-decision.ts";
import type { Digests } from "../../functions/domain/tracking.ts";
import { digest, followed, seen, tracking } from "../support/followed.ts";
import { after } from "../support/workloads.ts";

const minutesBetween = 5;
const looksInAnHour = 60 / minutesBetween;
const containers = ["app", "side"].map((name) => ({ name, image: `${name}:prod` }));

interface Restart {
  readonly look: number;
  readonly digests: Digests;
}

/** Looks at a workload once for each of the answers, and does what is decided at once. */
function follow(answers: readonly Digests[], last: Digests): { restarts: Restart[]; last: Digests } {
  let known = { ...tracking, containers, last };
  const restarts: Restart[] = [];
  for (const [look, answer] of answers.entries()) {
    const now = after(look * minutesBetween);
    const workload = followed({ digests: known });
    const decision = decideByDigest(workload, null, seen(answer), now);
    if (decision.kind === "update") restarts.push({ look, digests: answer });
    else if (decision.kind !== "hold") throw new Error(`decided ${decision.kind}`);
    const change =
      decision.kind === "update"
        ? recordStart(workload, { ...decision, isRestart: true }, "e-1", now)
        : recordCheck(workload, decision, now).change;
    known = { ...known, ...(change?.digests as Partial<typeof known>) };
  }
  return { restarts, last: known.last };
}

const of = (numbers: readonly number[]) => numbers.map((number) => ({ app: digest(number) }));
const restartsOf = (numbers: readonly number[], last = 1) =>
  follow(of(numbers), { app: digest(last) }).restarts.map(({ look }) => [look, numbers[look]]);

function repeated<T>(times: number, ...parts: readonly T[]): readonly T[] {
  return Array.from({ length: times }, () => parts).flat();
}

describe("a tag that is read from two replicas which differ", () => {
  test("strictly in turn, for a day: one restart", () => {
    expect(restartsOf(repeated(144, 1, 2))).toEqual([[1, 2]]);
  });

  test("at first sight in turn: one restart for each of the two, and none after that", () => {
    expect(follow(of(repeated(144, 1, 2)), {}).restarts).toHaveLength(2);
  });

  test("with one look in an hour that differs: one restart", () => {
    expect(restartsOf([2, ...repeated(20, ...repeated(looksInAnHour - 1, 1), 2)])).toEqual([[0, 2]]);
  });
});

describe("a tag that was moved", () => {
  test("to something new is followed at once, however often", () => {
    expect(restartsOf([2, 3, 4, 5])).toEqual([
      [0, 2],
      [1, 3],
      [2, 4],
      [3, 5],
    ]);
  });

  test("back for good is followed after an hour", () => {
    const back = repeated(30, 1);
    expect(restartsOf([2, ...back])).toEqual([
      [0, 2],
      [1 + looksInAnHour, 1],
    ]);
  });

  test("backwards and forwards between two looks is not noticed", () => {
    expect(restartsOf([1, 1, 1])).toEqual([]);
  });
});

describe("whatever a registry answers", () => {
  const answers = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 50, maxLength: 300 });
  // Runs of the same answer, so that some stand for an hour.
  const inRuns = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 20 })), { maxLength: 30 })
    .map((runs) => runs.flatMap(([number, times]) => repeated(times, number)));

  function hasStood(numbers: readonly number[], look: number): boolean {
    const hour = numbers.slice(look - looksInAnHour, look + 1);
    return look >= looksInAnHour && hour.every((number) => number === numbers[look]);
  }

  test("each digest is restarted for at once when it is new, and again only after it has stood for an hour", () => {
    const check = (numbers: readonly number[]) => {
      const restarted = new Set(restartsOf(numbers).map(([look]) => look));
      for (const [look, number] of numbers.entries()) {
        const isNew = number !== 1 && !numbers.slice(0, look).includes(number);
        const isRight = restarted.has(look) ? isNew || hasStood(numbers, look) : !isNew;
        expect(isRight, `look ${look} at ${number}`).toBe(true);
      }
    };
    fc.assert(fc.property(fc.oneof(answers, inRuns), check), { numRuns: 200 });
  });

  test("it comes to run what stands for more than an hour", () => {
    const check = (numbers: readonly number[], stands: number) => {
      const { last } = follow(of([...numbers, ...repeated(looksInAnHour + 1, stands)]), { app: digest(1) });
      expect(last).toEqual({ app: digest(stands) });
    };
    fc.assert(fc.property(fc.oneof(answers, inRuns), fc.integer({ min: 1, max: 6 }), check), { numRuns: 200 });
  });

  test("of two containers, every restart is for one that is new or has stood", () => {
    const check = (apps: readonly number[], sides: readonly number[]) => {
      const length = Math.min(apps.length, sides.length);
      const looked = Array.from({ length }, (_, look) => ({
        app: digest(apps[look] as number),
        side: digest(10 + (sides[look] as number)),
      }));
      for (const { look } of follow(looked, { app: digest(1), side: digest(11) }).restarts) {
        const isFor = (numbers: readonly number[]) =>
          ![1, ...numbers.slice(0, look)].includes(numbers[look] as number) || hasStood(numbers, look);
        expect(isFor(apps) || isFor(sides), `look ${look}`).toBe(true);
      }
    };
    fc.assert(fc.property(inRuns, inRuns, check), { numRuns: 200 });
  });
});
