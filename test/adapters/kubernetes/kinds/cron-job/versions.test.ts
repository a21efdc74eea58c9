import { afterAll, beforeAll, expect, test } from "vitest";
import type { Workload } from "../../../../../functions/domain/workload/workload.ts";
import { before, target } from "../../../../contracts/cluster-fixtures.ts";
import { claim } from "../../../../contracts/cluster/steps.ts";
import { type CronJobHarness, openCronJobs } from "./harness.ts";
import { listAll, clusterAt, type RecordedRequest, startScriptedServer } from "../../api/scripted-server.ts";

const noSuchKind = { code: 404, body: "404 page not found" };

let harness: CronJobHarness;
beforeAll(async () => {
  harness = await openCronJobs();
  await harness.make("report", before);
});
afterAll(() => harness.close());

/** Starts a server with CronJobs in these versions only, and the same objects in each, like Kubernetes. */
function serving(versions: readonly string[]) {
  return startScriptedServer(async ({ method, path, accept, contentType, body }) => {
    const version = versionIn(path);
    if (version !== null && !versions.includes(version)) return noSuchKind;
    const headers = { accept, ...(contentType === "" ? {} : { "content-type": contentType }) };
    const url = harness.url + path.replace("/batch/v1beta1/", "/batch/v1/");
    const answer = await fetch(url, { method, headers, ...(body === "" ? {} : { body }) });
    return { code: answer.status, body: await answer.text() };
  });
}

function versionIn(path: string): string | null {
  return /^\/apis\/batch\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** Returns the versions of CronJobs that were listed, in order. */
function listed(requests: readonly RecordedRequest[]): readonly (string | null)[] {
  return requests.filter(({ path }) => /\/cronjobs\?/.test(path)).map(({ path }) => versionIn(path));
}

test.for([
  { versions: ["v1"], requested: ["v1"], expected: ["batch/v1"] },
  { versions: ["v1", "v1beta1"], requested: ["v1"], expected: ["batch/v1"] },
  { versions: ["v1beta1"], requested: ["v1", "v1beta1"], expected: ["batch/v1beta1"] },
  { versions: [], requested: ["v1", "v1beta1"], expected: [] },
])("with versions $versions it lists $requested and finds $expected", async ({ versions, requested, expected }) => {
  await using server = await serving(versions);
  const found = await listAll(clusterAt(server.url));
  expect(found.map(({ ref }) => ref.apiVersion)).toEqual(expected);
  expect(listed(server.requests)).toEqual(requested);
});

test("an empty list of CronJobs is not an unserved kind", async () => {
  await using server = await serving(["v1", "v1beta1"]);
  expect(await listAll(clusterAt(server.url, { namespaces: ["kube-system", "default"] }))).toEqual([]);
  expect(listed(server.requests)).toEqual(["v1", "v1"]);
});

test("the older version is listed in each namespace", async () => {
  await using server = await serving(["v1beta1"]);
  const found = await listAll(clusterAt(server.url, { namespaces: ["default", harness.namespace] }));
  expect(found.map(({ ref }) => ref.apiVersion)).toEqual(["batch/v1beta1"]);
  expect(listed(server.requests)).toEqual(["v1", "v1", "v1beta1", "v1beta1"]);
});

test("a CronJob of the older version is read and written in that version", async () => {
  await using server = await serving(["v1beta1"]);
  const cluster = clusterAt(server.url);
  const [found] = await listAll(cluster);
  const workload = (await cluster.read((found as Workload).ref)) as Workload;
  await cluster.change(workload, claim(workload));
  expect(await cluster.read(workload.ref)).toMatchObject({ image: target, inFlight: { execution: "e-1" } });
  const patched = server.requests.filter(({ method, path }) => method === "PATCH" && path.includes("/cronjobs/"));
  expect(patched.map(({ path }) => versionIn(path))).toEqual(["v1beta1"]);
});
