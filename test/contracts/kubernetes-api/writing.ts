import { expect, test } from "vitest";
import { unique, type At } from "./harness.ts";
import { configMapsIn, createConfigMap, createThing, thingsIn, workload, workloadsIn } from "./samples.ts";

export function testWriting(at: At): void {
  test("the server sets uid, creation time and resourceVersion of a created object", async () => {
    const { object } = await createConfigMap(at(), { uid: "mine", creationTimestamp: "2001-01-01T00:00:00Z" });
    expect(object.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(object.metadata?.resourceVersion).toMatch(/^\d+$/);
    expect(object.metadata?.creationTimestamp).toMatch(/^20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test("a taken name is a 409 AlreadyExists", async () => {
    const { object } = await createConfigMap(at());
    const name = String(object.metadata?.name);
    const { code, body } = await at().request("POST", configMapsIn(at()), { body: { metadata: { name } } });
    expect(code).toBe(409);
    expect(body).toMatchObject({
      kind: "Status",
      reason: "AlreadyExists",
      message: `configmaps "${name}" already exists`,
      code: 409,
    });
  });

  test("a generated name begins with the requested prefix", async () => {
    const { object } = await createConfigMap(at(), { name: undefined, generateName: "pawl-" });
    expect(object.metadata?.name).toMatch(/^pawl-[a-z0-9]+$/);
  });

  test.for([
    { when: "no name", body: { metadata: {} }, code: 422, reason: "Invalid" },
    { when: "a name with capitals", body: { metadata: { name: "A_b" } }, code: 422, reason: "Invalid" },
    {
      when: "another kind",
      body: { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } },
      code: 400,
      reason: "BadRequest",
    },
    {
      when: "another version",
      body: { apiVersion: "apps/v1", kind: "ConfigMap", metadata: { name: "x" } },
      code: 400,
      reason: "BadRequest",
    },
    {
      when: "another namespace",
      body: { metadata: { name: "x", namespace: "default" } },
      code: 400,
      reason: "BadRequest",
    },
    { when: "broken JSON", body: "{", code: 400, reason: "BadRequest" },
  ])("$when is a $code", async ({ body, code, reason }) => {
    const answer = await at().request("POST", configMapsIn(at()), { body });
    expect(answer.code).toBe(code);
    expect(answer.body).toMatchObject({ kind: "Status", apiVersion: "v1", status: "Failure", reason, code });
  });

  test("a validation error names its field", async () => {
    const { body } = await at().request("POST", configMapsIn(at()), { body: { metadata: {} } });
    const message = "Required value: name or generateName is required";
    expect(body.details).toMatchObject({
      kind: "ConfigMap",
      causes: [{ reason: "FieldValueRequired", message, field: "metadata.name" }],
    });
  });

  test("a namespace that does not exist is a 404 of the namespace", async () => {
    const name = unique("none");
    const answer = await at().request("POST", `/api/v1/namespaces/${name}/configmaps`, {
      body: { metadata: { name: "x" } },
    });
    expect(answer.code).toBe(404);
    expect(answer.body).toMatchObject({ message: `namespaces "${name}" not found`, details: { kind: "namespaces" } });
  });

  test("a custom resource must have its kind", async () => {
    const { group } = at();
    const without = await at().request("POST", thingsIn(at()), { body: { metadata: { name: "x" } } });
    const wrong = await at().request("POST", thingsIn(at()), {
      body: { apiVersion: `${group}/v1`, kind: "Thong", metadata: { name: "x" } },
    });
    expect([without.code, wrong.code]).toEqual([400, 422]);
  });

  test("a status is not created with its object", async () => {
    const { object } = await createThing(at(), { status: { phase: "Done" } });
    expect(object).not.toHaveProperty("status");
  });

  test.for([
    { when: "no selector", changes: { selector: undefined } },
    { when: "a selector that does not match the template", changes: { selector: { matchLabels: { app: "other" } } } },
    { when: "no containers", changes: { template: { metadata: { labels: { app: "x" } }, spec: {} } } },
  ])("a Deployment with $when is a 422", async ({ changes }) => {
    const body = workload("x", "deployments");
    const answer = await at().request("POST", workloadsIn(at(), "deployments"), {
      body: { ...body, spec: { ...body.spec, ...changes } },
    });
    expect(answer.code).toBe(422);
    expect(answer.body).toMatchObject({ reason: "Invalid", details: { group: "apps", kind: "Deployment" } });
  });

  test.for([
    {
      plural: "deployments",
      spec: {
        replicas: 0,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
      },
    },
    {
      plural: "statefulsets",
      spec: {
        podManagementPolicy: "OrderedReady",
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
      },
    },
    { plural: "daemonsets", spec: { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } } } },
  ])("the defaults of $plural are filled in", async ({ plural, spec }) => {
    const { body } = await at().request("POST", workloadsIn(at(), plural), { body: workload(unique("app"), plural) });
    expect(body).toMatchObject({ metadata: { generation: 1 }, spec: { revisionHistoryLimit: 10, ...spec } });
  });
}
