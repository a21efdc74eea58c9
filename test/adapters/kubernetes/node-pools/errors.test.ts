import { describe, expect, test } from "vitest";
import type { NodePools } from "../../../../functions/ports/node-pools.ts";
import { member, pool } from "../../../domain/node-pool/pools.ts";
import { ok, refusal, type Reply, scripted } from "../scripted.ts";
import { admissionRefusals, bootcNodeObject, poolObject, poolsAt } from "./objects.ts";

const node = member("w1");
const asks = { image: "myos@sha256:1", pullSecretRef: null, pullSecretHash: null };
const report = { images: null, activity: null, error: null, observedGeneration: 1, command: null };

/** Each of the port's methods, up to the request whose answer is under test. */
const asking: Readonly<Record<string, (pools: NodePools) => Promise<unknown>>> = {
  list: (pools) => pools.list(),
  read: (pools) => pools.read(pool()),
  nodes: (pools) => pools.nodes("whole"),
  "write to a Node": (pools) => pools.write(pool(), node, { kind: "cordon" }),
  "write to a BootcNode": (pools) => pools.write(pool(), node, { kind: "approve" }),
  create: (pools) => pools.write(pool(), node, { kind: "create", asks }),
  delete: (pools) => pools.write(pool(), node, { kind: "delete" }),
  remember: (pools) => pools.remember(node, "Staged"),
  pods: (pools) => pools.pods("w1"),
  claim: (pools) => pools.claim(pool(), "execution-1"),
  "release that lets go": (pools) => pools.release(pool(), true),
  release: (pools) => pools.release(pool(), false),
  saveStatus: (pools) => pools.saveStatus(pool(), pool().status),
  setPaused: (pools) => pools.setPaused(pool(), true),
  report: (pools) => pools.report(node, report),
  announce: (pools) =>
    pools.announce({ kind: "pool", pool: pool() }, { type: "Normal", reason: "Settled", message: "", key: "k" }),
};

const failures: readonly { readonly when: string; readonly reply: Reply | "hang up"; readonly error: object }[] = [
  { when: "401", reply: refusal(401, "Unauthorized"), error: { name: "Forbidden" } },
  { when: "403", reply: refusal(403, "Forbidden"), error: { name: "Forbidden" } },
  {
    when: "429",
    reply: refusal(429, "TooManyRequests", { details: { retryAfterSeconds: 12 } }),
    error: { name: "Throttled", retryAfterSeconds: 12 },
  },
  { when: "503", reply: refusal(503, "ServiceUnavailable"), error: { name: "Unreachable" } },
  { when: "a broken connection", reply: "hang up", error: { name: "Unreachable" } },
];

const methods = Object.keys(asking);

describe.for(methods)("%s", (method) => {
  test.for(failures)("$when is $error", async ({ reply, error }) => {
    await using server = await scripted(() => reply);
    await expect(asking[method]?.(poolsAt(server.url))).rejects.toMatchObject(error);
  });
});

/** Whatever answers a deletion, nothing is read of it. */
test.for(methods.filter((method) => method !== "delete"))("%s: a proxy's own page is Unreachable", async (method) => {
  const page: Reply = { code: 200, body: "<h1>log in</h1>", headers: { "content-type": "text/html" } };
  await using server = await scripted(() => page);
  await expect(asking[method]?.(poolsAt(server.url))).rejects.toMatchObject({ name: "Unreachable" });
});

test("a cluster without the kinds has no pools, and no BootcNodes", async () => {
  const nowhere: Reply = { code: 404, body: "404 page not found\n" };
  await using server = await scripted(({ path }) => (path.startsWith("/apis/") ? nowhere : ok(listOf([poolObject()]))));
  const pools = poolsAt(server.url);
  expect(await pools.list()).toEqual([]);
  expect(await pools.read(pool())).toBeNull();
  expect(await pools.nodes("whole")).toMatchObject([{ name: "workers", bootcNode: null }]);
});

