import { describe, expect, test } from "vitest";
import type { Hook, HookJob, HookRun } from "../../../functions/domain/workload/hook/hook.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkHook } from "../../../functions/handlers/check-hook.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { runHook } from "../../../functions/handlers/run-hook.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { image, inFlight, noon, target, updatingWorkload } from "../../support/workloads.ts";
import { expectSelectable, step as common } from "../steps.ts";
import { migrate as defaults } from "../../support/workloads/hooks.ts";
import { problemsOf } from "../../support/problems.ts";

const step = { ...common, executionStartedAt: noon.toISOString() };
const migrate: Hook = { ...defaults, timeoutSeconds: 60 };
const smoke: Hook = { ...migrate, job: "smoke-test" };
const hooks = { pre: migrate, post: smoke };
const pre: HookRun = { stage: "pre", job: "migrate", startedAt: noon, result: null };
const post: HookRun = { ...pre, stage: "post", job: "smoke-test" };
const running: HookJob = {
  kind: "running",
  uid: "",
  createdAt: noon,
  progress: { kind: "running", reason: "", log: [] },
};
const failed: HookJob = { kind: "failed", reason: "BackoffLimitExceeded", log: ["password=secret"] };

const waiting = (parts: Parameters<typeof updatingWorkload>[0] = {}) =>
  updatingWorkload({ image, policy: { hooks }, inFlight: { ...inFlight, isApplied: false, hook: pre }, ...parts });
const afterwards = (parts: Parameters<typeof updatingWorkload>[0] = {}) =>
  updatingWorkload({ policy: { hooks }, inFlight: { ...inFlight, isApplied: true, hook: post }, ...parts });

const around = (initial: Workload, jobs: Readonly<Record<string, HookJob>> = {}) =>
  fakePorts({ workloads: [initial], hooks: jobs });

test("the Job is recorded when it is created, so that no other Job decides the update", async () => {
  const ports = around(waiting());
  const result = await runHook(ports, step);
  expect(result.kind).toBe("progressing");
  expectSelectable("RunHook", result);
  const [created] = ports.cluster.hookJobs;
  expect(created).toMatchObject({ template: "migrate", uid: null });
  expect(ports.cluster.get().inFlight?.hook?.jobUid).toBe(`uid-of-${created?.name}`);
  const recorded = ports.cluster.get();
  await runHook(ports, step);
  expect(ports.cluster.get()).toBe(recorded);
});

describe("a hook whose CronJob forbids two Jobs at a time", () => {
  const waits: HookJob = { kind: "waiting", since: noon, reason: "waits until Job migrate-1 has ended" };

  test("waits for the other one, and is created when that has ended", async () => {
    const jobs: Record<string, HookJob> = { migrate: waits };
    const ports = around(waiting(), jobs);
    for (const task of [runHook, checkHook]) {
      expect(await task(ports, step)).toMatchObject({
        kind: "progressing",
        reason: "the pre hook migrate waits until Job migrate-1 has ended",
      });
      ports.pass(60);
    }
    expect(ports.cluster.hookJobs).toEqual([]);
    jobs["migrate"] = running;
    expect(await checkHook(ports, step)).toMatchObject({ kind: "progressing" });
    expect(ports.cluster.get().inFlight?.hook?.jobUid).toBe(`uid-of-${ports.cluster.hookJobs[0]?.name}`);
    jobs["migrate"] = { kind: "succeeded" };
    expect(await checkHook(ports, step)).toMatchObject({ kind: "apply" });
    expect(ports.cluster.hookJobs).toHaveLength(1);
  });

  test("waits no longer than its timeout, blames nothing, and deletes no Job", async () => {
    const ports = around(waiting(), { migrate: waits });
    await runHook(ports, step);
    ports.pass(181);
    expect(await checkHook(ports, step)).toMatchObject({
      kind: "failed",
      reason: "the pre hook migrate has no result: it waits until Job migrate-1 has ended",
    });
    expect([ports.cluster.hookJobs, ports.cluster.stoppedJobs]).toEqual([[], []]);
    expect(ports.cluster.get()).toMatchObject({ image, inFlight: null, updateRecord: { failedVersions: [] } });
  });
});

test.for([
  { when: "they are not recorded", parts: {}, release: "" },
  { when: "it is the first", parts: { releases: { list: [], hash: "0" } }, release: "1" },
])("the Job knows the number of the next release: $when", async ({ parts, release }) => {
  const ports = around({ ...waiting(), ...parts });
  await runHook(ports, step);
  expect(ports.cluster.hookJobs[0]?.variables).toEqual({
    PAWL_VERSION: "1.1.0",
    PAWL_PREVIOUS_VERSION: "1.0.0",
    PAWL_IMAGE: target,
    PAWL_KIND: "update",
    PAWL_RELEASE: release,
  });
});

