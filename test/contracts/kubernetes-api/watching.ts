import { expect, test } from "vitest";
import { mergePatch, unique, type At, type Harness } from "./harness.ts";
import type { Doc } from "./raw-request.ts";
import { configMapsIn, createConfigMap, thingsIn } from "./samples.ts";

interface WatchEvent {
  readonly type: string;
  readonly object: Doc;
}

/** Watches until there are `count` events or the server ends the watch. */
async function watchFor(
  { watch }: Harness,
  path: string,
  query: object,
  count: number,
  meanwhile = async () => {},
): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const controller = await watch.watch(
    path,
    { timeoutSeconds: 20, ...query },
    (type: string, object: Doc) => {
      events.push({ type, object });
      if (events.length === count) resolve();
    },
    (error: unknown) => (error ? reject(error) : resolve()),
  );
  await meanwhile();
  await ended;
  controller.abort();
  return events;
}

export function testWatching(at: At): void {
  const edit = (path: string, body: object) => at().request("PATCH", path, { contentType: mergePatch, body });

  test("sends the changes after a resourceVersion, in order", async () => {
    const name = unique("watched");
    const { body: list } = await at().request("GET", configMapsIn(at()));
    const { resourceVersion } = list.metadata ?? {};
    const { path } = await createConfigMap(at(), { name });
    const query = { resourceVersion, fieldSelector: `metadata.name=${name}` };
    const events = await watchFor(at(), configMapsIn(at()), query, 3, async () => {
      await edit(path, { data: { a: "2" } });
      await at().request("DELETE", path);
    });
    expect(events.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    expect(events.map(({ object }) => object.data?.a)).toEqual(["1", "2", "2"]);
    const revisions = events.map(({ object }) => Number(object.metadata?.resourceVersion));
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect(events[0]?.object).toMatchObject({ kind: "ConfigMap", apiVersion: "v1" });
  });

  test("without a resourceVersion starts with the existing objects", async () => {
    const label = unique("label");
    await createConfigMap(at(), { labels: { label } });
    await createConfigMap(at(), { labels: { label } });
    const events = await watchFor(at(), configMapsIn(at()), { labelSelector: `label=${label}` }, 2);
    expect(events.map(({ type }) => type)).toEqual(["ADDED", "ADDED"]);
  });

  test("an object that no longer matches is deleted, and added when it matches again", async () => {
    const label = unique("label");
    const { path } = await createConfigMap(at(), { labels: { label } });
    const events = await watchFor(at(), configMapsIn(at()), { labelSelector: `label=${label}` }, 3, async () => {
      await edit(path, { metadata: { labels: { label: "other" } } });
      await edit(path, { metadata: { labels: { label } } });
    });
    expect(events.map(({ type }) => type)).toEqual(["ADDED", "DELETED", "ADDED"]);
  });

  test("from a resourceVersion that is too old is an ERROR with a 410", async () => {
    const [first] = await watchFor(at(), thingsIn(at()), { resourceVersion: "1" }, 1);
    expect(first?.type).toBe("ERROR");
    expect(first?.object).toMatchObject({ kind: "Status", status: "Failure", reason: "Expired", code: 410 });
    expect(first?.object.message).toMatch(/^too old resource version: 1 \(\d+\)$/);
  });

  test("ends after timeoutSeconds", async () => {
    const query = { timeoutSeconds: 1, fieldSelector: "metadata.name=none" };
    expect(await watchFor(at(), configMapsIn(at()), query, 1)).toEqual([]);
  });
}
