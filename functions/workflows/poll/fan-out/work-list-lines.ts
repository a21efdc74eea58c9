import { promisify } from "node:util";
import { constants, gunzip, gzipSync } from "node:zlib";
import { type Batch, bucketCount } from "../../../domain/execution/poll-batches.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { ChunkKey, WorkList } from "../../../ports/work-list.ts";
import { formatLine, parseLine } from "./workload-line.ts";

/** Each object in S3 is charged: 1,000 workloads have about 4 MB, and a tenth of it compressed. */
export const chunkLines = 1000;

/** In characters: what a bucket holds uncompressed. A file of several gzip members is valid. */
const maxPendingLength = 64 * 1024;

type WorkListLines = Pick<Batch, "bucket" | "from" | "to">;

interface Bucket {
  lines: number;
  pending: string;
  compressed: Buffer[];
}

export interface WorkListWriter {
  /** Adds a workload; resolves when its chunk, if that is complete, is stored. */
  add(bucket: number, workload: Workload): Promise<void>;
  /** Adds lines to a bucket of their own, after those of the workloads. */
  addBucket(lines: Iterable<string>): Promise<void>;
  /** Stores what is left. Returns how many lines each bucket has. */
  finish(): Promise<readonly number[]>;
}

/**
 * Creates a writer of the work list of a poll, which holds a few compressed lines of each bucket. With the sizes of its buckets it continues
 * a work list.
 */
export async function createWorkListWriter(
  workList: Pick<WorkList, "put" | "get">,
  poll: string,
  sizes: readonly number[] = Array.from({ length: bucketCount }, () => 0),
): Promise<WorkListWriter> {
  const buckets = sizes.map((lines): Bucket => ({ lines, pending: "", compressed: [] }));

  function compress(bucket: Bucket): void {
    bucket.compressed.push(gzipSync(bucket.pending, { level: constants.Z_BEST_SPEED }));
    bucket.pending = "";
  }

  async function store(index: number, bucket: Bucket): Promise<void> {
    compress(bucket);
    const content = Buffer.concat(bucket.compressed.splice(0));
    await workList.put({ poll, bucket: index, chunk: Math.floor((bucket.lines - 1) / chunkLines) }, content);
  }

  async function addLine(index: number, line: string): Promise<void> {
    const bucket = buckets[index] as Bucket;
    bucket.pending += `${line}\n`;
    bucket.lines += 1;
    if (bucket.lines % chunkLines === 0) await store(index, bucket);
    else if (bucket.pending.length > maxPendingLength) compress(bucket);
  }

  // The chunks that are not complete are written again. A process that was killed may have written more of them.
  for (const [index, bucket] of buckets.slice(0, bucketCount).entries()) {
    const to = bucket.lines;
    bucket.lines -= to % chunkLines;
    for await (const line of readLines(workList, poll, { bucket: index, from: bucket.lines, to }))
      await addLine(index, line);
  }

  return {
    add: (index, workload) => addLine(index, formatLine(workload)),
    async addBucket(lines) {
      const index = buckets.push({ lines: 0, pending: "", compressed: [] }) - 1;
      for (const line of lines) await addLine(index, line);
    },
    async finish() {
      const isContinued = (index: number) => index < bucketCount || index >= sizes.length;
      for (const [index, bucket] of buckets.entries())
        if (isContinued(index) && bucket.lines % chunkLines !== 0) await store(index, bucket);
      return buckets.map(({ lines }) => lines);
    },
  };
}

const unzip = promisify(gunzip);

/** Yields the workloads of a batch. Throws what `WorkList` throws. */
export async function* readBatch(
  workList: Pick<WorkList, "get">,
  poll: string,
  batch: Batch,
): AsyncGenerator<Workload> {
  for await (const line of readLines(workList, poll, batch)) yield parseLine(line);
}

/** Yields lines of a bucket. Throws what `WorkList` throws. */
export async function* readLines(
  workList: Pick<WorkList, "get">,
  poll: string,
  { bucket, from, to }: WorkListLines,
): AsyncGenerator<string> {
  for (let chunk = Math.floor(from / chunkLines); chunk * chunkLines < to; chunk += 1) {
    const text = (await unzip(await workList.get({ poll, bucket, chunk }))).toString("utf8");
    const first = chunk * chunkLines;
    yield* text.split("\n").slice(Math.max(0, from - first), Math.min(chunkLines, to - first));
  }
}

/** Returns how many workloads a work list has. */
export function sizeOfList(lines: readonly number[]): number {
  return lines.slice(0, bucketCount).reduce((total, count) => total + count, 0);
}

/** Returns the keys of all chunks of a work list; `lines` has the size of each bucket. */
export function chunksOf(poll: string, lines: readonly number[]): readonly ChunkKey[] {
  return lines.flatMap((count, bucket) =>
    Array.from({ length: Math.ceil(count / chunkLines) }, (_, chunk) => ({ poll, bucket, chunk })),
  );
}
