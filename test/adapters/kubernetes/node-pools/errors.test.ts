import { describe, expect, test } from "vitest";
import type { NodePools } from "../../../../functions/ports/node-pools.ts";
import { member, pool } from "../../../domain/node-pool/pools.ts";
import { ok, statusReply, type Reply, startScriptedServer } from "../api/scripted-server.ts";
import { admissionRefusals, bootcNodeObject, poolObject, poolsAt } from "./objects.ts";

const node = member("w1");
const desired = { image: "myos@sha256:1", pullSecretRef: null, pullSecretHash: null };
const report = { images: null, activity: null, error: null, observedGeneration: 1, command: null };

/** Each method of the port, up to the request whose response is tested. */
const calls: Readonly<Record<string, (pools: NodePools) => Promise<unknown>>> = {
  list: (pools) => pools.list(),
  read: (pools) => pools.read(pool()),
  listNodes: (pools) => pools.listNodes("full"),
  "write to a Node": (pools) => pools.write(pool(), node, { kind: "cordon" }),
  "write to a BootcNode": (pools) => pools.write(pool(), node, { kind: "approve", readyDaemonSets: [] }),
  create: (pools) => pools.write(pool(), node, { kind: "create", desired }),
  delete: (pools) => pools.write(pool(), node, { kind: "delete" }),
  recordEmittedEvents: (pools) => pools.recordEmittedEvents(node, "Staged"),
  etcdNodes: (pools) => pools.etcdNodes(),
  listPods: (pools) => pools.listPods("w1"),
  claim: (pools) => pools.claim(pool(), "execution-1"),
  "release finalizer": (pools) => pools.release(pool(), true),
  release: (pools) => pools.release(pool(), false),
  saveStatus: (pools) => pools.saveStatus(pool(), pool().status),
  setPaused: (pools) => pools.setPaused(pool(), true),
  request: (pools) => pools.request(pool(), "promote t-1"),
  writeAgentReport: (pools) => pools.writeAgentReport(node, report),
  emitEvent: (pools) =>
    pools.emitEvent({ kind: "pool", pool: pool() }, { type: "Normal", reason: "Completed", message: "", key: "k" }),
};

const failures: readonly { readonly when: string; readonly reply: Reply | "hang up"; readonly error: object }[] = [
  { when: "401", reply: statusReply(401, "Unauthorized"), error: { name: "Forbidden" } },
  { when: "403", reply: statusReply(403, "Forbidden"), error: { name: "Forbidden" } },
  {
    when: "429",
    reply: statusReply(429, "TooManyRequests", { details: { retryAfterSeconds: 12 } }),
    error: { name: "Throttled", retryAfterSeconds: 12 },
  },
  { when: "503", reply: statusReply(503, "ServiceUnavailable"), error: { name: "Unreachable" } },
  { when: "a broken connection", reply: "hang up", error: { name: "Unreachable" } },
];

const methods = Object.keys(calls);

describe.for(methods)("%s", (method) => {
  test.for(failures)("$when is $error", async ({ reply, error }) => {
    await using server = await startScriptedServer(() => reply);
    await expect(calls[method]?.(poolsAt(server.url))).rejects.toMatchObject(error);
  });
});

/** The response body of a deletion is not read. */
test.for(methods.filter((method) => method !== "delete"))(
  "%s: the HTML page of a proxy is Unreachable",
  async (method) => {
    const page: Reply = { code: 200, body: "<h1>log in</h1>", headers: { "content-type": "text/html" } };
    await using server = await startScriptedServer(() => page);
    await expect(calls[method]?.(poolsAt(server.url))).rejects.toMatchObject({ name: "Unreachable" });
  },
);

test("a cluster without the kinds has no pools, and no BootcNodes", async () => {
  const notFound: Reply = { code: 404, body: "404 page not found\n" };
  await using server = await startScriptedServer(({ path }) =>
    path.startsWith("/apis/") ? notFound : ok(listOf([poolObject()])),
  );
  const pools = poolsAt(server.url);
  expect(await pools.list()).toEqual([]);
  expect(await pools.read(pool())).toBeNull();
  expect(await pools.listNodes("full")).toMatchObject([{ name: "workers", bootcNode: null }]);
});

