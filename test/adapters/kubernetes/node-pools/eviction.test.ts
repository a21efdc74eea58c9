import { expect, test } from "vitest";
import { ok, refusal, scripted, type Reply } from "../scripted.ts";
import { admissionRefusals, poolsAt } from "./objects.ts";

const pod = {
  namespace: "shop",
  name: "web",
  uid: "u-1",
  controller: null,
  isMirror: false,
  phase: "Running",
  isBeingDeleted: false,
};

const evictions = (rest: object = {}) => ok({ resources: [{ name: "pods" }, { name: "pods/eviction", ...rest }] });

async function evictAgainst(reply: Reply, discovery: Reply = evictions({ group: "policy", version: "v1" })) {
  await using server = await scripted(({ path }) => (path === "/api/v1" ? discovery : reply));
  const answer = await poolsAt(server.url)
    .evict(pod)
    .catch((error: Error) => error.name);
  return { answer, heard: server.heard };
}

const evicted: Reply = { code: 201, body: { kind: "Status", metadata: {}, status: "Success" } };
const budget = { details: { causes: [{ reason: "DisruptionBudget", message: "needs 1 healthy pod" }] } };
const refused = (reason: string) => ({ kind: "refused", reason });

test.for<{ readonly what: string; readonly reply: Reply; readonly answer: unknown }>([
  { what: "201", reply: evicted, answer: { kind: "evicted" } },
  { what: "404", reply: refusal(404, "NotFound"), answer: { kind: "gone" } },
  {
    what: "409 about its uid",
    reply: refusal(409, "Conflict", { message: "Precondition failed: UID in precondition: a, UID in object meta: b" }),
    answer: { kind: "gone" },
  },
  { what: "409 about anything else", reply: refusal(409, "Conflict"), answer: "Conflict" },
  {
    what: "429 of a budget",
    reply: refusal(429, "TooManyRequests", budget),
    answer: refused("because of TooManyRequests needs 1 healthy pod"),
  },
  {
    what: "429 of a budget that names no cause",
    reply: refusal(429, "TooManyRequests", { message: "it would violate the pod's disruption budget." }),
    answer: refused("it would violate the pod's disruption budget."),
  },
  {
    what: "429 of an admission webhook",
    reply: refusal(429, "", { message: 'admission webhook "x" denied the request: not yet' }),
    answer: refused('admission webhook "x" denied the request: not yet'),
  },
  {
    what: "429 of priority and fairness",
    reply: { code: 429, body: "Too many requests, please try again later.\n", headers: { "retry-after": "1" } },
    answer: "Throttled",
  },
  { what: "429 that says nothing", reply: refusal(429, "TooManyRequests"), answer: "Throttled" },
  {
    what: "500 about several budgets",
    reply: refusal(500, "", { message: "This pod has more than one PodDisruptionBudget, which is not supported." }),
    answer: refused("This pod has more than one PodDisruptionBudget, which is not supported."),
  },
  { what: "500 about anything else", reply: refusal(500, "InternalError"), answer: "Unreachable" },
  {
    what: "403 in a namespace that goes",
    reply: refusal(403, "Forbidden", { details: { causes: [{ reason: "NamespaceTerminating", message: "it goes" }] } }),
    answer: refused("because of Forbidden it goes"),
  },
  { what: "403", reply: refusal(403, "Forbidden"), answer: "Forbidden" },
  ...admissionRefusals.map(({ code, message }) => ({
    what: `${code} of admission`,
    reply: refusal(code, "", { message }),
    answer: refused(message),
  })),
  { what: "a proxy's own page", reply: { code: 200, body: "<h1>log in</h1>" }, answer: "Unreachable" },
])("$what is $answer", async ({ reply, answer }) => {
  expect((await evictAgainst(reply)).answer).toEqual(answer);
});

test.for([
  { what: "policy/v1", discovery: evictions({ group: "policy", version: "v1" }), apiVersion: "policy/v1" },
  {
    what: "policy/v1beta1",
    discovery: evictions({ group: "policy", version: "v1beta1" }),
    apiVersion: "policy/v1beta1",
  },
  { what: "no version", discovery: evictions(), apiVersion: "policy/v1beta1" },
  { what: "no eviction", discovery: ok({ resources: [] }), apiVersion: "policy/v1beta1" },
])("a server that names $what is asked in $apiVersion", async ({ discovery, apiVersion }) => {
  const { heard } = await evictAgainst(evicted, discovery);
  expect(JSON.parse(heard.at(-1)?.body ?? "")).toEqual({
    apiVersion,
    kind: "Eviction",
    metadata: { name: "web", namespace: "shop" },
    deleteOptions: { preconditions: { uid: "u-1" } },
  });
});

test.for([
  { what: "503", reply: refusal(503, "ServiceUnavailable") },
  { what: "a proxy's own page", reply: { code: 200, body: "<h1>log in</h1>" } },
  { what: "another shape", reply: ok({}) },
])("nothing is evicted where discovery is answered with $what, which is Unreachable", async ({ reply }) => {
  const { answer, heard } = await evictAgainst(evicted, reply);
  expect(answer).toBe("Unreachable");
  expect(heard).toHaveLength(1);
});

test("the version is found once, and again after it could not be", async () => {
  const replies = [refusal(503, "ServiceUnavailable"), evictions({ group: "policy", version: "v1" })];
  await using server = await scripted(({ path }) => (path === "/api/v1" ? replies.shift()! : evicted));
  const pools = poolsAt(server.url);
  await expect(pools.evict(pod)).rejects.toMatchObject({ name: "Unreachable" });
  expect([await pools.evict(pod), await pools.evict(pod)]).toEqual([{ kind: "evicted" }, { kind: "evicted" }]);
  expect(server.heard.map(({ method }) => method)).toEqual(["GET", "GET", "POST", "POST"]);
});
