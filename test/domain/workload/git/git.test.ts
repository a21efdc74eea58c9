import { expect, test } from "vitest";
import { isManagedChange } from "../../../../functions/domain/workload/decision/manual-change.ts";
import { manualChangeGate } from "../../../../functions/domain/gates/manual-change.ts";
import { createHistoryEntry } from "../../../../functions/domain/workload/record/history.ts";
import { updateState } from "../../../../functions/domain/state/update-state.ts";
import { decideSync, holdClosed, isSynced } from "../../../../functions/domain/workload/git/decide-sync.ts";
import { committedEvent, proposedEvent, slowSyncEvent } from "../../../../functions/domain/workload/git/events.ts";
import {
  claimForGit,
  isCommitFollowed,
  isProposed,
  isSyncPending,
  recordSynced,
  revertByGit,
} from "../../../../functions/domain/workload/git/git-claim.ts";
import type { GitWrite } from "../../../../functions/domain/workload/git/git-write.ts";
import { resolveWriteTo } from "../../../../functions/domain/workload/git/write-to.ts";
import { policyTable } from "../../../../functions/domain/workload/policy/policy-table.ts";
import { parsePolicy } from "../../../../functions/domain/workload/policy/policy.ts";
import { recordStart } from "../../../../functions/domain/workload/record/update-record.ts";
import { chooseRelease } from "../../../../functions/domain/workload/release/choose-release.ts";
import { pushRefusal } from "../../../../functions/domain/workload/request/request.ts";
import { supersedableUpdate } from "../../../../functions/domain/workload/supersede/fix-forward.ts";
import { adopt } from "../../../../functions/domain/workload/update/adopt.ts";
import { toRollback } from "../../../../functions/domain/workload/update/in-flight.ts";
import { parkReason, planParking } from "../../../../functions/domain/workload/update/park.ts";
import { isSupersedable } from "../../../../functions/domain/workload/update/supersede-parked.ts";
import {
  after,
  image,
  inFlight,
  noon,
  target,
  updateTarget,
  updatingWorkload,
  workload,
} from "../../../support/workloads.ts";

const git: GitWrite = { repository: "config", since: noon };
const pending = { ...inFlight, isApplied: false, git };
const committed = { ...pending, git: { ...git, commit: "c-1" } };
const url = "https://git.test/pull/7";
const proposed = { ...pending, git: { ...git, url } };
const rollback = { ...toRollback(pending, false, noon), git };
const found = (name: string) => ({ kind: "found", image: name, paths: ["apps/web.yaml"] }) as const;
const problem = { kind: "problem", reason: "no file names it" } as const;
const newer = image.replace("1.0.0", "1.2.0");

test.for([
  { when: "the files name the previous image", claim: pending, runs: image, files: found(image), step: "write" },
  { when: "the files name the target", claim: pending, runs: image, files: found(target), step: "wait" },
  {
    when: "the files name it with a digest",
    claim: pending,
    runs: image,
    files: found(`${target}@sha256:${"a".repeat(64)}`),
    step: "wait",
  },
  { when: "the files do not name it", claim: pending, runs: image, files: problem, step: "refused" },
  { when: "a person's image is on its way", claim: pending, runs: image, files: found(newer), step: "refused" },
  {
    when: "nothing is known of the image before",
    claim: { ...pending, previousImage: null },
    runs: image,
    files: found(image),
    step: "refused",
  },
  { when: "a person reverted it", claim: committed, runs: image, files: found(image), step: "held" },
  { when: "its claim names no repository", claim: inFlight, runs: image, files: problem, step: "refused" },
  { when: "its pull request is open", claim: proposed, runs: image, files: found(image), step: "write" },
  { when: "a person wrote another image meanwhile", claim: proposed, runs: image, files: found(newer), step: "held" },
  {
    when: "its pull request is open, and no file names it",
    claim: proposed,
    runs: image,
    files: problem,
    step: "wait",
  },
  { when: "the files can be read no more", claim: committed, runs: image, files: problem, step: "wait" },
  { when: "a rollback finds the target", claim: rollback, runs: target, files: found(target), step: "write" },
  { when: "a rollback finds a person's image", claim: rollback, runs: target, files: found(newer), step: "wait" },
  { when: "a rollback finds no field", claim: rollback, runs: target, files: problem, step: "wait" },
  { when: "a rollback has come to the workload", claim: rollback, runs: image, files: found(image), step: "synced" },
  { when: "the target never came to the workload", claim: rollback, runs: image, files: found(target), step: "write" },
  {
    when: "a rollback has nothing to restore",
    claim: { ...rollback, previousImage: null },
    runs: null,
    files: found(target),
    step: "synced",
  },
])("$when: $step", ({ claim, runs, files, step }) => {
  expect(decideSync(claim, runs, files)).toMatchObject({ kind: step });
});

