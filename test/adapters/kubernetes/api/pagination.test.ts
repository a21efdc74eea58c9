import { expect, test } from "vitest";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { manifest } from "../../../contracts/cluster-fixtures.ts";
import { startCluster } from "../embedded-cluster.ts";
import { listAll, clusterAt, startProxy, startScriptedServer, type RecordedRequest } from "./scripted-server.ts";

/** Three pages of at most 500; the first, last and a middle object opted in. */
const names = Array.from({ length: 1203 }, (_, index) => `app-${String(index).padStart(4, "0")}`);
const optedIn = ["app-0000", "app-0600", "app-1202"];

function manifests() {
  return names.map((name) => manifest("StatefulSet", { name, optIn: optedIn.includes(name) ? true : null }));
}

function ofSets({ method, path }: RecordedRequest): boolean {
  return method === "GET" && path.startsWith("/apis/apps/v1/statefulsets?");
}

function namesOf(workloads: readonly Workload[]): readonly string[] {
  return workloads.map(({ ref }) => ref.name);
}

test("many objects are listed as metadata in pages of 500, and only those that opted in are fetched", async () => {
  const cluster = await startCluster({ objects: manifests() });
  await using proxy = await startProxy(cluster.url);
  expect(namesOf(await listAll(clusterAt(proxy.url)))).toEqual(optedIn);
  const pages = proxy.requests.filter(ofSets);
  expect(pages.map(({ accept }) => accept)).toEqual(
    Array.from({ length: 3 }, () => "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"),
  );
  expect(pages.every(({ path }) => new URLSearchParams(path.split("?")[1]).get("limit") === "500")).toBe(true);
  const fetched = proxy.requests.filter(({ path }) => path.startsWith("/apis/apps/v1/namespaces/"));
  expect(fetched.map(({ path }) => path.split("/").at(-1))).toEqual(optedIn);
  await cluster.close();
});

test("an expired snapshot loses no workload and yields none twice", async () => {
  const cluster = await startCluster({ objects: manifests() });
  let pages = 0;
  await using proxy = await startProxy(cluster.url, (request) => {
    if (ofSets(request) && (pages += 1) === 3) cluster.compact();
  });
  expect(namesOf(await listAll(clusterAt(proxy.url)))).toEqual(optedIn);
  expect(pages).toBe(6);
  await cluster.close();
});

test("the token of a 410 continues the list", async () => {
  await using server = await paged({ "": page("one", "old"), old: expired("new"), new: page("two", "") });
  expect(namesOf(await listAll(clusterAt(server.url)))).toEqual(["one", "two"]);
});

test.for([
  { when: "every token expires", answers: { "": page("one", "old"), old: expired(undefined) }, requests: 12 },
  { when: "the first page expires", answers: { "": expired(undefined) }, requests: 1 },
])("the list fails if $when", async ({ answers, requests }) => {
  await using server = await paged(answers);
  await expect(listAll(clusterAt(server.url))).rejects.toThrow("410");
  expect(server.requests.filter(({ path }) => path.includes("deployments?"))).toHaveLength(requests);
});

test("a 404 for Deployments, which every API server serves, is a failure and not an empty list", async () => {
  await using server = await paged({ "": { code: 404, body: { message: "no such page" } } });
  await expect(listAll(clusterAt(server.url))).rejects.toThrow("list deployments: 404");
});

/** Answers each continue token of the Deployments with a page, and every other kind with none. */
function paged(answers: Readonly<Record<string, { readonly code: number; readonly body: object }>>) {
  return startScriptedServer(({ path }) => {
    const { pathname, searchParams } = new URL(path, "http://scripted");
    if (pathname === "/apis/apps/v1/deployments") {
      return answers[searchParams.get("continue") ?? ""] ?? { code: 400, body: "no such token" };
    }
    if (!pathname.includes("/deployments/")) return { code: 200, body: { metadata: {}, items: [] } };
    return { code: 200, body: deployment(pathname.split("/").at(-1) ?? "") };
  });
}

function page(name: string, token: string) {
  return { code: 200, body: { metadata: { continue: token }, items: [deployment(name)] } };
}

function deployment(name: string) {
  const { metadata, spec } = manifest("Deployment", { name });
  return { metadata: { ...metadata, namespace: "shop", uid: `uid-${name}`, resourceVersion: "7" }, spec };
}

function expired(token: string | undefined) {
  const metadata = token === undefined ? {} : { continue: token };
  return { code: 410, body: { kind: "Status", code: 410, reason: "Expired", message: "too old", metadata } };
}
