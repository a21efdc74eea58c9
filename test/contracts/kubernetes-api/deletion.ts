import { expect, test, vi } from "vitest";
import { mergePatch, unique, type At } from "./harness.ts";
import { createConfigMap, createThing } from "./samples.ts";

export function testDeletion(at: At): void {
  const finalizers = ["pawl.dev/hold"];
  const hold = { metadata: { finalizers: null } };

  test("returns the deleted object, and then 404", async () => {
    const { path, object } = await createConfigMap(at());
    const { name, uid } = object.metadata ?? {};
    const first = await at().request("DELETE", path);
    expect(first.code).toBe(200);
    expect(first.body).toMatchObject({ kind: "Status", status: "Success", details: { name, kind: "configmaps", uid } });
    expect((await at().request("DELETE", path)).code).toBe(404);
    expect((await at().request("GET", path)).code).toBe(404);
  });

  test("of a custom resource names its group", async () => {
    const { path } = await createThing(at());
    expect((await at().request("DELETE", path)).body.details).toMatchObject({ group: at().group, kind: "things" });
  });

  test("waits for finalizers", async () => {
    const { path } = await createConfigMap(at(), { finalizers });
    const marked = await at().request("DELETE", path);
    expect(marked.body).toMatchObject({
      kind: "ConfigMap",
      metadata: { finalizers, deletionTimestamp: expect.any(String) as string },
    });
    const more = { metadata: { finalizers: [...finalizers, "pawl.dev/more"] } };
    expect((await at().request("PATCH", path, { contentType: mergePatch, body: more })).code).toBe(422);
    expect((await at().request("PATCH", path, { contentType: mergePatch, body: { data: { a: "2" } } })).code).toBe(200);
    expect((await at().request("PATCH", path, { contentType: mergePatch, body: hold })).code).toBe(200);
    expect((await at().request("GET", path)).code).toBe(404);
  });

  test.for([{ uid: "other" }, { resourceVersion: "1" }])("is rejected if %o does not match", async (preconditions) => {
    const { path } = await createConfigMap(at());
    const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions };
    const answer = await at().request("DELETE", path, { body });
    expect(answer.code).toBe(409);
    expect(answer.body).toMatchObject({ kind: "Status", reason: "Conflict" });
    expect((await at().request("GET", path)).code).toBe(200);
  });

  test("of an owner deletes its dependents", async () => {
    const owner = await createConfigMap(at());
    const { name, uid } = owner.object.metadata ?? {};
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid }];
    const dependent = await createConfigMap(at(), { ownerReferences });
    await at().request("DELETE", `${owner.path}?propagationPolicy=Background`);
    await vi.waitFor(async () => expect((await at().request("GET", dependent.path)).code).toBe(404), 60_000);
  });

  test("a reused name gets another uid", async () => {
    const { path, object } = await createConfigMap(at());
    await at().request("DELETE", path);
    const again = await createConfigMap(at(), { name: object.metadata?.name });
    expect(again.object.metadata?.uid).not.toBe(object.metadata?.uid);
  });

  test("a terminating namespace accepts no new objects, and ends when it is empty", async () => {
    const name = unique("ending");
    const inside = `/api/v1/namespaces/${name}/configmaps`;
    await at().request("POST", "/api/v1/namespaces", { body: { metadata: { name } } });
    await at().request("POST", inside, { body: { metadata: { name: "held", finalizers } } });
    const ending = await at().request("DELETE", `/api/v1/namespaces/${name}`);
    expect(ending.body).toMatchObject({ kind: "Namespace", status: { phase: "Terminating" } });
    const refused = await at().request("POST", inside, { body: { metadata: { name: "late" } } });
    expect(refused.code).toBe(403);
    expect(refused.body).toMatchObject({
      reason: "Forbidden",
      details: { causes: [{ reason: "NamespaceTerminating" }] },
    });
    await at().request("PATCH", `${inside}/held`, { contentType: mergePatch, body: hold });
    await vi.waitFor(
      async () => expect((await at().request("GET", `/api/v1/namespaces/${name}`)).code).toBe(404),
      30_000,
    );
  });
}
