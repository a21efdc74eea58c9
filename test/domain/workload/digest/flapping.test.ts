import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordStart } from "../../../../functions/domain/workload/record/update-record.ts";
import { recordCheck } from "../../../../functions/domain/workload/record/record-check.ts";
import { decideByDigest } from "../../../../functions/domain/workload/digest/decide-by-digest.ts";
import type { RestartTarget } from "../../../../functions/domain/workload/target/target.ts";
import type { Digests } from "../../../../functions/domain/workload/digest/tracking.ts";
import { digest, digestWorkload, observedDigests, tracking } from "../../../support/digest-workloads.ts";
import { after } from "../../../support/workloads.ts";

const pollIntervalMinutes = 5;
const pollsPerHour = 60 / pollIntervalMinutes;
const containers = ["app", "side"].map((name) => ({ name, image: `${name}:prod` }));

interface Restart {
  readonly poll: number;
  readonly digests: Digests;
}

/** Polls a workload once for each answer, and applies each decision immediately. */
function simulate(answers: readonly Digests[], last: Digests): { restarts: Restart[]; last: Digests } {
  let known = { ...tracking, containers, deployed: last };
  const restarts: Restart[] = [];
  for (const [poll, answer] of answers.entries()) {
    const now = after(poll * pollIntervalMinutes);
    const workload = digestWorkload({ digests: known });
    const decision = decideByDigest(workload, null, observedDigests(answer), now);
    if (decision.kind === "update") restarts.push({ poll, digests: answer });
    else if (decision.kind !== "hold") throw new Error(`decided ${decision.kind}`);
    const change =
      decision.kind === "update"
        ? recordStart(workload, { digests: null, ...decision, target: decision.target as RestartTarget }, "e-1", now)
        : recordCheck(workload, decision, now).change;
    known = { ...known, ...(change?.digests as Partial<typeof known>) };
  }
  return { restarts, last: known.deployed };
}

const of = (numbers: readonly number[]) => numbers.map((number) => ({ app: digest(number) }));
const restartsOf = (numbers: readonly number[], last = 1) =>
  simulate(of(numbers), { app: digest(last) }).restarts.map(({ poll }) => [poll, numbers[poll]]);

function repeated<T>(times: number, ...parts: readonly T[]): readonly T[] {
  return Array.from({ length: times }, () => parts).flat();
}

describe("a tag of two registry replicas that differ", () => {
  test("alternating for a day causes one restart", () => {
    expect(restartsOf(repeated(144, 1, 2))).toEqual([[1, 2]]);
  });

  test("alternating without recorded digests causes one restart for each digest", () => {
    expect(simulate(of(repeated(144, 1, 2)), {}).restarts).toHaveLength(2);
  });

  test("with one different poll in an hour causes one restart", () => {
    expect(restartsOf([2, ...repeated(20, ...repeated(pollsPerHour - 1, 1), 2)])).toEqual([[0, 2]]);
  });
});

describe("a tag that was moved", () => {
  test("to new digests is applied immediately, any number of times", () => {
    expect(restartsOf([2, 3, 4, 5])).toEqual([
      [0, 2],
      [1, 3],
      [2, 4],
      [3, 5],
    ]);
  });

  test("back permanently is applied after an hour", () => {
    const back = repeated(30, 1);
    expect(restartsOf([2, ...back])).toEqual([
      [0, 2],
      [1 + pollsPerHour, 1],
    ]);
  });
});

describe("for any answers of a registry", () => {
  const answers = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 50, maxLength: 300 });
  // Runs of the same answer, so that some last for an hour.
  const runsOf = (max: number) =>
    fc
      .array(fc.tuple(fc.integer({ min: 1, max }), fc.integer({ min: 1, max: 20 })), { maxLength: 30 })
      .map((runs) => runs.flatMap(([number, times]) => repeated(times, number)));
  const inRuns = runsOf(6);
  // 9 combinations: Pawl remembers the last 10, and treats an older one as new.
  const ofThree = runsOf(3);

  function isConfirmed(numbers: readonly number[], poll: number): boolean {
    const hour = numbers.slice(poll - pollsPerHour, poll + 1);
    return poll >= pollsPerHour && hour.every((number) => number === numbers[poll]);
  }

  test("restarts for a new digest immediately, and for a previous one only after an hour", () => {
    const check = (numbers: readonly number[]) => {
      const restarted = new Set(restartsOf(numbers).map(([poll]) => poll));
      for (const [poll, number] of numbers.entries()) {
        const isNew = number !== 1 && !numbers.slice(0, poll).includes(number);
        const isRight = restarted.has(poll) ? isNew || isConfirmed(numbers, poll) : !isNew;
        expect(isRight, `poll ${poll} of ${number}`).toBe(true);
      }
    };
    fc.assert(fc.property(fc.oneof(answers, inRuns), check), { numRuns: 200 });
  });

  test("runs a digest that lasts for more than an hour", () => {
    const check = (numbers: readonly number[], stable: number) => {
      const { last } = simulate(of([...numbers, ...repeated(pollsPerHour + 1, stable)]), { app: digest(1) });
      expect(last).toEqual({ app: digest(stable) });
    };
    fc.assert(fc.property(fc.oneof(answers, inRuns), fc.integer({ min: 1, max: 6 }), check), { numRuns: 200 });
  });

  test("with two containers, restarts only for a digest that is new or confirmed", () => {
    const check = (apps: readonly number[], sides: readonly number[]) => {
      const length = Math.min(apps.length, sides.length);
      const observations = Array.from({ length }, (_, poll) => ({
        app: digest(apps[poll] as number),
        side: digest(10 + (sides[poll] as number)),
      }));
      for (const { poll } of simulate(observations, { app: digest(1), side: digest(11) }).restarts) {
        const isFor = (numbers: readonly number[]) =>
          ![1, ...numbers.slice(0, poll)].includes(numbers[poll] as number) || isConfirmed(numbers, poll);
        expect(isFor(apps) || isFor(sides), `poll ${poll}`).toBe(true);
      }
    };
    fc.assert(fc.property(ofThree, ofThree, check), { numRuns: 200 });
  });
});
