import { describe, expect, test } from "vitest";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../../functions/ports/cluster.ts";
import { workload } from "../../../support/workloads.ts";
import {
  listAll,
  clusterAt,
  ok,
  statusReply,
  startScriptedServer,
  type RecordedRequest,
  type Reply,
} from "./scripted-server.ts";

const { ref } = workload();
const there = { metadata: { ...ref, resourceVersion: "7" }, spec: podsOf("app:1.0.0") };
const autoUpdate = {
  metadata: { name: "deployment-app", namespace: "shop", uid: "u-2", resourceVersion: "8", generation: 1 },
  spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "app" } },
  status: { observedGeneration: 1 },
};
const recorded = workload({
  record: { resourceVersion: "8", state: "observed", isManaged: true, claimedElsewhereUntil: null },
});
const hold = { lastReported: { held: "no" } };
const event = { type: "Normal", reason: "AutoUpdateStarting", message: "on it", key: "e-1" } as const;

/** A call of each method of the port, up to the request whose response is tested. */
const calls: Readonly<Record<string, (cluster: Cluster) => Promise<unknown>>> = {
  list: (cluster) => listAll(cluster),
  read: (cluster) => cluster.read(ref),
  change: (cluster) => cluster.change(recorded, hold),
  emitEvent: (cluster) => cluster.emitEvent(workload(), event),
};

const html = { "content-type": "text/html" };
const failures: readonly { readonly when: string; readonly reply: Reply | "hang up"; readonly error: object }[] = [
  { when: "401", reply: statusReply(401, "Unauthorized"), error: { name: "Forbidden" } },
  { when: "403", reply: statusReply(403, "Forbidden"), error: { name: "Forbidden" } },
  {
    when: "429 with the time in its body",
    reply: statusReply(429, "TooManyRequests", { details: { retryAfterSeconds: 12 } }),
    error: { name: "Throttled", retryAfterSeconds: 12 },
  },
  {
    when: "429 with the time in a header",
    reply: { code: 429, body: "Too many requests, please try again later.\n", headers: { "retry-after": "3" } },
    error: { name: "Throttled", retryAfterSeconds: 3 },
  },
  { when: "429 without a time", reply: statusReply(429, "x"), error: { name: "Throttled", retryAfterSeconds: null } },
  { when: "500", reply: statusReply(500, "InternalError"), error: { name: "Unreachable" } },
  { when: "503", reply: { code: 503, body: "<h1>upstream</h1>", headers: html }, error: { name: "Unreachable" } },
  { when: "504", reply: statusReply(504, "Timeout"), error: { name: "Unreachable" } },
  { when: "a broken connection", reply: "hang up", error: { name: "Unreachable" } },
  {
    when: "the login page of a proxy",
    reply: { code: 200, body: "<h1>log in</h1>", headers: html },
    error: { name: "Unreachable" },
  },
  { when: "a truncated response", reply: { code: 200, body: '{"metadata": {"na' }, error: { name: "Unreachable" } },
  {
    when: "a response without a content type",
    reply: { code: 200, body: "{}", headers: { "content-type": "" } },
    error: { name: "Unreachable" },
  },
  { when: "a response of another shape", reply: { code: 200, body: "null" }, error: { name: "Unreachable" } },
];

describe.for(Object.keys(calls))("%s", (method) => {
  const own = failures.filter(({ when }) => method !== "change" || when !== "403");
  test.for(own)("$when is $error", async ({ reply, error }) => {
    await using server = await startScriptedServer(({ method: verb, path }) =>
      method === "change" && verb === "GET" ? found({ path }) : reply,
    );
    const failure = calls[method]?.(clusterAt(server.url));
    await expect(failure).rejects.toMatchObject({ ...error, message: expect.stringMatching(messagePattern(method)) });
  });

  test("a refused connection is Unreachable", async () => {
    const server = await startScriptedServer(() => "hang up");
    await server[Symbol.asyncDispose]();
    await expect(calls[method]?.(clusterAt(server.url))).rejects.toMatchObject({ name: "Unreachable" });
  });
});

