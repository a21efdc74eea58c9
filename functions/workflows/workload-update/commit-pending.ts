import type { Ports } from "../../contract/ports.ts";
import { bodyOf, type CommittedUpdate, groupOfFirst, headlineOf, isCommitOf } from "../../domain/git/commit-message.ts";
import { findImage } from "../../domain/git/find-image.ts";
import type { GitTarget, WrittenImage } from "../../domain/git/git-target.ts";
import { writeImage } from "../../domain/git/write-image.ts";
import { isAsWritten, splitReference } from "../../domain/image/reference.ts";
import { policyGates } from "../../domain/gates/policy-gates.ts";
import { hasEnforcedRule } from "../../domain/signature/rule.ts";
import { isManagedChange } from "../../domain/workload/decision/manual-change.ts";
import { decideSync, holdReverted, type SyncStep } from "../../domain/workload/git/decide-sync.ts";
import { isSyncPending } from "../../domain/workload/git/git-claim.ts";
import { autoUpdateName } from "../../domain/workload/record/auto-update-name.ts";
import { isHeldElsewhere } from "../../domain/workload/update/claim.ts";
import { Conflict } from "../../ports/errors.ts";
import type { GitCommit, GitHead, GitRepository } from "../../ports/git-repository.ts";
import { ask, type Committed } from "./ask-host.ts";
import { claimOf, imageOf, isRollback, type Pending, type Render, type Rendered } from "./pending-write.ts";
import { closeEarlier, closeOwn, proposePending, withdraw } from "./propose-pending.ts";

type CommitPorts = Pick<Ports, "cluster" | "verifier">;

const maxTries = 3;

/** Why an update is not written any more. */
export interface Obstacles {
  /** Its policy does not allow it. */
  readonly disallowed: string | null;
  /** It ends if its pull request is still open. */
  readonly ended: string | null;
}

/** Writes the images of all updates that wait for this repository in one commit, if the own one is not in its files, and may be. A head that moved is read again. */
export async function commitPending(
  ports: CommitPorts,
  repository: GitRepository,
  own: Pending,
  obstacles: Obstacles,
): Promise<Committed> {
  if (repository.mode === "pullRequest") {
    const result = await ask(() => proposeStep(ports, repository, own, obstacles));
    return result.kind === "answer" ? result.answer : result;
  }
  for (let tries = 0; tries < maxTries; tries += 1) {
    const read = await ask(() => repository.readHead());
    if (read.kind !== "answer") return read;
    const head = read.answer;
    const found = findImage(head.files, targetOf(own), head.skipped);
    const step = decideSync(own.inFlight, own.workload.image, found);
    if (step.kind !== "write") return toResult(step, head);
    if (obstacles.disallowed !== null) return { kind: "refused", reason: obstacles.disallowed };
    const waiting = [own, ...(await readOthers(ports, repository, own))];
    const log = await ask(() => repository.readLog(head.commit, firstSince(waiting)));
    if (log.kind !== "answer") return log;
    const commit = findCommit(log.answer, own);
    if (commit !== null) return holdReverted(own.inFlight, commit);
    const all = waiting.filter((one) => findCommit(log.answer, one) === null);
    const rendered = createRender(ports.cluster, repository)(head, all);
    if (rendered.kind === "problem") return { kind: "refused", reason: rendered.reason };
    const { updates } = rendered;
    const change = {
      expectedHead: head.commit,
      files: rendered.files,
      headline: headlineOf(updates),
      body: bodyOf(updates),
    };
    const result = await ask(() => repository.commit(change));
    if (result.kind !== "answer") return result;
    if (result.answer.kind === "moved") continue;
    const { url } = result.answer;
    return {
      kind: "wait",
      commit: result.answer.commit,
      url,
      reason: `committed ${step.image} in ${url}; waits until the workload has it`,
    };
  }
  return { kind: "wait", reason: `the branch of ${repository.name} moved ${maxTries} times; tries again` };
}

/** Does the same by a pull request. */
async function proposeStep(
  ports: CommitPorts,
  repository: GitRepository,
  own: Pending,
  { disallowed, ended }: Obstacles,
): Promise<Committed> {
  // Before the head is read: what is closed cannot be merged after that.
  if (isRollback(own)) await closeEarlier(repository, own);
  const head = await repository.readHead();
  const step = decideSync(own.inFlight, own.workload.image, findImage(head.files, targetOf(own), head.skipped));
  if (step.kind === "held" || (isRollback(own) && step.kind !== "write"))
    await closeOwn(repository, own, step.kind === "synced" ? "The workload has its image" : step.reason);
  const refused = step.kind === "refused" ? step.reason : step.kind === "write" ? disallowed : null;
  if (refused !== null && own.git.url === undefined) {
    // One that another update has opened for both, or that was not recorded. Why is foreign text: it stays in the cluster.
    const result = await withdraw(repository, head, own, "An update in it has ended");
    return result.kind === "superseded" ? { kind: "refused", reason: refused } : result;
  }
  if (step.kind !== "write") return toResult(step, head);
  if (ended !== null) return withdraw(repository, head, own, ended);
  if (disallowed !== null) return { kind: "refused", reason: disallowed };
  return proposePending(
    repository,
    head,
    own,
    () => readOthers(ports, repository, own),
    createRender(ports.cluster, repository),
  );
}

