import { ApiException } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import type { At } from "./harness.ts";
import { configMapsIn, createConfigMap, createObserved, createThing } from "./samples.ts";

const oneMetadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

export function testReading(at: At): void {
  test("the typed client reads a written object", async () => {
    const { core, namespace } = at();
    const { object } = await createConfigMap(at(), { annotations: { "a/b": "c" } });
    const read = await core.readNamespacedConfigMap({ namespace, name: String(object.metadata?.name) });
    expect(read).toMatchObject({
      kind: "ConfigMap",
      apiVersion: "v1",
      data: { a: "1" },
      metadata: { annotations: { "a/b": "c" } },
    });
    expect(read.metadata?.creationTimestamp).toBeInstanceOf(Date);
  });

  test("the generic clients read a custom resource", async () => {
    const { custom, objects, group, namespace } = at();
    const { object } = await createThing(at());
    const name = String(object.metadata?.name);
    const read = await custom.getNamespacedCustomObject({ group, version: "v1", namespace, plural: "things", name });
    expect(read).toMatchObject({ kind: "Thing", apiVersion: `${group}/v1`, spec: { a: 1 } });
    const same = await objects.read({ apiVersion: `${group}/v1`, kind: "Thing", metadata: { name, namespace } });
    expect(same.metadata?.uid).toBe(object.metadata?.uid);
  });

  test("a missing object is a 404 with a Status", async () => {
    const { core, namespace } = at();
    const failure: unknown = await core
      .readNamespacedConfigMap({ namespace, name: "none" })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiException);
    const { code, body } = failure as ApiException<string>;
    expect(code).toBe(404);
    expect(JSON.parse(body)).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'configmaps "none" not found',
      reason: "NotFound",
      details: { name: "none", kind: "configmaps" },
      code: 404,
    });
  });

  test("a missing custom resource is named with its group", async () => {
    const { group, namespace } = at();
    const { body } = await at().request("GET", `/apis/${group}/v1/namespaces/${namespace}/things/none`);
    expect(body).toMatchObject({
      message: `things.${group} "none" not found`,
      details: { group, kind: "things", name: "none" },
    });
  });

  test("an unknown resource of a known group is a 404 with a Status", async () => {
    const { code, body } = await at().request("GET", `/api/v1/namespaces/${at().namespace}/nothings`);
    expect(code).toBe(404);
    expect(body).toMatchObject({
      kind: "Status",
      reason: "NotFound",
      message: "the server could not find the requested resource",
    });
  });

  test("an unknown group is a 404", async () => {
    expect((await at().request("GET", "/apis/nothing.pawl.dev/v1/nothings")).code).toBe(404);
  });

  test("metadata only, of a built-in kind", async () => {
    const { path } = await createObserved(at(), "statefulsets");
    const { body } = await at().request("GET", path, { accept: oneMetadata });
    expect(body).toMatchObject({
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: { generation: 1 },
    });
    expect(Object.keys(body).toSorted()).toEqual(["apiVersion", "kind", "metadata"]);
  });

  test("metadata only, of a custom resource", async () => {
    const { path, object } = await createThing(at());
    const { body } = await at().request("GET", path, { accept: `${oneMetadata},application/json` });
    expect(body).toMatchObject({ kind: "PartialObjectMetadata", metadata: { uid: object.metadata?.uid } });
    expect(body).not.toHaveProperty("spec");
  });

  test("an unknown media type is a 406", async () => {
    const { code, body } = await at().request("GET", configMapsIn(at()), { accept: "text/html" });
    expect(code).toBe(406);
    expect(body).toMatchObject({ kind: "Status", reason: "NotAcceptable" });
  });

  test("lists its resources", async () => {
    const { body } = await at().request("GET", "/apis/apps/v1");
    const deployments = { name: "deployments", namespaced: true, kind: "Deployment" };
    expect(body).toMatchObject({ kind: "APIResourceList", groupVersion: "apps/v1" });
    expect(body.resources).toContainEqual(expect.objectContaining(deployments));
    expect(body.resources).toContainEqual(
      expect.objectContaining({ name: "deployments/status", verbs: ["get", "patch", "update"] }),
    );
    const group = await at().request("GET", `/apis/${at().group}`);
    expect(group.body).toMatchObject({ kind: "APIGroup", preferredVersion: { version: "v1" } });
  });

  test("reports readiness and its version", async () => {
    expect(await at().request("GET", "/readyz")).toMatchObject({ code: 200, text: "ok" });
    expect((await at().request("GET", "/version")).body).toMatchObject({
      major: "1",
      gitVersion: expect.stringMatching(/^v1\./) as string,
    });
  });
}
