import { expect, test } from "vitest";
import { mergePatch, type At } from "./harness.ts";
import { createConfigMap, createObserved, createThing } from "./samples.ts";

export function testStatus(at: At): void {
  const patch = (path: string, body: unknown) => at().request("PATCH", path, { contentType: mergePatch, body });

  test("a status written to the object itself is ignored", async () => {
    const { path } = await createThing(at());
    const { body } = await patch(path, { status: { phase: "Done" } });
    expect(body).not.toHaveProperty("status");
    const set = await createObserved(at(), "statefulsets");
    const answer = await patch(set.path, { status: { replicas: 7 } });
    expect(answer.body.status?.replicas).toBe(0);
  });

  test("of a custom resource changes nothing else", async () => {
    const { path } = await createThing(at());
    const meta = { annotations: { mark: "1" }, labels: { mark: "1" } };
    const { code, body } = await patch(`${path}/status`, { metadata: meta, spec: { a: 9 }, status: { phase: "Done" } });
    expect(code).toBe(200);
    expect(body).toMatchObject({ spec: { a: 1 }, status: { phase: "Done" } });
    expect(body.metadata).not.toHaveProperty("annotations");
    expect(body.metadata).not.toHaveProperty("labels");
  });

  test.for([
    { plural: "deployments", labels: undefined },
    { plural: "statefulsets", labels: { mark: "1" } },
    { plural: "daemonsets", labels: { mark: "1" } },
  ])("of $plural writes annotations as well, but not the spec", async ({ plural, labels }) => {
    const { path, object } = await createObserved(at(), plural);
    const meta = { annotations: { mark: "1" }, labels: { mark: "1" } };
    const { body } = await patch(`${path}/status`, { metadata: meta, spec: { revisionHistoryLimit: 3 } });
    expect(body.metadata?.annotations).toMatchObject({ mark: "1" });
    expect(body.metadata?.labels).toEqual(labels);
    expect(body.spec).toEqual(object.spec);
    expect(body.metadata?.generation).toBe(object.metadata?.generation);
  });

  test("is read at its own path as the full object", async () => {
    const { path, object } = await createThing(at());
    expect((await at().request("GET", `${path}/status`)).body.metadata?.uid).toBe(object.metadata?.uid);
  });

  test("is merged field by field, and null removes a field", async () => {
    const { path } = await createThing(at());
    await patch(`${path}/status`, { status: { a: { x: 1, y: 2 }, list: [1, 2] } });
    const { body } = await patch(`${path}/status`, { status: { a: { x: null, z: 3 }, list: [3] } });
    expect(body.status).toEqual({ a: { y: 2, z: 3 }, list: [3] });
  });

  test("is replaced by PUT without touching the spec", async () => {
    const { path, object } = await createThing(at());
    const { code, body } = await at().request("PUT", `${path}/status`, {
      body: { ...object, spec: { a: 9 }, status: { b: 1 } },
    });
    expect(code).toBe(200);
    expect(body).toMatchObject({ spec: { a: 1 }, status: { b: 1 } });
  });

  test("has no path if the kind has no status", async () => {
    expect((await at().request("GET", `${(await createConfigMap(at())).path}/status`)).code).toBe(404);
  });
}
