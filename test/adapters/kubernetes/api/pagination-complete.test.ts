import { expect, test } from "vitest";
import { collectionOf, manifest } from "../../../contracts/cluster-fixtures.ts";
import { startCluster } from "../embedded-cluster.ts";
import { listAll, clusterAt, type RecordedRequest, startProxy } from "./scripted-server.ts";

const names = Array.from({ length: 703 }, (_, index) => `app-${String(index).padStart(4, "0")}`);

function ofSets({ method, path }: RecordedRequest): boolean {
  return method === "GET" && path.startsWith("/apis/apps/v1/statefulsets?");
}

function isFetch({ method, path }: RecordedRequest): boolean {
  return method === "GET" && path.startsWith("/apis/apps/v1/namespaces/");
}

async function startClusterWith(isOptedIn: (index: number) => boolean) {
  const objects = names.map((name, index) => manifest("StatefulSet", { name, optIn: isOptedIn(index) ? true : null }));
  return startCluster({ objects });
}

test("full pages are fetched if many objects opted in: 3 requests instead of 703", async () => {
  const cluster = await startClusterWith(() => true);
  await using proxy = await startProxy(cluster.url);
  const found = await listAll(clusterAt(proxy.url));
  expect(found.map(({ ref }) => ref.name)).toEqual(names);
  const isMetadata = ({ accept }: RecordedRequest) => accept.includes("PartialObjectMetadataList");
  expect(proxy.requests.filter(ofSets).map(isMetadata)).toEqual([true, false, false]);
  expect(proxy.requests.filter(isFetch)).toEqual([]);
  await cluster.close();
});

/** Lists workloads, and runs `interfere` before the first page is requested again as full objects. */
async function listWhile(interfere: (url: string) => Promise<unknown> | void) {
  const cluster = await startClusterWith(() => true);
  let pages = 0;
  await using proxy = await startProxy(cluster.url, async (request) => {
    if (ofSets(request) && (pages += 1) === 2) await interfere(cluster.url);
  });
  const found = await listAll(clusterAt(proxy.url));
  await cluster.close();
  return { listed: found.map(({ ref }) => ref.name), requests: proxy.requests };
}

test("an object that moved to the next page is fetched, and no object is yielded twice", async () => {
  const { listed, requests } = await listWhile(async (url) => {
    const body = JSON.stringify(manifest("StatefulSet", { name: "aaa" }));
    const headers = { "content-type": "application/json" };
    await fetch(`${url}${collectionOf("StatefulSet", "default")}`, { method: "POST", body, headers });
  });
  expect(listed).toEqual(names);
  expect(requests.filter(isFetch)).toHaveLength(1);
});

test("a deleted object is skipped, and one that moved to this page is yielded once", async () => {
  const { listed } = await listWhile((url) =>
    fetch(`${url}${collectionOf("StatefulSet", "default")}/app-0000`, { method: "DELETE" }),
  );
  expect(listed).toEqual(names.slice(1));
});

test("no workload is lost if a token expires between the two requests", async () => {
  const cluster = await startClusterWith((index) => index >= 500 && index < 560);
  let pages = 0;
  await using proxy = await startProxy(cluster.url, (request) => {
    if (ofSets(request) && (pages += 1) === 3) cluster.compact();
  });
  const found = await listAll(clusterAt(proxy.url));
  expect(found.map(({ ref }) => ref.name).toSorted()).toEqual(names.slice(500, 560));
  await cluster.close();
});
