import { describe, expect, test } from "vitest";
import { claim as releaseInFlight } from "../release/releases.ts";
import { rollbackOf } from "../../../support/rollback.ts";
import { type Hook, hookOccasions, type HookRun, occasionOf } from "../../../../functions/domain/workload/hook/hook.ts";
import type { Target } from "../../../../functions/domain/workload/target/target.ts";
import { assessPendingHook, nextAfter } from "../../../../functions/domain/workload/hook/pending-hook.ts";
import {
  claimForHook,
  isPreHookPending,
  isPreHookUnknown,
  pendingPostHook,
  pendingPromotionHook,
  pendingPreHook,
  withHook,
} from "../../../../functions/domain/workload/hook/run-hook.ts";
import { type InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import {
  after,
  inFlight,
  noon,
  target,
  updatingWorkload,
  workload,
  rollingBack,
  canaryInFlight,
} from "../../../support/workloads.ts";
import { migrate } from "../../../support/workloads/hooks.ts";
import { problemsOf } from "../../../support/problems.ts";

const smoke: Hook = { ...migrate, job: "smoke-test", rollsBack: true };
const hooks = { pre: migrate, post: smoke };
const pre: HookRun = { stage: "pre", job: "migrate", startedAt: noon, result: null };
const post: HookRun = { ...pre, stage: "post", job: "smoke-test" };
const claimed: InFlight = { ...inFlight, isApplied: false };
const image = { kind: "image", image: target } as const;
const targets = [
  image,
  { kind: "digest", image: target, digest: "sha256:a" },
  { kind: "config", image: target, digest: "sha256:a" },
  { kind: "restart", image: target, request: "1" },
  { kind: "release", image: target, number: 1 },
] as const satisfies readonly Target[];

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
    expect(pendingPreHook(workload({ policy }), image, claim)).toEqual(hook);
  });

  test.for([
    { when: "nothing is invalid", claim: { ...claimed, hook: pre }, isUnknown: false },
    {
      when: "a setting is invalid",
      claim: { ...claimed, hook: pre },
      problems: problemsOf("hooks: what?"),
      isUnknown: true,
    },
    { when: "it is not claimed", claim: null, problems: problemsOf("hooks: what?"), isUnknown: false },
    { when: "it was claimed without a hook", claim: claimed, problems: problemsOf("hooks: what?"), isUnknown: false },
    {
      when: "its hook is known",
      claim: { ...claimed, hook: pre },
      hooks,
      problems: problemsOf("canary: what?"),
      isUnknown: false,
    },
  ])("it is not known whether its hook has to run: $when", ({ claim, problems = [], isUnknown, ...own }) => {
    const read = workload({ policy: { hooks: own.hooks ?? { pre: null, post: null } }, problems });
    expect(isPreHookUnknown(read, claim)).toBe(isUnknown);
  });

  test("nothing has to run without a hook", () => {
    expect(pendingPreHook(workload(), image, null)).toBeNull();
  });

  test.for([
    { when: "its hook runs", claim: { ...claimed, hook: pre }, isPending: true },
    { when: "it is rolled back", claim: rollbackOf(claimed, { hook: pre }), isPending: false },
    { when: "its post hook runs", claim: { ...claimed, hook: post }, isPending: false },
  ])("an update waits for its hook: $when", ({ claim, isPending }) => {
    expect(isPreHookPending(claim)).toBe(isPending);
  });

  test("its claim changes nothing of the workload", () => {
    const start = { image: target, restart: noon, inFlight, updateRecord: { candidateVersion: "1.1.0" } } as const;
    expect(claimForHook(start, migrate, after(1))).toEqual({
      inFlight: { ...inFlight, isApplied: false, hook: { ...pre, startedAt: after(1) } },
      updateRecord: { candidateVersion: "1.1.0" },
    });
  });
});

