import { describe, expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { createHookJobs } from "../../../../functions/adapters/kubernetes/hooks/hook-jobs.ts";
import { AdmissionDenied, Unreachable } from "../../../../functions/ports/errors.ts";
import { workload } from "../../../support/workloads.ts";
import { noApi } from "../reading.ts";

const spec = { name: "migrate-0123456789ab", template: "migrate", deadlineSeconds: 600, variables: {}, image: null };
const metadata = { name: spec.name, namespace: "shop", uid: "u-6", resourceVersion: "1" };
const owned = {
  ...metadata,
  ownerReferences: [{ uid: "u-5", name: "migrate" }],
  creationTimestamp: "2026-11-20T12:00:00Z",
};
const template = {
  metadata: { name: "migrate", namespace: "shop", uid: "u-5", resourceVersion: "1" },
  spec: { suspend: true, jobTemplate: { spec: { template: { spec: { containers: [{ name: "a", image: "a:1" }] } } } } },
};
const pod = (name: string, exitCode: number, minute: number) => ({
  metadata: { name, uid: name, creationTimestamp: `2026-11-20T12:0${minute}:00Z` },
  spec: { containers: [{ name: "first" }, { name: "second" }] },
  status: { containerStatuses: [{ name: "second", state: { terminated: { exitCode } } }] },
});

interface Answers {
  readonly cronJob?: object | null;
  readonly job?: object | null;
  readonly create?: KubernetesApi["create"];
  readonly pods?: readonly object[];
}

function hookJobs({ cronJob = template, job = null, create = async () => ({}) as never, pods = [] }: Answers) {
  const api: KubernetesApi = {
    ...noApi,
    get: async <T>({ kind }: { readonly kind: string }) => (kind === "CronJob" ? cronJob : job) as T | null,
    create,
    listPods: async () => pods as never,
    readLog: async (_namespace, name, container) => `${name}/${container}\n\u001B[31mlast line\u001B[0m\n`,
  };
  return createHookJobs(api);
}

const denies = () => Promise.reject(new AdmissionDenied("exceeded quota"));
const taken = () => Promise.resolve(null);

describe("a Job is created", () => {
  test.for([
    { when: "it does not exist", answers: {}, reason: null },
    {
      when: "it exists, because the step is repeated",
      answers: { create: taken, job: { metadata: owned } },
      reason: null,
    },
    { when: "there is no template", answers: { cronJob: null }, reason: "CronJob shop/migrate not found" },
    {
      when: "its template cannot be used",
      answers: { cronJob: { ...template, spec: { ...template.spec, suspend: false } } },
      reason: "is not suspended",
    },
    { when: "the cluster refuses it", answers: { create: denies }, reason: "exceeded quota" },
    { when: "somebody else has its name", answers: { create: taken, job: { metadata } }, reason: "does not belong to" },
  ])("or the reason is returned: $when", async ({ answers, reason }) => {
    const result = await hookJobs(answers).startHook(workload(), spec);
    expect(result ?? "created").toContain(reason ?? "created");
  });

  test("no answer is no reason: the step is repeated", async () => {
    const create = () => Promise.reject(new Unreachable("no answer"));
    await expect(hookJobs({ create }).startHook(workload(), spec)).rejects.toThrow(Unreachable);
  });
});

describe("a Job is read", () => {
  const condition = (type: string, reason?: string) => ({
    type,
    status: "True",
    ...(reason === undefined ? {} : { reason }),
  });
  test.for([
    { when: "it was deleted", job: null, result: { kind: "missing" } },
    { when: "it is of somebody else", job: { metadata }, result: { kind: "missing" } },
    {
      when: "it runs",
      job: { metadata: owned, status: { active: 1 } },
      result: { kind: "running", createdAt: new Date("2026-11-20T12:00:00Z") },
    },
    {
      when: "it is complete",
      job: { metadata: owned, status: { conditions: [condition("Complete")] } },
      result: { kind: "succeeded" },
    },
    {
      when: "its pods failed",
      job: { metadata: owned, status: { failed: 3, conditions: [condition("Failed", "BackoffLimitExceeded")] } },
      result: { kind: "failed", reason: "BackoffLimitExceeded" },
    },
    {
      when: "its deadline has passed",
      job: { metadata: owned, status: { failed: 1, conditions: [condition("Failed", "DeadlineExceeded")] } },
      result: { kind: "ended", reason: "DeadlineExceeded" },
    },
    {
      when: "it failed without a pod that did",
      job: { metadata: owned, status: { conditions: [condition("Failed", "FailedIndexes")] } },
      result: { kind: "ended" },
    },
  ])("$when", async ({ job, result }) => {
    expect(await hookJobs({ job }).readHook(workload(), spec)).toMatchObject(result);
  });

  const ended = { metadata: owned, status: { failed: 1, conditions: [condition("Failed", "BackoffLimitExceeded")] } };
  test.for([
    { when: "without a pod", pods: [], log: [] },
    { when: "of the container that failed", pods: [pod("b", 1, 2)], log: ["b/second", "last line"] },
    { when: "of the last pod", pods: [pod("a", 1, 1), pod("b", 0, 2)], log: ["b/first", "last line"] },
  ])("the end of its log, $when, without what controls a terminal", async ({ pods, log }) => {
    expect(await hookJobs({ job: ended, pods }).readHook(workload(), spec)).toMatchObject({ log });
  });
});
