import { describe, expect, test } from "vitest";
import type { Hook, HookRun } from "../../../../functions/domain/workload/hook/hook.ts";
import { assessPendingHook } from "../../../../functions/domain/workload/hook/pending-hook.ts";
import {
  claimForHook,
  isPreHookPending,
  pendingPostHook,
  pendingPreHook,
  withHook,
} from "../../../../functions/domain/workload/hook/run-hook.ts";
import type { InFlight } from "../../../../functions/domain/workload/workload.ts";
import { after, inFlight, noon, target, updatingWorkload, workload } from "../../../support/workloads.ts";

const migrate: Hook = { job: "migrate", timeoutSeconds: 600, usesNewImage: false, rollsBack: false };
const smoke: Hook = { ...migrate, job: "smoke-test", rollsBack: true };
const hooks = { pre: migrate, post: smoke };
const pre: HookRun = { stage: "pre", job: "migrate", startedAt: noon, result: null };
const post: HookRun = { ...pre, stage: "post", job: "smoke-test" };
const claimed: InFlight = { ...inFlight, isApplied: false };

describe("before an update", () => {
  const policy = { hooks };
  test.for([
    { when: "it is not claimed", claim: null, hook: migrate },
    { when: "its hook runs", claim: { ...claimed, hook: pre }, hook: migrate },
    {
      when: "its hook has succeeded",
      claim: { ...claimed, hook: { ...pre, result: "succeeded" as const } },
      hook: null,
    },
    { when: "it was claimed without a hook", claim: claimed, hook: null },
    { when: "it is applied", claim: { ...inFlight, isApplied: true, hook: pre }, hook: null },
  ])("a hook has to run: $when", ({ claim, hook }) => {
    expect(pendingPreHook(workload({ policy }), claim)).toEqual(hook);
  });

  test("nothing has to run without a hook", () => {
    expect(pendingPreHook(workload(), null)).toBeNull();
  });

  test.for([
    { when: "its hook runs", claim: { ...claimed, hook: pre }, isPending: true },
    { when: "it is rolled back", claim: { ...claimed, phase: "rollback" as const, hook: pre }, isPending: false },
    { when: "its post hook runs", claim: { ...claimed, hook: post }, isPending: false },
  ])("an update waits for its hook: $when", ({ claim, isPending }) => {
    expect(isPreHookPending(claim)).toBe(isPending);
  });

  test("its claim changes nothing of the workload", () => {
    const start = { image: target, restart: noon, inFlight, updateRecord: { availableVersion: "1.1.0" } } as const;
    expect(claimForHook(start, migrate, after(1))).toEqual({
      inFlight: { ...inFlight, isApplied: false, hook: { ...pre, startedAt: after(1) } },
      updateRecord: { availableVersion: "1.1.0" },
    });
  });
});

describe("after an update", () => {
  test.for([
    { when: "none is configured", post: null, run: undefined, hook: null },
    { when: "it has not begun", post: smoke, run: { ...pre, result: "succeeded" as const }, hook: smoke },
    { when: "it runs", post: smoke, run: post, hook: smoke },
    { when: "it has succeeded", post: smoke, run: { ...post, result: "succeeded" as const }, hook: null },
    { when: "it has no result", post: smoke, run: { ...post, result: "unknown" as const }, hook: null },
    { when: "it failed and rolls back", post: smoke, run: { ...post, result: "failed" as const }, hook: smoke },
    {
      when: "it failed, which is only recorded",
      post: { ...smoke, rollsBack: false },
      run: { ...post, result: "failed" as const },
      hook: null,
    },
  ])("a hook has to end: $when", ({ post: configured, run, hook }) => {
    const update = { ...inFlight, ...(run === undefined ? {} : { hook: run }) };
    expect(pendingPostHook(workload({ policy: { hooks: { pre: null, post: configured } } }), update)?.job).toBe(
      hook?.job,
    );
  });

  test("a rollback runs none", () => {
    expect(pendingPostHook(workload({ policy: { hooks } }), { ...inFlight, phase: "rollback" })).toBeNull();
  });
});

test("a hook that has begun keeps its start, so that its Job is found again", () => {
  const begun = withHook(inFlight, "post", smoke, noon);
  expect(begun.hook).toEqual(post);
  expect(withHook(begun, "post", { ...smoke, job: "another" }, after(5))).toBe(begun);
});

describe("a hook of an update in flight", () => {
  const stated = (run: HookRun | null, parts: object = {}, claim: Partial<InFlight> = { isApplied: false }) => {
    const update: InFlight = { ...inFlight, ...claim, ...(run === null ? {} : { hook: run }) };
    return assessPendingHook(updatingWorkload({ policy: { hooks }, inFlight: update, ...parts }), update);
  };

  test.for([
    { when: "it has not ended", run: pre, expected: { kind: "run", run: pre, hook: migrate } },
    { when: "it succeeded", run: { ...pre, result: "succeeded" as const }, expected: { kind: "over", next: "apply" } },
    {
      when: "that of a canary succeeded",
      run: { ...pre, result: "succeeded" as const },
      claim: { isApplied: false, phase: "canary" as const },
      expected: { kind: "over", next: "canary" },
    },
    {
      when: "the one after the update succeeded",
      run: { ...post, result: "succeeded" as const },
      expected: { kind: "over", next: "record" },
    },
    {
      when: "the one after the update failed",
      run: { ...post, result: "failed" as const, reason: "BackoffLimitExceeded" },
      expected: { kind: "over", next: "expired", reason: "the post hook smoke-test failed: BackoffLimitExceeded" },
    },
    {
      when: "the one after the update has no result",
      run: { ...post, result: "unknown" as const },
      expected: { kind: "over", next: "record" },
    },
    {
      when: "its owner removed it",
      run: pre,
      parts: { policy: { hooks: { pre: null, post: null } } },
      expected: { kind: "over", next: "apply", reason: "the hook was removed" },
    },
    {
      when: "a setting is invalid",
      run: pre,
      parts: { problems: ["schedule: what?"] },
      expected: { kind: "wait", reason: "not continued until it is fixed: schedule: what?" },
    },
    {
      when: "auto-update was disabled",
      run: pre,
      parts: { policy: { enabled: false, hooks } },
      expected: { kind: "over", next: "abort" },
    },
    { when: "a person aborted it", run: pre, parts: { verdict: "abort" }, expected: { kind: "over", next: "abort" } },
    { when: "none was begun", run: null, expected: { kind: "over", next: "apply", reason: "no hook was begun" } },
  ])("$when", ({ run, parts, claim, expected }) => {
    expect(stated(run, parts, claim)).toMatchObject(expected);
  });
});