test("a workload has the image of an update, or has it no more", () => {
  expect([target, image, null].map((runs) => isSynced(pending, runs))).toEqual([true, false, false]);
  expect([target, image, null].map((runs) => isSynced(rollback, runs))).toEqual([false, true, true]);
});

test("an update whose pull request is open waits for its merge, and can be superseded", () => {
  expect([pending, proposed, committed, rollback, inFlight].map(isProposed)).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
  const reasons = [image, target].map((runs) => parkReason(workload({ image: runs }), proposed, noon));
  expect(reasons).toEqual(["PullRequest", null]);
  const plans = [59, 61, 600].map((minutes) => planParking(workload(), proposed, noon, after(minutes))?.waitSeconds);
  expect(plans).toEqual([undefined, 3600, 3600]);
  const parked = { ...proposed, parked: { reason: "PullRequest", since: noon } } as const;
  expect(isSupersedable(workload({ inFlight: parked }), parked)).toBe(true);
  const reason = `waits for ${url}`;
  const waiting = { ...parked, observation: { kind: "waiting", reason } } as const;
  const states = [waiting, parked].map((of) => updateState({ inFlight: of, canaryProgress: null }));
  expect(states).toMatchObject([
    { state: "Waiting", reason: "PullRequest", message: expect.stringContaining(url) },
    { state: "Waiting", reason: "PullRequest", message: expect.stringContaining("merges") },
  ]);
});

test("a pull request that was closed holds the version, or keeps what a rollback would replace", () => {
  expect(holdClosed(proposed, url, null).reason).toContain(
    `${url} of ${target} was closed without a merge; "pawl retry"`,
  );
  expect(holdClosed(rollback, url, null).reason).toContain(`${target} stays, and ${image} is not restored`);
  expect(holdClosed(proposed, url, "staging").reason).toContain("was moved to the branch staging, and merged there;");
});

test.for([
  {
    status: "Superseded",
    version: "1.1.0",
    reason: "the pull request was closed",
    said: "the pull request was closed: held until",
  },
  { status: "Superseded", version: "1.1.0", reason: null, said: "1.0.0 was set manually instead of 1.1.0: held until" },
  {
    status: "Superseded",
    version: "1.0.5",
    reason: "older",
    said: "1.0.0 was set manually instead of 1.1.0: held until",
  },
  { status: "Healthy", version: "1.1.0", reason: "x", said: "1.0.0 was set manually instead of 1.1.0: held until" },
] as const)("a version that is held says why: $said", ({ status, version, reason, said }) => {
  const entry = { ...createHistoryEntry(proposed, status, noon, reason), version };
  const updateRecord = { ...workload().updateRecord, minimumVersion: "1.1.0", versionHistory: [entry] };
  expect(manualChangeGate.evaluate(workload({ updateRecord }), null, noon)?.message).toContain(said);
});

test("people see the repository as they write it", () => {
  const shown = [{ writeTo: "config" }, { writeTo: "" }, {}].map((policy) =>
    policyTable.writeTo.format(workload({ policy })),
  );
  expect(shown).toEqual(["git/config", "git", null]);
});

test("a claim leaves the image of the workload to git, unless it is patched or restarted", () => {
  const start = recordStart(workload(), { target: updateTarget, digests: null }, "e-1", noon);
  const claimed = claimForGit(workload({ policy: { writeTo: "config" } }), start, noon);
  expect(claimed).toMatchObject({ inFlight: { isApplied: false, git } });
  expect(claimed.image).toBeUndefined();
  const repeated = claimForGit(workload({ policy: { writeTo: "other" } }), { ...start, inFlight: pending }, after(5));
  expect(repeated.inFlight.git).toEqual(git);
  expect(claimForGit(workload(), start, noon)).toBe(start);
});

