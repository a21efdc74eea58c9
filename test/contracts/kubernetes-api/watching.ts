import { expect, test } from "vitest";
import { mergePatch, unique, type At, type Bench } from "./bench.ts";
import type { Doc } from "./raw-request.ts";
import { configMapsIn, makeConfigMap, thingsIn } from "./samples.ts";

interface Seen {
  readonly type: string;
  readonly object: Doc;
}

/** Watches until `count` events are there or the server ends the watch, whichever comes first. */
async function watchFor(
  { watch }: Bench,
  path: string,
  query: object,
  count: number,
  meanwhile = async () => {},
): Promise<Seen[]> {
  const seen: Seen[] = [];
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const controller = await watch.watch(
    path,
    { timeoutSeconds: 20, ...query },
    (type: string, object: Doc) => {
      seen.push({ type, object });
      if (seen.length === count) resolve();
    },
    (error: unknown) => (error ? reject(error) : resolve()),
  );
  await meanwhile();
  await ended;
  controller.abort();
  return seen;
}

export function watching(at: At): void {
  const edit = (path: string, body: object) => at().request("PATCH", path, { contentType: mergePatch, body });

  test("tells what happens after a resourceVersion, in order", async () => {
    const name = unique("watched");
    const { body: list } = await at().request("GET", configMapsIn(at()));
    const { resourceVersion } = list.metadata ?? {};
    const { path } = await makeConfigMap(at(), { name });
    const query = { resourceVersion, fieldSelector: `metadata.name=${name}` };
    const seen = await watchFor(at(), configMapsIn(at()), query, 3, async () => {
      await edit(path, { data: { a: "2" } });
      await at().request("DELETE", path);
    });
    expect(seen.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    expect(seen.map(({ object }) => object.data?.a)).toEqual(["1", "2", "2"]);
    const revisions = seen.map(({ object }) => Number(object.metadata?.resourceVersion));
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect(seen[0]?.object).toMatchObject({ kind: "ConfigMap", apiVersion: "v1" });
  });

  test("without a resourceVersion begins with what exists", async () => {
    const label = unique("label");
    await makeConfigMap(at(), { labels: { label } });
    await makeConfigMap(at(), { labels: { label } });
    const seen = await watchFor(at(), configMapsIn(at()), { labelSelector: `label=${label}` }, 2);
    expect(seen.map(({ type }) => type)).toEqual(["ADDED", "ADDED"]);
  });

  test("an object that leaves the selection is deleted from it, and added when it comes back", async () => {
    const label = unique("label");
    const { path } = await makeConfigMap(at(), { labels: { label } });
    const seen = await watchFor(at(), configMapsIn(at()), { labelSelector: `label=${label}` }, 3, async () => {
      await edit(path, { metadata: { labels: { label: "other" } } });
      await edit(path, { metadata: { labels: { label } } });
    });
    expect(seen.map(({ type }) => type)).toEqual(["ADDED", "DELETED", "ADDED"]);
  });

  test("from a resourceVersion that is too old is an ERROR with a 410", async () => {
    const [first] = await watchFor(at(), thingsIn(at()), { resourceVersion: "1" }, 1);
    expect(first?.type).toBe("ERROR");
    expect(first?.object).toMatchObject({ kind: "Status", status: "Failure", reason: "Expired", code: 410 });
    expect(first?.object.message).toMatch(/^too old resource version: 1 \(\d+\)$/);
  });

  test("ends by itself after timeoutSeconds", async () => {
    const query = { timeoutSeconds: 1, fieldSelector: "metadata.name=none" };
    expect(await watchFor(at(), configMapsIn(at()), query, 1)).toEqual([]);
  });
}
