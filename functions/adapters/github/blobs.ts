import { createHash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import * as v from "valibot";
import { type GitHubClient, parse } from "./client.ts";
import { mapGraphqlError } from "./errors.ts";

export interface BlobEntry {
  readonly path: string;
  readonly sha: string;
  readonly size: number;
}

/** Of one query. */
const maxBatch = 100;
const maxBatchBytes = 2 * 1024 * 1024;

const blobAnswer = v.object({
  repository: v.record(v.string(), v.nullable(v.object({ text: v.optional(v.nullable(v.string())) }))),
});
const restBlob = v.object({ content: v.string(), encoding: v.literal("base64") });

/** At once. */
const maxQueries = 4;

/** Reads texts in batches, and yields each as it comes: a repository may have more than fits into memory. Null for one that is not UTF-8. */
export async function readBlobs(
  client: GitHubClient,
  entries: readonly BlobEntry[],
  take: (entry: BlobEntry, text: string | null) => void,
): Promise<void> {
  const batches = batchesOf(entries);
  for (let next = 0; next < batches.length; next += maxQueries) {
    const reads = batches.slice(next, next + maxQueries).map((batch) => readBatch(client, batch, take));
    // No request may outlive the call.
    const failure = (await Promise.allSettled(reads)).find(({ status }) => status === "rejected");
    if (failure?.status === "rejected") throw failure.reason;
  }
}

async function readBatch(
  client: GitHubClient,
  batch: readonly BlobEntry[],
  take: (entry: BlobEntry, text: string | null) => void,
): Promise<void> {
  const [owner, name] = client.repository.split("/");
  const fields = batch.map(({ sha }, index) => `b${index}: object(oid: "${sha}") { ... on Blob { text } }`).join(" ");
  const query = `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { ${fields} } }`;
  const { data, error } = await client.graphql(query, { owner, name });
  if (error !== null) throw mapGraphqlError(error, client.repository);
  const { repository } = parse(blobAnswer, data, client.repository);
  for (const [index, entry] of batch.entries()) {
    const text = repository[`b${index}`]?.text;
    // GraphQL cuts long texts, and may change what is not plain text.
    const isExact = typeof text === "string" && hashOf(Buffer.from(text)) === entry.sha;
    take(entry, isExact ? text : await readBytes(client, entry.sha));
  }
}

async function readBytes(client: GitHubClient, sha: string): Promise<string | null> {
  const { content } = await client.read(restBlob, `/git/blobs/${sha}`);
  const bytes = Buffer.from(content, "base64");
  return isUtf8(bytes) ? bytes.toString("utf8") : null;
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
}

function batchesOf(entries: readonly BlobEntry[]): readonly (readonly BlobEntry[])[] {
  const batches: BlobEntry[][] = [];
  let bytes = Infinity;
  for (const entry of entries) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= maxBatch || bytes + entry.size > maxBatchBytes) {
      batches.push([entry]);
      bytes = entry.size;
    } else {
      last.push(entry);
      bytes += entry.size;
    }
  }
  return batches;
}
