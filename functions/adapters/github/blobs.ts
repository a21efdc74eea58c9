import { createHash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { LRUCache } from "lru-cache";
import * as v from "valibot";
import { type GitHubClient, parse } from "./client.ts";
import { mapGraphqlError } from "./errors.ts";

export interface BlobEntry {
  readonly sha: string;
  readonly size: number;
}

/** Reads texts by the ids of their blobs. Null for one that is not UTF-8. What was read before is not requested again. */
export type ReadBlobs = (entries: readonly BlobEntry[]) => Promise<ReadonlyMap<string, string | null>>;

const maxCachedCharacters = 32 * 1024 * 1024;
/** Of one query. */
const maxBatch = 100;
const maxBatchBytes = 2 * 1024 * 1024;

const blobAnswer = v.object({
  repository: v.record(v.string(), v.nullable(v.object({ text: v.optional(v.nullable(v.string())) }))),
});
const restBlob = v.object({ content: v.string(), encoding: v.literal("base64") });

/** The id of a blob is the hash of its content, so that a text is cached for ever, and is checked. */
export function createBlobReader(client: GitHubClient): ReadBlobs {
  const cache = new LRUCache<string, { readonly text: string | null }>({
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ text }) => (text?.length ?? 0) + 100,
  });

  return async (entries) => {
    const texts = new Map<string, string | null>();
    const missing = new Map<string, BlobEntry>();
    for (const entry of entries) {
      const known = cache.get(entry.sha);
      if (known === undefined) missing.set(entry.sha, entry);
      else texts.set(entry.sha, known.text);
    }
    for (const batch of batchesOf([...missing.values()])) {
      for (const [sha, text] of await readBatch(client, batch)) {
        cache.set(sha, { text });
        texts.set(sha, text);
      }
    }
    return texts;
  };
}

async function readBatch(
  client: GitHubClient,
  batch: readonly BlobEntry[],
): Promise<readonly (readonly [string, string | null])[]> {
  const [owner, name] = client.repository.split("/");
  const fields = batch.map(({ sha }, index) => `b${index}: object(oid: "${sha}") { ... on Blob { text } }`).join(" ");
  const query = `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { ${fields} } }`;
  const { data, error } = await client.graphql(query, { owner, name });
  if (error !== null) throw mapGraphqlError(error, client.repository);
  const { repository } = parse(blobAnswer, data, client.repository);
  const texts: (readonly [string, string | null])[] = [];
  for (const [index, { sha }] of batch.entries()) {
    const text = repository[`b${index}`]?.text;
    // GraphQL cuts long texts, and may change what is not plain text.
    const isExact = typeof text === "string" && hashOf(Buffer.from(text)) === sha;
    texts.push([sha, isExact ? text : await readBytes(client, sha)]);
  }
  return texts;
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
