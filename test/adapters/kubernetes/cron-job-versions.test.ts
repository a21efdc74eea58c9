import { afterAll, beforeAll, expect, test } from "vitest";
import type { Workload } from "../../../functions/domain/workload.ts";
import { before, target } from "../../contracts/cluster-fixtures.ts";
import { claim } from "../../contracts/cluster/steps.ts";
import { type CronJobBench, openCronJobs } from "./cron-job-bench.ts";
import { allOf, clusterAt, type Heard, scripted } from "./scripted.ts";

const noSuchKind = { code: 404, body: "404 page not found" };

let bench: CronJobBench;
beforeAll(async () => {
  bench = await openCronJobs();
  await bench.make("report", before);
});
afterAll(() => bench.close());

/** A server that has CronJobs in these versions alone: the same objects in each, as Kubernetes has it. */
function serving(versions: readonly string[]) {
  return scripted(async ({ method, path, accept, contentType, body }) => {
    const version = versionIn(path);
    if (version !== null && !versions.includes(version)) return noSuchKind;
    const headers = { accept, ...(contentType === "" ? {} : { "content-type": contentType }) };
    const url = bench.url + path.replace("/batch/v1beta1/", "/batch/v1/");
    const answer = await fetch(url, { method, headers, ...(body === "" ? {} : { body }) });
    return { code: answer.status, body: await answer.text() };
  });
}

function versionIn(path: string): string | null {
  return /^\/apis\/batch\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** The versions of CronJobs that were listed, in that order. */
function listed(heard: readonly Heard[]): readonly (string | null)[] {
  return heard.filter(({ path }) => /\/cronjobs\?/.test(path)).map(({ path }) => versionIn(path));
}

test.for([
  { serves: ["v1"], asks: ["v1"], finds: ["batch/v1"] },
  { serves: ["v1", "v1beta1"], asks: ["v1"], finds: ["batch/v1"] },
  { serves: ["v1beta1"], asks: ["v1", "v1beta1"], finds: ["batch/v1beta1"] },
  { serves: [], asks: ["v1", "v1beta1"], finds: [] },
])("of a cluster that serves $serves it lists $asks and finds $finds", async ({ serves, asks, finds }) => {
  await using server = await serving(serves);
  const found = await allOf(clusterAt(server.url));
  expect(found.map(({ ref }) => ref.apiVersion)).toEqual(finds);
  expect(listed(server.heard)).toEqual(asks);
});

test("no CronJob at all is not the same as no such kind", async () => {
  await using server = await serving(["v1", "v1beta1"]);
  expect(await allOf(clusterAt(server.url, { namespaces: ["kube-system", "default"] }))).toEqual([]);
  expect(listed(server.heard)).toEqual(["v1", "v1"]);
});

test("in namespaces the older version is listed in each", async () => {
  await using server = await serving(["v1beta1"]);
  const found = await allOf(clusterAt(server.url, { namespaces: ["default", bench.namespace] }));
  expect(found.map(({ ref }) => ref.apiVersion)).toEqual(["batch/v1beta1"]);
  expect(listed(server.heard)).toEqual(["v1", "v1", "v1beta1", "v1beta1"]);
});

test("one of the older version is read and written by that version", async () => {
  await using server = await serving(["v1beta1"]);
  const cluster = clusterAt(server.url);
  const [found] = await allOf(cluster);
  const workload = (await cluster.read((found as Workload).ref)) as Workload;
  await cluster.change(workload, claim(workload));
  expect(await cluster.read(workload.ref)).toMatchObject({ image: target, inFlight: { execution: "e-1" } });
  const patched = server.heard.filter(({ method }) => method === "PATCH").map(({ path }) => versionIn(path));
  expect(patched).toEqual(["v1beta1"]);
});
