import { describe, expect, test } from "vitest";
import type { Hook, HookJob } from "../../../functions/domain/workload/hook/hook.ts";
import { checkHook } from "../../../functions/handlers/check-hook.ts";
import { restoreRelease } from "../../../functions/handlers/restore-release.ts";
import { runHook } from "../../../functions/handlers/run-hook.ts";
import { fakePorts, type FakePorts } from "../../support/fake-ports.ts";
import { noon, target, workload, type WorkloadParts } from "../../support/workloads.ts";
import { claim, request } from "../../domain/workload/release/releases.ts";
import { around, one, running, step, two } from "./release-fixtures.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import { expectSelectable } from "../steps.ts";
import { migrate as defaults } from "../../support/workloads/hooks.ts";
import { problemsOf } from "../../support/problems.ts";

const migrate: Hook = { ...defaults, timeoutSeconds: 60, runOn: ["rollback"] };
const smoke: Hook = { ...migrate, job: "smoke-test" };
const failed: HookJob = { kind: "failed", reason: "BackoffLimitExceeded", log: ["no such table"] };
const ended: HookJob = { kind: "ended", reason: "DeadlineExceeded", log: [] };
const timed = { ...step, executionStartedAt: noon.toISOString() };

const asked = (pre: Hook | null, post: Hook | null, parts: WorkloadParts = {}) =>
  running({ request, ...parts, policy: { hooks: { pre, post }, ...parts.policy } });

const jobsOf = (ports: FakePorts) => ports.cluster.hookJobs.map(({ template }) => template);
const reasons = (ports: FakePorts) => ports.cluster.events().map(({ reason }) => reason);
const historyOf = (ports: FakePorts) => ports.cluster.get().updateRecord.versionHistory.map(({ status }) => status);

describe("a rollback on request", () => {
  test("runs no hook unless its owner asks for it", async () => {
    const ports = around(asked({ ...migrate, runOn: ["update", "digest"] }, { ...smoke, runOn: ["update", "digest"] }));
    await runUntilComplete(ports);
    expect([ports.cluster.get().image, jobsOf(ports)]).toEqual([one.image, []]);
  });

  test("runs those before and after it, once", async () => {
    const ports = around(asked(migrate, smoke));
    const result = await restoreRelease(ports, step);
    expect(result.kind).toBe("hook");
    expectSelectable("RestoreRelease", result);
    expect(ports.cluster.get()).toMatchObject({ image: two.image, inFlight: { phase: "release", isApplied: false } });
    await runUntilComplete(ports);
    const { image, inFlight, lastRequest } = ports.cluster.get();
    expect([image, inFlight, jobsOf(ports), historyOf(ports)]).toEqual([
      one.image,
      null,
      ["migrate", "smoke-test"],
      ["Healthy"],
    ]);
    expect(lastRequest?.result).toContain("rollback to release 1 is requested");
    expect(reasons(ports)).toEqual([
      "AutoUpdateHookSucceeded",
      "AutoUpdateStarting",
      "AutoUpdateHookSucceeded",
      "AutoUpdateComplete",
    ]);
    expect(ports.cluster.hookJobs[0]?.variables).toMatchObject({
      PAWL_VERSION: "1.1.0",
      PAWL_PREVIOUS_VERSION: "1.2.0",
      PAWL_RELEASE: "3",
    });
  });

  test.for([
    { when: "fails", job: failed, circuitOpen: false },
    { when: "has no result", job: ended, circuitOpen: false },
    { when: "fails while the circuit is open", job: failed, circuitOpen: true },
  ])("is not begun if the hook before it $when: nothing is blamed", async ({ job, circuitOpen }) => {
    const ports = around(asked(migrate, null, { updateRecord: { circuitOpen } }), { hooks: { migrate: job } });
    await restoreRelease(ports, step);
    await runHook(ports, timed);
    expect(await checkHook(ports, timed)).toMatchObject({ kind: "failed", reason: expect.stringContaining("migrate") });
    expect(await checkHook(ports, timed)).toMatchObject({ kind: "failed" });
    const after = ports.cluster.get();
    expect([after.image, after.inFlight, after.backOff, historyOf(ports)]).toEqual([
      two.image,
      null,
      null,
      ["HookFailed"],
    ]);
    expect(after.updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [], circuitOpen });
    expect(after.lastRequest?.result).toMatch(/refused|migrate/);
    expect(reasons(ports)).toEqual(["AutoUpdateHookFailed"]);
  });

  test("is reverted if the hook after it fails, and its owner wants that", async () => {
    const ports = around(asked(null, { ...smoke, rollsBack: true }), { hooks: { "smoke-test": failed } });
    await runUntilComplete(ports);
    expect([ports.cluster.get().image, historyOf(ports)]).toEqual([two.image, ["RolledBack"]]);
    expect(jobsOf(ports)).toEqual(["smoke-test"]);
  });

  test("continues without a hook that its owner removed meanwhile", async () => {
    const hook = { stage: "pre", job: "migrate", startedAt: noon, result: null } as const;
    const ports = around(running({ inFlight: { ...claim, isApplied: false, hook } }));
    expect(await runHook(ports, timed)).toMatchObject({ kind: "restore" });
    expect(await restoreRelease(ports, step)).toMatchObject({ kind: "applied" });
    expect(ports.cluster.get().image).toBe(one.image);
  });

  test("does not begin without a hook whose setting became invalid", async () => {
    const hook = { stage: "pre", job: "migrate", startedAt: noon, result: null } as const;
    const inFlight = { ...claim, isApplied: false, hook };
    const ports = around(running({ inFlight, problems: problemsOf("pawl.dev/hooks: what?") }));
    expect(await restoreRelease(ports, step)).toMatchObject({ kind: "hook" });
    expect(await runHook(ports, timed)).toMatchObject({ kind: "progressing", waitSeconds: 60 });
    expect(ports.cluster.get().image).toBe(two.image);
  });

  test("finds its hook again in an execution that adopts it", async () => {
    const ports = around(asked(migrate, null));
    await restoreRelease(ports, step);
    await runHook(ports, timed);
    const adopting = { ...timed, execution: "e-2", adopting: true };
    expect(await restoreRelease(ports, adopting)).toMatchObject({ kind: "hook" });
    expect(await checkHook(ports, adopting)).toMatchObject({ kind: "restore" });
    expect(await restoreRelease(ports, adopting)).toMatchObject({ kind: "applied" });
    expect([jobsOf(ports), ports.cluster.get().image]).toEqual([["migrate"], one.image]);
  });
});

test("an automatic rollback runs no hook, also if rollbacks on request do", async () => {
  const pre: Hook = { ...migrate, runOn: ["update", "rollback"] };
  const hooked = workload({ policy: { hooks: { pre, post: smoke }, healthTimeoutSeconds: 60 } });
  const tags = { "shop/app": ["1.0.0", "1.1.0"] };
  const ports = fakePorts({ workloads: [hooked], tags, broken: new Set([target]) });
  await runUntilComplete(ports);
  expect([jobsOf(ports), historyOf(ports)]).toEqual([["migrate"], ["RolledBack"]]);
});
