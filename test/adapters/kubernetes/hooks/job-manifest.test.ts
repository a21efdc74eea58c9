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
  uid: null,
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
  test("is its template, with a deadline, and the variables of the update before its own; nothing owns it", () => {
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
        labels: { team: "shop", "pawl.dev/hook": "migrate" },
        annotations: { note: "kept" },
      },
      spec: {
        ...spec,
        ttlSecondsAfterFinished: 86_400,
        activeDeadlineSeconds: 720,
        template: {
          ...spec.template,
          spec: {
            ...spec.template.spec,
            containers: [{ ...container, env: [...variables, container.env[1]] }],
            initContainers: [{ ...sidecar, env: variables }],
          },
        },
      },
    });
  });

  test.for([
    { own: undefined, deadline: 720 },
    { own: 60, deadline: 60 },
    { own: 3600, deadline: 720 },
  ])(
    "ends at its own deadline, $own, if that is earlier than 600 s and the time in which its pods are read",
    ({ own, deadline }) => {
      const job = own === undefined ? {} : { activeDeadlineSeconds: own };
      expect(jobManifest(cronJob(job), hook)).toMatchObject({ spec: { activeDeadlineSeconds: deadline } });
    },
  );

  test.for([
    { restartPolicy: "Never", own: undefined, limit: 0 },
    { restartPolicy: "OnFailure", own: undefined, limit: 1 },
    { restartPolicy: "Never", own: 4, limit: 4 },
  ])("is tried again only if its template says so: $restartPolicy, $own", ({ restartPolicy, own, limit }) => {
    const template = { ...spec.template, spec: { ...spec.template.spec, restartPolicy } };
    const { backoffLimit: _, ...without } = spec;
    const jobTemplate = { spec: { ...without, template, ...(own === undefined ? {} : { backoffLimit: own }) } };
    expect(jobManifest(cronJob({}, { jobTemplate }), hook)).toMatchObject({ spec: { backoffLimit: limit } });
  });

  test.for([
    { own: undefined, ttl: 86_400 },
    { own: 3600, ttl: 3600 },
  ])("is deleted a day after its end, or when its template says: $own", ({ own, ttl }) => {
    const job = own === undefined ? {} : { ttlSecondsAfterFinished: own };
    expect(jobManifest(cronJob(job), hook)).toMatchObject({ spec: { ttlSecondsAfterFinished: ttl } });
  });

  test("an empty variable has no value, as the API server stores it", () => {
    const { spec: made } = jobManifest(cronJob(), { ...hook, variables: { PAWL_RELEASE: "" } });
    expect(made.template.spec.containers[0]?.env?.[0]).toEqual({ name: "PAWL_RELEASE" });
  });

  test.for([
    { when: "a hook", keptSeconds: undefined, own: undefined, ttl: 86_400 },
    { when: "a metric", keptSeconds: 7200, own: undefined, ttl: 7200 },
    { when: "a template that says more", keptSeconds: 7200, own: 86_400, ttl: 86_400 },
    { when: "a template that says less", keptSeconds: 7200, own: 600, ttl: 600 },
  ])("its Job is kept after its end: $when, $ttl s", ({ keptSeconds, own, ttl }) => {
    const { spec: template } = cronJob(own === undefined ? {} : { ttlSecondsAfterFinished: own });
    const made = jobManifest(
      { ...cronJob(), spec: template },
      { ...hook, ...(keptSeconds === undefined ? {} : { keptSeconds }) },
    );
    expect(made.spec.ttlSecondsAfterFinished).toBe(ttl);
  });

  test("keeps a variable of the template with the name of a method", () => {
    const named = { ...container, env: [{ name: "constructor", value: "1" }] };
    const template = { ...spec.template, spec: { ...spec.template.spec, containers: [named] } };
    const { spec: made } = jobManifest(cronJob({ template }), hook);
    expect(made.template.spec.containers[0]?.env).toContainEqual({ name: "constructor", value: "1" });
  });

  test("a template without annotations and variables is one", () => {
    const bare = { ...cronJob().spec, jobTemplate: { spec: { template: { spec: { containers: [sidecar] } } } } };
    const made = jobManifest({ ...cronJob(), spec: bare }, hook);
    expect(made.metadata).not.toHaveProperty("annotations");
    expect(made.spec.template.spec).not.toHaveProperty("initContainers");
  });

  test("runs the new image in the containers of its repository only, on request", () => {
    expect(jobManifest(cronJob(), { ...hook, image })).toMatchObject({
      spec: { template: { spec: { containers: [{ image }], initContainers: [{ image: sidecar.image }] } } },
    });
  });
});

const restarting = { ...spec.template, spec: { ...spec.template.spec, restartPolicy: "OnFailure" } };

describe("a CronJob", () => {
  test.for([
    { when: "it is suspended", problem: null },
    { when: "it is not suspended", own: { suspend: false }, problem: "is not suspended" },
    { when: "it keeps no Jobs, as it owns none", own: { failedJobsHistoryLimit: 0 }, problem: null },
    { when: "it forbids two Jobs at a time", own: { concurrencyPolicy: "Forbid" }, problem: null },
    {
      when: "it replaces its Jobs",
      own: { concurrencyPolicy: "Replace" },
      problem: "has concurrencyPolicy Replace: Pawl stops no Job",
    },
    { when: "its Job template is suspended", job: { suspend: true }, problem: "has a Job template that is suspended" },
    { when: "its Jobs are deleted at once", job: { ttlSecondsAfterFinished: 5 }, problem: "too early" },
    { when: "its Jobs are deleted after an hour", job: { ttlSecondsAfterFinished: 3600 }, problem: null },
    {
      when: "nothing would show that it failed",
      job: { backoffLimit: 0, template: restarting },
      problem: "has restartPolicy OnFailure and backoffLimit 0",
    },
    {
      when: "its pod restarts, and one failure is left",
      job: { backoffLimit: 1, template: restarting },
      problem: null,
    },
    {
      when: "its pod restarts up to the default of 6",
      job: { backoffLimit: undefined, template: restarting },
      problem: null,
    },
    { when: "its pod does not restart", job: { backoffLimit: 0 }, problem: null },
    { when: "it has the repository", image, problem: null },
    { when: "it has not the repository", image: "registry.example/other:1", problem: "no container with an image" },
  ])("can be a template: $when", ({ own = {}, job = {}, image: wanted = null, problem }) => {
    const found = templateProblem(cronJob(job, own), { ...hook, image: wanted });
    expect(found ?? "valid").toContain(problem ?? "valid");
  });
});