test.for([
  { method: "write to a Node", name: "patch Node w1" },
  { method: "write to a BootcNode", name: "patch BootcNode w1" },
  { method: "create", name: "create a BootcNode" },
  { method: "claim", name: "patch BootcNodePool workers" },
])("$method is a Conflict on 409, and names the object", async ({ method, name }) => {
  await using server = await startScriptedServer(() => statusReply(409, "Conflict"));
  const message = expect.stringContaining(name) as string;
  await expect(calls[method]?.(poolsAt(server.url))).rejects.toMatchObject({ name: "Conflict", message });
});

test("an invalid patch is an unnamed error, because it is a bug and must not be retried", async () => {
  await using server = await startScriptedServer(() => statusReply(422, "Invalid"));
  const failure = await calls["claim"]?.(poolsAt(server.url)).catch((error: Error) => error.name);
  expect(["Conflict", "Unreachable", "Throttled", "Forbidden"]).not.toContain(failure);
});

const nodeMethods = [
  "write to a Node",
  "write to a BootcNode",
  "create",
  "delete",
  "recordEmittedEvents",
  "writeAgentReport",
];

describe.for(nodeMethods)("%s", (method) => {
  test.for(admissionRefusals)(
    "an admission denial with $code is AdmissionDenied, with its message",
    async ({ code, message }) => {
      await using server = await startScriptedServer(({ method: verb }) =>
        verb === "GET" ? ok(bootcNodeObject()) : statusReply(code, "", { message }),
      );
      await expect(calls[method]?.(poolsAt(server.url))).rejects.toMatchObject({ name: "AdmissionDenied", message });
    },
  );

  test("a denial by RBAC is Forbidden", async () => {
    const message = `nodes "w1" is forbidden: User "pawl" cannot patch resource "nodes" in API group "" at the cluster scope`;
    await using server = await startScriptedServer(() => statusReply(403, "Forbidden", { message }));
    await expect(calls[method]?.(poolsAt(server.url))).rejects.toMatchObject({ name: "Forbidden" });
  });
});

test("an admission denial of a pool is not AdmissionDenied", async () => {
  const message = 'admission webhook "x" denied the request: no';
  await using server = await startScriptedServer(() => statusReply(403, "Forbidden", { message }));
  await expect(calls["claim"]?.(poolsAt(server.url))).rejects.toMatchObject({ name: "Forbidden" });
});

const ref = { namespace: "shop", name: "pull" };

test("a pull secret that Pawl is not allowed to read is a problem", async () => {
  await using server = await startScriptedServer(() => statusReply(403, "Forbidden"));
  expect(await poolsAt(server.url, { readsPullSecrets: true }).pullSecret(ref)).toEqual({
    kind: "problem",
    reason: "Secret shop/pull: Pawl is not allowed to read it",
  });
});

test("a pull secret is not read if the deployment does not use pull secrets", async () => {
  await using server = await startScriptedServer(() => statusReply(500, "InternalError"));
  expect(await poolsAt(server.url).pullSecret(ref)).toEqual({ kind: "unread" });
  expect(server.requests).toEqual([]);
});

test.for(failures.filter(({ when }) => when !== "403"))("a pull secret: $when is $error", async ({ reply, error }) => {
  await using server = await startScriptedServer(() => reply);
  await expect(poolsAt(server.url, { readsPullSecrets: true }).pullSecret(ref)).rejects.toMatchObject(error);
});

test("the hash of a pull secret does not depend on the order of its keys", async () => {
  const hashes = await Promise.all(
    [
      { a: "MQ==", b: "Mg==" },
      { b: "Mg==", a: "MQ==" },
    ].map(async (data) => {
      await using server = await startScriptedServer(() => ok({ metadata: { name: "pull" }, type: "Opaque", data }));
      return await poolsAt(server.url, { readsPullSecrets: true }).pullSecret(ref);
    }),
  );
  expect(hashes[0]).toEqual(hashes[1]);
});

function listOf(items: readonly object[]) {
  return { metadata: {}, items };
}
