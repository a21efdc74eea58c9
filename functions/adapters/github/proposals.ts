import * as v from "valibot";
import type { GitChange, GitProposal } from "../../ports/git-repository.ts";
import { escapePath, type GitHubClient, parse } from "./client.ts";
import { commitOn } from "./commit.ts";
import { mapResponseError, messageOf } from "./errors.ts";
import { readRef } from "./read-head.ts";

const pull = v.object({
  number: v.number(),
  html_url: v.string(),
  state: v.picklist(["open", "closed"]),
  merged_at: v.optional(v.nullable(v.string())),
  merge_commit_sha: v.optional(v.nullable(v.string())),
  body: v.nullable(v.string()),
  head: v.object({ ref: v.string() }),
});
type Pull = v.InferOutput<typeof pull>;
const comparison = v.object({ ahead_by: v.number() });

/** Pawl closed it, so that the same change may be proposed again. A person who closes one holds the version. */
const withdrawn = "<!-- pawl: closed -->";

/** Opens the pull request of a branch, or returns the one that exists. Each step may have been done by a process that was killed. */
export async function propose(
  client: GitHubClient,
  base: string,
  change: GitChange & { readonly branch: string },
): Promise<GitProposal> {
  const { branch, expectedHead, headline, body } = change;
  const known = await findPull(client, base, branch, expectedHead);
  if (known !== null) return viewOf(known);
  // "moved": another process has committed the same.
  if (await createBranch(client, branch, expectedHead)) await commitOn(client, branch, change);
  const response = await client.rest("POST", "/pulls", { title: headline, body, head: branch, base });
  if (response.status === 201) return viewOf(parse(pull, response.body, client.repository));
  const opened = response.status === 422 ? await findPull(client, base, branch, expectedHead) : null;
  if (opened !== null) return viewOf(opened);
  throw mapResponseError(response, client.repository, client.now());
}

/** Returns a pull request by its number. */
export async function readProposal(client: GitHubClient, number: number): Promise<GitProposal | null> {
  const found = await readPull(client, number);
  return found === null ? null : viewOf(found);
}

/** Closes an open pull request with a comment, and deletes its branch. */
export async function closeProposal(client: GitHubClient, number: number, reason: string): Promise<void> {
  const found = await readPull(client, number);
  if (found?.state !== "open") return;
  const succeed = async (...request: Parameters<GitHubClient["rest"]>) => {
    const response = await client.rest(...request);
    if (response.status >= 300) throw mapResponseError(response, client.repository, client.now());
  };
  await succeed("POST", `/issues/${number}/comments`, { body: reason });
  await succeed("PATCH", `/pulls/${number}`, { state: "closed", body: `${found.body ?? ""}\n${withdrawn}\n` });
  // It may be deleted already. One that stays is used again by the next proposal of the same change.
  if (found.head.ref.startsWith("pawl/")) await client.rest("DELETE", `/git/refs/heads/${escapePath(found.head.ref)}`);
}

async function readPull(client: GitHubClient, number: number): Promise<Pull | null> {
  const response = await client.rest("GET", `/pulls/${number}`);
  if (response.status === 404) return null;
  if (response.status !== 200) throw mapResponseError(response, client.repository, client.now());
  return parse(pull, response.body, client.repository);
}

/** Returns the newest one of a branch that counts: not one that Pawl closed, or that was merged before the head was read. */
async function findPull(client: GitHubClient, base: string, branch: string, head: string): Promise<Pull | null> {
  const [owner] = client.repository.split("/");
  const query = new URLSearchParams({
    head: `${owner}:${branch}`,
    base,
    state: "all",
    sort: "created",
    direction: "desc",
  });
  for (const found of await client.read(v.array(pull), `/pulls?${query.toString()}`)) {
    if (found.body?.includes(withdrawn) === true && found.state === "closed") continue;
    if (!isMerged(found)) return found;
    if (await isAhead(client, head, found.merge_commit_sha ?? base)) return found;
  }
  return null;
}

/** Lets a branch start at a commit. False if it has commits of its own, which are those of the same change. */
async function createBranch(client: GitHubClient, branch: string, commit: string): Promise<boolean> {
  const response = await client.rest("POST", "/git/refs", { ref: `refs/heads/${branch}`, sha: commit });
  if (response.status === 201) return true;
  if (response.status !== 422 || !/already exists/i.test(messageOf(response.body)))
    throw mapResponseError(response, client.repository, client.now());
  const present = await readRef(client, branch);
  if (present === commit) return true;
  if (await isAhead(client, commit, present)) return false;
  const moved = await client.rest("PATCH", `/git/refs/heads/${escapePath(branch)}`, { sha: commit, force: false });
  if (moved.status !== 200) throw mapResponseError(moved, client.repository, client.now());
  return true;
}

/** Reports whether a commit has others that are not in the base. */
async function isAhead(client: GitHubClient, base: string, commit: string): Promise<boolean> {
  return (await client.read(comparison, `/compare/${base}...${commit}`)).ahead_by > 0;
}

function isMerged({ merged_at: mergedAt }: Pull): boolean {
  return mergedAt !== null && mergedAt !== undefined;
}

function viewOf(found: Pull): GitProposal {
  return { number: found.number, url: found.html_url, state: isMerged(found) ? "merged" : found.state };
}
