import * as v from "valibot";
import { isAllowedFile, mayHaveAllowedFiles, mayNameImage } from "../../domain/git/select-files.ts";
import { formatRfc3339, secondsAfter } from "../../domain/text/rfc3339.ts";
import type { GitCommit, GitHead } from "../../ports/git-repository.ts";
import { type BlobEntry, readBlobs } from "./blobs.ts";
import { escapePath, type GitHubClient } from "./client.ts";

const maxFileBytes = 1024 * 1024;
const maxFiles = 5000;
const maxBytes = 32 * 1024 * 1024;
const tooMuch = `paths of the deployment have more than ${maxFiles} YAML files, or 32 MiB of them; narrow paths to the folders with images`;

const ref = v.object({ object: v.object({ sha: v.string() }) });
const tree = v.object({
  truncated: v.boolean(),
  tree: v.array(
    v.object({ path: v.string(), mode: v.string(), type: v.string(), sha: v.string(), size: v.optional(v.number()) }),
  ),
});
const log = v.array(v.object({ sha: v.string(), commit: v.object({ message: v.string() }) }));
type Entry = v.InferOutput<typeof tree>["tree"][number];

/** A file as it was read. Null if it is not UTF-8, empty if it names no image. */
interface ReadFile {
  readonly sha: string;
  readonly text: string | null;
}

/** Creates the reader of a branch. An unchanged branch costs one request. */
export function createHeadReader(
  client: GitHubClient,
  branch: string,
  paths: readonly string[],
): () => Promise<GitHead> {
  let known: GitHead | null = null;
  // By path; also what an attempt has read that failed then.
  let read: ReadonlyMap<string, ReadFile> = new Map();

  return async () => {
    const commit = await readRef(client, branch);
    if (known?.commit === commit) return known;
    const { wanted, skipped } = selectEntries(await listTree(client, commit, "", paths), paths);
    const before = read;
    const current = new Map(
      wanted.flatMap(({ path, sha }) => {
        const file = before.get(path);
        return file?.sha === sha ? [[path, file]] : [];
      }),
    );
    read = current;
    const missing = wanted.filter(({ path }) => !current.has(path));
    await readBlobs(client, missing, ({ path, sha }, text) => {
      current.set(path, { sha, text: text !== null && !mayNameImage(path, text) ? "" : text });
    });
    const files = new Map<string, string>();
    for (const { path } of wanted) {
      const text = current.get(path)?.text ?? null;
      if (text === null) skipped.set(path, "it is not UTF-8; save it as UTF-8");
      else if (text !== "") files.set(path, text);
    }
    return (known = { commit, files, skipped });
  };
}

/** Selects the files to read. What is too much is skipped: the rest of the repository stays usable. */
function selectEntries(
  entries: readonly Entry[],
  paths: readonly string[],
): { readonly wanted: readonly BlobEntry[]; readonly skipped: Map<string, string> } {
  const skipped = new Map<string, string>();
  const wanted: BlobEntry[] = [];
  let bytes = 0;
  for (const entry of entries.filter(({ path }) => isAllowedFile(path, paths))) {
    const { path, sha, size = 0 } = entry;
    const isTooMuch = wanted.length >= maxFiles || bytes + size > maxBytes;
    const reason = skipReason(entry) ?? (isTooMuch ? tooMuch : null);
    if (reason !== null) {
      skipped.set(path, reason);
      continue;
    }
    wanted.push({ path, sha, size });
    bytes += size;
  }
  return { wanted, skipped };
}

/** Returns the commit of a branch. */
export async function readRef(client: GitHubClient, branch: string): Promise<string> {
  const { object } = await client.read(ref, `/git/ref/heads/${escapePath(branch)}`);
  return object.sha;
}

/** Clocks differ. */
const toleranceSeconds = 600;

/** Reads the messages of commits up to a head, newest first: of all since a time, and 100 at most. */
export async function readLog(client: GitHubClient, head: string, since: Date): Promise<readonly GitCommit[]> {
  const from = formatRfc3339(secondsAfter(since, -toleranceSeconds));
  const found = await client.read(log, `/commits?sha=${head}&since=${encodeURIComponent(from)}&per_page=100`);
  return found.map(({ sha, commit }) => ({ commit: sha, message: commit.message }));
}

/** Lists the entries below a tree. One that GitHub truncates is listed folder by folder, where the paths are. */
async function listTree(
  client: GitHubClient,
  sha: string,
  prefix: string,
  paths: readonly string[],
): Promise<readonly Entry[]> {
  const all = await client.read(tree, `/git/trees/${sha}?recursive=1`);
  const place = (entry: Entry) => ({ ...entry, path: prefix + entry.path });
  if (!all.truncated) return all.tree.map(place);
  const entries: Entry[] = [];
  for (const entry of (await client.read(tree, `/git/trees/${sha}`)).tree.map(place)) {
    if (entry.type !== "tree") entries.push(entry);
    else if (mayHaveAllowedFiles(entry.path, paths))
      entries.push(...(await listTree(client, entry.sha, `${entry.path}/`, paths)));
  }
  return entries;
}

function skipReason({ mode, type, size = 0 }: Entry): string | null {
  if (mode === "120000") return "it is a symbolic link; name the file itself";
  if (type !== "blob") return `it is no file (${type}); name the file itself`;
  return size > maxFileBytes ? "it is larger than 1 MiB; move the image to a smaller file" : null;
}
