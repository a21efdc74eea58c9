import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../../../functions/adapters/kubernetes/api.ts";
import {
  keepTemplate,
  pruneTemplates,
} from "../../../../../functions/adapters/kubernetes/kinds/pod-template/kept-templates.ts";
import { readSnapshots } from "../../../../../functions/adapters/kubernetes/kinds/pod-template/revisions.ts";
import { Forbidden, Unreachable } from "../../../../../functions/ports/errors.ts";

const deployments = { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" };
const metadata = { name: "web", namespace: "shop", uid: "u-1", resourceVersion: "7" };
const matchLabels = { app: "web" };

function workload(selector: object, bytes = 0) {
  const app = { name: "app", image: "registry.example/shop/app:1.0.0", args: ["x".repeat(bytes)] };
  return { metadata, spec: { selector, template: { spec: { containers: [app] } } } };
}

test.for([
  { what: "of a usual size", object: workload({ matchLabels }), kept: 1 },
  { what: "of 1,400 KiB", object: workload({ matchLabels }, 1400 * 1024), kept: 0 },
  { what: "whose selector could match the copy", object: workload({}), kept: 0 },
])("a template $what is kept $kept times", async ({ object, kept }) => {
  const created: object[] = [];
  const api = { create: async (...request: object[]) => created.push(request) } as unknown as KubernetesApi;
  await keepTemplate(object, deployments, api);
  expect(created).toHaveLength(kept);
});

test.for([
  { error: new Forbidden("no right"), isIgnored: true },
  { error: new Unreachable("no answer"), isIgnored: false },
])("a copy that fails with $error.name is ignored: $isIgnored", async ({ error, isIgnored }) => {
  const api = { create: () => Promise.reject(error) } as unknown as KubernetesApi;
  const result = keepTemplate(workload({ matchLabels }), deployments, api);
  await expect(isIgnored ? result : result.catch((thrown: unknown) => thrown)).resolves.toBe(
    isIgnored ? undefined : error,
  );
});

test.for([
  { error: new Forbidden("no right"), read: [] },
  { error: new Unreachable("no answer"), read: "Unreachable" },
])("a person who may not list copies sees the revisions of the controller: $error.name", async ({ error, read }) => {
  const ofController = async () => [];
  const listSelected = ({ plural }: { readonly plural: string }) =>
    plural === "replicasets" ? ofController() : Promise.reject(error);
  const api = { listSelected } as unknown as KubernetesApi;
  const result = readSnapshots(workload({ matchLabels }), deployments, api);
  expect(await result.catch((thrown: Error) => thrown.name)).toEqual(read);
});

test("copies of no release are deleted, and no others", async () => {
  const deleted: unknown[] = [];
  const api = {
    listSelected: async () => ["pawl-u-1-aaaa", "pawl-u-1-bbbb"].map((name) => ({ metadata: { ...metadata, name } })),
    delete: async (_resource: object, { name }: { readonly name: string }) => deleted.push(name),
  } as unknown as KubernetesApi;
  await pruneTemplates(workload({ matchLabels }), [{ hash: "bbbb" }], api);
  expect(deleted).toEqual(["pawl-u-1-aaaa"]);
});
