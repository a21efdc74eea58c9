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

interface Bucket {
  lines: number;
  pending: string;
  compressed: Buffer[];
}

export interface WorkListWriter {
  /** Adds a workload; resolves when its chunk, if that is complete, is stored. */
  add(bucket: number, workload: Workload): Promise<void>;
  /** Stores what is left. Returns how many lines each bucket has. */
  finish(): Promise<readonly number[]>;
}

/** Creates a writer of the work list of a poll, which holds a few compressed lines of each bucket. */
export function createWorkListWriter(workList: Pick<WorkList, "put">, poll: string): WorkListWriter {
  const buckets = Array.from({ length: bucketCount }, (): Bucket => ({ lines: 0, pending: "", compressed: [] }));

  function compress(bucket: Bucket): void {
    bucket.compressed.push(gzipSync(bucket.pending, { level: constants.Z_BEST_SPEED }));
    bucket.pending = "";
  }

  async function store(index: number, bucket: Bucket): Promise<void> {
    compress(bucket);
    const content = Buffer.concat(bucket.compressed.splice(0));
    await workList.put({ poll, bucket: index, chunk: Math.floor((bucket.lines - 1) / chunkLines) }, content);
  }

  return {
    async add(index, workload) {
      const bucket = buckets[index] as Bucket;
      bucket.pending += `${formatLine(workload)}\n`;
      bucket.lines += 1;
      if (bucket.lines % chunkLines === 0) await store(index, bucket);
      else if (bucket.pending.length > maxPendingLength) compress(bucket);
    },
    async finish() {
      for (const [index, bucket] of buckets.entries()) if (bucket.lines % chunkLines !== 0) await store(index, bucket);
      return buckets.map(({ lines }) => lines);
    },
  };
}

const unzip = promisify(gunzip);

/** Yields the workloads of a batch. Throws what `WorkList` throws. */
export async function* readBatch(
  workList: Pick<WorkList, "get">,
  poll: string,
  { bucket, from, to }: Batch,
): AsyncGenerator<Workload> {
  for (let chunk = Math.floor(from / chunkLines); chunk * chunkLines < to; chunk += 1) {
    const text = (await unzip(await workList.get({ poll, bucket, chunk }))).toString("utf8");
    const first = chunk * chunkLines;
    const lines = text.split("\n").slice(Math.max(0, from - first), Math.min(chunkLines, to - first));
    for (const line of lines) yield parseLine(line);
  }
}

/** Returns the keys of all chunks of a work list; `lines` has the size of each bucket. */
export function chunksOf(poll: string, lines: readonly number[]): readonly ChunkKey[] {
  return lines.flatMap((count, bucket) =>
    Array.from({ length: Math.ceil(count / chunkLines) }, (_, chunk) => ({ poll, bucket, chunk })),
  );
}