test.for([
  { when: "another client wrote first", reply: statusReply(409, "Conflict") },
  { when: "it was deleted in between", reply: statusReply(404, "NotFound") },
])("a patch throws Conflict if $when", async ({ reply }) => {
  await using server = await startScriptedServer(({ method, path }) => (method === "GET" ? found({ path }) : reply));
  await expect(clusterAt(server.url).change(recorded, hold)).rejects.toMatchObject({ name: "Conflict" });
});

test.for([
  { by: "the roles", code: 403, message: 'autoupdates "app" is forbidden: User "pawl" cannot patch resource' },
  { by: "a quota", code: 403, message: "deployments.apps is forbidden: exceeded quota: few" },
  { by: "a policy", code: 422, message: "ValidatingAdmissionPolicy 'owned' denied request: no owner" },
  { by: "a webhook", code: 400, message: 'admission webhook "a.example" denied the request: no owner' },
  { by: "a webhook that does not answer", code: 500, message: 'failed calling webhook "a.example": EOF' },
  { by: "its validation", code: 422, message: "Deployment.apps is invalid: spec.x: Required value" },
  { by: "its size", code: 413, message: "Request entity too large" },
])("a write that is refused by $by is AdmissionDenied, and a denied read is not", async ({ code, message }) => {
  const refusal = statusReply(code, "Refused", { message });
  await using server = await startScriptedServer(({ method, path }) => (method === "GET" ? found({ path }) : refusal));
  const error = { name: "AdmissionDenied", message: expect.stringContaining(message) };
  await expect(clusterAt(server.url).change(recorded, hold)).rejects.toMatchObject(error);
  await using denying = await startScriptedServer(() => statusReply(403, "Forbidden", { message }));
  await expect(clusterAt(denying.url).change(recorded, hold)).rejects.toMatchObject({ name: "Forbidden" });
});

test("an Event that already exists is not an error", async () => {
  await using server = await startScriptedServer(() => statusReply(409, "AlreadyExists"));
  await expect(clusterAt(server.url).emitEvent(workload(), event)).resolves.toBeUndefined();
});

test("a cluster without the kind Claw has no Claws", async () => {
  await using server = await startScriptedServer(({ path }) =>
    path.includes("claw.prismer.ai") ? { code: 404, body: "404 page not found\n" } : ok({ metadata: {}, items: null }),
  );
  expect(await calls["list"]?.(clusterAt(server.url))).toEqual([]);
  expect(server.requests.map(({ path }) => path.split("?")[0])).toContain("/apis/claw.prismer.ai/v1alpha1/claws");
  const claw: WorkloadRef = { ...ref, apiVersion: "claw.prismer.ai/v1alpha1", kind: "Claw" };
  expect(await clusterAt(server.url).read(claw)).toBeNull();
});

test.for([
  { apiVersion: "apps/v1", kind: "ReplicaSet" },
  { apiVersion: "apps/v2", kind: "Deployment" },
])("$apiVersion $kind is not supported: no request is sent, and one warning is logged", async (other) => {
  const warnings: string[] = [];
  await using server = await startScriptedServer(() => found());
  const cluster = clusterAt(server.url, { warn: (message) => void warnings.push(message) });
  expect(await cluster.read({ ...ref, ...other })).toBeNull();
  expect(warnings).toEqual([`${other.apiVersion} ${other.kind} is not a kind that Pawl updates: shop/app is skipped`]);
  await cluster.deleteStuckPods(workload({ ref: { ...ref, ...other } }), null);
  expect(server.requests).toEqual([]);
});

function podsOf(image: string) {
  return { template: { spec: { containers: [{ name: "app", image }] } } };
}

/** Answers a GET of the workload, and of its AutoUpdate. */
function found({ path }: Pick<RecordedRequest, "path"> = { path: "" }): Reply {
  return ok(path.includes("/autoupdates/") ? autoUpdate : there);
}

/** Returns the pattern of the message, which names the operation. */
function messagePattern(method: string): RegExp {
  const patterns: Readonly<Record<string, RegExp>> = { list: /^list autoupdates/, read: /^read Deployment shop\/app/ };
  return (
    patterns[method] ?? (method === "change" ? /^patch AutoUpdate shop\/deployment-app/ : /^write an Event in shop/)
  );
}
