import { bodyOf, branchOf, headlineOf, isCommitOf, isOtherCommitOf } from "../../domain/git/commit-message.ts";
import { holdClosed, holdReverted } from "../../domain/workload/git/decide-sync.ts";
import type { GitHead, GitMerge, GitProposal, GitRepository } from "../../ports/git-repository.ts";
import type { Committed } from "./ask-host.ts";
import { claimOf, imageOf, isRollback, type Pending, type Render } from "./pending-write.ts";

/**
 * Opens one pull request with the images of all updates that wait and have none, or follows the one that the own update has. Each step may have been done
 * by a process that was killed: what the host lists counts, by the claims in the bodies.
 */
export async function proposePending(
  repository: GitRepository,
  head: GitHead,
  own: Pending,
  readOthers: () => Promise<readonly Pending[]>,
  render: Render,
): Promise<Committed> {
  const recorded = own.git.url === undefined ? null : await repository.readProposal(own.git.url, head.commit);
  // Another one follows at once: the update may sleep for an hour.
  if (recorded?.isConflicting) await repository.closeProposal(recorded.url, conflictReason);
  else if (recorded !== null && recorded.state !== "withdrawn") return follow(repository, own, recorded);
  const known = await repository.listProposals();
  const found = chooseProposal(known, own) ?? (await open());
  if ("kind" in found) return found;
  await closeOthers(repository, known, own, found);
  const read = await repository.readProposal(found.url, head.commit);
  return follow(repository, own, read ?? { ...found, isIncluded: false, isConflicting: false, otherBase: null });

  async function open(): Promise<GitProposal | Committed> {
    // After the pull requests: who has closed the own one holds its claim by now.
    const free = (await readOthers()).filter(
      (one) => isRollback(one) === isRollback(own) && !hasProposal(known, own, one),
    );
    const rendered = render(head, [own, ...free]);
    if (rendered.kind === "problem") return { kind: "refused", reason: rendered.reason };
    const { files, updates } = rendered;
    const message = { headline: headlineOf(updates), body: bodyOf(updates), branch: branchOf(updates) };
    const opened = await repository.propose({ ...message, expectedHead: head.commit, files });
    // Another execution may have opened one for a part of them meanwhile: the first one counts.
    const all = [...(await repository.listProposals()), opened];
    const first = chooseProposal(all, own) ?? opened;
    if (first.number < opened.number) await repository.closeProposal(opened.url, takesPlace(first));
    return first;
  }
}

/** Closes the pull requests of earlier claims of a workload. One that others share is opened again without it. */
export async function closeEarlier(repository: GitRepository, own: Pending): Promise<void> {
  for (const { state, body, url } of await repository.listProposals())
    if (state === "open" && isOtherCommitOf(body, claimOf(own)))
      await repository.closeProposal(url, "An update in it has ended.");
}

/** Closes the pull request of an update that needs it no more, and one that another update has opened for both since that was closed. */
export async function closeOwn(repository: GitRepository, own: Pending, reason: string): Promise<void> {
  if (own.git.url !== undefined) await repository.closeProposal(own.git.url, `${reason}.`);
  for (const { state, body, url } of await repository.listProposals())
    if (state === "open" && isCommitOf(body, claimOf(own))) await repository.closeProposal(url, `${reason}.`);
}

/**
 * Ends an update by closing its pull request. The state after that counts: one that was merged is followed, also if a head that was read before
 * does not have it.
 */
export async function withdraw(
  repository: GitRepository,
  head: GitHead,
  own: Pending,
  reason: string,
): Promise<Committed> {
  await closeOwn(repository, own, reason);
  const { url } = own.git;
  const recorded = url === undefined ? null : await repository.readProposal(url, head.commit);
  if (recorded !== null && recorded.state !== "withdrawn") return follow(repository, own, recorded);
  const other = chooseProposal(await repository.listProposals(), own);
  const after = other && (await repository.readProposal(other.url, head.commit));
  return after === null ? { kind: "superseded", reason } : follow(repository, own, after);
}

/** Returns the first one that is open, or else the last one that was closed or merged. */
function chooseProposal(known: readonly GitProposal[], own: Pending): GitProposal | null {
  const claim = claimOf(own);
  const found = known
    .filter(({ state, body }) => state !== "withdrawn" && isCommitOf(body, claim))
    .toSorted((one, other) => one.number - other.number);
  return found.find(({ state }) => state === "open") ?? found.at(-1) ?? null;
}

/** Reports whether another update has a pull request that stays. What a person has done with one, its own execution finds. */
function hasProposal(known: readonly GitProposal[], own: Pending, other: Pending): boolean {
  const found = chooseProposal(known, other);
  return found !== null && (found.state !== "open" || !isOtherCommitOf(found.body, claimOf(own)));
}

/** Closes those that the chosen one replaces: with the same claim, or an earlier one of the workload. */
async function closeOthers(
  repository: GitRepository,
  known: readonly GitProposal[],
  own: Pending,
  chosen: GitProposal,
): Promise<void> {
  const claim = claimOf(own);
  for (const { state, body, url, number } of known)
    if (state === "open" && number !== chosen.number && (isCommitOf(body, claim) || isOtherCommitOf(body, claim)))
      await repository.closeProposal(url, takesPlace(chosen));
}

function takesPlace({ number }: GitProposal): string {
  return `#${number} takes its place.`;
}

const conflictReason = "The branch has changed in the same place. Another one follows.";

/** Decides by the state of a pull request whose image the files do not have. */
async function follow(repository: GitRepository, own: Pending, proposal: GitMerge): Promise<Committed> {
  const { inFlight } = own;
  const { url, state, isIncluded, isConflicting, otherBase } = proposal;
  if (state === "merged" && isIncluded) return holdReverted(inFlight, url);
  if (state === "closed") return holdClosed(inFlight, url, null);
  if (state === "merged" && otherBase !== null) return holdClosed(inFlight, url, otherBase);
  if (state === "merged") return { kind: "wait", url, reason: `${url} is merged; reads the branch again` };
  if (isConflicting) {
    await repository.closeProposal(url, conflictReason);
    return { kind: "wait", reason: `the pull request ${url} had conflicts, and is opened again` };
  }
  const person = isRollback(own) ? await repository.mergeProposal(url) : null;
  const why = person === null ? "" : `: ${person}`;
  const who = isRollback(own) && person === null ? "its checks" : "a person who merges it";
  return { kind: "wait", url, reason: `${imageOf(own)} is in the pull request ${url}, which waits for ${who}${why}` };
}
