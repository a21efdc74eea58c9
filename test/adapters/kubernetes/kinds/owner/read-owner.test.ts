import { describe, expect, test } from "vitest";
import { readOwner } from "../../../../../functions/adapters/kubernetes/kinds/pod-template/read-owner.ts";
import type { BuiltInObject } from "../../../../../functions/adapters/kubernetes/kinds/pod-template/pod-template.ts";

const image = "shop/web:1.0.0";
const pod = {
  spec: {
    containers: [
      { name: "proxy", image: "envoy:1" },
      { name: "app", image },
    ],
    initContainers: [{ name: "migrate", image }],
  },
};

/** As the API server writes what a manager has set. */
function managed(manager: string, operation: string, containers: object, isJob = false) {
  const template = { "f:template": { "f:spec": containers } };
  const fieldsV1 = { "f:spec": isJob ? { "f:jobTemplate": { "f:spec": template } } : template };
  return { manager, operation, apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1 };
}

const setsImage = (name: string, list = "f:containers") => ({
  [list]: { [`k:{"name":"${name}"}`]: { ".": {}, "f:name": {}, "f:image": {} } },
});

function deployment(managedFields: readonly object[], metadata: object = {}): BuiltInObject {
  const common = { name: "web", namespace: "shop", uid: "u-1", resourceVersion: "1" };
  const annotations = { "pawl.dev/containers": "app,migrate" };
  return { metadata: { annotations, ...common, managedFields, ...metadata }, spec: { template: pod } } as BuiltInObject;
}

describe("readOwner", () => {
  test.for([
    { when: "nobody has set a field", fields: [], owner: null },
    { when: "Pawl has set the image", fields: [managed("pawl", "Update", setsImage("app"))], owner: null },
    { when: "a manager applies it", fields: [managed("deployer", "Apply", setsImage("app"))], owner: "deployer" },
    {
      when: "that of an init container",
      fields: [managed("deployer", "Apply", setsImage("migrate", "f:initContainers"))],
      owner: "deployer",
    },
    {
      when: "that of a container that is not updated",
      fields: [managed("deployer", "Apply", setsImage("proxy"))],
      owner: null,
    },
    {
      when: "a manager applies anything else",
      fields: [managed("deployer", "Apply", { "f:containers": { 'k:{"name":"app"}': { "f:env": {} } } })],
      owner: null,
    },
    { when: "an entry has no fields", fields: [{ manager: "deployer", operation: "Apply" }, {}], owner: null },
    {
      when: "a manager has no name",
      fields: [{ ...managed("", "Apply", setsImage("app")), manager: undefined }],
      owner: "",
    },
  ])("$when: $owner", ({ fields, owner }) => {
    expect(readOwner(deployment(fields))?.owner.name ?? null).toBe(owner);
  });

  test("names the places of the containers that Pawl updates", () => {
    const labels = { "app.kubernetes.io/managed-by": "Helm" };
    expect(readOwner(deployment([], { labels }))).toEqual({
      owner: { tool: "Helm", name: null, namespace: null },
      containers: [
        { name: "app", pointer: "/spec/template/spec/containers/1/image" },
        { name: "migrate", pointer: "/spec/template/spec/initContainers/0/image" },
      ],
    });
  });

  test("reads the pod template of a CronJob", () => {
    const metadata = deployment([managed("deployer", "Apply", setsImage("app"), true)]).metadata;
    const job = { metadata, spec: { jobTemplate: { spec: { template: pod } } } } as BuiltInObject;
    expect(readOwner(job)).toMatchObject({
      owner: { name: "deployer" },
      containers: [{ pointer: "/spec/jobTemplate/spec/template/spec/containers/1/image" }, { name: "migrate" }],
    });
  });

  test("of a list, which has no managed fields, only labels show one", () => {
    const { managedFields: _managed, ...metadata } = deployment([]).metadata as { managedFields?: unknown };
    expect(readOwner({ ...deployment([]), metadata } as BuiltInObject)).toBeNull();
  });
});