test.for([
  { method: "write to a Node", name: "patch Node w1" },
  { method: "write to a BootcNode", name: "patch BootcNode w1" },
  { method: "create", name: "create a BootcNode" },
  { method: "claim", name: "patch BootcNodePool workers" },
])("$method is a Conflict on 409, and says of what", async ({ method, name }) => {
  await using server = await scripted(() => refusal(409, "Conflict"));
  const message = expect.stringContaining(name) as string;
  await expect(asking[method]?.(poolsAt(server.url))).rejects.toMatchObject({ name: "Conflict", message });
});

test("a patch that is refused as wrong is an error of no name: it is a bug, and nothing to try again", async () => {
  await using server = await scripted(() => refusal(422, "Invalid"));
  const failure = await asking["claim"]?.(poolsAt(server.url)).catch((error: Error) => error.name);
  expect(["Conflict", "Unreachable", "Throttled", "Forbidden"]).not.toContain(failure);
});

const ofNodes = ["write to a Node", "write to a BootcNode", "create", "delete", "remember", "report"];

describe.for(ofNodes)("%s", (method) => {
  test.for(admissionRefusals)(
    "what admission refuses with $code is Refused, in its words",
    async ({ code, message }) => {
      await using server = await scripted(({ method: verb }) =>
        verb === "GET" ? ok(bootcNodeObject()) : refusal(code, "", { message }),
      );
      await expect(asking[method]?.(poolsAt(server.url))).rejects.toMatchObject({ name: "Refused", message });
    },
  );

  test("what RBAC forbids is Forbidden", async () => {
    const message = `nodes "w1" is forbidden: User "pawl" cannot patch resource "nodes" in API group "" at the cluster scope`;
    await using server = await scripted(() => refusal(403, "Forbidden", { message }));
    await expect(asking[method]?.(poolsAt(server.url))).rejects.toMatchObject({ name: "Forbidden" });
  });
});

test("what admission refuses of a pool is no node's trouble", async () => {
  const message = 'admission webhook "x" denied the request: no';
  await using server = await scripted(() => refusal(403, "Forbidden", { message }));
  await expect(asking["claim"]?.(poolsAt(server.url))).rejects.toMatchObject({ name: "Forbidden" });
});

const ref = { namespace: "shop", name: "pull" };

test("a pull secret that the cluster does not let Pawl read is a problem", async () => {
  await using server = await scripted(() => refusal(403, "Forbidden"));
  expect(await poolsAt(server.url, { readsPullSecrets: true }).pullSecret(ref)).toEqual({
    kind: "problem",
    reason: "Secret shop/pull: the cluster does not let Pawl read it",
  });
});

test("a pull secret is not asked for where the deployment does without", async () => {
  await using server = await scripted(() => refusal(500, "InternalError"));
  expect(await poolsAt(server.url).pullSecret(ref)).toEqual({ kind: "unread" });
  expect(server.heard).toEqual([]);
});

test.for(failures.filter(({ when }) => when !== "403"))("a pull secret: $when is $error", async ({ reply, error }) => {
  await using server = await scripted(() => reply);
  await expect(poolsAt(server.url, { readsPullSecrets: true }).pullSecret(ref)).rejects.toMatchObject(error);
});

test("the hash of a pull secret does not depend on the order of its keys", async () => {
  const hashes = await Promise.all(
    [
      { a: "MQ==", b: "Mg==" },
      { b: "Mg==", a: "MQ==" },
    ].map(async (data) => {
      await using server = await scripted(() => ok({ metadata: { name: "pull" }, type: "Opaque", data }));
      return await poolsAt(server.url, { readsPullSecrets: true }).pullSecret(ref);
    }),
  );
  expect(hashes[0]).toEqual(hashes[1]);
});

function listOf(items: readonly object[]) {
  return { metadata: {}, items };
}
