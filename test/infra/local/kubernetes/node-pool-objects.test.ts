import { CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { nodePoolCrds } from "../../../../infra/local/kubernetes/crds.ts";
import { simulate } from "./simulation.ts";

const apiVersion = "node.bootc.dev/v1alpha1";
const about = { group: "node.bootc.dev", version: "v1alpha1" };
const pools = { ...about, plural: "bootcnodepools" };
const bootcNodes = { ...about, plural: "bootcnodes" };

interface Object {
  readonly metadata: { readonly uid: string; readonly deletionTimestamp?: string };
  readonly spec: unknown;
}

const pool = {
  apiVersion,
  kind: "BootcNodePool",
  metadata: { name: "workers", finalizers: ["bootc.dev/pool-cleanup"] },
  spec: { image: { ref: "quay.io/example/myos:v2" }, rollout: { paused: true }, disruption: {} },
};

test("defaults of a CRD's schema are applied inside existing objects", async () => {
  await using simulation = await simulate([...nodePoolCrds(), pool]);
  const custom = simulation.kubeConfig.makeApiClient(CustomObjectsApi);
  const { spec } = (await custom.getClusterCustomObject({ ...pools, name: "workers" })) as Object;
  expect(spec).toEqual({
    image: pool.spec.image,
    rollout: {
      paused: true,
      maxUnavailable: 1,
      preStageWhilePaused: true,
      haltThreshold: 2,
      onHalt: "Hold",
      onDrainTimeout: "Report",
    },
    disruption: { rebootPolicy: "RebootOnly" },
    agent: "Daemon",
  });
});

test("a deleted pool waits for its finalizer, and its BootcNodes are garbage-collected", async () => {
  await using simulation = await simulate([...nodePoolCrds(), pool]);
  const custom = simulation.kubeConfig.makeApiClient(CustomObjectsApi);
  const named = { ...pools, name: "workers" };
  const { uid } = ((await custom.getClusterCustomObject(named)) as Object).metadata;
  const ownerReferences = [{ apiVersion, kind: "BootcNodePool", name: "workers", uid, controller: true }];
  const desiredImage = `quay.io/example/myos@sha256:${"b".repeat(64)}`;
  const body = { apiVersion, kind: "BootcNode", metadata: { name: "w1", ownerReferences }, spec: { desiredImage } };
  await custom.createClusterCustomObject({ ...bootcNodes, body });
  const marked = (await custom.deleteClusterCustomObject(named)) as Object;
  expect(marked.metadata.deletionTimestamp).toBeDefined();
  const remaining = async () =>
    ((await custom.listClusterCustomObject(bootcNodes)) as { items: Object[] }).items.length;
  expect(await remaining()).toBe(1);
  const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
  await custom.patchClusterCustomObject({ ...named, body: { metadata: { finalizers: null } } }, merge);
  await expect(custom.getClusterCustomObject(named)).rejects.toMatchObject({ code: 404 });
  expect(await remaining()).toBe(0);
});

test("pods are selected by node over all namespaces, and nodes by labels as metadata", async () => {
  const spec = { nodeName: "node-2", containers: [{ name: "app", image: "app:1.0.0" }] };
  const inside = (namespace: string) => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace }, spec });
  await using simulation = await simulate([inside("shop"), inside("blog")]);
  const { items } = await simulation.core.listPodForAllNamespaces({ fieldSelector: "spec.nodeName=node-2" });
  expect(items.map(({ metadata }) => metadata?.namespace)).toEqual(["blog", "shop"]);
  const accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
  const path = "/api/v1/nodes?labelSelector=kubernetes.io%2Fhostname%3Dnode-2";
  const response = await fetch(simulation.cluster.url + path, { headers: { accept } });
  const list = (await response.json()) as { items: object[] };
  expect(list).toMatchObject({ kind: "PartialObjectMetadataList", items: [{ metadata: { name: "node-2" } }] });
  expect(list.items[0]).not.toHaveProperty("status");
});
