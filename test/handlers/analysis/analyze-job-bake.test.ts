import { describe, expect, test } from "vitest";
import type { HookJob } from "../../../functions/domain/workload/hook/hook.ts";
import { analyzeRollout } from "../../../functions/handlers/analyze-rollout.ts";
import { killedAt } from "../../support/fake-ports.ts";
import { inFlight, noon, updatingWorkload } from "../../support/workloads.ts";
import { failed, names, running, smoke } from "./job-metric.ts";
import { around, step } from "../steps.ts";

describe("in the bake time", () => {
  const baked = updatingWorkload({
    policy: { analysis: "smoke", bake: { seconds: null } },
    inFlight: { ...inFlight, isApplied: true },
    canaryNames: names,
  });
  const input = { ...step, executionStartedAt: noon.toISOString() };

  test.for<{ job: HookJob; kind: string }>([
    { job: { kind: "succeeded" }, kind: "pass" },
    { job: failed, kind: "fail" },
  ])("its Job decides: $kind", async ({ job, kind }) => {
    const ports = around(baked, { analyses: { smoke }, hooks: { "smoke-test": job } });
    for (const waitSeconds of [1, 15]) {
      expect(await analyzeRollout(ports, input)).toMatchObject({ kind: "running", waitSeconds });
      ports.pass(waitSeconds);
    }
    expect(await analyzeRollout(ports, input)).toMatchObject({ kind });
    expect(ports.cluster.hookJobs[0]?.variables["PAWL_CANARY_SELECTOR"]).toBe("");
  });

  /** Runs a bake time of 10 s, with a Job that ends after some time. Returns the verdict, and after how many seconds. */
  async function bakeShortly(job: HookJob, seconds: number, analysis = smoke) {
    const hooks: Record<string, HookJob> = { "smoke-test": running };
    const short = { ...baked, policy: { ...baked.policy, bake: { seconds: 10 } } };
    const ports = around(short, { analyses: { smoke: analysis }, hooks });
    for (let elapsed = 0; elapsed < 3600;) {
      if (elapsed >= seconds) hooks["smoke-test"] = job;
      const result = await analyzeRollout(ports, input);
      if (result.kind !== "running") return { ...result, elapsed, jobs: ports.cluster.hookJobs.length };
      expect(result.waitSeconds).toBeGreaterThan(0);
      ports.pass(result.waitSeconds);
      elapsed += result.waitSeconds;
    }
    throw new Error("no verdict after an hour");
  }

  const succeeded: HookJob = { kind: "succeeded" };
  const lost: HookJob = { kind: "ended", reason: "DeadlineExceeded", log: [] };
  test.for<{ job: HookJob; seconds: number; kind: string }>([
    { job: failed, seconds: 200, kind: "fail" },
    { job: succeeded, seconds: 200, kind: "pass" },
    { job: lost, seconds: 200, kind: "unknown" },
    { job: running, seconds: 0, kind: "unknown" },
  ])(
    "one that is shorter than its Job waits for it, and no longer: $job.kind, $kind",
    async ({ job, seconds, kind }) => {
      const ended = await bakeShortly(job, seconds);
      expect(ended).toMatchObject({ kind, jobs: 1 });
      expect(ended.elapsed).toBeGreaterThanOrEqual(seconds);
      expect(ended.elapsed).toBeLessThanOrEqual(10 + 300 + 180);
    },
  );

  test("one that is over begins no other Job, while a slower one runs", async () => {
    const both = `${smoke}  - { name: fast, job: { name: fast-test } }\n`;
    expect(await bakeShortly(succeeded, 290, both)).toMatchObject({ kind: "pass", jobs: 2 });
  });

  test("one of a second has the result of its Job too", async () => {
    const ports = around(
      { ...baked, policy: { ...baked.policy, bake: { seconds: 1 } } },
      { analyses: { smoke }, hooks: { "smoke-test": failed } },
    );
    const kinds = [];
    for (let checks = 0; checks < 4 && kinds.at(-1) !== "fail"; checks += 1) {
      const result = await analyzeRollout(ports, input);
      kinds.push(result.kind);
      ports.pass(result.waitSeconds);
    }
    expect(kinds).toEqual(["running", "running", "fail"]);
  });

  test("a Job is created once, also if its function is killed before its uid is recorded", async () => {
    const ports = around(baked, { analyses: { smoke }, atMoment: killedAt("after startHook") });
    const kinds = [];
    for (let checks = 0; checks < 4; checks += 1) {
      kinds.push(
        await analyzeRollout(ports, input).then(
          ({ kind }) => kind,
          ({ name }: Error) => name,
        ),
      );
      ports.pass(30);
    }
    expect(kinds).toEqual(["running", "Killed", "running", "pass"]);
    expect(ports.cluster.hookJobs).toHaveLength(1);
  });
});
