import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Batch,
  bucketCount,
  bucketOf,
  bucketsPerHost,
  type FailedBatch,
  firstBatches,
  maxBatchLines,
  planNextRound,
  sizeOf,
} from "../../../functions/domain/execution/poll-batches.ts";

const hash = fc.nat({ max: 0xff_ff_ff });

test("a registry is in a fixed number of buckets, and a repository in one", () => {
  fc.assert(
    fc.property(hash, fc.array(hash, { minLength: 1, maxLength: 500 }), (host, repositories) => {
      const buckets = new Set(repositories.map((repository) => bucketOf(host, repository)));
      expect(buckets.size).toBeLessThanOrEqual(bucketsPerHost);
      for (const bucket of buckets) expect(bucket).toBeLessThan(bucketCount);
    }),
  );
});

test("many repositories of a registry use all of its buckets", () => {
  const buckets = Array.from({ length: 100 }, (_, repository) => bucketOf(31, repository));
  expect(new Set(buckets).size).toBe(bucketsPerHost);
});

test("a bucket is one batch, unless it is larger than what an invocation holds; an empty one is none", () => {
  expect(firstBatches([0, 3, maxBatchLines, maxBatchLines + 1])).toEqual([
    { bucket: 1, from: 0, to: 3, attempt: 0, seconds: 250 },
    { bucket: 2, from: 0, to: maxBatchLines, attempt: 0, seconds: 250 },
    { bucket: 3, from: 0, to: 8001, attempt: 0, seconds: 250 },
    { bucket: 3, from: 8001, to: 16_001, attempt: 0, seconds: 250 },
  ]);
});

const progress = { round: 1, elapsedSeconds: 60, hasEvaluated: true, waiting: [] };
const killed = (batch: Partial<Batch> = {}, error: string | null = "Runtime.ExitError"): FailedBatch => ({
  batch: { bucket: 4, from: 100, to: 101, attempt: 1, seconds: 60, ...batch },
  error,
});

test.for([
  { error: "Runtime.ExitError", from: 0, to: 1 },
  { error: "Throttled", from: 0, to: 0 },
  { error: "Odd", from: 1, to: 1 },
])("what $error of a workload on its own counts: from $from to $to", ({ error, from, to }) => {
  const { batches } = planNextRound([killed({ attempt: from, seconds: 250 }, error)], progress);
  expect(batches).toEqual([killed({ attempt: to, seconds: 60 }).batch]);
});

test("what a batch of several did counts against none of its workloads, whose Tasks end early", () => {
  const { batches } = planNextRound([killed({ to: 102, attempt: 0, seconds: 250 })], progress);
  expect(batches).toMatchObject([
    { from: 100, to: 101, attempt: 0, seconds: 60 },
    { from: 101, to: 102, attempt: 0, seconds: 60 },
  ]);
});

