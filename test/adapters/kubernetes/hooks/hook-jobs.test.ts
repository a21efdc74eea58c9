import { ApiException } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { createHookJobs } from "../../../../functions/adapters/kubernetes/hooks/hook-jobs.ts";
import { type CronJob, hookLabel } from "../../../../functions/adapters/kubernetes/hooks/hook-objects.ts";
import { jobManifest } from "../../../../functions/adapters/kubernetes/hooks/job-manifest.ts";
import { AdmissionDenied, Forbidden, Unreachable } from "../../../../functions/ports/errors.ts";
import { workload } from "../../../support/workloads.ts";
import { noApi } from "../reading.ts";

const uid = "u-6";
const spec = {
  name: "migrate-0123456789ab",
  template: "migrate",
  deadlineSeconds: 600,
  variables: { PAWL_VERSION: "2" },
  image: null,
  uid: null,
};
const recorded = { ...spec, uid };
const createdAt = "2026-11-20T12:00:00Z";
const template: CronJob = {
  metadata: { name: "migrate", namespace: "shop", uid: "u-5", resourceVersion: "1" },
  spec: { suspend: true, jobTemplate: { spec: { template: { spec: { containers: [{ name: "a", image: "a:1" }] } } } } },
};
const edited = {
  ...template,
  spec: {
    ...template.spec,
    jobTemplate: { spec: { template: { spec: { containers: [{ name: "a", image: "a:2" }] } } } },
  },
};
const robot = {
  ...template,
  spec: {
    ...template.spec,
    jobTemplate: {
      spec: { template: { spec: { serviceAccountName: "robot", containers: [{ name: "a", image: "a:1" }] } } },
    },
  },
};
const resumed = { ...template, spec: { ...template.spec, suspend: false } };
const metadata = {
  name: spec.name,
  namespace: "shop",
  uid,
  resourceVersion: "1",
  labels: { [hookLabel]: "migrate" },
  creationTimestamp: createdAt,
};
const job = { metadata, spec: jobManifest(template, spec).spec };
const forged = {
  ...job,
  spec: { template: { spec: { containers: [{ name: "a", image: "a:1", command: ["true"] }] } } },
};
/** Succeeds without a pod. */
const empty = { ...job, spec: { ...job.spec, completions: 0 } };
/** As a mutating webhook changed it. */
const mutated = {
  ...job,
  spec: { template: { spec: { ...job.spec.template.spec, serviceAccountName: "injected" } } },
};
const unlabelled = { ...job, metadata: { ...metadata, labels: {} } };

interface Answers {
  readonly cronJob?: object | null;
  /** What each read of the Job returns. */
  readonly found?: readonly (object | null)[];
  readonly create?: KubernetesApi["create"];
  readonly isOlder?: boolean;
  /** Whether the ServiceAccount exists. */
  readonly account?: () => Promise<boolean>;
}

function hookJobs({ cronJob = template, found = [null], create, isOlder = false, account }: Answers) {
  const answers = [...found];
  const created: object[] = [];
  const deleted: string[] = [];
  const api: KubernetesApi = {
    ...noApi,
    get: async <T>({ kind, version }: { readonly kind: string; readonly version: string }) => {
      if (kind === "Job") return (answers.length > 1 ? answers.shift() : answers[0]) as T | null;
      return (isOlder === (version === "v1beta1") ? cronJob : null) as T | null;
    },
    create:
      create ??
      (async (_resource, _namespace, body) => {
        created.push(body);
        return { ...body, metadata } as never;
      }),
    listPods: async () => [],
    ...(account === undefined ? {} : { exists: account }),
    delete: async (_resource, target) => void deleted.push(target.uid),
  };
  return { ...createHookJobs(api), created, deleted };
}

const denies = () => Promise.reject(new AdmissionDenied("exceeded quota"));
const forbidden = new Forbidden("no", { cause: new ApiException(403, "no", {}, {}) });
const taken = () => Promise.resolve(null);
/** Answers a dry run only. */
const dryRun =
  (answer: object): KubernetesApi["create"] =>
  async (_resource, _namespace, body, options) => {
    expect(options).toEqual({ isDryRun: true });
    expect(body).toMatchObject({ metadata: { generateName: "pawl-" } });
    expect(body).not.toHaveProperty("metadata.name");
    return answer as never;
  };

