import { expect, test } from "vitest";
import { listJobRuns } from "../../../../functions/adapters/kubernetes/pods/job-runs.ts";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { updatingWorkload, workload } from "../../../support/workloads.ts";
import { noApi } from "../reading.ts";

const own = { uid: "u-1", controller: true };

/** `creationTimestamp` is an hour before, or after, the start of the update. */
function job(name: string, { condition, hour = "13", owner = own, image = "app:1.1.0" }: JobParts = {}) {
  return {
    metadata: { name, uid: name, ownerReferences: [owner], creationTimestamp: `2026-11-20T${hour}:00:00Z` },
    spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never", containers: [{ name: "app", image }] } } },
    status: { failed: 1, conditions: condition === undefined ? [] : [{ status: "True", ...condition }] },
  };
}

interface JobParts {
  readonly condition?: { readonly type: string; readonly reason?: string; readonly message?: string };
  readonly hour?: string;
  readonly owner?: { readonly uid: string; readonly controller?: boolean };
  readonly image?: string;
}

const failed = {
  type: "Failed",
  reason: "BackoffLimitExceeded",
  message: "Job has reached the specified backoff limit",
};
const terminated = { exitCode: 3, reason: "Error", message: "no DB" };
const pod = {
  metadata: { name: "bad-x", uid: "p-1" },
  spec: { containers: [{ name: "app" }] },
  status: { phase: "Failed", containerStatuses: [{ name: "app", state: { terminated } }] },
};

async function list(jobs: readonly object[], inFlight = true) {
  const asked: string[] = [];
  const api: KubernetesApi = {
    ...noApi,
    async *list() {
      for (const one of jobs)
        yield { items: [one as never], scope: "full", fullObjects: async () => [], next: () => null };
    },
    async listPods(_namespace, selector) {
      asked.push(selector);
      return [pod];
    },
  };
  const runs = await listJobRuns(inFlight ? updatingWorkload() : workload(), api);
  return { runs, asked };
}

test("lists the Jobs of a CronJob, with the pods of those that failed during its update", async () => {
  const { runs, asked } = await list([
    job("good", { condition: { type: "Complete" } }),
    job("bad", { condition: failed }),
    job("unexplained", { condition: { type: "Failed" } }),
    job("before", { condition: failed, hour: "11", image: "app:1.0.0" }),
    job("runs"),
    job("of-another", { owner: { uid: "u-2", controller: true } }),
    job("adopted", { owner: { uid: "u-1" } }),
  ]);
  const rest = { reason: "", isByItself: false, evidence: [], image: "app:1.1.0" };
  const cause = { blames: "version", reason: "Exit", container: "app", exitCode: 3, message: "no DB", restarts: 0 };
  const evidence = [{ pod: "bad-x", cause }];
  const [at, before] = [new Date("2026-11-20T13:00:00Z"), new Date("2026-11-20T11:00:00Z")];
  const reason = "BackoffLimitExceeded: Job has reached the specified backoff limit";
  expect(runs).toEqual([
    { ...rest, name: "good", createdAt: at, result: "succeeded" },
    { ...rest, name: "bad", createdAt: at, result: "failed", reason, isByItself: true, evidence },
    { ...rest, name: "unexplained", createdAt: at, result: "failed", isByItself: true, evidence },
    { ...rest, name: "before", createdAt: before, result: "failed", reason, image: "app:1.0.0" },
    { ...rest, name: "runs", createdAt: at, result: "running" },
  ]);
  expect(asked).toEqual(["controller-uid=bad", "controller-uid=unexplained"]);
});

test("reads no pod without an update", async () => {
  const { runs, asked } = await list([job("bad", { condition: failed })], false);
  expect([runs.length, asked]).toEqual([1, []]);
});
