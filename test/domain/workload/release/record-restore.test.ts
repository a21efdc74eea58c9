import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import {
  dropRestore,
  isRestorePending,
  isRevertNeeded,
  recordReleaseFailure,
  recordRestore,
  recordRevertFailure,
  revertRelease,
  withoutRestore,
} from "../../../../functions/domain/workload/release/record-restore.ts";
import { createHistoryEntry } from "../../../../functions/domain/workload/record/history.ts";
import { mayOpenCircuit } from "../../../../functions/domain/workload/event/lost-events.ts";
import {
  recordRefusal,
  recordRollback,
  recordWithdrawal,
} from "../../../../functions/domain/workload/rollback/rollback.ts";
import { digest, digestWorkload } from "../../../support/digest-workloads.ts";
import { after, completeRollout, image, inFlight as updateInFlight } from "../../../support/workloads.ts";
import { claim as inFlight, release, released, request, snapshot } from "./releases.ts";

const list = [release(1), release(2)];
const restore = { release: release(1), snapshot: snapshot(1), previous: snapshot(2), digests: null };

describe("the claim", () => {
  test("has the release, and the template before", () => {
    const change = recordRestore(released(list, "hash-2", { request }), restore, "e-1", after(1));
    expect(change).toMatchObject({
      template: snapshot(1).template,
      inFlight: { phase: "release", target: { kind: "release", image: release(1).image }, release: inFlight.release },
      answer: { token: "t-1", verb: "rollback", result: "rollback to release 1 is requested: execution e-1" },
    });
    expect(change.pins).toBeUndefined();
  });

  test.for([
    { when: "the current template is no release", found: released(list, "other"), previous: snapshot(3), from: null },
    { when: "none is recorded", found: released([], "hash-2"), previous: snapshot(2), from: null },
  ])("names no release that it replaces: $when", ({ found, previous, from }) => {
    const { inFlight: claim, answer } = recordRestore(found, { ...restore, previous }, "e-1", after(1));
    expect([claim?.release?.from, answer]).toEqual([from, undefined]);
  });

  test("of a DaemonSet has the pods that were unavailable before", () => {
    const rollout = { ...completeRollout, image, podsPer: "node", readyReplicas: 1 } as const;
    const { inFlight: claim } = recordRestore(released(list, "hash-2", { rollout }), restore, "e-1", after(1));
    expect(claim?.unavailableBefore).toBe(2);
    const ready = released(list, "hash-2", { rollout: { ...rollout, readyReplicas: 3 } });
    expect(recordRestore(ready, restore, "e-1", after(1)).inFlight?.unavailableBefore).toBeUndefined();
    const missing = released(list, "hash-2", { rollout: null });
    expect(recordRestore(missing, restore, "e-1", after(1)).inFlight?.unavailableBefore).toBeUndefined();
  });

  test("of a workload that is tracked by digest records what the tags resolve to, and its pins", () => {
    const [one, two] = [digest(1), digest(2)];
    const releases = { list: [release(1, { digests: { app: one } })], hash: "hash-2" };
    const found = { ...digestWorkload({}), releases };
    const template = { spec: { containers: [{ name: "app", image: `registry.example/shop/app:prod@${one}` }] } };
    const pinned = { ...restore, snapshot: snapshot(1, { template }), digests: { app: two } };
    const change = recordRestore(found, pinned, "e-1", after(1));
    expect(change).toMatchObject({ pins: { app: one }, digests: { deployed: { app: two } } });
  });
});

describe("a failure", () => {
  test("keeps the claim until the template before is restored, counts and blames nothing", () => {
    const found = released(list, "hash-1", { inFlight });
    const change = recordRollback(found, inFlight, "not ready", after(2));
    expect(change).toMatchObject({
      inFlight: { phase: "rollback", isApplied: false },
      release: { result: "Failed", hash: "hash-1", rolledBackFrom: 2 },
    });
    expect(Object.keys(change.updateRecord ?? {})).toEqual(["versionHistory"]);
    expect(change.image).toBeUndefined();
    expect(isRestorePending(change.inFlight)).toBe(true);
  });

  test.for([
    { when: "without a verdict", hash: "hash-1", claim: inFlight },
    { when: "after its owner changed the template", hash: "other", claim: inFlight },
    { when: "before it was written", hash: "hash-2", claim: { ...inFlight, isApplied: false } },
  ])("is no failed release: $when", ({ hash, claim, when }) => {
    const found = released(list, hash, { inFlight: claim });
    const change =
      when === "without a verdict"
        ? recordWithdrawal(found, claim, "NotStarted", "no pod", after(2))
        : recordReleaseFailure(found, claim, "RolledBack", "not ready", after(2));
    expect(change.release).toBeUndefined();
    expect(isRestorePending(change.inFlight)).toBe(claim.isApplied);
  });
});

