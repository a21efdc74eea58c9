import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { createHookJobs } from "../../../../functions/adapters/kubernetes/hooks/hook-jobs.ts";
import { workload } from "../../../support/workloads.ts";
import { noApi } from "../reading.ts";

const pod = { spec: { containers: [{ name: "a", image: "registry.example/a:1" }] } };
const cronJob = {
  metadata: { name: "smoke", namespace: "shop" },
  spec: { suspend: true, jobTemplate: { spec: { template: pod } } },
};
const resumed = { ...cronJob, spec: { ...cronJob.spec, suspend: false } };

test.for([
  { when: "it can be used", found: cronJob, problem: null },
  { when: "it does not exist", found: null, problem: "CronJob shop/smoke not found" },
  { when: "it runs by its schedule", found: resumed, problem: "is not suspended" },
  { when: "no container has the image", found: cronJob, image: "registry.example/b:2", problem: "useNewImage" },
  { when: "the deployment has no such metrics", found: cronJob, hasMetrics: false, problem: "jobMetrics: true" },
])("the problem of the CronJob of a metric is known before an update starts: $when", async (given) => {
  const { found, image = null, hasMetrics = true, problem } = given;
  const api: KubernetesApi = { ...noApi, get: async <T>() => found as T | null };
  const result = await createHookJobs(api, hasMetrics).jobProblem(workload(), { template: "smoke", image });
  expect(result ?? "").toContain(problem ?? "");
  expect(result === null).toBe(problem === null);
});
