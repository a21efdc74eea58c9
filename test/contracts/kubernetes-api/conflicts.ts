import { expect, test } from "vitest";
import { jsonPatch, mergePatch, strategicPatch, type At } from "./harness.ts";
import { createConfigMap, createThing } from "./samples.ts";

const modified = "the object has been modified; please apply your changes to the latest version and try again";

export function testConflicts(at: At): void {
  const patches = [
    {
      type: mergePatch,
      patch: (resourceVersion: string) => ({ metadata: { resourceVersion, annotations: { mark: "1" } } }),
    },
    {
      type: strategicPatch,
      patch: (resourceVersion: string) => ({ metadata: { resourceVersion, annotations: { mark: "1" } } }),
    },
    {
      type: jsonPatch,
      patch: (value: string) => [
        { op: "replace", path: "/metadata/resourceVersion", value },
        { op: "add", path: "/metadata/annotations", value: { mark: "1" } },
      ],
    },
  ];

  test.for(patches)("$type on an earlier resourceVersion is a 409 and writes nothing", async ({ type, patch }) => {
    const { path, object } = await createConfigMap(at());
    const stale = String(object.metadata?.resourceVersion);
    await at().request("PATCH", path, { contentType: mergePatch, body: { data: { a: "2" } } });
    const { code, body } = await at().request("PATCH", path, { contentType: type, body: patch(stale) });
    expect(code).toBe(409);
    expect(body).toMatchObject({
      kind: "Status",
      status: "Failure",
      reason: "Conflict",
      code: 409,
      details: { kind: "configmaps" },
    });
    expect(body.message).toBe(
      `Operation cannot be fulfilled on configmaps "${String(object.metadata?.name)}": ${modified}`,
    );
    expect((await at().request("GET", path)).body.metadata).not.toHaveProperty("annotations");
  });

  test.for(patches)("$type on the latest resourceVersion is written and increases it", async ({ type, patch }) => {
    const { path, object } = await createConfigMap(at());
    const before = String(object.metadata?.resourceVersion);
    const { code, body } = await at().request("PATCH", path, { contentType: type, body: patch(before) });
    expect(code).toBe(200);
    expect(body.metadata?.annotations).toEqual({ mark: "1" });
    expect(Number(body.metadata?.resourceVersion)).toBeGreaterThan(Number(before));
  });

  test("a patch of a custom resource and one of its status conflict alike", async () => {
    const { path } = await createThing(at());
    const stale = { metadata: { resourceVersion: "1" }, spec: { a: 2 }, status: { b: 2 } };
    for (const where of [path, `${path}/status`]) {
      const { code, body } = await at().request("PATCH", where, { contentType: mergePatch, body: stale });
      expect(code).toBe(409);
      expect(body).toMatchObject({ reason: "Conflict", details: { group: at().group, kind: "things" } });
    }
  });

  test("PUT on an earlier resourceVersion is a 409, on the latest it replaces", async () => {
    const { path, object } = await createConfigMap(at(), { labels: { old: "1" } });
    const put = (resourceVersion: string) =>
      at().request("PUT", path, {
        body: { metadata: { name: object.metadata?.name, resourceVersion }, data: { b: "2" } },
      });
    expect((await put("1")).body).toMatchObject({ reason: "Conflict", code: 409 });
    const { code, body } = await put(String(object.metadata?.resourceVersion));
    expect(code).toBe(200);
    expect(body).toMatchObject({ data: { b: "2" } });
    expect(body.metadata).not.toHaveProperty("labels");
  });

  test("PUT without a resourceVersion replaces a built-in kind, and is a 422 for a custom resource", async () => {
    const map = await createConfigMap(at());
    const thing = await createThing(at());
    const { name } = map.object.metadata ?? {};
    expect((await at().request("PUT", map.path, { body: { metadata: { name } } })).code).toBe(200);
    const { apiVersion, kind, metadata } = thing.object;
    const answer = await at().request("PUT", thing.path, {
      body: { apiVersion, kind, metadata: { name: metadata?.name } },
    });
    expect(answer.code).toBe(422);
    expect(answer.body.message).toMatch(
      /metadata\.resourceVersion: Invalid value: (0x)?0: must be specified for an update/,
    );
  });

  test("PUT under another name is a 400, of another uid a 409, of nothing a 404", async () => {
    const { path, object } = await createConfigMap(at());
    const { name } = object.metadata ?? {};
    const put = (where: string, metadata: object) => at().request("PUT", where, { body: { metadata } });
    expect((await put(path, { name: "other" })).code).toBe(400);
    expect((await put(path, { name, uid: "other" })).body).toMatchObject({ code: 409, reason: "Conflict" });
    expect((await put(`${path}-none`, { name: `${String(name)}-none` })).code).toBe(404);
  });

  test("of two writers with the same resourceVersion one wins", async () => {
    const { path, object } = await createConfigMap(at());
    const { resourceVersion } = object.metadata ?? {};
    const claim = (by: string) =>
      at().request("PATCH", path, {
        contentType: mergePatch,
        body: { metadata: { resourceVersion, annotations: { by } } },
      });
    const answers = await Promise.all(["a", "b", "c", "d"].map(claim));
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  });

  test("a write that changes nothing keeps the resourceVersion", async () => {
    const { path, object } = await createConfigMap(at());
    const { body } = await at().request("PATCH", path, { contentType: mergePatch, body: { data: { a: "1" } } });
    expect(body.metadata?.resourceVersion).toBe(object.metadata?.resourceVersion);
  });
}
