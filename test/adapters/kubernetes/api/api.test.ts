import { expect, onTestFinished, test } from "vitest";
import { createKubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { kubeConfigAt, ok, type Script, startScriptedServer, statusReply } from "./scripted-server.ts";

const replicaSets = { group: "apps", version: "v1", plural: "replicasets", kind: "ReplicaSet" };
const stored = { name: "web", namespace: "shop", uid: "u-1", resourceVersion: "7" };

async function apiAt(script: Script) {
  const server = await startScriptedServer(script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { api: createKubernetesApi(kubeConfigAt(server.url)), requests: server.requests };
}

test("objects that a selector matches are listed in one request", async () => {
  const { api, requests } = await apiAt(() => ok({ metadata: {}, items: [{ metadata: stored }] }));
  expect(await api.listSelected(replicaSets, "shop", "app=web,tier in (a)")).toEqual([{ metadata: stored }]);
  const path = requests[0]?.path ?? "";
  const url = new URL(path, "http://server");
  expect(url.pathname).toBe("/apis/apps/v1/namespaces/shop/replicasets");
  expect(url.searchParams.get("labelSelector")).toBe("app=web,tier in (a)");
  expect(requests).toHaveLength(1);
});

test("a kind that does not exist has no objects that a selector matches", async () => {
  const { api } = await apiAt(() => statusReply(404, "NotFound"));
  expect(await api.listSelected(replicaSets, "shop", "app=web")).toEqual([]);
});

test("a denied list of what a selector matches is Forbidden", async () => {
  const { api } = await apiAt(() => statusReply(403, "Forbidden"));
  await expect(api.listSelected(replicaSets, "shop", "app=web")).rejects.toMatchObject({ name: "Forbidden" });
});

test.for([
  { options: undefined, preconditions: { uid: "u-1" } },
  { options: { ifUnchanged: false }, preconditions: { uid: "u-1" } },
  { options: { ifUnchanged: true }, preconditions: { uid: "u-1", resourceVersion: "7" } },
])("a delete with $options has the preconditions $preconditions", async ({ options, preconditions }) => {
  const { api, requests } = await apiAt(() => ok({ metadata: stored }));
  await api.delete(replicaSets, stored, options);
  expect(requests.map(({ method, path }) => [method, path.split("?")[0]])).toEqual([
    ["DELETE", "/apis/apps/v1/namespaces/shop/replicasets/web"],
  ]);
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ preconditions, propagationPolicy: "Background" });
});

test.for([
  { code: 404, reason: "NotFound", message: "not found" },
  { code: 409, reason: "Conflict", message: "the ResourceVersion in the precondition (1) does not match (2)" },
])("a delete does nothing if the object was deleted or has changed: $reason", async ({ code, reason, message }) => {
  const { api, requests } = await apiAt(() => statusReply(code, reason, { message }));
  await api.delete(replicaSets, stored, { ifUnchanged: true });
  expect(requests).toHaveLength(1);
});

test("a denied delete is Forbidden", async () => {
  const { api } = await apiAt(() => statusReply(403, "Forbidden"));
  await expect(api.delete(replicaSets, stored)).rejects.toMatchObject({ name: "Forbidden" });
});