test("a revert is written where the update was", () => {
  const change = { image, inFlight: toRollback(committed, true, noon) };
  expect(revertByGit(committed, change, after(1))).toEqual({
    inFlight: { ...change.inFlight, isApplied: false, git: { ...git, since: after(1) } },
  });
  const resumed = { inFlight: change.inFlight };
  expect(revertByGit(committed, resumed, after(1))).toEqual(revertByGit(committed, change, after(1)));
  expect(revertByGit(inFlight, change, noon)).toBe(change);
  const unknown = { inFlight: { ...change.inFlight, previousImage: null } };
  expect(revertByGit(committed, unknown, noon)).toBe(unknown);
  const ended = { inFlight: null };
  expect(revertByGit(committed, ended, noon)).toBe(ended);
});

test("the health of an update, and of its rollback, counts from when the workload has the image", () => {
  expect([pending, rollback, inFlight].map(isSyncPending)).toEqual([true, true, false]);
  const waiting = { kind: "waiting", reason: "waits", since: noon } as const;
  const update = recordSynced({ ...pending, observation: waiting }, after(20)).inFlight;
  expect(update).toEqual({ ...pending, isApplied: true, startedAt: after(20), git: { ...git, syncedAt: after(20) } });
  const reverted = recordSynced(rollback, after(20)).inFlight;
  expect(reverted).toEqual({ ...rollback, isApplied: true, revertedAt: after(20) });
  expect([update, reverted].map((one) => one && isSyncPending(one))).toEqual([false, false]);
  expect(recordSynced(inFlight, noon)).toEqual({});
});

const scopes = [
  { name: "config", namespaces: null },
  { name: "shop", namespaces: ["shop-*"] },
];
const rules = {
  defaultSchedule: null,
  defaultToleranceSeconds: null,
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: 86_400,
};

function resolve(fields: Readonly<Record<string, string>>, namespace = "shop", known: typeof scopes | null = scopes) {
  const written = Object.entries(fields).map(([name, value]) => [
    name,
    { value, length: value.length, place: `spec.policy.${name}` },
  ]);
  const raw = Object.fromEntries(written);
  const { policy, problems } = parsePolicy(raw, "yes", rules);
  const resolved = resolveWriteTo(policy, raw, namespace, known);
  return { ...resolved.policy, problems: [...problems, ...resolved.problems].map(({ text }) => text) };
}

test.for([
  { fields: {}, writeTo: undefined },
  { fields: { writeTo: " " }, writeTo: undefined },
  { fields: { writeTo: "git" }, writeTo: "config" },
  { fields: { writeTo: "git/shop" }, namespace: "shop-a", writeTo: "shop" },
  { fields: { writeTo: "git/any" }, known: null, writeTo: "any" },
  { fields: { writeTo: "git" }, known: null, writeTo: "" },
])("$fields in $namespace is the repository $writeTo", ({ fields, namespace, known, writeTo }) => {
  expect(resolve(fields as Record<string, string>, namespace, known)).toEqual({
    ...(writeTo === undefined ? {} : { writeTo }),
    problems: [],
  });
});

test.for([
  { fields: { writeTo: "svn" }, problem: "is neither git nor git/NAME" },
  { fields: { writeTo: "git/https://x" }, problem: "is neither git nor git/NAME" },
  { fields: { writeTo: "git" }, known: [], problem: "this deployment has no repository" },
  {
    fields: { writeTo: "git" },
    namespace: "shop-a",
    problem: "names none of several repositories; use git/config or git/shop",
  },
  { fields: { writeTo: "git/conifg" }, problem: "did you mean config?" },
  { fields: { writeTo: "git/zzzzzz" }, problem: "use config" },
  { fields: { writeTo: "git/shop" }, problem: "does not allow the namespace shop; use config" },
  {
    fields: { writeTo: "git" },
    known: scopes.slice(1),
    problem: "no repository of this deployment allows the namespace shop",
  },
  { fields: { writeTo: "git", canary: "1" }, problem: "excludes a canary" },
  { fields: { writeTo: "git", canarySteps: "x" }, problem: "excludes a canary" },
  { fields: { writeTo: "git", digest: "true" }, problem: "excludes restarts by digest" },
  { fields: { writeTo: "git", digestOnly: "true" }, problem: "excludes restarts by digest" },
  { fields: { writeTo: "git", onRevert: "reapply" }, problem: "excludes on-revert reapply" },
])("$fields is a problem: $problem", ({ fields, namespace, known, problem: expected }) => {
  const { problems } = resolve(fields, namespace, known);
  expect(problems.join("\n")).toContain(expected);
});