/** Returns when the first of them began to wait. */
function firstSince(waiting: readonly Pending[]): Date {
  return waiting.map(({ git }) => git.since).reduce((first, since) => (since < first ? since : first));
}

/** Finds the commit of an update whose image the files do not have: a person reverted it before it was recorded. */
function findCommit(log: readonly GitCommit[], pending: Pending): string | null {
  if (isRollback(pending)) return null;
  const claim = claimOf(pending);
  return log.find(({ message }) => isCommitOf(message, claim))?.commit ?? null;
}

function toResult(step: Exclude<SyncStep, { readonly kind: "write" }>, { commit }: GitHead): Committed {
  if (step.kind !== "wait") return step;
  return { kind: "wait", reason: step.reason, ...(step.isWritten ? { commit } : {}) };
}

/** Writes the images one after the other into the files. The own one is the first: of another one, a problem is left to its own execution, as is what does not fit. */
function render(head: GitHead, all: readonly Pending[], describe: (pending: Pending) => CommittedUpdate): Rendered {
  const files = new Map(head.files);
  const changed = new Map<string, string>();
  const updates: CommittedUpdate[] = [];
  const group = groupOfFirst(all, describe);
  for (const [index, pending] of group.entries()) {
    const target = targetOf(pending);
    const step = decideSync(pending.inFlight, pending.workload.image, findImage(files, target));
    if (step.kind !== "write") continue;
    const written = writeChecked(files, target, step.image);
    if (written.kind === "problem" && index === 0) return written;
    if (written.kind === "problem") continue;
    for (const [path, text] of written.files) {
      files.set(path, text);
      changed.set(path, text);
    }
    updates.push(describe(pending));
  }
  return { kind: "rendered", files: changed, updates };
}

function createRender({ name }: Pick<CommitPorts["cluster"], "name">, repository: GitRepository): Render {
  return (head, all) => render(head, all, (pending) => describeUpdate(name, repository, pending));
}

/** Describes what a commit writes for a workload. The page for a team names it with its cluster. */
function describeUpdate(cluster: string, { pageUrl = null }: GitRepository, pending: Pending): CommittedUpdate {
  const { ref, image, policy } = pending.workload;
  const key = `${cluster}:${ref.kind.toLowerCase()}/${ref.namespace}/${ref.name}`;
  return {
    workload: `${ref.kind} ${ref.namespace}/${ref.name}`,
    from: image ?? "",
    to: imageOf(pending),
    isRollback: isRollback(pending),
    claim: claimOf(pending),
    gates: policyGates(policy),
    link: pageUrl === null ? null : `${pageUrl}/#/workload/${key}`,
  };
}

/** Writes an image, and checks that the files name it: a field with a tag alone has no place for a digest that was checked. */
export function writeChecked(files: ReadonlyMap<string, string>, target: GitTarget, image: string): WrittenImage {
  const written = writeImage(files, target, image);
  if (written.kind === "problem") return written;
  const found = findImage(new Map([...files, ...written.files]), target);
  if (found.kind === "problem") return found;
  if (isAsWritten(found.image, image)) return written;
  return {
    kind: "problem",
    reason: `${found.paths.join(", ")} has no place for ${image}; mark a field for its digest too`,
  };
}

/**
 * Lists the other updates that wait for the repository, and may be written without asking: no person has changed their workload, and what has to be verified is
 * written by its own execution. Throws `Conflict` if the own claim was taken over since it was read.
 */
async function readOthers(
  { cluster, verifier: { scopes } }: CommitPorts,
  { name }: GitRepository,
  own: Pending,
): Promise<readonly Pending[]> {
  const others: Pending[] = [];
  for await (const workload of cluster.list(() => {})) {
    const { inFlight, policy, ref, verdict, problems } = workload;
    const git = inFlight?.git;
    const isOwn = ref.uid === own.workload.ref.uid;
    if (isOwn && inFlight?.execution !== own.inFlight.execution)
      throw new Conflict(`${ref.namespace}/${ref.name}: another execution continues the update`);
    if (isOwn || inFlight === null || git?.repository !== name || !isSyncPending(inFlight)) continue;
    if (isHeldElsewhere(workload) || !isManagedChange(workload, inFlight)) continue;
    const isAllowed = policy.writeTo === name && policy.optIn === "yes" && problems.length === 0 && verdict === null;
    if (isAllowed && !hasEnforcedRule(scopes, inFlight.target.image, ref.namespace) && !policy.isVerifyRequired)
      others.push({ workload, inFlight, git });
  }
  return others;
}

/** Names the image of an update as the files do. */
export function targetOf({ workload: { ref }, inFlight }: Pick<Pending, "workload" | "inFlight">): GitTarget {
  const { name: image } = splitReference(inFlight.target.image);
  return { namespace: ref.namespace, autoUpdate: autoUpdateName(ref), image };
}
