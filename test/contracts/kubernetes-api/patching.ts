import { PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { jsonPatch, mergePatch, strategicPatch, type At } from "./harness.ts";
import { createConfigMap, createObserved, createThing } from "./samples.ts";

export function testPatching(at: At): void {
  const patch = (path: string, contentType: string, body: unknown) =>
    at().request("PATCH", path, { contentType, body });

  test.for([mergePatch, strategicPatch])("%s removes an annotation by null and keeps the others", async (type) => {
    const { path } = await createConfigMap(at(), { annotations: { gone: "1", kept: "1" } });
    const { body } = await patch(path, type, { metadata: { annotations: { gone: null, never: null, added: "2" } } });
    expect(body.metadata?.annotations).toEqual({ kept: "1", added: "2" });
  });

  test("removing the last annotation removes the map", async () => {
    const { path } = await createConfigMap(at(), { annotations: { gone: "1" } });
    const { body } = await patch(path, mergePatch, { metadata: { annotations: { gone: null } } });
    expect(body.metadata).not.toHaveProperty("annotations");
  });

  test("a merge patch replaces the list of containers", async () => {
    const { path } = await createObserved(at(), "statefulsets");
    const containers = [{ name: "first", image: "registry.invalid/first:2.0.0" }];
    const { body } = await patch(path, mergePatch, { spec: { template: { spec: { containers } } } });
    expect(body.spec?.template?.spec?.containers).toEqual([expect.objectContaining(containers[0] ?? {})]);
  });

  test("a strategic merge patch finds a container by its name", async () => {
    const { path } = await createObserved(at(), "statefulsets");
    const containers = [
      { name: "second", image: "registry.invalid/second:2.0.0", env: [{ name: "A", value: "1" }] },
      { name: "third", image: "registry.invalid/third:1.0.0" },
    ];
    const { body } = await patch(path, strategicPatch, { spec: { template: { spec: { containers } } } });
    expect(body.spec?.template?.spec?.containers).toMatchObject([
      { name: "first", image: "registry.invalid/first:1.0.0" },
      { name: "second", image: "registry.invalid/second:2.0.0", env: [{ name: "A", value: "1" }] },
      { name: "third", image: "registry.invalid/third:1.0.0" },
    ]);
    const env = [{ name: "B", value: "2" }];
    const next = await patch(path, strategicPatch, {
      spec: { template: { spec: { containers: [{ name: "second", env }] } } },
    });
    expect(next.body.spec?.template?.spec?.containers?.["1"]?.env).toEqual([...env, { name: "A", value: "1" }]);
  });

  test("a strategic merge patch puts a new container before the others, as in the patch", async () => {
    const { path } = await createObserved(at(), "statefulsets");
    const containers = [{ name: "third", image: "registry.invalid/third:1.0.0" }];
    const { body } = await patch(path, strategicPatch, { spec: { template: { spec: { containers } } } });
    expect(body.spec?.template?.spec?.containers).toMatchObject([
      { name: "third" },
      { name: "first" },
      { name: "second" },
    ]);
  });

  test("a strategic merge patch deletes a container by its name", async () => {
    const { path } = await createObserved(at(), "statefulsets");
    const containers = [{ name: "first", $patch: "delete" }];
    const { body } = await patch(path, strategicPatch, { spec: { template: { spec: { containers } } } });
    expect(body.spec?.template?.spec?.containers).toMatchObject([{ name: "second" }]);
  });

  test("a JSON patch tests, adds, replaces and removes", async () => {
    const { path } = await createConfigMap(at(), { annotations: { "pawl.dev/a": "1", "pawl.dev/b": "1" } });
    const { body } = await patch(path, jsonPatch, [
      { op: "test", path: "/metadata/annotations/pawl.dev~1a", value: "1" },
      { op: "replace", path: "/metadata/annotations/pawl.dev~1a", value: "2" },
      { op: "remove", path: "/metadata/annotations/pawl.dev~1b" },
      { op: "add", path: "/data/b", value: "2" },
    ]);
    expect(body.metadata?.annotations).toEqual({ "pawl.dev/a": "2" });
    expect(body.data).toEqual({ a: "1", b: "2" });
  });

  test.for([
    { when: "a test that fails", step: { op: "test", path: "/data/a", value: "other" } },
    { when: "a missing path", step: { op: "replace", path: "/data/none/deep", value: "1" } },
    { when: "a missing value to remove", step: { op: "remove", path: "/data/none" } },
  ])("a JSON patch with $when is a 422 and writes nothing", async ({ step }) => {
    const { path, object } = await createConfigMap(at());
    const { code, body } = await patch(path, jsonPatch, [{ op: "add", path: "/data/b", value: "2" }, step]);
    expect(code).toBe(422);
    expect(body).toMatchObject({ kind: "Status", reason: "Invalid" });
    expect((await at().request("GET", path)).body.metadata?.resourceVersion).toBe(object.metadata?.resourceVersion);
  });

  test("a JSON patch that is not a list is a 400", async () => {
    const { path } = await createConfigMap(at());
    expect((await patch(path, jsonPatch, { data: {} })).code).toBe(400);
  });

  test("a custom resource does not support strategic merge, and plain JSON is not a patch type", async () => {
    const thing = await patch((await createThing(at())).path, strategicPatch, { spec: { a: 2 } });
    const map = await patch((await createConfigMap(at())).path, "application/json", { data: {} });
    expect([thing.code, map.code]).toEqual([415, 415]);
    expect(thing.body).toMatchObject({ kind: "Status", reason: "UnsupportedMediaType" });
  });

  test("the name, the uid and a missing object cannot be patched", async () => {
    const { path } = await createConfigMap(at());
    expect((await patch(path, mergePatch, { metadata: { name: "other" } })).code).toBe(400);
    expect((await patch(path, mergePatch, { metadata: { uid: "other" } })).code).toBe(422);
    expect((await patch(`${path}-none`, mergePatch, {})).code).toBe(404);
  });

  test.for([
    { plural: "statefulsets", spec: { serviceName: "other" } },
    { plural: "deployments", spec: { selector: { matchLabels: { other: "1" } } } },
    { plural: "daemonsets", spec: { selector: { matchLabels: { other: "1" } } } },
  ])("immutable fields of $plural cannot be changed", async ({ plural, spec }) => {
    const { path } = await createObserved(at(), plural);
    const { code, body } = await patch(path, mergePatch, { spec });
    expect(code).toBe(422);
    expect(body).toMatchObject({ reason: "Invalid", details: { group: "apps" } });
  });

  test("the typed clients set the patch type by header", async () => {
    const { custom, apps, group, namespace } = at();
    const name = String((await createThing(at())).object.metadata?.name);
    const thing: unknown = await custom.patchNamespacedCustomObject(
      { group, version: "v1", namespace, plural: "things", name, body: { spec: { b: 2 } } },
      setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
    );
    expect(thing).toMatchObject({ spec: { a: 1, b: 2 } });
    const set = String((await createObserved(at(), "statefulsets")).object.metadata?.name);
    const patched = await apps.patchNamespacedStatefulSet(
      { namespace, name: set, body: { metadata: { annotations: { mark: "1" } } } },
      setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch),
    );
    expect(patched.metadata?.annotations?.["mark"]).toBe("1");
  });
}
