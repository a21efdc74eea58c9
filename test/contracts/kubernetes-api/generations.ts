import { expect, test } from "vitest";
import { mergePatch, type At } from "./harness.ts";
import { createConfigMap, createObserved, createThing } from "./samples.ts";

export function testGenerations(at: At): void {
  const annotate = { metadata: { annotations: { mark: "1" } } };
  const label = { metadata: { labels: { mark: "1" } } };
  const template = { spec: { template: { metadata: { annotations: { mark: "1" } } } } };

  test.for([
    { plural: "statefulsets", change: "the template", body: template, increase: 1 },
    { plural: "statefulsets", change: "annotations", body: annotate, increase: 0 },
    { plural: "statefulsets", change: "labels", body: label, increase: 0 },
    { plural: "daemonsets", change: "the template", body: template, increase: 1 },
    { plural: "daemonsets", change: "annotations", body: annotate, increase: 0 },
    { plural: "deployments", change: "the template", body: template, increase: 1 },
    { plural: "deployments", change: "annotations", body: annotate, increase: 1 },
    { plural: "deployments", change: "labels", body: label, increase: 0 },
  ])("of $plural increases by $increase if the patch changes $change", async ({ plural, body, increase }) => {
    const { path, object } = await createObserved(at(), plural);
    const patched = await at().request("PATCH", path, { contentType: mergePatch, body });
    expect(patched.code).toBe(200);
    expect(Number(patched.body.metadata?.generation) - Number(object.metadata?.generation)).toBe(increase);
  });

  test.for([
    { change: "the spec", path: "", body: { spec: { a: 2 } }, increase: 1 },
    { change: "an unknown field next to spec", path: "", body: { more: { a: 2 } }, increase: 1 },
    { change: "annotations", path: "", body: annotate, increase: 0 },
    { change: "the status", path: "/status", body: { status: { a: 2 } }, increase: 0 },
    { change: "an equal spec", path: "", body: { spec: { a: 1 } }, increase: 0 },
  ])("of a custom resource increases by $increase if the patch changes $change", async ({ path, body, increase }) => {
    const thing = await createThing(at());
    const patched = await at().request("PATCH", thing.path + path, { contentType: mergePatch, body });
    expect(patched.code).toBe(200);
    expect(patched.body.metadata?.generation).toBe(1 + increase);
  });

  test("cannot be written", async () => {
    const { path } = await createThing(at());
    const { body } = await at().request("PATCH", path, {
      contentType: mergePatch,
      body: { metadata: { generation: 9 } },
    });
    expect(body.metadata?.generation).toBe(1);
  });

  test("is absent for kinds without a spec", async () => {
    expect((await createConfigMap(at())).object.metadata).not.toHaveProperty("generation");
  });
}