describe("one failed batch", () => {
  test.for<{ when: string; failed: FailedBatch; progress?: object; next: readonly number[]; end: string }>([
    { when: "of many workloads", failed: killed({ to: 200 }), next: [64, 2], end: "" },
    { when: "of a few", failed: killed({ to: 103 }), next: [3, 1], end: "" },
    { when: "of one that ended its function before", failed: killed(), next: [], end: "killer" },
    { when: "of one for the first time", failed: killed({ attempt: 0 }), next: [1, 1], end: "" },
    {
      when: "of one, if nothing was evaluated",
      failed: killed(),
      progress: { hasEvaluated: false },
      next: [1, 1],
      end: "",
    },
    { when: "out of memory", failed: killed({}, "Runtime.OutOfMemory"), next: [], end: "killer" },
    { when: "that timed out", failed: killed({}, "Sandbox.Timedout"), next: [], end: "killer" },
    { when: "that its Task ended", failed: killed({}, "States.Timeout"), next: [], end: "killer" },
    { when: "of an unknown Lambda error", failed: killed({}, "Lambda.Unknown"), next: [], end: "killer" },
    { when: "with a defect", failed: killed({}, "TypeError"), next: [], end: "killer" },
    { when: "of one that was throttled", failed: killed({}, "Throttled"), next: [1, 1], end: "" },
    { when: "whose output was too large", failed: killed({}, "States.DataLimitExceeded"), next: [1, 1], end: "" },
    { when: "whose work list is lost", failed: killed({ to: 200 }, "WorkListLost"), next: [1, 100], end: "" },
    { when: "without an error", failed: killed({ to: 200 }, null), next: [64, 2], end: "" },
    { when: "of one, without an error", failed: killed({}, null), next: [1, 1], end: "" },
    { when: "of one, with another error", failed: killed({}, "SecretUnreadable"), next: [1, 1], end: "" },
    { when: "in the last round", failed: killed({ to: 200 }), progress: { round: 24 }, next: [], end: "abandoned" },
    { when: "in the last round but one", failed: killed({ to: 200 }), progress: { round: 23 }, next: [64, 2], end: "" },
    { when: "too late", failed: killed({ to: 200 }), progress: { elapsedSeconds: 791 }, next: [], end: "abandoned" },
    { when: "just in time", failed: killed({ to: 200 }), progress: { elapsedSeconds: 790 }, next: [64, 2], end: "" },
    {
      when: "if AWS refuses everything for the second time",
      failed: killed({ to: 200 }, "Forbidden"),
      progress: { round: 2, hasEvaluated: false },
      next: [],
      end: "abandoned",
    },
    {
      when: "if AWS refuses everything for the first time",
      failed: killed({ to: 200 }, "Forbidden"),
      progress: { hasEvaluated: false },
      next: [1, 100],
      end: "",
    },
    {
      when: "if every function ends, for the second time",
      failed: killed({ to: 200 }),
      progress: { round: 2, hasEvaluated: false },
      next: [64, 2],
      end: "",
    },
    { when: "of one, too late", failed: killed(), progress: { elapsedSeconds: 791 }, next: [], end: "killer" },
  ])("$when: $next $end", ({ failed, progress: parts = {}, next: [count = 0, size], end }) => {
    const { batches, killers, abandoned } = planNextRound([failed], { ...progress, ...parts });
    // 100 workloads in 64 parts are 50 of 2.
    expect(batches.length).toBe(count === 64 ? 50 : count);
    expect(batches[0] === undefined ? undefined : sizeOf(batches[0])).toBe(size);
    expect(killers).toEqual(end === "killer" ? [failed] : []);
    expect(abandoned).toEqual(end === "abandoned" ? [failed.batch] : []);
  });
});

test("whatever fails, each workload is in one place, and a round is bounded", () => {
  const range = fc.record({ size: fc.integer({ min: 1, max: 5000 }), attempt: fc.nat({ max: 3 }) });
  const error = fc.constantFrom("Runtime.ExitError", "Throttled", "Odd", null);
  fc.assert(
    fc.property(fc.array(fc.tuple(range, error), { maxLength: 128 }), fc.nat({ max: 9 }), (failures, round) => {
      const failed = failures.map(([{ size, attempt }, cause], bucket) =>
        killed({ bucket, from: 7, to: 7 + size, attempt }, cause),
      );
      const { batches, waiting, killers, abandoned } = planNextRound(failed, { ...progress, round });
      expect(batches.length).toBeLessThanOrEqual(128);
      const all = [...batches, ...waiting, ...abandoned, ...killers.map(({ batch }) => batch)];
      for (const { batch } of failed) {
        const parts = all.filter(({ bucket }) => bucket === batch.bucket).toSorted((a, b) => a.from - b.from);
        expect(parts[0]?.from).toBe(batch.from);
        expect(parts.at(-1)?.to).toBe(batch.to);
        for (const [index, part] of parts.slice(1).entries()) expect(part.from).toBe(parts[index]?.to);
      }
    }),
  );
});

test("a killer among 16,000 workloads is alone after three rounds, the time of which fits into a lease", () => {
  let batches = firstBatches([maxBatchLines]);
  let round = 1;
  for (; batches.some((batch) => sizeOf(batch) > 1); round += 1) {
    const killedBatch = batches.find(({ from, to }) => from <= 12_345 && to > 12_345);
    batches = planNextRound([killed(killedBatch)], { ...progress, round }).batches;
  }
  expect(round).toBeLessThanOrEqual(4);
});
