import { describe, expect, test } from "vitest";
import { endOfPlaces } from "../../functions/polling/place.ts";
import { hasTurn, mostParts, type PartEnd, restAfter, wholePoll } from "../../functions/polling/rest.ts";
import type { PollRest } from "../../functions/ports/polls.ts";
import { noon } from "../support/workloads.ts";

const rest: PollRest = { seed: "s", from: 0, behind: {}, startedAt: noon.toISOString(), part: 1 };
const catchingUp = { from: endOfPlaces, behind: { slow: 100 } };
const end: PartEnd = { until: endOfPlaces, later: new Set(), undone: new Map(), silent: new Set() };

function undone(places: Readonly<Record<string, number>>): PartEnd["undone"] {
  return new Map(Object.entries(places).map(([host, place]) => [host, { place, count: 1 }]));
}

describe("after one part", () => {
  test.for<{ when: string; was?: Partial<PollRest>; end?: Partial<PartEnd>; next: Partial<PollRest> | null }>([
    { when: "everything was done", next: null },
    {
      when: "there was more than fits",
      end: { until: 500, later: new Set(["a"]) },
      next: { from: 500, behind: {}, part: 2 },
    },
    {
      when: "a registry was slow",
      end: { undone: undone({ slow: 7 }) },
      next: { from: endOfPlaces, behind: { slow: 7 } },
    },
    {
      when: "there was more, and a registry was slow",
      end: { until: 500, later: new Set(["a", "slow"]), undone: undone({ slow: 7 }) },
      next: { from: 500, behind: { slow: 7 } },
    },
    {
      when: "all that there was more waits for what was slow",
      end: { until: 500, later: new Set(["slow"]), undone: undone({ slow: 7 }) },
      next: { from: endOfPlaces, behind: { slow: 7 } },
    },
    {
      when: "what was behind still waits",
      was: { from: 500, behind: { slow: 7 } },
      end: { undone: undone({ other: 600 }) },
      next: { from: endOfPlaces, behind: { slow: 7, other: 600 } },
    },
    { when: "no place was got past", was: { from: 500 }, end: { until: 500, later: new Set(["a"]) }, next: null },
    { when: "what was behind is done", was: catchingUp, next: null },
    {
      when: "what was behind got further",
      was: catchingUp,
      end: { undone: undone({ slow: 101 }) },
      next: { from: endOfPlaces, behind: { slow: 101 } },
    },
    { when: "what was behind got no further", was: catchingUp, end: { undone: undone({ slow: 100 }) }, next: null },
    {
      when: "what was behind got further by failing",
      was: catchingUp,
      end: { undone: undone({ slow: 101 }), silent: new Set(["slow"]) },
      next: null,
    },
    {
      when: "one that was behind got further and one did not",
      was: { from: endOfPlaces, behind: { slow: 100, dead: 50 } },
      end: { undone: undone({ slow: 101, dead: 50 }) },
      next: { from: endOfPlaces, behind: { slow: 101 } },
    },
    {
      when: "what was behind is more than fits",
      was: catchingUp,
      end: { until: 900, later: new Set(["slow"]) },
      next: { from: endOfPlaces, behind: { slow: 900 } },
    },
    { when: "there were enough parts", was: { part: mostParts }, end: { until: 5, later: new Set(["a"]) }, next: null },
  ])("where $when", ({ was, end: own, next }) => {
    const after = restAfter({ ...rest, ...was }, { ...end, ...own });
    const same = { seed: "s", startedAt: rest.startedAt };
    expect({ after }).toMatchObject({ after: next === null ? null : { ...same, ...next } });
  });

  test("no more registries are handed on than an invocation holds", () => {
    const slow = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`r-${index}.example`, index]));
    const next = restAfter(rest, { ...end, undone: undone(slow) });
    expect(Object.keys(next?.behind ?? {})).toHaveLength(500);
  });
});

test("what is behind has its turn when everybody else has had theirs, from where it was", () => {
  const slow = { host: "slow", place: 600 };
  expect(hasTurn({ ...rest, from: 500, behind: { slow: 7 } }, slow)).toBe(false);
  expect(hasTurn({ ...rest, from: endOfPlaces, behind: { slow: 7 } }, slow)).toBe(true);
  expect(hasTurn({ ...rest, from: endOfPlaces, behind: { slow: 601 } }, slow)).toBe(false);
  expect(hasTurn({ ...rest, from: endOfPlaces, behind: { slow: 7 } }, { host: "quick", place: 600 })).toBe(false);
});

test("each poll has a seed of its own", () => {
  expect(wholePoll(noon).seed).not.toBe(wholePoll(noon).seed);
});