test("an update in git is followed to its end: nothing takes its place", () => {
  const updating = updatingWorkload({ inFlight: { ...inFlight, git: { ...git, syncedAt: noon } } });
  expect(supersedableUpdate(updating)).toBeNull();
  const parked = { ...inFlight, git, parked: { reason: "NoReplicas", since: noon } } as const;
  expect(isSupersedable(updating, parked)).toBe(false);
  expect(pushRefusal(updating, "1.2.0")).toContain("written to git; use pawl abort");
  const releases = { hash: "h", list: [] };
  const idle = workload({ policy: { writeTo: "config" }, releases });
  expect(chooseRelease(idle, null)).toMatchObject({ kind: "refused", reason: expect.stringContaining("git names") });
});

test("an execution that adopts it waits for git, and sets no image", () => {
  const waiting = workload({ inFlight: pending, policy: { writeTo: "config" } });
  const adopted = adopt(waiting, "e-2", updateTarget, after(5));
  expect(adopted).toMatchObject({ kind: "sync", change: { inFlight: { execution: "e-2", git } } });
  expect(adopted.change?.image).toBeUndefined();
  const { git: _git, ...afterHook } = pending;
  const claimed = adopt({ ...waiting, inFlight: afterHook }, "e-2", updateTarget, noon);
  expect(claimed).toMatchObject({ kind: "sync", change: { inFlight: { git } } });
  expect(claimed.change?.image).toBeUndefined();
  expect(adopt({ ...waiting, inFlight: rollback }, "e-1", updateTarget, noon)).toMatchObject({ kind: "sync" });
});

test("a commit is followed until the workload has it, also if another image is set meanwhile", () => {
  const synced = { ...committed, isApplied: true, git: { ...committed.git, syncedAt: noon } };
  expect([pending, committed, synced, rollback].map(isCommitFollowed)).toEqual([false, true, false, false]);
  const managed = [pending, committed, synced].map((one) => isManagedChange(workload({ image: newer }), one));
  expect(managed).toEqual([false, true, false]);
  const after5 = { ...committed, execution: "e-2", startedAt: after(5), isApplied: true };
  const updated = workload({ image: target, inFlight: committed, policy: { writeTo: "config" } });
  expect(adopt(updated, "e-2", updateTarget, after(5))).toMatchObject({
    kind: "adopted",
    change: { inFlight: { ...after5, git: { ...committed.git, syncedAt: after(5) } } },
    freesPods: true,
  });
});

test("the events of an update in git name its commit, and what it waits for after a while", () => {
  expect(committedEvent(inFlight, { ...git, commit: "c-1" }).message).toContain("in the commit c-1 of config");
  expect(committedEvent(inFlight, { ...git, commit: "c-1", url: "https://h/c-1" }).message).toContain("https://h/c-1");
  expect(committedEvent(inFlight, { ...git, commit: "c-1", url }).message).toContain(`c-1 (${url})`);
  const events = [inFlight, rollback].map((of) => proposedEvent(of, { ...git, url }).message);
  expect(events[0]).toMatch(/^The .* is in the pull request https:\/\/git.test\/pull\/7 of config/);
  expect(events[1]).toContain("The rollback of the");
  expect(slowSyncEvent(workload(), inFlight, "committed", 899)).toBeNull();
  expect(slowSyncEvent(workload(), inFlight, "committed", 900)?.message).toContain("suspended");
});

test.for([
  { kind: "unknown", adopted: "sync" },
  { kind: "unverified", adopted: "abort" },
] as const)("an image that may be in git, and is $kind: $adopted", ({ kind, adopted }) => {
  const claimed = updatingWorkload({ image, policy: { writeTo: "config" }, inFlight: pending });
  const verification = { kind, digest: null, reason: "no answer" };
  expect(adopt(claimed, "e-2", updateTarget, after(60), false, verification).kind).toBe(adopted);
});
