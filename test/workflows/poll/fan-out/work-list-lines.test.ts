import { expect, test } from "vitest";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import {
  chunksOf,
  createWorkListWriter,
  readBatch,
} from "../../../../functions/workflows/poll/fan-out/work-list-lines.ts";
import { createMemoryWorkList } from "../../../support/fakes/memory-work-list.ts";
import { createWorkloads } from "../many-workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

async function writeAll(workloads: readonly Workload[], bucketOf: (index: number) => number) {
  const workList = createMemoryWorkList();
  const writer = await createWorkListWriter(workList, "p");
  for (const [index, one] of workloads.entries()) await writer.add(bucketOf(index), one);
  return { workList, lines: await writer.finish() };
}

async function namesIn(workloads: AsyncIterable<Workload>): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { ref } of workloads) names.push(ref.name);
  return names;
}

test.for([
  { count: 1, from: 0, to: 1 },
  { count: 1000, from: 0, to: 1000 },
  { count: 1001, from: 1000, to: 1001 },
  { count: 2100, from: 0, to: 2100 },
  { count: 2100, from: 999, to: 1001 },
  { count: 2100, from: 2000, to: 2001 },
])("of $count workloads a batch has those from $from to $to", async ({ count, from, to }) => {
  const workloads = createWorkloads(count);
  const { workList, lines } = await writeAll(workloads, () => 7);
  expect(lines[7]).toBe(count);
  const names = await namesIn(readBatch(workList, "p", { bucket: 7, from, to, attempt: 0, seconds: 250 }));
  expect(names).toEqual(workloads.slice(from, to).map(({ ref }) => ref.name));
});

test("every bucket has its own lines, and all chunks are known", async () => {
  const workloads = createWorkloads(3300);
  const { workList, lines } = await writeAll(workloads, (index) => index % 3);
  expect(lines.slice(0, 4)).toEqual([1100, 1100, 1100, 0]);
  expect(workList.keys()).toHaveLength(6);
  for (const bucket of [0, 1, 2]) {
    const names = await namesIn(readBatch(workList, "p", { bucket, from: 0, to: 1100, attempt: 0, seconds: 250 }));
    expect(names).toEqual(workloads.filter((_, index) => index % 3 === bucket).map(({ ref }) => ref.name));
  }
  await workList.delete(chunksOf("p", lines));
  expect(workList.keys()).toEqual([]);
});

test("holds little: a chunk is compressed while it is written", async () => {
  const long = createWorkloads(249).map((one) => ({ ...one, problems: problemsOf("x".repeat(10_000)) }));
  const { workList } = await writeAll(long, () => 0);
  const content = await workList.get({ poll: "p", bucket: 0, chunk: 0 });
  // Several gzip members.
  expect(content.length).toBeLessThan(100_000);
  expect(
    await namesIn(readBatch(workList, "p", { bucket: 0, from: 0, to: 249, attempt: 0, seconds: 250 })),
  ).toHaveLength(249);
});

test("a chunk that is lost fails its batch", async () => {
  const { workList } = await writeAll(createWorkloads(3), () => 0);
  await workList.delete([{ poll: "p", bucket: 0, chunk: 0 }]);
  await expect(
    namesIn(readBatch(workList, "p", { bucket: 0, from: 0, to: 3, attempt: 0, seconds: 250 })),
  ).rejects.toMatchObject({
    name: "WorkListLost",
  });
});
