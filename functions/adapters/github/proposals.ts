import * as v from "valibot";
import { parseRfc3339, secondsBetween } from "../../domain/text/rfc3339.ts";
import { toSingleLine } from "../../domain/text/printable.ts";
import type { GitChange, GitMerge, GitProposal } from "../../ports/git-repository.ts";
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
  base: v.object({ ref: v.string() }),
  head: v.object({ ref: v.string(), repo: v.nullable(v.object({ full_name: v.string() })) }),
  user: v.nullable(v.object({ login: v.string() })),
  /** Null while GitHub computes it, absent in lists. */
  mergeable: v.optional(v.nullable(v.boolean())),
});
type Pull = v.InferOutput<typeof pull>;
const comparison = v.object({ ahead_by: v.number(), behind_by: v.number() });

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

/** People and other tools may have more open ones. */
const maxPages = 20;

/** Lists the pull requests of Pawl. One that waits for a person may be older than the newest 100. */
export async function listProposals(client: GitHubClient, base: string): Promise<readonly GitProposal[]> {
  const newest = { base, sort: "created", direction: "desc", per_page: "100" };
  const read = (query: Readonly<Record<string, string>>) =>
    client.read(v.array(pull), `/pulls?${new URLSearchParams({ ...newest, ...query }).toString()}`);
  const found = new Map<number, Pull>();
  for (let page = 1; page <= maxPages; page += 1) {
    const open = await read({ state: "open", page: String(page) });
    for (const one of open) found.set(one.number, one);
    if (open.length < 100) break;
  }
  // Read last: what was closed meanwhile is closed.
  for (const one of await read({ state: "all" })) found.set(one.number, one);
  const login = await client.login();
  const own = [...found.values()].filter((one) => isOwn(client, login, one));
  return own.map(viewOf).toSorted((one, other) => other.number - one.number);
}

/** Returns a pull request by its address. */
export async function readProposal(
  client: GitHubClient,
  base: string,
  url: string,
  head: string,
): Promise<GitMerge | null> {
  const found = await readPull(client, numberOf(url));
  if (found === null) return null;
  const { merge_commit_sha: merge, mergeable, state } = found;
  const otherBase = found.base.ref === base ? null : found.base.ref;
  const isSettled = otherBase === null && isMergedBefore(client, found);
  const isIncluded =
    isSettled || (isMerged(found) && typeof merge === "string" && !(await isAhead(client, head, merge)));
  return { ...viewOf(found), isIncluded, isConflicting: state === "open" && mergeable === false, otherBase };
}

/** Closes an open pull request, with the reason at the end of its body, and deletes its branch. One request says it once, however many close it, and are killed. */
export async function closeProposal(client: GitHubClient, url: string, reason: string): Promise<void> {
  const number = numberOf(url);
  const found = await readPull(client, number);
  if (found?.state !== "open") return;
  const body = `${found.body ?? ""}\n${toSingleLine(reason)}\n\n${withdrawn}\n`;
  const response = await client.rest("PATCH", `/pulls/${number}`, { state: "closed", body });
  if (response.status !== 200) throw mapResponseError(response, client.repository, client.now());
  // It may be deleted already. One that stays is used again by the next proposal of the same change.
  await client.rest("DELETE", `/git/refs/heads/${escapePath(found.head.ref)}`);
}

/** Returns an own one. Its number is of a status, which others may write. */
export async function readPull(client: GitHubClient, number: number): Promise<Pull | null> {
  const response = await client.rest("GET", `/pulls/${number}`);
  if (response.status === 404) return null;
  if (response.status !== 200) throw mapResponseError(response, client.repository, client.now());
  const found = parse(pull, response.body, client.repository);
  return isOwn(client, await client.login(), found) ? found : null;
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
  const login = await client.login();
  for (const found of await client.read(v.array(pull), `/pulls?${query.toString()}`)) {
    if (isWithdrawn(found) || !isOwn(client, login, found)) continue;
    if (!isMerged(found)) return found;
    if (await isAhead(client, head, found.merge_commit_sha ?? base)) return found;
  }
  return null;
}

/** Lets a branch start at a commit. False if it does, and has commits of its own, which are those of the same change. */
async function createBranch(client: GitHubClient, branch: string, commit: string): Promise<boolean> {
  const response = await client.rest("POST", "/git/refs", { ref: `refs/heads/${branch}`, sha: commit });
  if (response.status === 201) return true;
  if (response.status !== 422 || !/already exists/i.test(messageOf(response.body)))
    throw mapResponseError(response, client.repository, client.now());
  const present = await readRef(client, branch);
  if (present === commit) return true;
  const { ahead_by: ahead, behind_by: behind } = await compare(client, commit, present);
  if (ahead > 0 && behind === 0) return false;
  // No pull request that counts has it: one of an older head would conflict.
  const moved = await client.rest("PATCH", `/git/refs/heads/${escapePath(branch)}`, { sha: commit, force: true });
  if (moved.status !== 200) throw mapResponseError(moved, client.repository, client.now());
  return true;
}

/** Reports whether a commit has others that are not in the base. */
async function isAhead(client: GitHubClient, base: string, commit: string): Promise<boolean> {
  return (await compare(client, base, commit)).ahead_by > 0;
}

function compare(client: GitHubClient, base: string, commit: string) {
  return client.read(comparison, `/compare/${base}...${commit}`);
}

/** Reports whether the App opened it, of a branch that Pawl names in this repository. What a person opens may have any body, and that of a fork any name. */
function isOwn(client: GitHubClient, login: string, { head, user }: Pull): boolean {
  if (user?.login !== login || !head.ref.startsWith("pawl/")) return false;
  return head.repo?.full_name.toLowerCase() === client.repository.toLowerCase();
}

function isWithdrawn({ body, state }: Pull): boolean {
  return state === "closed" && body?.includes(withdrawn) === true;
}

export function numberOf(url: string): number {
  return Number(/\/(\d+)$/.exec(url)?.[1] ?? 0);
}

/** A head that was read just now has, or had, what was merged so long ago: its branch may have been moved back since. */
const settledSeconds = 600;

function isMergedBefore({ now }: GitHubClient, { merged_at: mergedAt }: Pull): boolean {
  const merged = parseRfc3339(mergedAt ?? "");
  return merged !== null && secondsBetween(merged, now()) > settledSeconds;
}

function isMerged({ merged_at: mergedAt }: Pull): boolean {
  return mergedAt !== null && mergedAt !== undefined;
}

function viewOf(found: Pull): GitProposal {
  const { number, html_url: url, body } = found;
  const state = isMerged(found) ? "merged" : isWithdrawn(found) ? "withdrawn" : found.state;
  return { number, url, state, body: body ?? "" };
}
