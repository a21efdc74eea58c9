import { beforeAll, expect, test } from "vitest";
import { unique, type At } from "./harness.ts";
import type { Doc } from "./raw-request.ts";
import { configMapsIn, createConfigMap, createThing, thingsIn } from "./samples.ts";

const listMetadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

export function testListing(at: At): void {
  const suite = unique("suite");
  const inSuite = `labelSelector=suite%3D${suite}`;
  const names = (list: Doc): readonly unknown[] | undefined => list.items?.map((item) => item.metadata?.name);

  beforeAll(async () => {
    for (const [name, tier] of [
      ["c", "web"],
      ["a", "web"],
      ["b", "data"],
      ["e", ""],
      ["d", "web"],
    ] as const) {
      await createConfigMap(at(), { name: `${suite}-${name}`, labels: { suite, ...(tier && { tier }) } });
    }
  });

  test("is ordered by name, and its items have no kind", async () => {
    const { body } = await at().request("GET", `${configMapsIn(at())}?${inSuite}`);
    expect(body).toMatchObject({ kind: "ConfigMapList", apiVersion: "v1" });
    expect(names(body)).toEqual(["a", "b", "c", "d", "e"].map((name) => `${suite}-${name}`));
    expect((body.items ?? [])[0]).not.toHaveProperty("kind");
    expect(Number(body.metadata?.resourceVersion)).toBeGreaterThan(0);
  });

  test("covers all namespaces", async () => {
    const { items } = await at().core.listConfigMapForAllNamespaces({ labelSelector: `suite=${suite}` });
    expect(items.map((item) => item.metadata?.namespace)).toEqual(Array.from({ length: 5 }, () => at().namespace));
  });

  test("items of a custom resource have their kind", async () => {
    const { group, namespace, custom } = at();
    await createThing(at());
    const list = await custom.listNamespacedCustomObject({
      group,
      version: "v1",
      namespace,
      plural: "things",
    });
    expect(list).toMatchObject({ kind: "ThingList" });
    expect((list as { readonly items: readonly Doc[] }).items[0]).toMatchObject({
      kind: "Thing",
      apiVersion: `${group}/v1`,
    });
  });

  test.for([
    { selector: "tier=web", expected: ["a", "c", "d"] },
    { selector: "tier==data", expected: ["b"] },
    { selector: "tier!=web", expected: ["b", "e"] },
    { selector: "tier in (web, data)", expected: ["a", "b", "c", "d"] },
    { selector: "tier notin (web)", expected: ["b", "e"] },
    { selector: "tier", expected: ["a", "b", "c", "d"] },
    { selector: "!tier", expected: ["e"] },
    { selector: "tier=web,tier!=data", expected: ["a", "c", "d"] },
  ])("labels: $selector", async ({ selector, expected }) => {
    const query = `labelSelector=${encodeURIComponent(`suite=${suite},${selector}`)}`;
    const { body } = await at().request("GET", `${configMapsIn(at())}?${query}`);
    expect(names(body)).toEqual(expected.map((name) => `${suite}-${name}`));
  });

  test("field selectors: the name, and only those of the kind", async () => {
    const found = await at().request("GET", `${configMapsIn(at())}?fieldSelector=metadata.name%3D${suite}-b`);
    expect(names(found.body)).toEqual([`${suite}-b`]);
    const unknown = await at().request("GET", `${configMapsIn(at())}?fieldSelector=spec.x%3Dy`);
    expect(unknown.code).toBe(400);
    expect(unknown.body.message).toContain('"spec.x" is not a known field selector');
  });

  test("an invalid selector is a 400", async () => {
    expect((await at().request("GET", `${configMapsIn(at())}?labelSelector=a+in+(`)).code).toBe(400);
  });

  test("pages are one snapshot, also after writes", async () => {
    const first = (await at().request("GET", `${configMapsIn(at())}?${inSuite}&limit=2`)).body;
    expect(names(first)).toEqual([`${suite}-a`, `${suite}-b`]);
    await createConfigMap(at(), { name: `${suite}-bb`, labels: { suite } });
    const next = `${inSuite}&limit=2&continue=${String(first.metadata?.continue)}`;
    const second = (await at().request("GET", `${configMapsIn(at())}?${next}`)).body;
    await at().request("DELETE", `${configMapsIn(at())}/${suite}-bb`);
    expect(names(second)).toEqual([`${suite}-c`, `${suite}-d`]);
    expect(second.metadata?.resourceVersion).toBe(first.metadata?.resourceVersion);
    const last = `${inSuite}&limit=2&continue=${String(second.metadata?.continue)}`;
    const third = (await at().request("GET", `${configMapsIn(at())}?${last}`)).body;
    expect(names(third)).toEqual([`${suite}-e`]);
    expect(third.metadata?.continue ?? "").toBe("");
  });

  test("a page without a selector has the remaining item count", async () => {
    await createThing(at());
    await createThing(at());
    const { body } = await at().request("GET", `${thingsIn(at())}?limit=1`);
    expect(Number(body.metadata?.remainingItemCount)).toBeGreaterThanOrEqual(1);
  });

  test("an unknown token, or one with a resourceVersion, is a 400", async () => {
    const first = (await at().request("GET", `${configMapsIn(at())}?limit=1`)).body;
    const both = `continue=${String(first.metadata?.continue)}&resourceVersion=1`;
    expect((await at().request("GET", `${configMapsIn(at())}?limit=1&continue=zzz`)).code).toBe(400);
    expect((await at().request("GET", `${configMapsIn(at())}?limit=1&${both}`)).code).toBe(400);
  });

  test("metadata only, in pages", async () => {
    const page = await at().request("GET", `${configMapsIn(at())}?${inSuite}&limit=2`, { accept: listMetadata });
    expect(page.body).toMatchObject({ kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1" });
    expect(page.body.metadata?.continue).toBeTruthy();
    const [first] = page.body.items ?? [];
    expect(first).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: `${suite}-a`, labels: { suite } } });
    expect(first).not.toHaveProperty("data");
  });
}
