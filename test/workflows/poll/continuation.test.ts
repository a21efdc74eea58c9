import { describe, expect, test } from "vitest";
import {
  type BatchEnd,
  isInThisPart,
  newPoll,
  nextContinuation,
} from "../../../functions/workflows/poll/continuation.ts";
import { maxParts, type PollContinuation, shardKeyLimit } from "../../../functions/ports/poll-continuation.ts";
import { noon } from "../../support/workloads.ts";

const continuation: PollContinuation = {
  seed: "s",
  cursor: 0,
  laggingRegistries: {},
  startedAt: noon.toISOString(),
  part: 1,
};
const catchUpPass = { cursor: shardKeyLimit, laggingRegistries: { slow: 100 } };
const end: BatchEnd = {
  nextShardKey: shardKeyLimit,
  deferredRegistries: new Set(),
  unfinished: new Map(),
  unresponsiveRegistries: new Set(),
};

function unfinished(shardKeys: Readonly<Record<string, number>>): BatchEnd["unfinished"] {
  return new Map(Object.entries(shardKeys).map(([host, shardKey]) => [host, { shardKey, count: 1 }]));
}

describe("the next continuation", () => {
  test.for<{
    when: string;
    previous?: Partial<PollContinuation>;
    end?: Partial<BatchEnd>;
    next: Partial<PollContinuation> | null;
  }>([
    { when: "everything was processed", next: null },
    {
      when: "more workloads are pending than fit into memory",
      end: { nextShardKey: 500, deferredRegistries: new Set(["a"]) },
      next: { cursor: 500, laggingRegistries: {}, part: 2 },
    },
    {
      when: "a registry missed the deadline",
      end: { unfinished: unfinished({ slow: 7 }) },
      next: { cursor: shardKeyLimit, laggingRegistries: { slow: 7 } },
    },
    {
      when: "more workloads are pending, and a registry missed the deadline",
      end: { nextShardKey: 500, deferredRegistries: new Set(["a", "slow"]), unfinished: unfinished({ slow: 7 }) },
      next: { cursor: 500, laggingRegistries: { slow: 7 } },
    },
    {
      when: "all further workloads belong to a lagging registry",
      end: { nextShardKey: 500, deferredRegistries: new Set(["slow"]), unfinished: unfinished({ slow: 7 }) },
      next: { cursor: shardKeyLimit, laggingRegistries: { slow: 7 } },
    },
    {
      when: "a registry lags since an earlier part",
      previous: { cursor: 500, laggingRegistries: { slow: 7 } },
      end: { unfinished: unfinished({ other: 600 }) },
      next: { cursor: shardKeyLimit, laggingRegistries: { slow: 7, other: 600 } },
    },
    {
      when: "the cursor did not advance",
      previous: { cursor: 500 },
      end: { nextShardKey: 500, deferredRegistries: new Set(["a"]) },
      next: null,
    },
    { when: "the lagging registry was completed", previous: catchUpPass, next: null },
    {
      when: "the lagging registry made progress",
      previous: catchUpPass,
      end: { unfinished: unfinished({ slow: 101 }) },
      next: { cursor: shardKeyLimit, laggingRegistries: { slow: 101 } },
    },
    {
      when: "the lagging registry made no progress",
      previous: catchUpPass,
      end: { unfinished: unfinished({ slow: 100 }) },
      next: null,
    },
    {
      when: "the lagging registry returned only errors",
      previous: catchUpPass,
      end: { unfinished: unfinished({ slow: 101 }), unresponsiveRegistries: new Set(["slow"]) },
      next: null,
    },
    {
      when: "one of two lagging registries made progress",
      previous: { cursor: shardKeyLimit, laggingRegistries: { slow: 100, dead: 50 } },
      end: { unfinished: unfinished({ slow: 101, dead: 50 }) },
      next: { cursor: shardKeyLimit, laggingRegistries: { slow: 101 } },
    },
    {
      when: "the workloads of the lagging registry do not fit into memory",
      previous: catchUpPass,
      end: { nextShardKey: 900, deferredRegistries: new Set(["slow"]) },
      next: { cursor: shardKeyLimit, laggingRegistries: { slow: 900 } },
    },
    {
      when: "the poll had the maximum number of parts",
      previous: { part: maxParts },
      end: { nextShardKey: 5, deferredRegistries: new Set(["a"]) },
      next: null,
    },
  ])("if $when", ({ previous, end: changed, next }) => {
    const actual = nextContinuation({ ...continuation, ...previous }, { ...end, ...changed });
    const same = { seed: "s", startedAt: continuation.startedAt };
    expect({ actual }).toMatchObject({ actual: next === null ? null : { ...same, ...next } });
  });

  test("lists at most as many lagging registries as fit into an invocation", () => {
    const slow = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`r-${index}.example`, index]));
    const next = nextContinuation(continuation, { ...end, unfinished: unfinished(slow) });
    expect(Object.keys(next?.laggingRegistries ?? {})).toHaveLength(500);
  });
});

test("lagging registries are processed after all others, from their lowest pending shard key", () => {
  const slow = { host: "slow", shardKey: 600 };
  expect(isInThisPart({ ...continuation, cursor: 500, laggingRegistries: { slow: 7 } }, slow)).toBe(false);
  expect(isInThisPart({ ...continuation, cursor: shardKeyLimit, laggingRegistries: { slow: 7 } }, slow)).toBe(true);
  expect(isInThisPart({ ...continuation, cursor: shardKeyLimit, laggingRegistries: { slow: 601 } }, slow)).toBe(false);
  expect(
    isInThisPart(
      { ...continuation, cursor: shardKeyLimit, laggingRegistries: { slow: 7 } },
      { host: "fast", shardKey: 600 },
    ),
  ).toBe(false);
});

test("every poll has its own seed", () => {
  expect(newPoll(noon).seed).not.toBe(newPoll(noon).seed);
});
