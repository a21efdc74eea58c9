import { describe, expect, test } from "vitest";
import type { WorkloadRef } from "../../../functions/domain/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { workload } from "../../support/workloads.ts";
import { allOf, clusterAt, ok, refusal, scripted, type Reply } from "./scripted.ts";

const { ref } = workload();
const there = { metadata: { ...ref, resourceVersion: "7" }, spec: podsOf("app:1.0.0") };
const hold = { announced: { held: "no" } };
const announcement = { type: "Normal", reason: "AutoUpdateStarting", message: "on it", key: "e-1" } as const;

/** Each of the port's methods, up to the request whose answer is under test. */
const asking: Readonly<Record<string, (cluster: Cluster) => Promise<unknown>>> = {
  list: (cluster) => allOf(cluster),
  read: (cluster) => cluster.read(ref),
  change: (cluster) => cluster.change(workload(), hold),
  announce: (cluster) => cluster.announce(workload(), announcement),
};

const html = { "content-type": "text/html" };
const failures: readonly { readonly when: string; readonly reply: Reply | "hang up"; readonly error: object }[] = [
  { when: "401", reply: refusal(401, "Unauthorized"), error: { name: "Forbidden" } },
  { when: "403", reply: refusal(403, "Forbidden"), error: { name: "Forbidden" } },
  {
    when: "429 with the time in its body",
    reply: refusal(429, "TooManyRequests", { details: { retryAfterSeconds: 12 } }),
    error: { name: "Throttled", retryAfterSeconds: 12 },
  },
  {
    when: "429 with the time in a header",
    reply: { code: 429, body: "Too many requests, please try again later.\n", headers: { "retry-after": "3" } },
    error: { name: "Throttled", retryAfterSeconds: 3 },
  },
  { when: "429 without a time", reply: refusal(429, "x"), error: { name: "Throttled", retryAfterSeconds: null } },
  { when: "500", reply: refusal(500, "InternalError"), error: { name: "Unreachable" } },
  { when: "503", reply: { code: 503, body: "<h1>upstream</h1>", headers: html }, error: { name: "Unreachable" } },
  { when: "504", reply: refusal(504, "Timeout"), error: { name: "Unreachable" } },
  { when: "a broken connection", reply: "hang up", error: { name: "Unreachable" } },
  {
    when: "a proxy's own page",
    reply: { code: 200, body: "<h1>log in</h1>", headers: html },
    error: { name: "Unreachable" },
  },
  { when: "half an answer", reply: { code: 200, body: '{"metadata": {"na' }, error: { name: "Unreachable" } },
  {
    when: "an answer of no type",
    reply: { code: 200, body: "{}", headers: { "content-type": "" } },
    error: { name: "Unreachable" },
  },
  { when: "an answer of another shape", reply: { code: 200, body: "null" }, error: { name: "Unreachable" } },
];

describe.for(Object.keys(asking))("%s", (method) => {
  test.for(failures)("$when is $error", async ({ reply, error }) => {
    await using server = await scripted(({ method: verb }) =>
      method === "change" && verb === "GET" ? found() : reply,
    );
    const failure = asking[method]?.(clusterAt(server.url));
    await expect(failure).rejects.toMatchObject({ ...error, message: expect.stringMatching(saying(method)) });
  });

  test("a refused connection is Unreachable", async () => {
    const server = await scripted(() => "hang up");
    await server[Symbol.asyncDispose]();
    await expect(asking[method]?.(clusterAt(server.url))).rejects.toMatchObject({ name: "Unreachable" });
  });
});

test.for([
  { when: "another wrote first", reply: refusal(409, "Conflict") },
  { when: "it was deleted in between", reply: refusal(404, "NotFound") },
])("a patch throws Conflict where $when", async ({ reply }) => {
  await using server = await scripted(({ method }) => (method === "GET" ? found() : reply));
  await expect(clusterAt(server.url).change(workload(), hold)).rejects.toMatchObject({ name: "Conflict" });
});

test("a patch that is refused as wrong is an error of no name: it is a bug, and nothing to try again", async () => {
  await using server = await scripted(({ method }) => (method === "GET" ? found() : refusal(422, "Invalid")));
  const failure = await clusterAt(server.url)
    .change(workload(), hold)
    .catch((error: Error) => error.name);
  expect(["Conflict", "Unreachable", "Throttled", "Forbidden"]).not.toContain(failure);
});

test("an Event that is there already is as good as written", async () => {
  await using server = await scripted(() => refusal(409, "AlreadyExists"));
  await expect(clusterAt(server.url).announce(workload(), announcement)).resolves.toBeUndefined();
});

test("a cluster without the kind Claw has no Claws", async () => {
  await using server = await scripted(({ path }) =>
    path.includes("claw.prismer.ai") ? { code: 404, body: "404 page not found\n" } : ok({ metadata: {}, items: null }),
  );
  expect(await asking["list"]?.(clusterAt(server.url))).toEqual([]);
  expect(server.heard.map(({ path }) => path.split("?")[0])).toContain("/apis/claw.prismer.ai/v1alpha1/claws");
  const claw: WorkloadRef = { ...ref, apiVersion: "claw.prismer.ai/v1alpha1", kind: "Claw" };
  expect(await clusterAt(server.url).read(claw)).toBeNull();
});

test.for([
  { apiVersion: "apps/v1", kind: "ReplicaSet" },
  { apiVersion: "apps/v2", kind: "Deployment" },
])("$apiVersion $kind is no kind of Pawl's: nothing is asked, and that is said once", async (other) => {
  const said: string[] = [];
  await using server = await scripted(() => found());
  const cluster = clusterAt(server.url, { warn: (message) => void said.push(message) });
  expect(await cluster.read({ ...ref, ...other })).toBeNull();
  expect(said).toEqual([`${other.apiVersion} ${other.kind} is no kind that Pawl updates: shop/app is left alone`]);
  await cluster.freeStuckPods(workload({ ref: { ...ref, ...other } }), "app:1.0.0");
  expect(server.heard).toEqual([]);
});

function podsOf(image: string) {
  return { template: { spec: { containers: [{ name: "app", image }] } } };
}

function found(): Reply {
  return ok(there);
}

/** The message says what was being done. */
function saying(method: string): RegExp {
  const words: Readonly<Record<string, RegExp>> = { list: /^list deployments/, read: /^read Deployment shop\/app/ };
  return words[method] ?? (method === "change" ? /^patch Deployment shop\/app/ : /^write an Event in shop/);
}
