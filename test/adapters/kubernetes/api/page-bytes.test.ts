import { describe, expect, test } from "vitest";
import { createKubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import type { KubernetesObject, ListScope } from "../../../../functions/adapters/kubernetes/objects.ts";
import { maxPageBytes } from "../../../../functions/adapters/kubernetes/paginate.ts";
import { kubeConfigAt, type Reply, startScriptedServer } from "./scripted-server.ts";

const deployments = { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" };

/** Lists Deployments that a server answers so. Returns what was found and what was skipped. */
async function listFrom(url: string, scope: ListScope = "metadata") {
  const [found, skipped]: [KubernetesObject[], string[]] = [[], []];
  const onTooLarge = ({ message }: Error) => void skipped.push(message);
  const api = createKubernetesApi(kubeConfigAt(url));
  for await (const { items } of api.list<KubernetesObject>(deployments, null, () => scope, undefined, onTooLarge))
    found.push(...items);
  return { found, skipped };
}

function object(index: number, annotationBytes: number, key = "example.com/notes") {
  const annotations = { "pawl.dev/auto-update": "true", [key]: "a".repeat(annotationBytes) };
  const managedFields = [{ manager: "kubectl" }];
  return { metadata: { uid: `u-${index}`, namespace: "shop", name: `app-${index}`, annotations, managedFields } };
}

/** Serves objects in pages, as the API server does: their continue token is the index of the next one. */
function serve(objects: readonly object[]) {
  return startScriptedServer(({ path, accept }): Reply => {
    const { searchParams } = new URL(path, "http://scripted");
    const from = Number(searchParams.get("continue") ?? 0);
    const items = objects.slice(from, from + Number(searchParams.get("limit")));
    const next = from + items.length;
    const metadata = next < objects.length ? { continue: String(next) } : {};
    if (!accept.includes("as=Table")) return { code: 200, body: { metadata, items } };
    const rows = items.map((item) => ({
      object: { metadata: { ...(item as KubernetesObject).metadata, annotations: {} } },
    }));
    return { code: 200, body: { metadata, rows } };
  });
}

test("a page that is too large is listed in smaller ones, and only what Pawl reads is kept of each object", async () => {
  await using server = await serve(Array.from({ length: 100 }, (_, index) => object(index, 250 * 1024)));
  const { found, skipped } = await listFrom(server.url);
  expect(found.map(({ metadata }) => metadata.uid)).toEqual(Array.from({ length: 100 }, (_, index) => `u-${index}`));
  expect(found[0]?.metadata).toEqual({
    uid: "u-0",
    namespace: "shop",
    name: "app-0",
    annotations: { "pawl.dev/auto-update": "true" },
  });
  expect(skipped).toEqual([]);
  const limits = server.requests.map(({ path }) => new URL(path, "http://s").searchParams.get("limit"));
  expect(limits.slice(0, 5)).toEqual(["500", "250", "125", "62", "31"]);
});

test("an object that is too large alone is named and skipped, and those around it are found", async () => {
  const objects = [1, 2, 3, 4, 5].map((index) => object(index, index === 3 ? maxPageBytes : 10));
  await using server = await serve(objects);
  const { found, skipped } = await listFrom(server.url, "full");
  expect(found.map(({ metadata }) => metadata.name)).toEqual(["app-1", "app-2", "app-4", "app-5"]);
  expect(skipped).toEqual([
    "apps/v1 Deployment shop/app-3 has more than 8388608 bytes and is skipped; make the object smaller",
  ]);
});

test("a value of Pawl that no policy may have is cut, and still too long", async () => {
  await using server = await serve([object(1, 200 * 1024, "pawl.dev/tag-pattern")]);
  const { found } = await listFrom(server.url);
  expect(found[0]?.metadata.annotations?.["pawl.dev/tag-pattern"]).toHaveLength(32 * 1024);
});

describe("an answer that no API server sends is named", () => {
  test.for([
    { body: { metadata: {}, items: {} }, reason: "its items are no list" },
    { body: { metadata: {}, items: [null] }, reason: "item 1 has no metadata with a uid" },
    { body: { metadata: {}, items: [object(1, 1), { spec: {} }] }, reason: "item 2 has no metadata with a uid" },
    { body: { metadata: { continue: 7 }, items: [] }, reason: "its continue token is no text" },
    { body: [], reason: "the response is not from an API server" },
    { body: { metadata: { continue: "again" }, items: [] }, reason: "the API server repeats a continue token" },
  ])("$reason", async ({ body, reason }) => {
    await using server = await startScriptedServer(() => ({ code: 200, body }));
    await expect(listFrom(server.url)).rejects.toMatchObject({
      name: "Unreachable",
      message: expect.stringMatching(new RegExp(`^list deployments: .*${reason}`)),
    });
  });

  test("every response has a bound", async () => {
    await using server = await startScriptedServer(() => ({ code: 200, body: `"${"a".repeat(33 * 1024 * 1024)}"` }));
    await expect(createKubernetesApi(kubeConfigAt(server.url)).get(deployments, "shop", "app")).rejects.toMatchObject({
      name: "Unreachable",
      message: "read Deployment shop/app: the response has more than 33554432 bytes",
    });
  });
});
