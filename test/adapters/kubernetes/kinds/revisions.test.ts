import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { readSnapshots } from "../../../../functions/adapters/kubernetes/kinds/pod-template/revisions.ts";

const deployments = { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" };
const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "u-1", controller: true };
const containers = [
  { name: "proxy", image: "registry.example/proxy:3" },
  { name: "app", image: "registry.example/shop/app:1.0.0" },
];
const template = { metadata: { labels: { app: "web" } }, spec: { containers } };
const metadata = { name: "web", namespace: "shop", uid: "u-1", resourceVersion: "7" };
const deployment = { metadata, spec: { selector: {}, template } };

/** Returns the snapshots of a Deployment, of which one ReplicaSet, and one copy that Pawl keeps, have this owner. */
function read(reference: object, annotations: Readonly<Record<string, string>> = {}) {
  const found = [{ metadata: { name: "web-1", ownerReferences: [reference] }, spec: { template } }];
  const kept = [
    { metadata: { name: "kept-1", ownerReferences: [reference] }, data: { spec: { template } }, revision: 0 },
  ];
  const listSelected = async ({ kind }: { kind: string }) => (kind === "ReplicaSet" ? found : kept);
  const api = { listSelected } as unknown as KubernetesApi;
  return readSnapshots({ ...deployment, metadata: { ...metadata, annotations } }, deployments, api);
}

test.for([
  { what: "the workload, which controls it", reference: owner, isOwn: true },
  { what: "it at another version", reference: { ...owner, apiVersion: "apps/v1beta2" }, isOwn: true },
  { what: "another object", reference: { ...owner, uid: "u-2" }, isOwn: false },
  { what: "the uid of another kind", reference: { ...owner, kind: "ConfigMap" }, isOwn: false },
  { what: "the uid of another group", reference: { ...owner, apiVersion: "example.com/v1" }, isOwn: false },
  { what: "the workload, which does not control it", reference: { ...owner, controller: false }, isOwn: false },
  { what: "the uid alone", reference: { uid: "u-1" }, isOwn: false },
])("a revision whose owner is $what is a snapshot: $isOwn", async ({ reference, isOwn }) => {
  expect((await read(reference)).map(({ revision }) => revision)).toEqual(isOwn ? ["web-1", "kept-1"] : []);
});

test.for([
  { named: undefined, image: "registry.example/proxy:3" },
  { named: "app", image: "registry.example/shop/app:1.0.0" },
  { named: "gone", image: null },
])("a snapshot has the image of the container $named", async ({ named, image }) => {
  const found = await read(owner, named === undefined ? {} : { "pawl.dev/containers": named });
  expect(found.map((one) => one.image)).toEqual([image, image]);
});
