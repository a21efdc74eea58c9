import { expect, test } from "vitest";
import { ok, statusReply, startScriptedServer, type Reply } from "../api/scripted-server.ts";
import { admissionRefusals, poolsAt } from "./objects.ts";

const pod = {
  namespace: "shop",
  name: "web",
  uid: "u-1",
  controller: null,
  controllerName: "web",
  isReady: true,
  isMirror: false,
  hasEmptyDir: false,
  phase: "Running",
  isBeingDeleted: false,
};

const evictions = (rest: object = {}) => ok({ resources: [{ name: "pods" }, { name: "pods/eviction", ...rest }] });

async function evictAgainst(reply: Reply, discovery: Reply = evictions({ group: "policy", version: "v1" })) {
  await using server = await startScriptedServer(({ path }) => (path === "/api/v1" ? discovery : reply));
  const result = await poolsAt(server.url)
    .evict(pod)
    .catch((error: Error) => error.name);
  return { result, requests: server.requests };
}

const evicted: Reply = { code: 201, body: { kind: "Status", metadata: {}, status: "Success" } };
const budget = { details: { causes: [{ reason: "DisruptionBudget", message: "needs 1 healthy pod" }] } };
const refused = (reason: string) => ({ kind: "refused", reason });
const refusedByBudget = (reason: string) => ({ ...refused(reason), isBudget: true });

test.for<{ readonly response: string; readonly reply: Reply; readonly expected: unknown }>([
  { response: "201", reply: evicted, expected: { kind: "evicted" } },
  { response: "404", reply: statusReply(404, "NotFound"), expected: { kind: "not-found" } },
  {
    response: "409 because of the uid",
    reply: statusReply(409, "Conflict", {
      message: "Precondition failed: UID in precondition: a, UID in object meta: b",
    }),
    expected: { kind: "not-found" },
  },
  { response: "409 for another reason", reply: statusReply(409, "Conflict"), expected: "Conflict" },
  {
    response: "429 of a budget",
    reply: statusReply(429, "TooManyRequests", budget),
    expected: refusedByBudget("because of TooManyRequests needs 1 healthy pod"),
  },
  {
    response: "429 of a budget without a cause",
    reply: statusReply(429, "TooManyRequests", { message: "it would violate the pod's disruption budget." }),
    expected: refusedByBudget("it would violate the pod's disruption budget."),
  },
  {
    response: "429 of an admission webhook",
    reply: statusReply(429, "", { message: 'admission webhook "x" denied the request: not yet' }),
    expected: refused('admission webhook "x" denied the request: not yet'),
  },
  {
    response: "429 of priority and fairness",
    reply: { code: 429, body: "Too many requests, please try again later.\n", headers: { "retry-after": "1" } },
    expected: "Throttled",
  },
  { response: "429 without a cause", reply: statusReply(429, "TooManyRequests"), expected: "Throttled" },
  {
    response: "500 because of several budgets",
    reply: statusReply(500, "", { message: "This pod has more than one PodDisruptionBudget, which is not supported." }),
    expected: refusedByBudget("This pod has more than one PodDisruptionBudget, which is not supported."),
  },
  { response: "500 for another reason", reply: statusReply(500, "InternalError"), expected: "Unreachable" },
  {
    response: "403 in a terminating namespace",
    reply: statusReply(403, "Forbidden", {
      details: { causes: [{ reason: "NamespaceTerminating", message: "it goes" }] },
    }),
    expected: refused("because of Forbidden it goes"),
  },
  { response: "403", reply: statusReply(403, "Forbidden"), expected: "Forbidden" },
  ...admissionRefusals.map(({ code, message }) => ({
    response: `${code} of admission`,
    reply: statusReply(code, "", { message }),
    expected: refused(message),
  })),
  { response: "the HTML page of a proxy", reply: { code: 200, body: "<h1>log in</h1>" }, expected: "Unreachable" },
])("$response: $expected", async ({ reply, expected }) => {
  expect((await evictAgainst(reply)).result).toEqual(expected);
});

test.for([
  { response: "policy/v1", discovery: evictions({ group: "policy", version: "v1" }), apiVersion: "policy/v1" },
  {
    response: "policy/v1beta1",
    discovery: evictions({ group: "policy", version: "v1beta1" }),
    apiVersion: "policy/v1beta1",
  },
  { response: "no version", discovery: evictions(), apiVersion: "policy/v1beta1" },
  { response: "no eviction", discovery: ok({ resources: [] }), apiVersion: "policy/v1beta1" },
])("a server that offers $response gets evictions in $apiVersion", async ({ discovery, apiVersion }) => {
  const { requests } = await evictAgainst(evicted, discovery);
  expect(JSON.parse(requests.at(-1)?.body ?? "")).toEqual({
    apiVersion,
    kind: "Eviction",
    metadata: { name: "web", namespace: "shop" },
    deleteOptions: { preconditions: { uid: "u-1" } },
  });
});

test.for([
  { response: "503", reply: statusReply(503, "ServiceUnavailable") },
  { response: "the HTML page of a proxy", reply: { code: 200, body: "<h1>log in</h1>" } },
  { response: "an invalid list", reply: ok({}) },
])("if discovery returns $response, nothing is evicted and the error is Unreachable", async ({ reply }) => {
  const { result, requests } = await evictAgainst(evicted, reply);
  expect(result).toBe("Unreachable");
  expect(requests).toHaveLength(1);
});

test("the version is discovered once, and again after a failure", async () => {
  const replies = [statusReply(503, "ServiceUnavailable"), evictions({ group: "policy", version: "v1" })];
  await using server = await startScriptedServer(({ path }) => (path === "/api/v1" ? replies.shift()! : evicted));
  const pools = poolsAt(server.url);
  await expect(pools.evict(pod)).rejects.toMatchObject({ name: "Unreachable" });
  expect([await pools.evict(pod), await pools.evict(pod)]).toEqual([{ kind: "evicted" }, { kind: "evicted" }]);
  expect(server.requests.map(({ method }) => method)).toEqual(["GET", "GET", "POST", "POST"]);
});
