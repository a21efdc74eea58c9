import { describe, expect, test } from "vitest";
import type { HookJob } from "../../../functions/domain/workload/hook/hook.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { Forbidden, Unreachable } from "../../../functions/ports/errors.ts";
import { killedAt, once } from "../../support/fake-ports.ts";
import { target } from "../../support/workloads.ts";
import { checkStep } from "../canary/canary-steps.ts";
import { around1, begin, failed, running, runToVerdict, smoke } from "./job-metric.ts";

describe("the exit code of its Job is the verdict", () => {
  test.for<{ when: string; job: HookJob; kind: string; reason: string; jobs: number }>([
    { when: "it succeeds", job: { kind: "succeeded" }, kind: "pass", reason: "smoke: 1 passed", jobs: 1 },
    { when: "it fails", job: failed, kind: "fail", reason: "BackoffLimitExceeded", jobs: 1 },
  ])("$when: $kind", async ({ job, kind, reason, jobs }) => {
    const { ports, result } = await runToVerdict({ hooks: { "smoke-test": job } });
    expect(result).toMatchObject({ kind, reason: expect.stringContaining(reason) });
    expect(ports.cluster.hookJobs).toHaveLength(jobs);
    expect(JSON.stringify(ports.cluster.get())).not.toContain("password");
  });

  test.for<{ when: string; job: HookJob; reason: string }>([
    { when: "its deadline passes", job: { kind: "ended", reason: "DeadlineExceeded", log: [] }, reason: "DeadlineExc" },
    { when: "it never runs", job: running, reason: "did not end within 5m0s" },
    {
      when: "its CronJob is deleted",
      job: { kind: "missing", reason: "CronJob shop/s not found" },
      reason: "not found",
    },
  ])("$when: nothing is known, and nothing is blamed", async ({ job, reason }) => {
    const { result, kinds } = await runToVerdict({ hooks: { "smoke-test": job } });
    expect(result).toMatchObject({ kind: "withdraw", reason: expect.stringContaining(reason) });
    expect(new Set(kinds)).toEqual(new Set(["running", "withdraw"]));
  });

  test("one that is late is deleted, because it may still start", async () => {
    const { ports } = await runToVerdict({ hooks: { "smoke-test": running } });
    const { hookJobs, stoppedJobs } = ports.cluster;
    expect(stoppedJobs).toEqual(hookJobs.map(({ name }) => name).slice(0, stoppedJobs.length));
    expect(stoppedJobs.length).toBeGreaterThan(0);
  });
});

describe("one measurement creates one Job", () => {
  test("which it waits for, without a verdict and without a write", async () => {
    const ports = around1({ hooks: { "smoke-test": running } });
    await begin(ports);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 15 });
    const recorded = ports.cluster.get();
    expect(recorded.analysis?.counts.get("smoke")?.jobUid).toBe(`uid-of-${ports.cluster.hookJobs[0]?.name}`);
    ports.pass(149);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 30 });
    expect(ports.cluster.get()).toBe(recorded);
    expect(recorded.analysis?.counts.get("smoke")).toMatchObject({ errors: 0, measuredAt: null });
    expect(ports.cluster.hookJobs).toHaveLength(1);
  });

  test("that knows the version, and which pods are the canary", async () => {
    const ports = around1();
    await begin(ports);
    await analyzeCanary(ports, checkStep);
    expect(ports.cluster.hookJobs[0]).toMatchObject({ template: "smoke-test", deadlineSeconds: 300, image: target });
    expect(ports.cluster.hookJobs[0]?.variables).toEqual({
      PAWL_VERSION: "1.1.0",
      PAWL_PREVIOUS_VERSION: "1.0.0",
      PAWL_IMAGE: target,
      PAWL_KIND: "update",
      PAWL_RELEASE: "",
      PAWL_CANARY_SELECTOR: "app=web,pawl.dev/role=canary",
    });
  });

  test.for(["before startHook", "after startHook", "before change", "after change", "after readHook"] as const)(
    "also if its function is killed: %s",
    async (moment) => {
      const ports = around1({ atMoment: killedAt(moment) });
      const kinds: string[] = [];
      for (let checks = 0; checks < 9 && kinds.at(-1) !== "pass"; checks += 1) {
        const result = await analyzeCanary(ports, checkStep).catch(({ name }: Error) => ({
          kind: name,
          // Its retry is another function, later.
          waitSeconds: 30,
        }));
        kinds.push(result.kind);
        ports.pass(result.waitSeconds);
      }
      expect(kinds.filter((kind) => kind !== "running")).toEqual(["Killed", "pass"]);
      expect(ports.cluster.hookJobs).toHaveLength(1);
    },
  );

  test("each has its own name", async () => {
    const { ports, result } = await runToVerdict({}, `count: 3\n${smoke}`);
    expect(result.kind).toBe("pass");
    expect(new Set(ports.cluster.hookJobs.map(({ name }) => name)).size).toBe(3);
  });
});

test("while the cluster does not answer, no other Job is created: the step is repeated", async () => {
  const ports = around1({
    atMoment: once("after startHook", () => {
      throw new Unreachable("connect ECONNREFUSED");
    }),
  });
  await begin(ports);
  await expect(analyzeCanary(ports, checkStep)).rejects.toMatchObject({ name: "Unreachable" });
  ports.pass(30);
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
  expect(ports.cluster.hookJobs).toHaveLength(1);
});

test("a role that may not create Jobs is no verdict", async () => {
  const ports = around1({
    atMoment: once("before startHook", () => {
      throw new Forbidden("jobs.batch is forbidden");
    }),
  });
  await begin(ports);
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", reason: "smoke = nothing: error" });
});

test("a metric beside it is measured meanwhile", async () => {
  const both = `${smoke}  - { name: errors, query: errors, threshold: 1 }\n`;
  const measured = () => ({ kind: "value", value: 0 }) as const;
  const ports = around1({ hooks: { "smoke-test": running }, measured }, both);
  await begin(ports);
  ports.pass(60);
  await analyzeCanary(ports, checkStep);
  expect(ports.cluster.get().analysis?.counts.get("errors")).toMatchObject({ passes: 2 });
  expect(ports.cluster.hookJobs).toHaveLength(1);
});
