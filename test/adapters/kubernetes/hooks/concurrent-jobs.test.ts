import { describe, expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { createHookJobs } from "../../../../functions/adapters/kubernetes/hooks/hook-jobs.ts";
import { type CronJob, hookLabel } from "../../../../functions/adapters/kubernetes/hooks/hook-objects.ts";
import { jobManifest } from "../../../../functions/adapters/kubernetes/hooks/job-manifest.ts";
import { workload } from "../../../support/workloads.ts";
import { noApi } from "../reading.ts";

const uid = "u-6";
const name = "migrate-0123456789ab";
const spec = { name, template: "migrate", deadlineSeconds: 600, variables: {}, image: null, uid: null };
const template: CronJob = {
  metadata: { name: "migrate", namespace: "shop", uid: "u-5", resourceVersion: "1" },
  spec: { suspend: true, jobTemplate: { spec: { template: { spec: { containers: [{ name: "a", image: "a:1" }] } } } } },
};
const metadata = { name, namespace: "shop", uid, resourceVersion: "1", labels: { [hookLabel]: "migrate" } };
const job = { metadata, spec: jobManifest(template, spec).spec };

/** `listed` are all Jobs with the label of the CronJob; `found` is the one of the attempt. */
function hookJobs(cronJob: CronJob, listed: readonly object[], found: object | null = null) {
  const created: object[] = [];
  const api: KubernetesApi = {
    ...noApi,
    get: async <T>({ kind }: { readonly kind: string }) => (kind === "Job" ? found : cronJob) as T | null,
    create: async (_resource, _namespace, body) => {
      created.push(body);
      return { ...body, metadata } as never;
    },
    listSelected: async (_resource, _namespace, selector) => {
      expect(selector).toBe(`${hookLabel}=migrate`);
      return listed as never;
    },
  };
  return { ...createHookJobs(api), created };
}

describe("a Job of the same CronJob, of an attempt before or of another workload", () => {
  const forbids = { ...template, spec: { ...template.spec, concurrencyPolicy: "Forbid" } };
  const allows = { ...template, spec: { ...template.spec, concurrencyPolicy: "Allow" } };
  const other = { ...job, metadata: { ...metadata, name: "migrate-ba9876543210", uid: "u-8" } };
  const ended = (type: string, status = "True") => ({ ...other, status: { conditions: [{ type, status }] } });
  const waiting = {
    kind: "waiting",
    reason: "waits until Job migrate-ba9876543210 has ended: concurrencyPolicy Forbid",
  };
  const begun = { kind: "started", uid };
  test.for([
    { when: "runs", cronJob: forbids, listed: [other], start: waiting },
    { when: "runs beside one that has ended", cronJob: forbids, listed: [ended("Complete"), other], start: waiting },
    { when: "has not failed yet", cronJob: forbids, listed: [ended("Failed", "False")], start: waiting },
    { when: "is suspended", cronJob: forbids, listed: [ended("Suspended")], start: waiting },
    { when: "is complete", cronJob: forbids, listed: [ended("Complete")], start: begun },
    { when: "has failed", cronJob: forbids, listed: [ended("Failed")], start: begun },
    { when: "does not exist", cronJob: forbids, listed: [], start: begun },
    { when: "runs, and two are allowed", cronJob: allows, listed: [other], start: begun },
    { when: "runs, and the template says nothing", cronJob: template, listed: [other], start: begun },
  ])("$when: $start.kind", async ({ cronJob, listed, start }) => {
    const jobs = hookJobs(cronJob, listed);
    expect(await jobs.startHook(workload(), spec)).toEqual(start);
    expect(jobs.created).toHaveLength(start === begun ? 1 : 0);
  });

  test("does not hold up a Job that exists", async () => {
    const jobs = hookJobs(forbids, [other], job);
    expect(await jobs.startHook(workload(), spec)).toEqual(begun);
  });
});
