import { expect, test } from "vitest";
import { collectionOf, manifest } from "../../contracts/cluster-fixtures.ts";
import { embedded } from "./embedded.ts";
import { allOf, clusterAt, type Heard, inFrontOf } from "./scripted.ts";

const names = Array.from({ length: 703 }, (_, index) => `app-${String(index).padStart(4, "0")}`);

function ofSets({ method, path }: Heard): boolean {
  return method === "GET" && path.startsWith("/apis/apps/v1/statefulsets?");
}

function isFetch({ method, path }: Heard): boolean {
  return method === "GET" && path.startsWith("/apis/apps/v1/namespaces/");
}

async function crowd(isOptedIn: (index: number) => boolean) {
  const objects = names.map((name, index) => manifest("StatefulSet", { name, optIn: isOptedIn(index) ? true : null }));
  return embedded({ objects });
}

test("pages on which many opted in are asked for whole: three requests in the place of 703", async () => {
  const cluster = await crowd(() => true);
  await using proxy = await inFrontOf(cluster.url);
  const found = await allOf(clusterAt(proxy.url));
  expect(found.map(({ ref }) => ref.name)).toEqual(names);
  const isMetadata = ({ accept }: Heard) => accept.includes("PartialObjectMetadataList");
  expect(proxy.heard.filter(ofSets).map(isMetadata)).toEqual([true, false, false]);
  expect(proxy.heard.filter(isFetch)).toEqual([]);
  await cluster.close();
});

/** Runs `meddle` before the first page is asked for the second time, whole. */
async function meddled(meddle: (url: string) => Promise<unknown> | void) {
  const cluster = await crowd(() => true);
  let pages = 0;
  await using proxy = await inFrontOf(cluster.url, async (heard) => {
    if (ofSets(heard) && (pages += 1) === 2) await meddle(cluster.url);
  });
  const found = await allOf(clusterAt(proxy.url));
  await cluster.close();
  return { listed: found.map(({ ref }) => ref.name), heard: proxy.heard };
}

test("what is pushed off the page meanwhile is fetched, and nothing is given twice", async () => {
  const { listed, heard } = await meddled(async (url) => {
    const body = JSON.stringify(manifest("StatefulSet", { name: "aaa" }));
    const headers = { "content-type": "application/json" };
    await fetch(`${url}${collectionOf("StatefulSet", "default")}`, { method: "POST", body, headers });
  });
  expect(listed).toEqual(names);
  expect(heard.filter(isFetch)).toHaveLength(1);
});

test("what is gone meanwhile is left out, and what moves up onto the page is given once", async () => {
  const { listed } = await meddled((url) =>
    fetch(`${url}${collectionOf("StatefulSet", "default")}/app-0000`, { method: "DELETE" }),
  );
  expect(listed).toEqual(names.slice(1));
});

test("a token that expires between the two requests costs no workload", async () => {
  const cluster = await crowd((index) => index >= 500 && index < 560);
  let pages = 0;
  await using proxy = await inFrontOf(cluster.url, (heard) => {
    if (ofSets(heard) && (pages += 1) === 3) cluster.compact();
  });
  const found = await allOf(clusterAt(proxy.url));
  expect(found.map(({ ref }) => ref.name).toSorted()).toEqual(names.slice(500, 560));
  await cluster.close();
});
