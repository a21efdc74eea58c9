import { expect, test } from "vitest";
import { mergePatch, type At } from "./bench.ts";
import { makeConfigMap, makeSettled, makeThing } from "./samples.ts";

export function generations(at: At): void {
  const annotate = { metadata: { annotations: { mark: "1" } } };
  const label = { metadata: { labels: { mark: "1" } } };
  const template = { spec: { template: { metadata: { annotations: { mark: "1" } } } } };

  test.for([
    { plural: "statefulsets", what: "its template", body: template, raises: 1 },
    { plural: "statefulsets", what: "its annotations", body: annotate, raises: 0 },
    { plural: "statefulsets", what: "its labels", body: label, raises: 0 },
    { plural: "daemonsets", what: "its template", body: template, raises: 1 },
    { plural: "daemonsets", what: "its annotations", body: annotate, raises: 0 },
    { plural: "deployments", what: "its template", body: template, raises: 1 },
    { plural: "deployments", what: "its annotations", body: annotate, raises: 1 },
    { plural: "deployments", what: "its labels", body: label, raises: 0 },
  ])("of $plural rises by $raises with $what", async ({ plural, body, raises }) => {
    const { path, object } = await makeSettled(at(), plural);
    const patched = await at().request("PATCH", path, { contentType: mergePatch, body });
    expect(patched.code).toBe(200);
    expect(Number(patched.body.metadata?.generation) - Number(object.metadata?.generation)).toBe(raises);
  });

  test.for([
    { what: "its spec", path: "", body: { spec: { a: 2 } }, raises: 1 },
    { what: "another field beside it", path: "", body: { more: { a: 2 } }, raises: 1 },
    { what: "its annotations", path: "", body: annotate, raises: 0 },
    { what: "its status", path: "/status", body: { status: { a: 2 } }, raises: 0 },
    { what: "a spec that says the same", path: "", body: { spec: { a: 1 } }, raises: 0 },
  ])("of a custom resource rises by $raises with $what", async ({ path, body, raises }) => {
    const thing = await makeThing(at());
    const patched = await at().request("PATCH", thing.path + path, { contentType: mergePatch, body });
    expect(patched.code).toBe(200);
    expect(patched.body.metadata?.generation).toBe(1 + raises);
  });

  test("cannot be written", async () => {
    const { path } = await makeThing(at());
    const { body } = await at().request("PATCH", path, {
      contentType: mergePatch,
      body: { metadata: { generation: 9 } },
    });
    expect(body.metadata?.generation).toBe(1);
  });

  test("is not there for kinds without a spec to follow", async () => {
    expect((await makeConfigMap(at())).object.metadata).not.toHaveProperty("generation");
  });
}
