import { expect } from "vitest";
import type { HookJob } from "../../../functions/domain/workload/hook/hook.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import type { FakeOptions } from "../../support/fake-ports.ts";
import { canaryWorkload, noon } from "../../support/workloads.ts";
import { checkStep, runToVerdict as runCanary } from "../canary/canary-steps.ts";
import { around } from "../steps.ts";

export const smoke = `
interval: 1m
metrics:
  - name: smoke
    job: { name: smoke-test, timeout: 5m, useNewImage: true }
`;
export const names = { stable: "app", canary: "app-canary", canarySelector: "app=web,pawl.dev/role=canary" };
const judged = canaryWorkload({ policy: { analysis: "smoke" }, canaryNames: names });
export const running: HookJob = {
  kind: "running",
  uid: "",
  createdAt: noon,
  progress: { kind: "running", reason: "", log: [] },
};
export const failed: HookJob = { kind: "failed", reason: "BackoffLimitExceeded", log: ["password=secret"] };

export const around1 = (options: Partial<FakeOptions> = {}, analysis = smoke) =>
  around(judged, { analyses: { smoke: analysis }, ...options });

/** Takes the first step of an analysis, which records its start and creates no Job. */
export async function begin(ports: ReturnType<typeof around1>): Promise<void> {
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "running" });
  expect(ports.cluster.hookJobs).toEqual([]);
  ports.pass(1);
}

/** Runs the step until it returns a verdict. */
export const runToVerdict = (options: Partial<FakeOptions>, analysis = smoke) =>
  runCanary(judged, { analyses: { smoke: analysis }, ...options });