test("nothing else is a pending restore", () => {
  expect([null, undefined, inFlight, rollbackOf(updateInFlight)].map(isRestorePending)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(isRestorePending(rollbackOf(updateInFlight, { isApplied: false }))).toBe(false);
});

test.for([
  { when: "the failed template runs", hash: "hash-1", isNeeded: true },
  { when: "its owner changed it", hash: "other", isNeeded: false },
])("a revert is needed: $when: $isNeeded", ({ hash, isNeeded }) => {
  expect(isRevertNeeded(released(list, hash, { inFlight }), inFlight)).toBe(isNeeded);
});

test.for([{ template: snapshot(2).template }, { template: null }])("a revert restores %o", ({ template }) => {
  const failed = rollbackOf(inFlight, { isApplied: false });
  const change = revertRelease(released(list, "hash-1", { inFlight: failed }), failed, template, after(3));
  expect(change.inFlight).toMatchObject({ isApplied: true, revertedAt: after(3) });
  expect(change.template).toEqual(template ?? undefined);
});

describe("a revert that is not possible", () => {
  const failed = rollbackOf(inFlight, { isApplied: false });
  const entry = createHistoryEntry(inFlight, "RolledBack", after(2), "not ready");

  test.for([
    { when: "after a failure that is recorded", versionHistory: [entry], reason: /^not ready; web-2 was deleted$/ },
    { when: "without one", versionHistory: [], reason: /^web-2 was deleted$/ },
    { when: "again", versionHistory: [{ ...entry, status: "RollbackFailed" as const }], reason: /^not ready; web-2/ },
  ])("opens the circuit, and is one entry of the history: $when", ({ versionHistory, reason }) => {
    const found = released(list, "hash-1", { inFlight: failed, updateRecord: { versionHistory } });
    const change = recordRevertFailure(found, failed, "web-2 was deleted", after(3));
    expect(change).toMatchObject({
      inFlight: { phase: "rollback", isApplied: true, revertedAt: after(3) },
      updateRecord: { circuitOpen: true, versionHistory: [{ status: "RollbackFailed", version: "1.1.0", release: 1 }] },
    });
    expect(change.updateRecord?.versionHistory?.[0]?.reason).toMatch(reason);
    expect(change.updateRecord?.versionHistory).toHaveLength(1);
    expect([change.template, change.updateRecord?.rollbackCount]).toEqual([undefined, undefined]);
  });
});

describe("a claim that is dropped before its template is written", () => {
  const answered = { token: "t-1", verb: "rollback", result: "rollback to release 1 is requested: execution e-1" };
  const claimed = { ...inFlight, isApplied: false };

  test.for([
    { when: "it was answered", lastRequest: answered, result: "refused: denied" },
    {
      when: "another release was answered",
      lastRequest: { ...answered, result: "rollback to release 10 is requested" },
    },
    { when: "another request was answered", lastRequest: { ...answered, verb: "push" } },
    { when: "nothing was answered", lastRequest: null },
  ])("corrects its own answer: $when", ({ lastRequest, result }) => {
    const change = dropRestore(released(list, "hash-2", { lastRequest }), claimed, "denied");
    expect([change.inFlight, change.answer?.result]).toEqual([null, result]);
  });

  test.for([
    { when: "it was written", claim: inFlight },
    { when: "it is reverted", claim: rollbackOf(claimed) },
    { when: "it is no release", claim: updateInFlight },
  ])("has nothing to revert: $when", ({ claim }) => {
    expect(withoutRestore(released(list, "hash-1", { lastRequest: answered }), claim, "denied")).toEqual({});
  });

  test("is dropped too if the cluster refused it, and is not tried again", () => {
    const change = recordRefusal(released(list, "hash-2", { lastRequest: answered }), claimed, "denied", after(1));
    expect(change).toEqual({ inFlight: null, answer: { ...answered, result: "refused: denied" } });
  });
});

test.for([
  { status: "RolledBack", attempt: updateInFlight, may: true },
  { status: "RolledBack", attempt: inFlight, may: false },
  { status: "RollbackFailed", attempt: inFlight, may: true },
  { status: "HookFailed", attempt: updateInFlight, may: true },
  { status: "HookFailed", attempt: inFlight, may: false },
  { status: "Withdrawn", attempt: updateInFlight, may: true },
  { status: "Withdrawn", attempt: inFlight, may: false },
  { status: "Healthy", attempt: updateInFlight, may: false },
] as const)("an attempt to $attempt.target.kind that ended $status may open the circuit: $may", (one) => {
  expect(mayOpenCircuit(createHistoryEntry(one.attempt, one.status, after(1)))).toBe(one.may);
});
