import { expect, test } from "vitest";
import type { HookJob } from "../../../functions/domain/workload/hook/hook.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { Forbidden } from "../../../functions/ports/errors.ts";
import { once } from "../../support/fake-ports.ts";
import { noon } from "../../support/workloads.ts";
import { checkStep } from "../canary/canary-steps.ts";
import { around1, begin, running, runToVerdict, smoke } from "./job-metric.ts";

test.for(["get jobs.batch", "list pods"])(
  "a role that may not read its Job any more keeps it: %s is forbidden",
  async (right) => {
    const forbidden = () => {
      throw new Forbidden(`${right} is forbidden`);
    };
    const ports = around1({ atMoment: once("before readHook", forbidden) });
    await begin(ports);
    await analyzeCanary(ports, checkStep);
    const recorded = ports.cluster.get();
    ports.pass(15);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 60 });
    expect(ports.cluster.get()).toBe(recorded);
    ports.pass(60);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "pass" });
    expect(ports.cluster.hookJobs).toHaveLength(1);
  },
);

test("a Job that is forbidden to read decides nothing until the deadline of the analysis", async () => {
  const atMoment = (moment: string) => {
    if (moment === "before readHook") throw new Forbidden("jobs.batch is forbidden");
  };
  const { result, ports } = await runToVerdict({ atMoment });
  expect(result).toMatchObject({ kind: "withdraw", reason: expect.stringContaining("not decided within") });
  expect(ports.cluster.hookJobs).toHaveLength(1);
});

test("the result of a Job that is there at the deadline counts", async () => {
  const ended: HookJob = { kind: "succeeded" };
  const hooks = { "smoke-test": running };
  const ports = around1({ hooks }, `deadline: 361s\n${smoke}`);
  await begin(ports);
  await analyzeCanary(ports, checkStep);
  Object.assign(hooks, { "smoke-test": ended });
  ports.pass(360);
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "pass" });
});

test("at the deadline no other Job is created", async () => {
  const late: HookJob = { kind: "ended", reason: "DeadlineExceeded", log: [] };
  const ports = around1({ hooks: { "smoke-test": late } }, `deadline: 361s\n${smoke}`);
  await begin(ports);
  await analyzeCanary(ports, checkStep);
  ports.pass(349);
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 10 });
  ports.pass(11);
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "withdraw" });
  expect(ports.cluster.hookJobs).toHaveLength(1);
});

test("while its CronJob forbids another Job, a measurement waits: that is no error", async () => {
  const hooks: Record<string, HookJob> = { "smoke-test": { kind: "waiting", since: noon, reason: "waits" } };
  const ports = around1({ hooks });
  await begin(ports);
  const recorded = ports.cluster.get();
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running", waitSeconds: 15 });
  expect(ports.cluster.get()).toBe(recorded);
  hooks["smoke-test"] = { kind: "succeeded" };
  for (const kind of ["running", "pass"]) {
    ports.pass(15);
    expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind });
  }
  expect(ports.cluster.hookJobs).toMatchObject([{ keptSeconds: 7200 }]);
});