test("a Job that is late is deleted, because it may still start", async () => {
  const progress = { kind: "waiting", reason: "Unschedulable", log: [] } as const;
  const ports = around(waiting(), { migrate: { ...running, progress } });
  await runHook(ports, step);
  ports.pass(61);
  expect(await checkHook(ports, step)).toMatchObject({
    kind: "failed",
    reason: expect.stringContaining("did not start within 1m0s: Unschedulable"),
  });
  expect(ports.cluster.stoppedJobs).toEqual(ports.cluster.hookJobs.map(({ name }) => name));
  expect(ports.cluster.get()).toMatchObject({ image, inFlight: null, updateRecord: { failedVersions: [] } });
});

test.for([
  { showsLog: true, isShown: true },
  { showsLog: false, isShown: false },
])(
  "the log of a Job is in its Event and in the execution only if its owner allows it: $showsLog",
  async ({ showsLog, isShown }) => {
    const policy = { hooks: { pre: { ...migrate, showsLog }, post: null } };
    const ports = around(waiting({ policy }), { migrate: failed });
    await runHook(ports, step);
    const { reason } = await checkHook(ports, step);
    const shown = [reason, ...ports.cluster.events().map(({ message }) => message), ...ports.published.map(String)];
    expect(shown.join("\n").includes("secret")).toBe(isShown);
    expect(JSON.stringify(ports.published).includes("secret")).toBe(isShown);
  },
);

describe("hooks that the deployment does not enable any more", () => {
  const disabled = { ...step, verdict: "disabled", reason: "the configuration does not enable this feature" };

  test("end an update that waits for the one before it, and blame nothing", async () => {
    const ports = around(waiting());
    await rollBack(ports, disabled);
    const { image: desired, updateRecord } = ports.cluster.get();
    expect(desired).toBe(image);
    expect(updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
  });

  test("never blame a healthy update that waits for the one after it", async () => {
    const ports = around(afterwards());
    await rollBack(ports, disabled);
    expect(ports.cluster.get().updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
  });
});

describe("a setting that becomes invalid while the hook before an update is pending", () => {
  const invalid = { policy: { hooks: { pre: null, post: null } }, problems: problemsOf("pawl.dev/hooks: what?") };

  test("does not start it without the hook", async () => {
    const ports = around(waiting(invalid));
    const result = await applyUpdate(ports, step);
    expect(result.kind).toBe("hook");
    expectSelectable("ApplyUpdate", result);
    expect(await runHook(ports, step)).toMatchObject({ kind: "progressing", waitSeconds: 60 });
    expect(ports.cluster.get().image).toBe(image);
  });

  test("does not start its canary without the hook", async () => {
    const { policy, ...rest } = invalid;
    const canary = { unit: "percent", amount: 25 } as const;
    const claim = { ...inFlight, phase: "canary", isApplied: false, hook: pre } as const;
    const ports = around(waiting({ ...rest, policy: { ...policy, canary }, inFlight: claim }));
    expect(await startCanary(ports, { ...step, strategy: "canary" })).toMatchObject({ kind: "hook" });
    expect(ports.cluster.get().canary).toBeNull();
  });
});

test("updates that are paused while the hook before one runs do not stop it: it is in progress", async () => {
  const ports = around(waiting({ policy: { hooks, paused: true } }));
  await runHook(ports, step);
  expect(await checkHook(ports, step)).toMatchObject({ kind: "apply" });
  expect(await applyUpdate(ports, step)).toMatchObject({ kind: "applied" });
  expect(ports.cluster.get().image).toBe(target);
});

test.for([
  { rollsBackUnknown: false, kind: "record" },
  { rollsBackUnknown: true, kind: "no-result" },
] as const)(
  "a post hook without a result is followed by $kind, and blames nothing",
  async ({ rollsBackUnknown, kind }) => {
    const policy = { hooks: { pre: null, post: { ...smoke, rollsBackUnknown } } };
    const ended: HookJob = { kind: "ended", reason: "its pod was evicted", log: [] };
    const ports = around(afterwards({ policy }), { "smoke-test": ended });
    await runHook(ports, step);
    const result = await checkHook(ports, step);
    expect(result.kind).toBe(kind);
    expectSelectable("CheckHook", result);
    if (kind === "record") return;
    expect(await rollBack(ports, { ...step, verdict: kind, reason: result.reason })).toMatchObject({
      kind: "reverting",
    });
    expect(ports.cluster.get()).toMatchObject({ image, updateRecord: { failedVersions: [] } });
  },
);
