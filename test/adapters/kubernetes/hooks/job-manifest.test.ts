import { describe, expect, test } from "vitest";
import type { CronJob } from "../../../../functions/adapters/kubernetes/hooks/hook-objects.ts";
import { jobManifest, templateProblem } from "../../../../functions/adapters/kubernetes/hooks/job-manifest.ts";

const image = "registry.example/shop/app:1.1.0";
const hook = {
  name: "migrate-0123456789ab",
  template: "migrate",
  deadlineSeconds: 600,
  variables: { PAWL_VERSION: "1.1.0", PAWL_IMAGE: image },
  image: null,
};
const container = {
  name: "migrate",
  image: "registry.example/shop/app:1.0.0",
  command: ["./migrate"],
  env: [
    { name: "PAWL_VERSION", value: "forged" },
    { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "db", key: "password" } } },
  ],
  securityContext: { runAsNonRoot: true },
};
const sidecar = { name: "proxy", image: "registry.example/proxy:2" };
const spec = {
  backoffLimit: 2,
  template: {
    metadata: { labels: { app: "migrate" } },
    spec: {
      restartPolicy: "Never",
      serviceAccountName: "migrator",
      containers: [container],
      initContainers: [sidecar],
    },
  },
};

function cronJob(job: object = {}, own: object = {}): CronJob {
  const jobTemplate = {
    metadata: { labels: { team: "shop" }, annotations: { note: "kept" } },
    spec: { ...spec, ...job },
  };
  const metadata = { name: "migrate", namespace: "shop", uid: "u-5", resourceVersion: "1" };
  return { metadata, spec: { suspend: true, jobTemplate, ...own } };
}

describe("the Job of a hook", () => {
  test("is its template, with a deadline and the variables of the update, and belongs to its CronJob", () => {
    const variables = [
      { name: "PAWL_VERSION", value: "1.1.0" },
      { name: "PAWL_IMAGE", value: image },
    ];
    expect(jobManifest(cronJob(), hook)).toEqual({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name: hook.name,
        namespace: "shop",
        labels: { team: "shop" },
        annotations: { note: "kept", "cronjob.kubernetes.io/instantiate": "manual" },
        ownerReferences: [
          {
            apiVersion: "batch/v1",
            kind: "CronJob",
            name: "migrate",
            uid: "u-5",
            controller: true,
            blockOwnerDeletion: false,
          },
        ],
      },
      spec: {
        ...spec,
        activeDeadlineSeconds: 600,
        template: {
          ...spec.template,
          spec: {
            ...spec.template.spec,
            containers: [{ ...container, env: [container.env[1], ...variables] }],
            initContainers: [{ ...sidecar, env: variables }],
          },
        },
      },
    });
  });

  test.for([
    { own: undefined, deadline: 600 },
    { own: 60, deadline: 60 },
    { own: 3600, deadline: 600 },
  ])("ends at the earlier deadline: $own of its own, 600 of the hook", ({ own, deadline }) => {
    const job = own === undefined ? {} : { activeDeadlineSeconds: own };
    expect(jobManifest(cronJob(job), hook)).toMatchObject({ spec: { activeDeadlineSeconds: deadline } });
  });

  test("runs the new image in the containers of its repository only, on request", () => {
    expect(jobManifest(cronJob(), { ...hook, image })).toMatchObject({
      spec: { template: { spec: { containers: [{ image }], initContainers: [{ image: sidecar.image }] } } },
    });
  });
});

describe("a CronJob", () => {
  test.for([
    { when: "it is suspended", problem: null },
    { when: "it is not suspended", own: { suspend: false }, problem: "is not suspended" },
    { when: "it keeps no Job", own: { failedJobsHistoryLimit: 0 }, problem: "keeps no Job" },
    { when: "it keeps no Job that succeeded", own: { successfulJobsHistoryLimit: 0 }, problem: "keeps no Job" },
    { when: "its Jobs are deleted at once", job: { ttlSecondsAfterFinished: 5 }, problem: "too early" },
    { when: "its Jobs are deleted after an hour", job: { ttlSecondsAfterFinished: 3600 }, problem: null },
    { when: "it has the repository", image, problem: null },
    { when: "it has not the repository", image: "registry.example/other:1", problem: "no container with an image" },
  ])("can be a template: $when", ({ own = {}, job = {}, image: wanted = null, problem }) => {
    const found = templateProblem(cronJob(job, own), { ...hook, image: wanted });
    expect(found ?? "valid").toContain(problem ?? "valid");
  });
});