describe("a Job is created", () => {
  test.for([
    { when: "there is no template", answers: { cronJob: null }, reason: "CronJob shop/migrate not found" },
    { when: "its template cannot be used", answers: { cronJob: resumed }, reason: "is not suspended" },
    {
      when: "its ServiceAccount does not exist",
      answers: { cronJob: robot, account: async () => false },
      reason: "CronJob shop/migrate has the ServiceAccount robot, which does not exist; create it",
    },
    { when: "the cluster refuses it", answers: { create: denies }, reason: "exceeded quota" },
    { when: "somebody else has its name", answers: { found: [unlabelled] }, reason: "is not that of CronJob migrate" },
    { when: "somebody else created it, to succeed", answers: { found: [forged] }, reason: "is not that of CronJob" },
    { when: "somebody else created it, to run nothing", answers: { found: [empty] }, reason: "is not that of CronJob" },
    { when: "somebody else was faster", answers: { create: taken, found: [null, forged] }, reason: "is not that of" },
    {
      when: "a webhook would change it, but otherwise",
      answers: { found: [forged], create: dryRun(mutated) },
      reason: "is not that of CronJob",
    },
    {
      when: "a webhook has side effects",
      answers: { found: [mutated], create: denies },
      reason: "is not that of CronJob",
    },
    {
      when: "its CronJob was deleted before its uid was recorded",
      answers: { found: [job], cronJob: null },
      reason: "CronJob migrate was deleted before its Job",
    },
    { when: "it was deleted at once", answers: { create: taken }, reason: "was deleted before it ended" },
  ])("or the reason is returned: $when", async ({ answers, reason }) => {
    const result = await hookJobs(answers).startHook(workload(), spec);
    expect(result).toEqual({ kind: "refused", reason: expect.stringContaining(reason) });
  });

  test.for([
    { when: "it does not exist", answers: {}, creates: 1 },
    { when: "its ServiceAccount exists", answers: { cronJob: robot, account: async () => true }, creates: 1 },
    {
      when: "its ServiceAccount must not be read",
      answers: { cronJob: robot, account: () => Promise.reject(forbidden) },
      creates: 1,
    },
    { when: "the server is older than 1.21", answers: { isOlder: true }, creates: 1 },
    { when: "it exists, because the step is repeated", answers: { found: [job] }, creates: 0 },
    { when: "it was created in this moment", answers: { create: taken, found: [null, job] }, creates: 0 },
    {
      when: "the step is repeated, and a webhook changed it",
      answers: { found: [mutated], create: dryRun(mutated) },
      creates: 0,
    },
  ])("and found again: $when", async ({ answers, creates }) => {
    const jobs = hookJobs(answers);
    expect(await jobs.startHook(workload(), spec)).toEqual({ kind: "started", uid });
    expect(jobs.created).toHaveLength(creates);
  });

  test.for([
    { when: "resumed", cronJob: resumed },
    { when: "edited", cronJob: edited },
    { when: "deleted", cronJob: null },
  ])("a Job that is recorded counts, also if its CronJob was $when since", async ({ cronJob }) => {
    const jobs = hookJobs({ found: [job], cronJob });
    expect(await jobs.startHook(workload(), recorded)).toEqual({ kind: "started", uid });
  });

  test.for([
    { when: "was deleted", found: null, reason: "was deleted before it ended" },
    {
      when: "was created again",
      found: { ...job, metadata: { ...metadata, uid: "u-7" } },
      reason: "another one has its name",
    },
  ])("a Job that is recorded is not created again if it $when", async ({ found, reason }) => {
    const jobs = hookJobs({ found: [found] });
    const result = await jobs.startHook(workload(), recorded);
    expect(result).toEqual({ kind: "refused", reason: expect.stringContaining(reason) });
    expect(jobs.created).toEqual([]);
  });

  test("no answer is no reason: the step is repeated", async () => {
    const create = () => Promise.reject(new Unreachable("no answer"));
    await expect(hookJobs({ create }).startHook(workload(), spec)).rejects.toThrow(Unreachable);
  });
});

describe("a Job is read", () => {
  const complete = { conditions: [{ type: "Complete", status: "True" }] };
  test.for([
    { when: "it was deleted", found: null, result: { kind: "missing" } },
    {
      when: "it was created again",
      found: { ...job, metadata: { ...metadata, uid: "u-7" } },
      result: { kind: "missing" },
    },
    {
      when: "it runs",
      found: { ...job, status: { active: 1 } },
      result: { kind: "running", uid, createdAt: new Date(createdAt) },
    },
    { when: "it is complete", found: { ...job, status: complete }, result: { kind: "succeeded" } },
  ])("$when", async ({ found, result }) => {
    expect(await hookJobs({ found: [found] }).readHook(workload(), recorded)).toMatchObject(result);
  });
});

test.for([
  { when: "it is late", found: job, deleted: [uid] },
  { when: "it does not exist any more", found: null, deleted: [] },
  { when: "another one has its name", found: { ...job, metadata: { ...metadata, uid: "u-7" } }, deleted: [] },
])("a Job is deleted: $when", async ({ found, deleted }) => {
  const jobs = hookJobs({ found: [found] });
  await jobs.stopHook(workload(), recorded);
  expect(jobs.deleted).toEqual(deleted);
});