describe("before a canary is promoted", () => {
  const promotion: HookRun = { ...pre, stage: "pre-promotion" };
  const canary: InFlight = { ...inFlight, phase: "canary" };
  const policy = { hooks: { ...hooks, "pre-promotion": migrate } };
  test.for([
    { when: "it has not begun", claim: canary, hook: migrate },
    { when: "it runs", claim: { ...canary, hook: promotion }, hook: migrate },
    { when: "it failed", claim: { ...canary, hook: { ...promotion, result: "failed" as const } }, hook: migrate },
    {
      when: "it has succeeded",
      claim: { ...canary, hook: { ...promotion, result: "succeeded" as const } },
      hook: null,
    },
    { when: "it is promoted", claim: inFlight, hook: null },
  ])("a hook has to run: $when", ({ claim, hook }) => {
    expect(pendingPromotionHook(workload({ policy }), claim)).toEqual(hook);
  });

  test("nothing has to run without a hook", () => {
    expect(pendingPromotionHook(workload(), canary)).toBeNull();
  });

  test.for([
    { result: "succeeded", next: "apply" },
    { result: "failed", next: "expired" },
    { result: "unknown", next: "no-result" },
  ] as const)("after it $result: $next", ({ result, next }) => {
    expect(nextAfter({ ...canary, hook: promotion }, result)).toBe(next);
  });

  test("one whose owner disables auto-update, or deletes the object, ends it", () => {
    const update = { ...canary, hook: promotion };
    const disabled = updatingWorkload({ policy: { ...policy, optIn: "no" }, inFlight: update });
    expect(assessPendingHook(disabled, update)).toMatchObject({ kind: "over", next: "abort" });
  });

  test("one that its owner removed is over", () => {
    const update = { ...canary, hook: promotion };
    expect(assessPendingHook(updatingWorkload({ inFlight: update }), update)).toMatchObject({
      kind: "over",
      next: "apply",
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
      when: "it has no result, and rolls back",
      post: { ...smoke, rollsBackUnknown: true },
      run: { ...post, result: "unknown" as const },
      hook: { ...smoke, rollsBackUnknown: true },
    },
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

  test.for([
    { phase: "rollback", runOn: ["update", "rollback"], runs: false },
    { phase: "release", runOn: ["update", "digest"], runs: false },
    { phase: "release", runOn: ["rollback"], runs: true },
  ] as const)("a rollback runs one only on request, and if asked: $phase, $runOn", ({ phase, runOn, runs }) => {
    const policy = { hooks: { ...hooks, post: { ...smoke, runOn } } };
    expect(pendingPostHook(workload({ policy }), phase === "release" ? releaseInFlight : rollingBack) !== null).toBe(
      runs,
    );
  });

  test.for(targets)("a hook runs only around those updates that its owner names: $kind", (to) => {
    const occasion = occasionOf(to);
    const others = hookOccasions.filter((one) => one !== occasion);
    for (const [runOn, runs] of [
      [[occasion], true],
      [others, false],
    ] as const) {
      const policy = { hooks: { pre: { ...migrate, runOn }, post: { ...smoke, runOn } } };
      expect(pendingPreHook(workload({ policy }), to, null) !== null).toBe(runs);
      expect(pendingPostHook(workload({ policy }), { ...inFlight, target: to } as InFlight) !== null).toBe(runs);
    }
  });
});

test("a hook that has begun keeps its start, so that its Job is found again", () => {
  const begun = withHook(inFlight, "post", smoke, noon);
  expect(begun.hook).toEqual(post);
  expect(withHook(begun, "post", { ...smoke, job: "another" }, after(5))).toBe(begun);
});

describe("a hook of an update in flight", () => {
  const stated = (run: HookRun | null, parts: object = {}, claim: InFlight = claimed) => {
    const update = { ...claim, ...(run === null ? {} : { hook: run }) };
    return assessPendingHook(updatingWorkload({ policy: { hooks }, inFlight: update, ...parts }), update);
  };

  test.for([
    { when: "it has not ended", run: pre, expected: { kind: "run", run: pre, hook: migrate } },
    { when: "it succeeded", run: { ...pre, result: "succeeded" as const }, expected: { kind: "over", next: "apply" } },
    {
      when: "that of a canary succeeded",
      run: { ...pre, result: "succeeded" as const },
      claim: { ...canaryInFlight, isApplied: false },
      expected: { kind: "over", next: "canary" },
    },
    {
      when: "that of a rollback on request succeeded",
      run: { ...pre, result: "succeeded" as const },
      claim: { ...releaseInFlight, isApplied: false },
      expected: { kind: "over", next: "restore" },
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
      parts: { problems: problemsOf("schedule: what?") },
      expected: { kind: "wait", reason: "not continued until it is fixed: schedule: what?" },
    },
    { when: "updates are paused", run: pre, parts: { policy: { paused: true, hooks } }, expected: { kind: "run" } },
    {
      when: "auto-update was disabled",
      run: pre,
      parts: { policy: { optIn: "no", hooks } },
      expected: { kind: "over", next: "abort" },
    },
    { when: "a person aborted it", run: pre, parts: { verdict: "abort" }, expected: { kind: "over", next: "abort" } },
    { when: "none was begun", run: null, expected: { kind: "over", next: "apply", reason: "no hook was begun" } },
  ])("$when", ({ run, parts, claim, expected }) => {
    expect(stated(run, parts, claim)).toMatchObject(expected);
  });
});
